//! Turns a server into a command-line program (feature `cli`).
//!
//! Each tool gets flags, help and shell completion from its schema. Without arguments, the program is still a server:
//!
//! ```no_run
//! use std::process::ExitCode;
//! use mcp_tool_runtime::{Dispatcher, cli::Cli, mcp_tool, tools};
//!
//! /// Add two numbers.
//! #[mcp_tool(read_only_hint)]
//! async fn add(/** The first one. */ a: i64, /** The second one. */ b: i64) -> i64 {
//!     a + b
//! }
//!
//! #[tokio::main]
//! async fn main() -> ExitCode {
//!     let dispatcher = Dispatcher::builder().tools(tools![add]).build().expect("the tools are valid");
//!     Cli::new(dispatcher).run().await
//! }
//! ```
//!
//! ```console
//! $ calculator call add --a 2 --b 3
//! 5
//! $ calculator list
//! add  read-only  Add two numbers.
//! $ calculator            # an MCP server over stdio, as a client starts it
//! ```
//!
//! The guide [`command_line`](crate::guide::command_line) describes the commands.

// `command` makes the `clap` commands, and `flags` makes the flags of one tool. `run` parses a command line, carries
// out its command, and finds the words that a user types to start the program. Most commands have their own file.
// `call` runs a tool, asks its `questions`, and prints its progress and `output`. `io` holds the streams. `install`
// edits the configuration files of clients, and `package` writes the files for registries. Both know the `variables` of
// the server.
mod call;
mod command;
mod complete;
mod describe;
#[cfg(feature = "export")]
mod export;
mod flags;
mod install;
mod io;
#[cfg(feature = "lint")]
mod lint;
mod list;
mod options;
mod output;
mod package;
mod questions;
mod run;
mod variables;

use std::ffi::OsString;
use std::process::ExitCode;

pub use clap;
use clap::ArgMatches;

pub use io::Io;
pub use variables::Variable;

use crate::{Dispatcher, Extensions, ToolInfo, mcp};
use run::CommandPrefix;

/// The exit code if the command succeeded.
const SUCCESS: u8 = 0;
/// The exit code if the command failed: for example, the tool failed or a check found a problem.
const FAILURE: u8 = 1;
/// The exit code if the command line or the arguments of the tool are invalid.
const USAGE: u8 = 2;
/// The exit code after Ctrl-C, as in a shell.
const INTERRUPTED: u8 = 130;

/// The command line of a server.
///
/// | command | does |
/// | --- | --- |
/// | none, `serve` | serves MCP over standard input and output; `--read-only`, `--tags`, `--only` and `--without` choose some tools |
/// | `list` | lists the tools |
/// | `call NAME --flag value …` | calls a tool |
/// | `describe` | writes a page about all tools, or about one, in Markdown |
/// | `lint` | finds what clients would refuse or lose (feature `lint`) |
/// | `contract` | checks the tools against the file of a `contract` (feature `lint`) |
/// | `openapi` | prints the `OpenAPI` document of the tools |
/// | `export VENDOR` | prints the definitions for a model vendor (feature `export`) |
/// | `install CLIENT` | prints the entry for the configuration of a client; with `--write`, writes it there |
/// | `uninstall CLIENT` | removes the entry |
/// | `package` | prints the entry of the official registry, or the manifest of a bundle |
/// | `completions SHELL` | prints a completion script |
/// | `worker` | runs the tasks of the server's engine (feature `tasks`) |
/// | `help [COMMAND]` | prints help |
///
/// The exit code is 0 for success, 1 for a failure, such as a failed tool or a problem that `lint` or `contract` found,
/// 2 for a wrong command line or wrong arguments, and 130 after Ctrl-C. Standard output contains only the answer.
/// Errors and progress go to standard error.
///
/// The methods need a tokio runtime with IO and time enabled, as `#[tokio::main]` makes it.
#[derive(Clone)]
#[must_use]
pub struct Cli {
    dispatcher: Dispatcher,
    program: Option<CommandPrefix>,
    extensions: Extensions,
    variables: Vec<Variable>,
}

impl Cli {
    /// Creates the command line of a dispatcher.
    pub fn new(dispatcher: Dispatcher) -> Self {
        Self { dispatcher, program: None, extensions: Extensions::new(), variables: Vec::new() }
    }

