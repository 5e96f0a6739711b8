//! `call`: runs one tool.

use std::borrow::Cow;
use std::sync::Arc;

use clap::ArgMatches;
use serde_json::{Value, json};

use super::command::typed;
use super::flags::{Flags, resolve, words_of};
use super::io::{counted, escaped};
use super::options::{BadFlag, Options, duration};
use super::output::{Bar, Printed, format_json};
use super::questions::Questions;
use super::run::CommandPrefix;
use super::{Cli, FAILURE, INTERRUPTED, Io, USAGE};
use crate::json::reader;
use crate::operations::Carrier;
use crate::{CallToolRequest, ToolError};

/// A call that the command line asks for.
pub(super) struct Call<'a> {
    pub(super) tool: &'a str,
    /// The name that the user wrote, which may be a former name of the tool.
    called: &'a str,
    pub(super) program: &'a CommandPrefix,
    pub(super) options: Options,
    /// The flags that set the arguments, or `None` for `--json`.
    pub(super) flags: Option<Flags>,
    pub(super) questions: Arc<Questions>,
}

impl Cli {
    pub(super) async fn call(&self, matches: &ArgMatches, program: &CommandPrefix, io: &Io) -> u8 {
        let Some((name, behind)) = matches.subcommand() else {
            return io.usage_error("`call` needs the name of a tool");
        };
        let Some(tool) = self.tool(name) else {
            let code = self.report_unknown(name, io);
            io.note("help", &format!("{} list", program.line()));
            return code;
        };
        if name != tool.name {
            io.note("note", &format!("`{name}` is now called `{}`", tool.name));
        }
        let (called, name) = (name, tool.name.as_str());
        let other_names = self.dispatcher.entry(name).map_or(&[][..], |entry| &entry.aliases);
        let flags = Flags::new(&tool.input_schema).with_other_names(other_names);
        let mut words = flags.read(&words_of(behind));
        if words.asks_for_help {
            return self.help(&["call", &typed(name)], program, io);
        }
        // The words before the name of the tool are options, not flags of the tool. So read them with a schema that has
        // no properties.
        let mut options = Flags::new(&json!({ "additionalProperties": false })).read(&words_of(matches)).options;
        options.extend(std::mem::take(&mut words.options));
        let mut bad = options.check();
        let io = &io.with_color(options.text("color"));
        let questions = Arc::new(Questions::new(io, options.is_set("yes")));
        let mut call = Call { tool: name, called, program, options, flags: None, questions };
        if call.options.is_set("all") && call.format(io) == "mcp" {
            bad.push(BadFlag::new("--all", "prints one list, so write `--output text` or `--output json`"));
        }
        let arguments = if let Some(json) = call.options.text("json") {
            if !words.given.is_empty() || !words.others.is_empty() {
                bad.push(BadFlag::new("--json", "the whole of the arguments, so leave out the flags of parameters"));
            }
            bad.extend(words.bad);
            read_json(json, io).map_err(|problem| bad.push(BadFlag::new("--json", problem))).ok()
        } else {
            let arguments = Value::Object(flags.arguments(words, &mut bad));
            call.flags = Some(flags);
            Some(arguments)
        };
        match arguments {
            Some(arguments) if bad.is_empty() && !call.options.is_set("dry-run") => {
                self.run_call(&call, arguments, io).await
            }
            arguments => self.refuse(&call, arguments.as_ref(), bad, io),
        }
    }

    /// Reports all mistakes: the bad flags, and the arguments that the schema refuses. If there is no mistake, prints
    /// the arguments, as `--dry-run` asks. Never runs the tool.
    fn refuse(&self, call: &Call<'_>, arguments: Option<&Value>, mut bad: Vec<BadFlag>, io: &Io) -> u8 {
        let refused = arguments.and_then(|all| self.dispatcher.argument_error(call.tool, all, &self.extensions));
        for flag in refused.iter().flat_map(|error| call.bad_flags(error)) {
            if !bad.iter().any(|known| known.flag == flag.flag) {
                bad.push(flag);
            }
        }
        match arguments {
            Some(arguments) if bad.is_empty() && refused.is_none() => io.print_json(&format_json(arguments, io)),
            _ => call.refuse(io, &bad, refused.as_ref()),
        }
    }

