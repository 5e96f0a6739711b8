//! The questions of a tool, asked on the terminal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value, json};
use tokio::sync::{Mutex, oneshot};

use super::flags::types::Types;
use super::{Io, message};
use crate::dispatcher::describe;
use crate::{Asker, BoxFuture, Question, Reply};

/// Answers questions with what the user types.
pub(super) struct Terminal {
    io: Io,
    /// Agree without asking.
    yes: bool,
    /// Several questions may be open at once, and one terminal shows one of them.
    turn: Mutex<()>,
    waits: Waits,
}

/// `true` while a question waits for its answer. The cursor is then at the end of a line without a line break.
#[derive(Clone, Default)]
pub(super) struct Waits(Arc<AtomicBool>);

impl Waits {
    /// Begins a new line on the terminal if a question is waiting, so that the next message has a line of its own.
    pub(super) fn end_line(&self, io: &Io) {
        if self.0.load(Ordering::Relaxed) {
            io.tell("\n");
        }
    }
}

impl Terminal {
    pub(super) fn new(io: &Io, yes: bool, waits: &Waits) -> Self {
        Self { io: io.clone(), yes, turn: Mutex::new(()), waits: waits.clone() }
    }
}

impl Asker for Terminal {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply> {
        Box::pin(async move {
            if self.yes && question.is_consent {
                return Reply::yes();
            }
            if !self.io.can_ask() {
                return Reply::Unavailable;
            }
            let _turn = self.turn.lock().await;
            let message = message::shown(question.message(), true).into_owned();
            let (io, schema) = (self.io.clone(), question.schema().clone());
            let is_consent = question.is_consent;
            let (sender, reply) = oneshot::channel();
            self.waits.0.store(true, Ordering::Relaxed);
            // A thread instead of a blocking task: after Ctrl-C, the runtime would wait for a blocking task that reads input.
            std::thread::spawn(move || {
                let reply = if is_consent { consent(&io, &message) } else { form(&io, &message, &schema) };
                drop(sender.send(reply));
            });
            let reply = reply.await.unwrap_or(Reply::Cancel);
            self.waits.0.store(false, Ordering::Relaxed);
            reply
        })
    }
}

/// Asks for a yes or a no. An empty line is a no. The end of the input cancels the question.
fn consent(io: &Io, message: &str) -> Reply {
    loop {
        io.tell(&format!("{message} [y/N] "));
        match io.read_line() {
            None => return end(io),
            Some(line) => match line.trim().to_lowercase().as_str() {
                "y" | "yes" => return Reply::yes(),
                "" | "n" | "no" => return Reply::Decline,
                _ => io.tell("Please answer with y or n.\n"),
            },
        }
    }
}

/// Asks for each property of a form. The end of the input closes the form.
fn form(io: &Io, message: &str, schema: &Value) -> Reply {
    io.tell(&format!("{message}\n"));
    let mut content = Map::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let is_required = schema["required"].as_array().is_some_and(|names| names.iter().any(|other| other == name));
        match value(io, name, property, is_required, schema) {
            Typed::Value(value) => drop(content.insert(name.clone(), value)),
            Typed::LeftOut => {}
            Typed::EndOfInput => return end(io),
        }
    }
    Reply::accept(content)
}

/// What a user typed for a property.
enum Typed {
    Value(Value),
    LeftOut,
    EndOfInput,
}

/// Asks for one property.
fn value(io: &Io, name: &str, property: &Value, is_required: bool, root: &Value) -> Typed {
    let label = message::shown(property["title"].as_str().unwrap_or(name), true);
    let kind = describe::kind(property, root).replace('`', "");
    let kind = message::shown(&kind, true);
    let rest = match (property.get("default"), is_required) {
        (Some(default), _) => message::shown(&format!("; default {default}"), true).into_owned(),
        (None, true) => String::new(),
        (None, false) => "; may be left out".to_owned(),
    };
    if let Some(description) = property["description"].as_str() {
        io.tell(&format!("  {}\n", message::shown(description, true)));
    }
    loop {
        io.tell(&format!("  {label} ({kind}{rest}): "));
        let Some(line) = io.read_line() else { return Typed::EndOfInput };
        let text = line.trim();
        if !text.is_empty() {
            return Typed::Value(read(text, property, root));
        }
        if let Some(default) = property.get("default") {
            return Typed::Value(default.clone());
        }
        if !is_required {
            return Typed::LeftOut;
        }
    }
}

/// Reads a typed text. Several choices are separated by commas.
fn read(text: &str, property: &Value, root: &Value) -> Value {
    let types = Types::of(property, root);
    if types == Types::BOOLEAN {
        match text.to_lowercase().as_str() {
            "y" | "yes" => return true.into(),
            "n" | "no" => return false.into(),
            _ => {}
        }
    }
    if types == Types::ARRAY && !text.starts_with('[') {
        return text.split(',').map(|one| json!(one.trim())).collect();
    }
    types.read(text)
}

fn end(io: &Io) -> Reply {
    io.tell("\n");
    Reply::Cancel
}
