//! The log file, read in two ways.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use mcp_tool_runtime::{Cursor, Excerpt, Paged, mcp_tool};
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) struct Log(PathBuf);

impl Log {
    /// Names the file, and writes it if there is none.
    pub(crate) fn open(file: &Path, lines: u64) -> io::Result<Self> {
        if !file.exists() {
            let unfinished = file.with_extension("unfinished");
            let mut log = BufWriter::new(File::create(&unfinished)?);
            for line in 1..=lines {
                let (second, path, status) = (line / 10, line * 7919 % 997, if line % 1_000 == 0 { 500 } else { 200 });
                writeln!(
                    log,
                    "{second:>8} INFO request {line:>8} GET /articles/{path:<4} status {status} in {:>4} ms, {:>7} bytes sent",
                    line % 173,
                    line * 31 % 99_991
                )?;
            }
            log.into_inner()?.sync_all()?;
            fs::rename(unfinished, file)?;
        }
        Ok(Self(file.to_owned()))
    }
}

/// Read the log from its first line.
///
/// The file is read again for each part: simple, and fast enough for some megabytes.
#[mcp_tool(blocking, read_only_hint, budget = 8_000)]
pub(crate) fn read_log(#[mcp_tool(state)] log: &Log) -> Result<Excerpt, io::Error> {
    Ok(Excerpt::lines(fs::read_to_string(&log.0)?))
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Line {
    text: String,
    /// Where the line ends in the file. It is the key of a cursor, and not sent.
    #[serde(skip)]
    end: u64,
}

/// Search the log for lines that contain a text.
///
/// The next page starts where the last one ended, so a file of any size is read once.
#[mcp_tool(blocking, read_only_hint, budget = 8_000)]
pub(crate) fn search_log(
    #[mcp_tool(example = "status 500")] text: &str,
    after: Cursor<u64>,
    #[mcp_tool(state)] log: &Log,
) -> Result<Paged<Line>, io::Error> {
    let mut file = BufReader::new(File::open(&log.0)?);
    let mut end = file.seek(SeekFrom::Start(after.position().copied().unwrap_or_default()))?;
    let mut found = Vec::new();
    let mut line = String::new();
    while found.len() < 1_000 && file.read_line(&mut line)? > 0 {
        end += line.len() as u64;
        if line.contains(text) {
            found.push(Line { text: line.trim_end().to_owned(), end });
        }
        line.clear();
    }
    Ok(Paged::by(found, |line| line.end))
}