    async fn run_call(&self, call: &Call<'_>, arguments: Value, io: &Io) -> u8 {
        let mut request = CallToolRequest::new(call.called, arguments);
        request.extensions = self.extensions.clone();
        let bar = if call.options.is_set("quiet") { None } else { Bar::new(io) };
        if let Some(bar) = &bar {
            let bar = bar.clone();
            request = request.with_progress(move |progress| bar.show(&progress));
        }
        let request = request.with_asker(Arc::clone(&call.questions));
        let has_pages = self.dispatcher.cursor_of(call.tool).is_some();
        let mut printed = Printed { is_all: call.options.is_set("all") && has_pages, ..Printed::default() };
        // Print a note instead of an error, so that scripts can pass `--all` to every tool.
        if call.options.is_set("all") && !has_pages {
            io.note("note", &format!("{} has no pages, so `--all` changes nothing", call.tool));
        }
        let work =
            call.print_pages(self.dispatcher.pages_over(request, Carrier::CommandLine), bar.as_ref(), &mut printed, io);
        // Start the timer before the first poll of the work, since that poll may take a long time.
        let timeout = call.options.text("timeout").and_then(duration).map(tokio::time::sleep);
        let (code, problem) = tokio::select! {
            // Poll Ctrl-C first, so that its handler is installed before the tool runs.
            biased;
            _ = tokio::signal::ctrl_c(), if io.is_process() => match printed.items {
                0 => (INTERRUPTED, "interrupted".to_owned()),
                items => (INTERRUPTED, format!("interrupted after {}", counted(items, "item"))),
            },
            code = work => {
                bar.iter().for_each(Bar::clear);
                return code;
            }
            Some(()) = async { timeout?.await; Some(()) } => {
                let time = call.options.text("timeout").unwrap_or_default();
                (FAILURE, format!("{} has not answered within {time}", call.tool))
            }
        };
        bar.iter().for_each(Bar::clear);
        printed.close(call.format(io) == "text", io);
        if io.is_process() {
            end_at_next_signal();
        }
        call.questions.end_line();
        io.error(&problem);
        code
    }
}

impl Call<'_> {
    /// Reports invalid arguments: each bad flag or, if there are no bad flags, the message of the error.
    pub(super) fn refuse(&self, io: &Io, bad: &[BadFlag], error: Option<&ToolError>) -> u8 {
        match error {
            Some(error) if bad.is_empty() => io.error(error.message()),
            _ => io.error(&format!("invalid arguments for {}", self.tool)),
        }
        for BadFlag { flag, problem } in bad {
            let line = format!("  {flag}: {problem}\n");
            io.tell(&escaped(&line, io.error_width.is_some()));
        }
        io.note("help", &format!("{} call {} --help", self.program.line(), typed(self.tool)));
        USAGE
    }

    /// Returns the invalid arguments that an error lists, each with the name of its flag, or with its path if it has no
    /// flag.
    pub(super) fn bad_flags(&self, error: &ToolError) -> Vec<BadFlag> {
        let bad = error.errors().iter().map(|error| {
            let path = error.parameter();
            let flag = match self.flags.as_ref().and_then(|flags| flags.flag_of(path)) {
                Some((flag, rest)) => format!("{flag}{rest}"),
                None => path.to_owned(),
            };
            BadFlag::new(flag, error.message())
        });
        bad.collect()
    }
}

/// Reads the value of `--json`: JSON, `@FILE`, or `-` for standard input.
fn read_json(json: &str, io: &Io) -> Result<Value, String> {
    let text = if json == "-" {
        let bytes = io.read_to_end().map_err(|error| format!("the input cannot be read: {error}"))?;
        Cow::Owned(String::from_utf8(bytes).map_err(|_| "expected UTF-8".to_owned())?)
    } else {
        resolve(json)?
    };
    match reader::read_text(text.trim_start_matches('\u{feff}')) {
        Ok(document) if document.root().is_null() => Err("expected an object, got null".to_owned()),
        Ok(document) => Ok(document.root().to_value()),
        Err(violation) if violation.path.is_root() => Err(violation.message),
        Err(violation) => Err(format!("{}: {}", violation.path, violation.message)),
    }
}

/// Ends the process at the next Ctrl-C, even if a blocking tool ignores its cancellation.
fn end_at_next_signal() {
    std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        if runtime.is_ok_and(|runtime| runtime.block_on(tokio::signal::ctrl_c()).is_ok()) {
            std::process::exit(INTERRUPTED.into());
        }
    });
}
