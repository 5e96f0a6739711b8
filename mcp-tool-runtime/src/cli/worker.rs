//! `worker`: runs the tasks of the server's engine.

use clap::{Arg, ArgMatches, Command, value_parser};

use super::{Cli, Io, USAGE, message};

pub(super) fn command() -> Command {
    Command::new("worker").about("Run the tasks that the server has stored, until Ctrl-C").arg(
        Arg::new("concurrency")
            .long("concurrency")
            .value_name("TASKS")
            .value_parser(value_parser!(u16).range(1..))
            .help("How many tasks run at once [default: 10]"),
    )
}

impl Cli {
    pub(super) async fn work(&self, matches: &ArgMatches, io: &Io) -> u8 {
        let Some(worker) = self.dispatcher.own_worker() else {
            message::error(io, "the tasks of this server live in the process that serves it");
            return USAGE;
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
