//! `contract`: the lock file against the tools.

use std::path::PathBuf;

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::command::LOCK_FILE;
use super::{Cli, FAILURE, Io, SUCCESS, message};
use crate::contract;

impl Cli {
    pub(super) fn contract(&self, matches: &ArgMatches, program: &str, io: &Io) -> u8 {
        let file = matches.get_one::<String>("file").map_or(LOCK_FILE, String::as_str);
        // A file that was named is where the user is. Otherwise it is the file of the test, in the package that `cargo run` runs.
        let path = match matches.value_source("file") {
            Some(ValueSource::CommandLine) => std::path::absolute(file).unwrap_or_else(|_| PathBuf::from(file)),
            _ => contract::resolve_path(file.as_ref()),
        };
        let file = if file == LOCK_FILE { String::new() } else { format!(" {file}") };
        let shown = path.display();
        let done = if matches.get_flag("write") {
            contract::write(&self.dispatcher, &path).map(|()| format!("wrote {shown}\n"))
        } else if path.exists() {
            contract::compare(&self.dispatcher, &path).map(|()| format!("the tools keep the contract `{shown}`\n"))
        } else {
            message::error(io, &format!("the contract `{shown}` does not exist"));
            message::note(io, "help", &format!("{program} contract --write{file}"));
            return FAILURE;
        };
        match done {
            Ok(text) => {
                io.tell(&text);
                SUCCESS
            }
            Err(error) if error.errors().is_empty() => message::fail(io, &error.to_string()),
            Err(error) => {
                let breaks: String = error.errors().iter().flat_map(|line| [line.as_str(), "\n"]).collect();
                let written = message::print(io, &breaks);
                message::error(io, &format!("the tools break the contract `{shown}`"));
                message::note(io, "help", &format!("to accept this: {program} contract --write{file}"));
                if written == SUCCESS { FAILURE } else { written }
            }
        }
    }
}
