//! Tools over standard input and output (feature `http`), for a client that starts the server as a process of its own.
//!
//! It has no resources, no prompts, no logging, no sampling or elicitation, no subscriptions: tools and nothing else.
//! For the rest of the protocol serve the dispatcher with `rmcp::Server` (feature `rmcp`).
//!
//! ```no_run
//! use mcp_tool_runtime::{mcp_tool, stdio, tools, Dispatcher};
//!
//! /// Add two numbers.
//! #[mcp_tool]
//! async fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     stdio::serve(Dispatcher::builder().tools(tools![add]).build()?).await?;
//!     Ok(())
//! }
//! ```
//!
//! Both eras of the protocol are spoken at once: a request that carries its version in `_meta` is one of 2026-07-28;
//! others follow what `initialize` agreed on. Calls run beside each other, each on a task of its own; a
//! `notifications/cancelled` drops one. At the end of the input running calls are finished and answered; one that never
//! ends keeps the process, so give such a tool a time-out.
//!
//! Standard output belongs to the protocol: a tool must not print there (`println!`). Logs go to standard error.

mod input;
mod lines;
mod session;

use std::io;

use tokio::io::{AsyncRead, AsyncWrite, BufReader};

use super::protocol::Protocol;
use crate::Dispatcher;
use input::Input;

/// Serves the tools of a dispatcher over standard input and output, until the input ends and the running calls are
/// answered.
///
/// # Errors
///
/// What the input or the output fails with. A client that closes the output ends the serving without an error.
pub async fn serve(dispatcher: Dispatcher) -> io::Result<()> {
    Server::new(dispatcher).serve().await
}

/// The tools of a dispatcher over a pair of streams.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{stdio::Server, Dispatcher};
///
/// let input: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
/// let (output, mut answers) = tokio::io::duplex(1024);
/// let server = Server::new(Dispatcher::builder().build()?).with_info("calculator", "1.0.0");
/// server.serve_on(input, output).await?;
///
/// let mut text = String::new();
/// tokio::io::AsyncReadExt::read_to_string(&mut answers, &mut text).await?;
/// assert_eq!(text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Server {
    protocol: Protocol,
    max_line_bytes: usize,
}

impl Server {
    /// Serves the tools of a dispatcher.
    #[must_use]
    pub fn new(dispatcher: Dispatcher) -> Self {
        let max_line_bytes = dispatcher.max_argument_bytes().saturating_mul(4);
        Self { protocol: Protocol::new(dispatcher), max_line_bytes }
    }

    /// Says what the server is called, and its version.
    #[must_use]
    pub fn with_info(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.protocol = self.protocol.with_info(name, version);
        self
    }

    /// Says what people call the server.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.protocol = self.protocol.with_title(title);
        self
    }

    /// Says how the tools are best used, for a model to read.
    #[must_use]
    pub fn with_instructions(mut self, instructions: impl Into<String>) -> Self {
        self.protocol = self.protocol.with_instructions(instructions);
        self
    }

    /// Sets how long a message may be; four times the dispatcher's `max_argument_bytes` unless set. A longer one is
    /// passed over and answered with an error.
    #[must_use]
    pub fn with_max_line_bytes(mut self, bytes: usize) -> Self {
        self.max_line_bytes = bytes;
        self
    }

    /// Serves standard input and output, until the input ends and the running calls are answered.
    ///
    /// # Errors
    ///
    /// What the input or the output fails with. A client that closes the output ends the serving without an error.
    pub async fn serve(self) -> io::Result<()> {
        self.serve_until(std::future::pending::<()>()).await
    }

    /// Serves standard input and output until the input ends or `shutdown` is done; then the running calls are
    /// finished and answered. What `shutdown` gives does not matter.
    ///
    /// Standard input is read by a thread of its own, so that a process ends after this though its client keeps the
    /// input open.
    ///
    /// ```no_run
    /// # async fn run(dispatcher: mcp_tool_runtime::Dispatcher) -> std::io::Result<()> {
    /// use mcp_tool_runtime::stdio::Server;
    ///
    /// let asked_to_end = std::future::pending::<()>(); // tokio::signal::ctrl_c(), say
    /// Server::new(dispatcher).serve_until(asked_to_end).await
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`serve`](Self::serve).
    pub async fn serve_until(self, shutdown: impl Future) -> io::Result<()> {
        let input = Input::standard()?;
        session::run(self.protocol, input, self.max_line_bytes, tokio::io::stdout(), shutdown).await
    }

    /// Serves a pair of streams instead: a socket, or the ends of a pipe.
    ///
    /// # Errors
    ///
    /// What the input or the output fails with. A client that closes the output ends the serving without an error.
    pub async fn serve_on<R, W>(self, input: R, output: W) -> io::Result<()>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        self.run(input, output, std::future::pending::<()>()).await
    }

    /// Serves a pair of streams until the input ends or `shutdown` is done.
    ///
    /// # Errors
    ///
    /// As [`serve_on`](Self::serve_on).
    pub async fn run<R, W>(self, input: R, output: W, shutdown: impl Future) -> io::Result<()>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        session::run(self.protocol, BufReader::new(input), self.max_line_bytes, output, shutdown).await
    }
}
