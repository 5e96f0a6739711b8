//! `serve`: the Model Context Protocol over standard input and output.

use super::{Cli, Io, message};
use crate::stdio::Server;

impl Cli {
    pub(super) async fn serve(&self, program: &str, io: &Io) -> u8 {
        let server = Server::new(self.dispatcher.clone()).with_extensions(self.extensions.clone());
        if io.input_is_terminal && io.output_width.is_some() {
            io.tell(&format!(
                "{program} speaks the Model Context Protocol here, for a client that starts it. Ctrl-C ends it; `{program} --help` lists commands.\n"
            ));
        }
        let ended = if io.is_process() {
            server.serve_until(tokio::signal::ctrl_c()).await
        } else {
            let mut output = Vec::new();
            let input = io.read_to_end();
            match input {
                Ok(input) => server.serve_on(input.as_slice(), &mut output).await.and_then(|()| io.write(&output)),
                Err(error) => Err(error),
            }
        };
        match ended {
            Ok(()) => super::SUCCESS,
            Err(error) => message::fail(io, &format!("the client cannot be reached: {error}")),
        }
    }
}
