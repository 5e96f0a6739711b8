//! Serves tools over standard input and output (feature `stdio`), for clients that start the server as a child process.
//!
//! It supports only tools and their questions to the user (feature `ask`). For resources, prompts, logging, sampling
//! and subscriptions, add the tools to a `ServerHandler` of the official SDK, with `Dispatcher::rmcp_routes` (feature
//! `rmcp`).
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
//! If a request has a protocol version in its `_meta`, as 2026-07-28 requires, the answer uses that version. Other
//! answers use the version that `initialize` negotiated. Each call runs on its own task, and a
//! `notifications/cancelled` cancels the call.
//!
//! # Standard output
//!
//! Only protocol messages go to standard output. On Unix, [`serve`] takes standard output for the protocol, and makes
//! standard error the standard output of the process, until the process ends. So what a tool, a C library or a child
//! process prints goes to standard error. On Windows, a tool must not print to standard output, and must not start a
//! child process that does.
//!
//! A child process must not inherit standard input either, because it would read the client's messages: start it with
//! `Stdio::null()`.
//!
//! # Limits
//!
//! | limit | above the limit |
//! | --- | --- |
//! | 1,000 running calls, or 16 MiB of their requests, each counted as at least 16 KiB | a further call waits for 100 ms, and is then refused |
//! | 16 MiB of messages that the client has not read | the server stops reading, and calls that have not begun wait |
//! | 64 KiB of messages that the client has not read | progress reports are dropped |
//! | 500 open questions to the user | a further question is [`Unavailable`](crate::ask::Reply::Unavailable) |
//! | the length of a message, set with [`Server::with_max_line_bytes`] | a request gets the JSON-RPC error `-32600`, and an answer counts as no answer |
//!
//! While too many calls run, only further calls are refused, with the JSON-RPC error `-32603`. Cancellations, answers to
//! questions and all other messages are read, even if every running call hangs. A message counts as 128 bytes more than its length. The limits
//! do not include the results of calls that have begun: while nobody reads, 1,000 results of 100 kB with their text
//! hold about 200 MiB. A [budget](crate::guide::large_results) limits the size of a result.
//!
//! # The end
//!
//! | when | the server |
//! | --- | --- |
//! | the input ends | waits for the running calls, and answers them |
//! | `shutdown` completes, see [`Server::serve_until`] | does the same for at most 10 s, and then drops the calls that still run |
//! | the client closes the output | drops the running calls: on Unix at once, elsewhere at the next message |
//!
//! On standard input and output, the tasks of [`Tasks::in_memory`](crate::Tasks::in_memory) (feature `tasks`) then have
//! 10 s to end, before they are cancelled. After a `shutdown`, calls and tasks share these 10 s.
//!
//! If the input ends, a call that never ends keeps the process alive. Set a timeout for such a tool.

mod backlog;
mod questions;
mod session;
mod streams;

use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, BufReader, BufWriter};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::protocol::Protocol;
use crate::{BoxFuture, Dispatcher, Extensions};
use streams::{Lines, Stdin};

/// Serves the tools of a dispatcher over standard input and output. Returns when the input has ended and all running
/// calls are answered. See the [module](self) for an example.
///
/// # Errors
///
/// Returns an error if reading the input or writing the output fails. If the client closes the output, the server drops
/// the running calls and returns `Ok`.
///
/// # Panics
///
/// If the tokio runtime has no timers, the server panics when it has to wait for a limited time.
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
#[must_use]
pub struct Server {
    protocol: Protocol,
    max_line_bytes: usize,
    extensions: Extensions,
}

/// The result of a session, and how much longer its tasks are allowed to run.
type Ended = (io::Result<()>, Duration);

impl Server {
    /// Creates a server for the tools of a dispatcher.
    pub fn new(dispatcher: Dispatcher) -> Self {
        let max_line_bytes = dispatcher.settings().max_argument_bytes.saturating_mul(4);
        Self { protocol: Protocol::new(dispatcher), max_line_bytes, extensions: Extensions::new() }
    }

    /// Replaces the values that are attached to every request.
    pub(crate) fn with_extensions(self, extensions: Extensions) -> Self {
        Self { extensions, ..self }
    }

