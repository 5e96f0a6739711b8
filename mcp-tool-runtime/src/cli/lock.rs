//! `contract`: the tools against the file of their contract.

use clap::ArgMatches;

use super::command::LOCK_FILE;
use super::{Cli, FAILURE, Io, SUCCESS, message};
use crate::contract;

impl Cli {
    pub(super) fn contract(&self, matches: &ArgMatches, program: &str, io: &Io) -> u8 {
        let file = matches.get_one::<String>("file").map_or(LOCK_FILE, String::as_str);
        let writes = matches.get_flag("write");
        let path = contract::resolve_path(file.as_ref());
        let done =
            if writes { contract::write(&self.dispatcher, &path) } else { contract::compare(&self.dispatcher, &path) };
        let shown = path.display();
        let Err(error) = done else {
            io.tell(&if writes {
                format!("wrote {shown}\n")
            } else {
                format!("the tools keep the contract `{shown}`\n")
            });
            return SUCCESS;
        };
        if error.errors().is_empty() {
            message::error(io, &error.to_string());
        } else {
            let breaks: String = error.errors().iter().flat_map(|line| [line.as_str(), "\n"]).collect();
            let written = message::print(io, &breaks);
            if written != SUCCESS {
                return written;
            }
            message::error(io, &format!("the tools break the contract `{shown}`"));
        }
        if !writes {
            message::note(io, "help", &format!("to write the contract: {program} contract --write {file}"));
        }
        FAILURE
    }
}
