//! Asks the questions of a tool on the terminal.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value};
use tokio::sync::{Mutex, oneshot};

use super::call::Call;
use super::flags::{read_value, shown};
use super::io::escaped;
use super::{FAILURE, Io, describe};
use crate::ask::{Answer, Asker, Question, Reply};
use crate::schema::accepted::Types;
use crate::schema::{self, reference};
use crate::{BoxFuture, CallToolResponse, DispatchError, ToolError};

/// An [`Asker`] that asks the user on the terminal.
pub(super) struct Questions {
    io: Io,
    /// Whether `--yes` was given. This option agrees to every request for consent without asking.
    yes: bool,
    /// The lock of the terminal, which can show only one question at a time.
    turn: Mutex<()>,
    /// Whether a question is waiting for its answer. If so, the cursor is at the end of an unfinished line.
    is_waiting: AtomicBool,
    /// The first question that could not be asked, for lack of a terminal.
    unasked: OnceLock<Question>,
}

impl Questions {
    pub(super) fn new(io: &Io, yes: bool) -> Self {
        let (turn, is_waiting, unasked) = Default::default();
        Self { io: io.clone(), yes, turn, is_waiting, unasked }
    }

    /// Ends the line of a waiting question, so that the next message starts on a new line.
    pub(super) fn end_line(&self) {
        if self.is_waiting.load(Ordering::Relaxed) {
            self.io.tell("\n");
        }
    }
}

impl Asker for Questions {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply> {
        Box::pin(async move {
            if self.yes && question.is_consent {
                return Reply::yes();
            }
            if !self.io.can_ask() {
                self.unasked.get_or_init(|| question.clone());
                return Reply::Unavailable;
            }
            let _turn = self.turn.lock().await;
            let message = escaped(question.message(), true).into_owned();
            let (io, question) = (self.io.clone(), question.clone());
            let is_consent = question.is_consent;
            let (sender, reply) = oneshot::channel();
            self.is_waiting.store(true, Ordering::Relaxed);
            // Use a thread, not a blocking task: after Ctrl-C, the runtime would wait for a blocking task that is still
            // reading input, and could not shut down.
            std::thread::spawn(move || {
                let reply = if is_consent { consent(&io, &message, &question) } else { form(&io, &message, &question) };
                drop(sender.send(reply));
            });
            let reply = reply.await.unwrap_or(Reply::Cancel);
            self.is_waiting.store(false, Ordering::Relaxed);
            reply
        })
    }
}

impl Call<'_> {
    /// Prints the answer to a call. If the call failed because nobody could be asked, says so, and says how to answer.
    pub(super) fn print_answer(&self, answer: &Result<CallToolResponse, DispatchError>, io: &Io) -> u8 {
        let response = match answer {
            Ok(response) => response,
            Err(error) => {
                io.error(&error.to_string());
                if let DispatchError::MissingExtension { type_name } = error {
                    let help = format!("the program attaches a `{type_name}` with `Cli::with_extension`");
                    io.note("help", &help);
                }
                return FAILURE;
            }
        };
        let is_unavailable = response.error().and_then(ToolError::code) == Some(Answer::<()>::Unavailable.outcome());
        let Some(question) = self.questions.unasked.get().filter(|_| is_unavailable) else {
            return self.print_response(response, io);
        };
        let code = if self.format(io) == "mcp" {
            self.print_response(response, io)
        } else {
            let asks = if question.is_consent { "asks for your consent" } else { "asks a question" };
            let message = question.message();
            io.fail(&format!("{} {asks}, and there is no terminal to answer on: {message}", self.tool))
        };
        let help = if question.is_consent {
            format!("to agree without being asked: {} call --yes {} …", self.program.line(), self.tool)
        } else {
            "a question is asked only if standard input and standard error are a terminal".to_owned()
        };
        io.note("help", &help);
        code
    }
}