    /// Sets the maximum length of a message in bytes. The default is four times the dispatcher's `max_argument_bytes`.
    /// The server skips a longer message. A request gets an error, and an answer to a question counts as no answer.
    pub fn with_max_line_bytes(self, bytes: usize) -> Self {
        Self { max_line_bytes: bytes, ..self }
    }

    /// Attaches a value to every request. An example is the user of this process, read from an environment variable.
    /// Tools take the value as `#[mcp_tool(extension)]`, and [visibility rules](crate::DispatcherBuilder::visible) read
    /// it.
    ///
    /// ```
    /// # use mcp_tool_runtime::{stdio::Server, Dispatcher};
    /// struct User(String);
    ///
    /// let user = User(std::env::var("NOTES_USER").unwrap_or_default());
    /// let server = Server::new(Dispatcher::builder().build()?).with_extension(user);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn with_extension<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.extensions.insert(value);
        self
    }

    /// Serves standard input and output. Returns when the input has ended and all running calls are answered.
    ///
    /// # Errors
    ///
    /// Returns an error if reading the input or writing the output fails. If the client closes the output, the server
    /// drops the running calls and returns `Ok`.
    pub async fn serve(self) -> io::Result<()> {
        self.serve_until(std::future::pending::<()>()).await
    }

    /// Serves standard input and output until the input ends or `shutdown` completes. Then waits for the running calls
    /// and answers them, for at most 10 seconds after `shutdown` has completed. Ignores the output of `shutdown`.
    ///
    /// Standard input and output have their own threads, so the process can end while the client keeps the input open,
    /// or does not read the output. But the runtime waits for a blocking tool before it shuts down. To end the process
    /// without waiting, call `tokio::runtime::Runtime::shutdown_background`.
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
        let (stop, stopped) = oneshot::channel::<()>();
        let dispatcher = self.protocol.dispatcher().clone();
        let mut session = self.run_on_standard_streams(stopped)?;
        // `select!` drops `shutdown`. That must happen before `finish_tasks`, because a task may wait until a value in
        // `shutdown` is dropped.
        let (ended, left) = tokio::select! {
            ended = &mut session => ended,
            _ = shutdown => {
                drop(stop);
                session.await
            }
        };
        // The server's tasks end with the process, so give them time to finish.
        dispatcher.finish_tasks(left).await;
        ended
    }

    /// Opens standard input and output, and returns the future that serves them until the input ends or `stopped`
    /// completes.
    ///
    /// Boxed, so that a session is compiled with this crate and not with each program. Otherwise, rebuilding a program
    /// with one tool in release mode takes three times as long.
    fn run_on_standard_streams(self, stopped: oneshot::Receiver<()>) -> io::Result<BoxFuture<'static, Ended>> {
        let (output, closed) = streams::open_stdout()?;
        let output = BufWriter::with_capacity(1 << 16, output);
        let input = Lines::new(BufReader::new(Stdin::open()?), self.max_line_bytes);
        let stopped_at = OnceLock::new();
        Ok(Box::pin(async move {
            let shutdown = async {
                let _ = stopped.await;
                stopped_at.get_or_init(Instant::now);
            };
            let ended = session::run(self.protocol, self.extensions, input, output, closed, shutdown).await;
            let passed = stopped_at.get().map_or_else(Default::default, Instant::elapsed);
            (ended, session::GRACE_PERIOD.saturating_sub(passed))
        }))
    }

    /// Serves another pair of streams, such as a socket. A closed output is noticed only when the next message is
    /// written.
    ///
    /// # Errors
    ///
    /// Returns an error if reading the input or writing the output fails. If the client closes the output, the server
    /// drops the running calls and returns `Ok`.
    pub async fn serve_on<R, W>(self, input: R, output: W) -> io::Result<()>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        self.serve_on_until(input, output, std::future::pending::<()>()).await
    }

    /// Serves another pair of streams until the input ends or `shutdown` completes. Then waits for the running calls
    /// and answers them, for at most 10 seconds after `shutdown` has completed.
    ///
    /// # Errors
    ///
    /// The same as [`serve_on`](Self::serve_on).
    pub async fn serve_on_until<R, W>(self, input: R, output: W, shutdown: impl Future) -> io::Result<()>
    where
        R: AsyncRead + Unpin,
        W: AsyncWrite + Unpin,
    {
        let input = Lines::new(BufReader::new(input), self.max_line_bytes);
        session::run(self.protocol, self.extensions, input, output, std::future::pending(), shutdown).await
    }
}
