//! Serves tools over standard input and output (feature `stdio`), for clients that start the server as a child process.
//!
//! It supports tools only, and their questions to the user (feature `ask`). For resources, prompts, logging, sampling and
//! subscriptions, add the tools to a `ServerHandler` of the official SDK, with `Dispatcher::rmcp_routes` (feature `rmcp`).
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
//! If a request has a protocol version in its `_meta`, as 2026-07-28 requires, the answer uses that version. Other answers use
//! the version that `initialize` negotiated. Each call runs on its own task, and a `notifications/cancelled` cancels the call. At the
//! end of the input, the server waits for the running calls and answers them. A call that never ends keeps the process alive, so set
//! a timeout for such a tool.
//!
//! The server limits its memory: it stops reading while 1,000 calls run. It also stops reading while the requests of running calls,
//! together with the answers that are not yet written, take 16 MiB or more.
//!
//! Only protocol messages may go to standard output: a tool must not use `println!`. Write logs to standard error.

mod backlog;
mod lines;
mod questions;
mod session;
mod stdin;

use std::io;

use tokio::io::{AsyncRead, AsyncWrite, BufReader};

use super::protocol::Protocol;
use crate::{Dispatcher, Extensions};
use stdin::Stdin;

/// Serves the tools of a dispatcher over standard input and output. Returns when the input has ended and all running calls
/// are answered. See the [module](self) for an example.
///
/// # Errors
///
/// Returns an error if reading the input or writing the output fails. If the client closes the output, the server drops the running
/// calls and returns `Ok`.
pub async fn serve(dispatcher: Dispatcher) -> io::Result<()> {
    Server::new(dispatcher).serve().await
}

/// A server for standard input and output, or for another pair of streams.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{stdio::Server, Dispatcher};
///
/// let input: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
/// let (output, mut answers) = tokio::io::duplex(1024);
/// let server = Server::new(Dispatcher::builder().build()?);
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
    extensions: Extensions,
}

impl Server {
    /// Creates a server for the tools of a dispatcher.
    #[must_use]
    pub fn new(dispatcher: Dispatcher) -> Self {
        let max_line_bytes = dispatcher.max_argument_bytes().saturating_mul(4);
        Self { protocol: Protocol::new(dispatcher), max_line_bytes, extensions: Extensions::new() }
    }

    /// Replaces the values that are attached to every request.
    #[cfg(feature = "cli")]
    pub(crate) fn with_extensions(self, extensions: Extensions) -> Self {
        Self { extensions, ..self }
    }

    /// Sets the maximum length of a message. The default is four times the dispatcher's `max_argument_bytes`. The server skips
    /// a longer message and answers it with an error.
    #[must_use]
    pub fn with_max_line_bytes(mut self, bytes: usize) -> Self {
        self.max_line_bytes = bytes;
        self
    }

    /// Attaches a value to every request. An example is the user of this process, read from an environment variable.
    /// Tools take it as `#[mcp_tool(extension)]`, and rules of [`visible`](crate::DispatcherBuilder::visible) read it.
    ///
    /// ```
    /// # use mcp_tool_runtime::{stdio::Server, Dispatcher};
    /// struct User(String);
    ///
    /// let user = User(std::env::var("NOTES_USER").unwrap_or_default());
    /// let server = Server::new(Dispatcher::builder().build()?).with_extension(user);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn with_extension<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.extensions.insert(value);
        self
    }

    /// Serves standard input and output. Returns when the input has ended and all running calls are answered.
    ///
    /// # Errors
    ///
    /// Returns an error if reading the input or writing the output fails. If the client closes the output, the server drops the
    /// running calls and returns `Ok`.
    pub async fn serve(self) -> io::Result<()> {
        self.serve_until(std::future::pending::<()>()).await
    }

    /// Serves standard input and output until the input ends or `shutdown` completes. Then it waits for the running calls and
    /// answers them. It ignores the output of `shutdown`.
    ///
    /// Standard input is read on its own thread, so the process can end while the client keeps the input open.
    ///
    /// ```no_run
    /// # async fn run(dispatcher: mcp_tool_runtime::Dispatcher) -> std::io::Result<()> {
    /// use mcp_tool_runtime::stdio::Server;
    ///
    /// let shutdown = std::future::pending::<()>(); // in a server: tokio::signal::ctrl_c()
    /// Server::new(dispatcher).serve_until(shutdown).await
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The same as [`serve`](Self::serve).
    pub async fn serve_until(self, shutdown: impl Future) -> io::Result<()> {
        let input = Stdin::open()?;
        let output = tokio::io::stdout();
        session::run(self.protocol, self.extensions, input, self.max_line_bytes, output, shutdown).await
    }

    /// Serves another pair of streams, such as a socket.
    ///
    /// # Errors
    ///
    /// Returns an error if reading the input or writing the output fails. If the client closes the output, the server drops the
    /// running calls and returns `Ok`.
    pub async fn serve_on<R, W>(self, input: R, output: W) -> io::Result<()>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        self.serve_on_until(input, output, std::future::pending::<()>()).await
    }

    /// Serves another pair of streams until the input ends or `shutdown` completes. Then it waits for the running calls and answers
    /// them.
    ///
    /// # Errors
    ///
    /// The same as [`serve_on`](Self::serve_on).
    pub async fn serve_on_until<R, W>(self, input: R, output: W, shutdown: impl Future) -> io::Result<()>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        session::run(self.protocol, self.extensions, BufReader::new(input), self.max_line_bytes, output, shutdown).await
    }
}
