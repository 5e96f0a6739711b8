//! The command line of a server (feature `cli`): without a process, on captured streams.

#![allow(clippy::ptr_arg, reason = "tools and doubles that show what authors write")]

mod all_pages;
mod answers;
mod commands;
mod describe;
mod every_shape;
mod flags;
mod hostile;
mod install;
mod install_again;
mod interruption;
mod mistakes;
mod questions;
mod selection;
mod tools;
mod words;

use std::process::ExitCode;

use mcp_tool_runtime::cli::{Cli, Io};
use mcp_tool_runtime::{Dispatcher, ToolHandler};

const SUCCESS: u8 = 0;
const FAILURE: u8 = 1;
const USAGE: u8 = 2;

/// What a command has written, and its exit code.
#[derive(Debug)]
struct Ran {
    code: ExitCode,
    output: String,
    errors: String,
}

impl Ran {
    /// Returns the output of a command that has succeeded.
    #[track_caller]
    fn answer(self) -> String {
        assert_eq!(self.code, ExitCode::SUCCESS, "{self:#?}");
        self.output
    }

    /// Returns what a command has reported that has failed with this code and without output.
    #[track_caller]
    fn error(self, code: u8) -> String {
        assert_eq!((self.code, self.output.as_str()), (ExitCode::from(code), ""), "{}", self.errors);
        self.errors
    }
}

fn cli(tools: Vec<Box<dyn ToolHandler>>) -> Cli {
    Cli::new(Dispatcher::builder().tools(tools).info("weather", "1.2.3").build().expect("valid tools"))
}

/// Returns the page that `describe` prints.
pub(crate) async fn described(dispatcher: Dispatcher) -> String {
    run(&Cli::new(dispatcher), "describe").await.answer()
}

/// Runs words that are separated by blanks.
async fn run(cli: &Cli, words: &str) -> Ran {
    run_words(cli, words.split_whitespace(), Io::captured("")).await
}

async fn run_on(cli: &Cli, words: &str, io: Io) -> Ran {
    run_words(cli, words.split_whitespace(), io).await
}

async fn run_words<'w>(cli: &Cli, words: impl IntoIterator<Item = &'w str>, io: Io) -> Ran {
    let code = cli.run_with(words, &io).await;
    Ran { code, output: io.output(), errors: io.errors() }
}
