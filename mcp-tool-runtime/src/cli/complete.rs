//! `completions`: scripts that complete commands, tools, flags and values.
//!
//! The scripts are static, so that a shell does not start the server at each key press. The dynamic engine of `clap_complete` is also
//! marked as unstable.
//! A line in the shell's start-up file makes the script again for each session, so that it knows the current tools.

use clap::ArgMatches;
use clap_complete::Shell;

use super::{Cli, Io, USAGE, message};

impl Cli {
    pub(super) fn complete(&self, matches: &ArgMatches, program: &str, io: &Io) -> u8 {
        let Some(shell) = matches.get_one::<Shell>("shell") else { return USAGE };
        let mut script = Vec::new();
        clap_complete::generate(*shell, &mut self.command(), program, &mut script);
        message::print(io, &String::from_utf8_lossy(&script))
    }
}