    /// Sets the words that a user types before the commands: the name of the program and, if this command line is part
    /// of another one, the name of its subcommand. They appear in usage lines, in completion scripts, and in the entry
    /// that `install` writes.
    ///
    /// By default, [`run`](Self::run) and [`execute`](Self::execute) take them from the arguments of the process, and
    /// [`run_with`](Self::run_with) and [`execute_with`](Self::execute_with) use the name of the server.
    ///
    /// ```
    /// use mcp_tool_runtime::{Dispatcher, cli::Cli};
    ///
    /// let dispatcher = Dispatcher::builder().build()?;
    /// let cli = Cli::new(dispatcher).with_program(["app", "tools"]);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn with_program<W: Into<String>>(self, words: impl IntoIterator<Item = W>) -> Self {
        Self { program: CommandPrefix::from_words(words.into_iter().map(Into::into)), ..self }
    }

    /// Attaches a value to every call, as a transport would: for example, the user or a token from the environment.
    ///
    /// A tool receives it with `#[mcp_tool(extension)]`. `serve` attaches it to the calls of the client too.
    ///
    /// ```
    /// use mcp_tool_runtime::{Dispatcher, cli::{Cli, Io}, mcp_tool, tools};
    ///
    /// struct User(String);
    ///
    /// /// Say who is asking.
    /// #[mcp_tool]
    /// async fn who_am_i(#[mcp_tool(extension)] user: &User) -> String {
    ///     user.0.clone()
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let dispatcher = Dispatcher::builder().tools(tools![who_am_i]).build()?;
    /// let cli = Cli::new(dispatcher).with_extension(User("ann".to_owned()));
    /// let io = Io::captured("");
    /// cli.run_with(["call", "--output", "text", "who_am_i"], &io).await;
    /// assert_eq!(io.output(), "ann\n");
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_extension<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.extensions.insert(value);
        self
    }

    /// Runs the command line of the process.
    ///
    /// Ctrl-C cancels the running call. A second Ctrl-C ends the process at once.
    ///
    /// ```no_run
    /// use std::process::ExitCode;
    /// use mcp_tool_runtime::{Dispatcher, cli::Cli, mcp_tool, tools};
    ///
    /// /// Add two numbers.
    /// #[mcp_tool]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// #[tokio::main]
    /// async fn main() -> ExitCode {
    ///     let dispatcher = Dispatcher::builder().tools(tools![add]).build().expect("the tool is valid");
    ///     Cli::new(dispatcher).run().await
    /// }
    /// ```
    pub async fn run(self) -> ExitCode {
        let mut words = std::env::args_os();
        let first = words.next();
        let of_process = || CommandPrefix::of_process(first.as_deref());
        let program = self.program.clone().or_else(of_process).unwrap_or_else(|| self.program());
        self.run_words(program, words.collect(), &Io::process()).await.into()
    }

    /// Runs a command line on these streams, for tests. `words` does not include the name of the program.
    ///
    /// ```
    /// use std::process::ExitCode;
    /// use mcp_tool_runtime::{Dispatcher, cli::{Cli, Io}, mcp_tool, tools};
    ///
    /// /// Add two numbers.
    /// #[mcp_tool]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let cli = Cli::new(Dispatcher::builder().tools(tools![add]).build()?);
    /// let io = Io::captured("");
    /// assert_eq!(cli.run_with(["call", "add", "--a", "2", "--b", "3"], &io).await, ExitCode::SUCCESS);
    /// assert_eq!(io.output(), "5\n");
    ///
    /// let io = Io::captured("");
    /// assert_eq!(cli.run_with(["call", "add", "--a", "two"], &io).await, ExitCode::from(2));
    /// assert_eq!(io.output(), "");
    /// assert!(io.errors().contains("--a: expected an integer, got a string\n"));
    /// assert!(io.errors().contains("--b: required, but missing\n"));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn run_with<W: Into<OsString>>(&self, words: impl IntoIterator<Item = W>, io: &Io) -> ExitCode {
        let words = words.into_iter().map(Into::into).collect();
        self.run_words(self.program(), words, io).await.into()
    }

    /// Returns the command with all its subcommands, for use inside your own command line.
    ///
    /// ```
    /// use mcp_tool_runtime::{Dispatcher, cli::{Cli, clap}, mcp_tool, tools};
    ///
    /// /// Add two numbers.
    /// #[mcp_tool]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let cli = Cli::new(Dispatcher::builder().tools(tools![add]).build()?);
    /// let app = clap::Command::new("app").subcommand(cli.command().name("tools"));
    /// let matches = app.get_matches_from(["app", "tools", "call", "add", "--a", "2", "--b", "3"]);
    /// if let Some(("tools", matches)) = matches.subcommand() {
    ///     cli.execute(matches).await; // prints 5
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn command(&self) -> clap::Command {
        self.command_with(|_| true)
    }

    /// Executes the matches of [`command`](Self::command) on the streams of the process.
    ///
    /// Messages, completion scripts and the entry that `install` writes name the program by the words that precede the
    /// matched command, such as `app tools`. [`with_program`](Self::with_program) sets other words.
    pub async fn execute(&self, matches: &ArgMatches) -> ExitCode {
        let words: Vec<_> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        self.carry_out(matches, self.program_of(matches, &words), &Io::process()).await.into()
    }

    /// Executes the matches of [`command`](Self::command) on these streams, for tests.
    ///
    /// ```
    /// use mcp_tool_runtime::{Dispatcher, cli::{Cli, Io, clap}};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let cli = Cli::new(Dispatcher::builder().build()?).with_program(["app", "tools"]);
    /// let app = clap::Command::new("app").subcommand(cli.command().name("tools"));
    /// let matches = app.try_get_matches_from(["app", "tools", "list"])?;
    /// let io = Io::captured("");
    /// cli.execute_with(matches.subcommand_matches("tools").unwrap(), &io).await;
    /// assert_eq!(io.errors(), "app tools has no tools\n");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn execute_with(&self, matches: &ArgMatches, io: &Io) -> ExitCode {
        self.carry_out(matches, self.program(), io).await.into()
    }

    /// Lists the tools that the rules of the dispatcher show to a caller with the attached values.
    fn tools(&self) -> impl Iterator<Item = (&ToolInfo, &mcp::Tool)> {
        self.dispatcher.visible_tools(&self.extensions, false)
    }

    fn tool(&self, name: &str) -> Option<&mcp::Tool> {
        let name = self.dispatcher.entry(name)?.name();
        self.tools().map(|(_, tool)| tool).find(|tool| tool.name == name)
    }
}

debug_struct!(
    /// Shows the names of the tools, but not the attached values, which may be secret.
    Cli, cli => dispatcher: cli.dispatcher
);
