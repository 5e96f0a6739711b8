//! The notes in their database, with one tool for each operation.

use std::sync::{Mutex, MutexGuard, PoisonError};

use mcp_tool_runtime::{CallContext, Image, IntoToolError, ToolError, mcp_tools};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::User;
use crate::chart;

/// The notes of one database. `SQLite` calls block, so every tool that uses the database is `blocking`.
pub(crate) struct Notes {
    database: Mutex<Connection>,
}

/// One note.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Note {
    id: i64,
    title: String,
    body: String,
    /// Who wrote it.
    author: String,
}

/// A note to import.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Draft {
    #[schemars(length(min = 1, max = 200))]
    title: String,
    body: String,
}

#[derive(Debug, thiserror::Error, IntoToolError)]
pub(crate) enum NotesError {
    #[error("there is no note {id}")]
    #[tool_error(additional_prompt_content = "search for the note to learn its id")]
    NoSuchNote { id: i64 },
    #[error("the import was cancelled after {written} notes")]
    Cancelled { written: usize },
    #[error(transparent)]
    #[tool_error(internal)]
    Database(#[from] rusqlite::Error),
}

impl Notes {
    /// Opens the database in `file`, or in memory without a file.
    pub(crate) fn open(file: Option<&str>) -> rusqlite::Result<Self> {
        let database = match file {
            Some(file) => Connection::open(file)?,
            None => Connection::open_in_memory()?,
        };
        // A note is on the disk before its response is sent, so that neither a kill nor a power failure loses it.
        database.execute_batch(
            "PRAGMA journal_mode = WAL;
             PRAGMA synchronous = FULL;
             CREATE TABLE IF NOT EXISTS notes (
                 id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL, author TEXT NOT NULL
             ) STRICT;",
        )?;
        Ok(Self { database: Mutex::new(database) })
    }

    /// Locks the database, also after a panic: each write is one transaction, so no note is half written.
    fn database(&self) -> MutexGuard<'_, Connection> {
        self.database.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn note(row: &Row<'_>) -> rusqlite::Result<Note> {
    Ok(Note { id: row.get(0)?, title: row.get(1)?, body: row.get(2)?, author: row.get(3)? })
}

#[mcp_tools(prefix = "notes_")]
impl Notes {
    /// Create a note.
    #[mcp_tool(blocking, timeout = "10s")]
    fn create(
        &self,
        /// Its title.
        #[schemars(length(min = 1, max = 200))]
        title: &str,
        /// Its text.
        #[mcp_tool(default = "")]
        body: &str,
        #[mcp_tool(extension)] user: &User,
    ) -> Result<Note, NotesError> {
        let insert = "INSERT INTO notes (title, body, author) VALUES (?1, ?2, ?3) RETURNING *";
        Ok(self.database().query_row(insert, params![title, body, user.name], note)?)
    }

    /// Read a note.
    #[mcp_tool(blocking, read_only_hint)]
    fn read(
        &self,
        /// Its id.
        #[mcp_tool(example = 1)]
        id: i64,
    ) -> Result<Note, NotesError> {
        let found = self.database().query_row("SELECT * FROM notes WHERE id = ?1", [id], note).optional()?;
        found.ok_or(NotesError::NoSuchNote { id })
    }

    /// Find notes whose title or text contains some words, newest first.
    #[mcp_tool(blocking, read_only_hint)]
    fn search(
        &self,
        /// The words to search for. Without them, all notes match.
        words: Option<&str>,
        /// Maximum number of notes to return.
        #[mcp_tool(default = 20)]
        #[schemars(range(min = 1, max = 100))]
        limit: u8,
    ) -> Result<Vec<Note>, NotesError> {
        let database = self.database();
        let mut select = database.prepare_cached(
            "SELECT * FROM notes WHERE instr(lower(title || ' ' || body), lower(?1)) ORDER BY id DESC LIMIT ?2",
        )?;
        let found = select.query_map(params![words.unwrap_or_default(), limit], note)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Delete a note permanently.
    #[mcp_tool(blocking, destructive_hint, idempotent_hint)]
    fn delete(
        &self,
        /// Its id.
        id: i64,
    ) -> Result<(), NotesError> {
        match self.database().execute("DELETE FROM notes WHERE id = ?1", [id])? {
            0 => Err(NotesError::NoSuchNote { id }),
            _ => Ok(()),
        }
    }

    /// Create many notes and report progress. Returns the number of notes.
    #[mcp_tool(blocking, timeout = "5m")]
    fn import(
        &self,
        /// The notes to create.
        #[schemars(length(min = 1, max = 10_000))]
        notes: &[Draft],
        #[mcp_tool(extension)] user: &User,
        #[mcp_tool(context)] cx: &CallContext,
    ) -> Result<usize, NotesError> {
        let insert = "INSERT INTO notes (title, body, author) VALUES (?1, ?2, ?3)";
        for (written, draft) in notes.iter().enumerate() {
            if cx.is_cancelled() {
                return Err(NotesError::Cancelled { written });
            }
            self.database().execute(insert, params![draft.title, draft.body, user.name])?;
            if (written + 1) % 100 == 0 || written + 1 == notes.len() {
                let [done, total] =
                    [written + 1, notes.len()].map(|count| f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
                cx.progress(done, total, format!("{} notes written", written + 1));
            }
        }
        Ok(notes.len())
    }

    /// Draw a bar chart of the number of notes of each author, in the order of their names.
    #[mcp_tool(blocking, read_only_hint)]
    fn chart(&self) -> Result<Image, ToolError> {
        let counts = {
            let database = self.database();
            let mut select = database.prepare_cached("SELECT count(*) FROM notes GROUP BY author ORDER BY author")?;
            select.query_map([], |row| row.get(0))?.collect::<Result<Vec<u32>, _>>()?
        };
        Ok(Image::new(chart::bars(&counts)?, "image/png"))
    }
}