/// Asks a yes-or-no question. An empty line means no, and the end of the input cancels.
fn consent(io: &Io, message: &str, question: &Question) -> Reply {
    let title = question.schema()["properties"]["confirm"]["title"].as_str();
    let title = title.map(|title| format!("\n  {}", escaped(title, true))).unwrap_or_default();
    loop {
        io.tell(&format!("{message}{title} [y/N] "));
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

/// Asks for each property of a form. The end of the input cancels.
fn form(io: &Io, message: &str, question: &Question) -> Reply {
    let schema = question.schema();
    io.tell(&format!("{message}\n"));
    let mut content = Map::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if ask(io, name, property, question, &mut content).is_none() {
            return end(io);
        }
    }
    Reply::accept(content)
}

/// Asks for one property until the answer is valid. Returns `None` at the end of the input. Rules about several
/// properties, and rules that only the Rust type has, are checked with the whole form.
fn ask(io: &Io, name: &str, property: &Value, question: &Question, content: &mut Map<String, Value>) -> Option<()> {
    let root = question.schema();
    let is_required = schema::is_required(root, name);
    let label = escaped(property["title"].as_str().unwrap_or(name), true);
    let choices = choices(property, root);
    let kind = kind(property, root, &choices);
    let kind = escaped(&kind, true);
    let rest = match (property.get("default"), is_required) {
        (Some(default), _) => escaped(&format!("; default {}", shown(default)), true).into_owned(),
        (None, true) => String::new(),
        (None, false) => "; may be left out".to_owned(),
    };
    if let Some(description) = property["description"].as_str() {
        io.tell(&format!("  {}\n", escaped(description, true)));
    }
    for (number, (_, text)) in choices.iter().enumerate() {
        io.tell(&format!("    {} {}\n", number + 1, escaped(text, true)));
    }
    loop {
        io.tell(&format!("  {label} ({kind}{rest}): "));
        let line = io.read_line()?;
        let value = match (line.trim(), property.get("default")) {
            ("", Some(default)) => default.clone(),
            ("", None) if is_required => {
                io.tell("  an answer is required\n");
                continue;
            }
            ("", None) => return Some(()),
            (text, _) => read(text, property, root, &choices),
        };
        let Some(problem) = question.problem(name, &value) else {
            content.insert(name.to_owned(), value);
            return Some(());
        };
        io.tell(&format!("  {}\n", escaped(&problem, true)));
    }
}

/// Lists the choices for a property or for its elements, with their texts.
fn choices(property: &Value, root: &Value) -> Vec<(Value, String)> {
    let schema = reference::follow(property, root);
    let schema = schema.get("items").map_or(schema, |items| reference::follow(items, root));
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(|value| (value.clone(), shown(value))).collect();
    }
    let branches = ["oneOf", "anyOf"].into_iter().find_map(|keyword| schema[keyword].as_array());
    let choice = |branch: &Value| {
        let value = reference::follow(branch, root).get("const")?;
        Some((value.clone(), branch["title"].as_str().map_or_else(|| shown(value), str::to_owned)))
    };
    branches.and_then(|branches| branches.iter().map(choice).collect()).unwrap_or_default()
}

/// Says in everyday words what to type, such as `whole number` or `up to 3, separated by commas`.
fn kind(property: &Value, root: &Value, choices: &[(Value, String)]) -> String {
    let is_list = Types::of(property, root) == Types::ARRAY;
    if !choices.is_empty() || is_list {
        let schema = reference::follow(property, root);
        let count = match (schema["minItems"].as_u64().filter(|least| *least > 0), schema["maxItems"].as_u64()) {
            _ if !is_list => "one".to_owned(),
            (Some(least), Some(most)) if least == most => least.to_string(),
            (Some(least), Some(most)) => format!("{least} to {most}"),
            (Some(least), None) => format!("{least} or more"),
            (None, Some(most)) => format!("up to {most}"),
            (None, None) => "any number".to_owned(),
        };
        let texts: Vec<_> = choices.iter().map(|(_, text)| text.as_str()).collect();
        return match texts.as_slice() {
            [] => format!("{count}, separated by commas"),
            texts => format!("{count} of: {}", texts.join(", ")),
        };
    }
    let kind = describe::kind(property, root).replace('`', "");
    let words =
        [("string of the format ", ""), ("string", "text"), ("integer", "whole number"), ("boolean", "yes or no")];
    let word = words.into_iter().find_map(|(word, plain)| Some(format!("{plain}{}", kind.strip_prefix(word)?)));
    word.unwrap_or(kind)
}

/// Reads an answer. A choice is given by its text or its number. The elements of a list are separated by commas, unless
/// the text is a JSON array.
fn read(text: &str, property: &Value, root: &Value, choices: &[(Value, String)]) -> Value {
    let types = Types::of(property, root);
    if types == Types::BOOLEAN {
        match text.to_lowercase().as_str() {
            "y" | "yes" => return true.into(),
            "n" | "no" => return false.into(),
            _ => {}
        }
    }
    let chosen = |text: &str| {
        let named = choices.iter().find(|(value, label)| label == text || shown(value) == text);
        let numbered = || choices.get(text.parse::<usize>().ok()?.checked_sub(1)?);
        named.or_else(numbered).map(|(value, _)| value.clone())
    };
    if types == Types::ARRAY && !text.starts_with('[') {
        let items = &reference::follow(property, root)["items"];
        let one = |text: &str| chosen(text).unwrap_or_else(|| read_value(Types::of(items, root), text));
        return text.split(',').map(|text| one(text.trim())).collect();
    }
    chosen(text).unwrap_or_else(|| read_value(types, text))
}

fn end(io: &Io) -> Reply {
    io.tell("\n");
    Reply::Cancel
}
