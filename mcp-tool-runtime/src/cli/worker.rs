//! `worker`: runs the tasks of the server's engine.

use clap::{ArgMatches, Command, arg, value_parser};

use super::{Cli, Io, message};

pub(super) fn command() -> Command {
    Command::new("worker").about("Run the tasks that the server has stored, until Ctrl-C").arg(
        arg!(--concurrency <TASKS> "How many tasks run at once [default: 10]")
            .value_parser(value_parser!(u16).range(1..)),
    )
}

impl Cli {
    pub(super) async fn work(&self, matches: &ArgMatches, io: &Io) -> u8 {
        let Some(worker) = self.dispatcher.own_worker() else {
            return message::usage_error(io, "the tasks of this server live in the process that serves it");
        };
        let worker = match matches.get_one::<u16>("concurrency") {
            Some(tasks) => worker.concurrency((*tasks).into()),
            None => worker,
        };
        if io.error_width.is_some() {
            io.tell("runs the stored tasks. Ctrl-C ends it.\n");
        }
        match worker.run_until(tokio::signal::ctrl_c()).await {
            Ok(()) => super::SUCCESS,
            Err(error) => message::fail(io, &error.to_string()),
        }
    }
}
