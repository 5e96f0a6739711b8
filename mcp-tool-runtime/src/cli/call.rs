//! `call`: runs one tool.

use std::pin::pin;

use clap::ArgMatches;
use serde_json::{Map, Value};

use super::flags::{BadFlag, Flags};
use super::progress::Bar;
use super::{Cli, INTERRUPTED, Io, USAGE, message};
use crate::json::reader;
use crate::{CallToolRequest, DispatchError, ToolError, mcp};

/// What was asked for on the command line.
pub(super) struct Call<'a> {
    pub(super) tool: &'a str,
    pub(super) program: &'a str,
    /// The options of `call`.
    pub(super) options: &'a ArgMatches,
    /// The flags that the arguments came from, or `None` if they came from `--json`.
    pub(super) flags: Option<Flags>,
    /// `--yes` was given, before or after the name of the tool.
    pub(super) agrees: bool,
    /// `--all` was given, before or after the name of the tool.
    pub(super) all: bool,
}

impl Cli {
    pub(super) async fn call(&self, options: &ArgMatches, program: &str, io: &Io) -> u8 {
        let Some((name, matches)) = options.subcommand() else {
            return message::usage_error(io, "`call` needs the name of a tool");
        };
        let Some(tool) = self.tool(name) else {
            // The error of the dispatcher also suggests the nearest name.
            let mut request = CallToolRequest::new(name, Map::new());
            request.extensions = self.extensions.clone();
            let unknown = self.dispatcher.call(request).await;
            let problem = unknown.err().map_or_else(|| format!("unknown tool `{name}`"), |error| error.to_string());
            message::error(io, &problem);
            message::note(io, "help", &format!("{program} list"));
            return USAGE;
        };
        let flags = Flags::new(&tool.input_schema);
        let agrees = options.get_flag("yes") || !flags.takes("yes") && matches.get_flag("yes");
        let all = options.get_flag("all") || !flags.takes("all") && matches.get_flag("all");
        let mut call = Call { tool: name, program, options, flags: None, agrees, all };
        if all && ["otc", "mcp"].contains(&call.format(io)) {
            return message::usage_error(io, "`--all` prints one list, not the responses: leave out `--output`");
        }
        let words = flags.words(matches);
        let own = if flags.takes("json") { None } else { matches.get_one::<String>("json") };
        let arguments = match own.or_else(|| options.get_one::<String>("json")) {
            Some(_) if !words.is_empty() => {
                return call.refuse(io, &[], "`--json` is the whole of the arguments: leave out the other flags");
            }
            Some(json) => match read_json(json, io) {
                Ok(arguments) => arguments,
                Err(problem) => return call.refuse(io, &[], &problem),
            },
            None => {
                let (arguments, bad) = flags.arguments(words);
                call.flags = Some(flags);
                if !bad.is_empty() {
                    return self.refuse(&call, tool, arguments, bad, io);
                }
                arguments.into()
            }
        };
        self.run_call(&call, arguments, io).await
    }

    /// Reports bad flags together with everything that the schema refuses. The tool does not run.
    fn refuse(
        &self,
        call: &Call<'_>,
        tool: &mcp::Tool,
        arguments: Map<String, Value>,
        mut bad: Vec<BadFlag>,
        io: &Io,
    ) -> u8 {
        if let Some(error) = self.dispatcher.argument_error(&tool.name, &arguments.into(), &self.extensions) {
            let found = call.bad_flags(&error);
            let is_known = |flag: &BadFlag| bad.iter().any(|known| known.flag == flag.flag);
            let new: Vec<_> = found.into_iter().filter(|flag| !is_known(flag)).collect();
            bad.extend(new);
        }
        call.refuse(io, &bad, &format!("invalid arguments for {}", tool.name))
    }

    async fn run_call(&self, call: &Call<'_>, arguments: Value, io: &Io) -> u8 {
        let mut request = CallToolRequest::new(call.tool, arguments);
        request.extensions = self.extensions.clone();
        let bar = if call.options.get_flag("quiet") { None } else { Bar::new(io) };
        if let Some(bar) = &bar {
            let bar = bar.clone();
            request = request.with_progress(move |progress| bar.show(&progress));
        }
        let questions = super::questions::Questions::default();
        let request = request.with_asker(super::questions::Terminal::new(io, call.agrees, &questions));
        if call.all {
            let code = self.run_all(call, request, io).await;
            if let Some(bar) = bar {
                bar.clear();
            }
            return code;
        }
        let ended = if io.is_process() {
            let answer = pin!(self.dispatcher.call(request));
            tokio::select! {
                // Ctrl-C is polled first, so that its handler is installed before the tool runs.
                biased;
                _ = tokio::signal::ctrl_c() => None,
                ended = answer => Some(ended),
            }
        } else {
            Some(self.dispatcher.call(request).await)
        };
        if let Some(bar) = bar {
            bar.clear();
        }
        match ended {
            Some(Ok(response)) => {
                let code = call.print_response(&response, io);
                call.explain_questions(&response, &questions, io);
                code
            }
            Some(Err(error)) => not_dispatched(&error, io),
            None => {
                end_at_second_signal();
                questions.end_line(io);
                message::error(io, "interrupted");
                INTERRUPTED
            }
        }
    }
}

impl Call<'_> {
    /// Reports what is wrong with the arguments.
    pub(super) fn refuse(&self, io: &Io, bad: &[BadFlag], problem: &str) -> u8 {
        message::error(io, problem);
        for BadFlag { flag, problem } in bad {
            let line = format!("  {flag}: {problem}\n");
            io.tell(&message::shown(&line, io.error_width().is_some()));
        }
        message::note(io, "help", &format!("{} call {} --help", self.program, self.tool));
        USAGE
    }

    /// Returns the invalid arguments of an error, with the names of their flags.
    pub(super) fn bad_flags(&self, error: &ToolError) -> Vec<BadFlag> {
        let named = |path: &str| match self.flags.as_ref().and_then(|flags| flags.flag_of(path)) {
            Some((flag, rest)) => format!("{flag}{rest}"),
            None => path.to_owned(),
        };
        let errors = error.errors().iter();
        errors.map(|error| BadFlag { flag: named(error.parameter()), problem: error.message().to_owned() }).collect()
    }
}

/// Reads the value of `--json`.
fn read_json(json: &str, io: &Io) -> Result<Value, String> {
    let bytes = if json == "-" {
        io.read_to_end().map_err(|error| format!("the input cannot be read: {error}"))?
    } else {
        json.as_bytes().to_vec()
    };
    let text = std::str::from_utf8(&bytes).map_err(|_| "`--json`: expected UTF-8".to_owned())?;
    match reader::read_text(text.trim_start_matches('\u{feff}')) {
        Ok(document) => Ok(document.root().to_value()),
        Err(violation) if violation.path.is_root() => Err(format!("`--json`: {}", violation.message)),
        Err(violation) => Err(format!("`--json`: {}: {}", violation.path, violation.message)),
    }
}

/// Reports a request that reached no tool.
pub(super) fn not_dispatched(error: &DispatchError, io: &Io) -> u8 {
    message::error(io, &error.to_string());
    if matches!(error, DispatchError::MissingExtension { .. }) {
        message::note(io, "help", "the program attaches it with `Cli::with_extension`");
    }
    super::FAILURE
}

/// Ends the process at the next Ctrl-C. Otherwise a blocking tool that does not check for cancellation would keep it alive.
fn end_at_second_signal() {
    std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        if runtime.is_ok_and(|runtime| runtime.block_on(tokio::signal::ctrl_c()).is_ok()) {
            std::process::exit(INTERRUPTED.into());
        }
    });
}
