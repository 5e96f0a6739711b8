//! The session of one client: reads messages, runs calls, writes answers.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Poll;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::io::{AsyncBufRead, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

use super::backlog::{Backlog, MAX_RUNNING_CALLS, Outgoing};
use super::lines::{Line, Lines};
use super::questions::{self, Questions};
use crate::ask::session::AttachedAsker;
use crate::dispatcher::TransportContext;
use crate::mcp::error::ProtocolError;
use crate::mcp::message::{Message, Request, replace_line_breaks};
use crate::mcp::params::RequestParams;
use crate::mcp::{negotiation, progress};
use crate::serve::protocol::Protocol;
use crate::{ClientInfo, Extensions, ProtocolVersion};

/// The capacity of the queue of messages for a slow client. While it is full, calls wait with their answers, and progress
/// reports are dropped.
const MAX_WAITING_MESSAGES: usize = 64;

/// The running calls, by the ids of their requests.
type Running = HashMap<Arc<str>, AbortHandle>;

/// Runs a session. If the input ends or `shutdown` completes, it waits for running calls. If the output fails, it aborts them.
pub(super) async fn run<R, W>(
    protocol: Protocol,
    extensions: Extensions,
    input: R,
    max_line_bytes: usize,
    output: W,
    shutdown: impl Future,
) -> io::Result<()>
where
    R: AsyncBufRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let (sender, messages) = mpsc::channel(MAX_WAITING_MESSAGES);
    let (backlog, running, questions) = Default::default();
    let shared = Arc::new(Shared { protocol, extensions, sender, backlog, running, questions });
    let session = Session { shared, calls: JoinSet::new(), client: Client::default() };
    let mut writing = pin!(write(output, messages));
    let reading = pin!(session.read(Lines::new(input, max_line_bytes), shutdown));
    let ended = tokio::select! {
        // Completes first only if the output fails: the session holds a sender while it reads.
        written = &mut writing => written,
        read = reading => {
            let written = writing.await;
            read.and(written)
        }
    };
    match ended {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        ended => ended,
    }
}

/// Writes messages until all senders are dropped.
async fn write(output: impl AsyncWrite, mut messages: mpsc::Receiver<Outgoing>) -> io::Result<()> {
    let mut output = pin!(output);
    while let Some(first) = messages.recv().await {
        let mut next = Some(first);
        while let Some(Outgoing { mut bytes, held }) = next {
            replace_line_breaks(&mut bytes);
            bytes.push(b'\n');
            output.write_all(&bytes).await?;
            drop(held);
            next = messages.try_recv().ok();
        }
        output.flush().await?;
    }
    Ok(())
}

/// What the calls of a session share.
struct Shared {
    protocol: Protocol,
    /// What the server has attached to every request.
    extensions: Extensions,
    sender: mpsc::Sender<Outgoing>,
    backlog: Backlog,
    running: Mutex<Running>,
    questions: Arc<Questions>,
}

/// What `initialize` says about the client.
#[derive(Clone, Default)]
struct Client {
    version: Option<ProtocolVersion>,
    /// Asks the client, if it shows forms.
    asker: Option<AttachedAsker>,
    /// What the server has attached to every request, and the name of the client, if the size of results depends on it.
    extensions: Option<Arc<Extensions>>,
}

struct Session {
    shared: Arc<Shared>,
    calls: JoinSet<Option<Client>>,
    client: Client,
}

impl Session {
    async fn read<R: AsyncBufRead + Unpin>(mut self, mut lines: Lines<R>, shutdown: impl Future) -> io::Result<()> {
        let mut shutdown = pin!(shutdown);
        let ended = loop {
            while self.calls.try_join_next().is_some() {}
            let line = tokio::select! {
                biased;
                _ = &mut shutdown => break Ok(()),
                line = async {
                    self.room().await;
                    lines.next().await
                } => line,
            };
            match line {
                Ok(Some(Line::Message(message))) => self.handle(message).await,
                Ok(Some(Line::TooLong)) => {
                    self.shared.send(ProtocolError::invalid_request("the message is too long").to_bytes()).await;
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        // No answer is read any more.
        self.shared.questions.close();
        while self.calls.join_next().await.is_some() {}
        ended
    }

    /// Waits until the server may hold one more message.
    async fn room(&mut self) {
        while self.calls.len() >= MAX_RUNNING_CALLS || self.shared.backlog.is_full() {
            tokio::select! {
                Some(_) = self.calls.join_next() => {}
                () = self.shared.backlog.freed() => {}
            }
        }
    }

    /// Handles a message. A call runs on its own task.
    ///
    /// That task owns the message and everything that borrows from it, so it reads the message itself. This function polls it once
    /// before it spawns it: the first poll reads the message, and handles it if it is not a call. Reading the message here and its
    /// `params` again in the task took 8 % more instructions for the benchmark `stdio-text`, and 12 % more for `stdio-order`.
    async fn handle(&mut self, message: Vec<u8>) {
        if message.trim_ascii().is_empty() {
            return;
        }
        let id = Arc::new(OnceLock::new());
        let mut call = Box::pin(Arc::clone(&self.shared).run(message, self.client.clone(), Arc::clone(&id)));
        let first = std::future::poll_fn(|cx| Poll::Ready(call.as_mut().poll(cx))).await;
        let client = match (first, id.get()) {
            (Poll::Ready(client), _) => client,
            // It is not a call, and its answer waits for a slow client.
            (Poll::Pending, None) => call.await,
            (Poll::Pending, Some(id)) => {
                #[cfg(feature = "tracing")]
                let call = tracing::Instrument::in_current_span(call);
                if !self.start(id, call) {
                    let error = ProtocolError::invalid_request("a request with this id is still running");
                    self.shared.send(error.for_request(Some(id)).to_bytes()).await;
                }
                None
            }
        };
        if let Some(client) = client {
            self.client = client;
        }
    }

    /// Runs a call on its own task, unless a call with this id is running.
    fn start(&mut self, id: &str, call: impl Future<Output = Option<Client>> + Send + 'static) -> bool {
        // Locked until the call is registered, so that it cannot end before.
        let mut running = self.shared.running();
        let key = key(id);
        if running.contains_key(&*key) {
            return false;
        }
        running.insert(key.into(), self.calls.spawn(call));
        true
    }
}

impl Shared {
    fn running(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn send(&self, bytes: Vec<u8>) {
        let held = Some(self.backlog.hold(bytes.len()));
        // Fails only if the output has failed, and then the session ends.
        let _ = self.sender.send(Outgoing { bytes, held }).await;
    }

    /// Reads and handles a message, and sends the answer. Returns the client that it introduces, if it is an `initialize`. If it is a
    /// call, sets `id` and is then pending once.
    async fn run(self: Arc<Self>, message: Vec<u8>, client: Client, id: Arc<OnceLock<Arc<str>>>) -> Option<Client> {
        let held = self.backlog.hold(message.len());
        let mut introduced = None;
        let answer = match Message::read(&message, self.protocol.dispatcher().settings()) {
            Ok(Message::Request(mut request)) => {
                if request.method == "tools/call" {
                    id.get_or_init(|| request.id.into());
                    yield_once().await;
                }
                let answer = self.answer(&mut request, &client).await;
                let is_introduced = request.method == "initialize" && answer.is_ok();
                introduced = is_introduced.then(|| self.introduce(&message));
                Some(answer.unwrap_or_else(|error| error.to_bytes()))
            }
            Ok(Message::Notification { method, params }) if method == "notifications/cancelled" => {
                let cancelled = params
                    .filter(|params| params.starts_with('{'))
                    .and_then(|params| serde_json::from_str::<Cancelled<'_>>(params).ok());
                let call = cancelled.and_then(|cancelled| self.running().remove(&*key(cancelled.request_id.get())));
                call.iter().for_each(AbortHandle::abort);
                None
            }
            Ok(Message::Response { id, result }) => {
                self.questions.answer(id.map(key).as_deref(), result);
                None
            }
            Ok(Message::Notification { .. }) => None,
            Err(error) => Some(error.to_bytes()),
        };
        // While the answer waits for the client, the request takes no memory.
        drop((message, held));
        if let Some(id) = id.get() {
            self.running().remove(&*key(id));
        }
        if let Some(answer) = answer {
            self.send(answer).await;
        }
        introduced
    }

    async fn answer<'m>(&self, request: &mut Request<'m>, client: &Client) -> Result<Vec<u8>, ProtocolError<'m>> {
        let params = request.take_params()?;
        let version = version(&params, request, client.version)?;
        let progress = progress::progress_token(&params).map(|token| {
            // A weak sender: a tool that keeps its context must not keep the output open.
            let sender = self.sender.downgrade();
            progress::progress_sink(token, move |report| {
                if let Some(sender) = sender.upgrade() {
                    drop(sender.try_send(Outgoing { bytes: report, held: None }));
                }
            })
        });
        let transport = TransportContext {
            extensions: client.extensions.as_deref().unwrap_or(&self.extensions).clone(),
            progress,
            // Since 2026-07-28 a server sends no requests.
            asker: client.asker.clone().filter(|_| version.is_legacy()),
            ..TransportContext::default()
        };
        self.protocol.handle(&*request, params, version, transport).await
    }

    /// Reads what an `initialize` says about the client.
    fn introduce(&self, message: &[u8]) -> Client {
        let message: Value = serde_json::from_slice(message).unwrap_or_default();
        let params = &message["params"];
        let requested = params["protocolVersion"].as_str().unwrap_or_default();
        let version = negotiation::negotiate(requested).parse().ok();
        let asker =
            version.and_then(|version| questions::asker(&self.questions, &self.sender, &self.backlog, version, params));
        let info = ClientInfo::read(&params["clientInfo"]).filter(|_| self.protocol.dispatcher().reads_clients());
        let extensions = info.map(|info| {
            let mut extensions = self.extensions.clone();
            extensions.insert(info);
            Arc::new(extensions)
        });
        Client { version, asker, extensions }
    }
}

/// Is pending once, without a waker: the caller must poll again.
async fn yield_once() {
    let mut has_yielded = false;
    std::future::poll_fn(|_| if std::mem::replace(&mut has_yielded, true) { Poll::Ready(()) } else { Poll::Pending })
        .await;
}

/// Returns the version of a request: the one that it names, else the one that `initialize` negotiated. Before that, only `initialize`
/// and `ping` are answered.
fn version<'m>(
    params: &RequestParams<'_>,
    request: &Request<'m>,
    negotiated: Option<ProtocolVersion>,
) -> Result<ProtocolVersion, ProtocolError<'m>> {
    match (negotiation::requested_version(params.meta.as_ref(), request.id)?, negotiated) {
        (Some(version), _) | (None, Some(version)) => Ok(version),
        (None, None) if ["initialize", "ping"].contains(&&*request.method) => Ok(ProtocolVersion::V2025_06_18),
        (None, None) => Err(negotiation::not_initialized().for_request(Some(request.id))),
    }
}

#[derive(Deserialize)]
struct Cancelled<'m> {
    #[serde(borrow, rename = "requestId")]
    request_id: &'m RawValue,
}

/// Returns the canonical text of an id, because JSON can write the same string with different escapes.
fn key(id: &str) -> Cow<'_, str> {
    if !id.contains('\\') {
        return Cow::Borrowed(id);
    }
    let text = serde_json::from_str::<String>(id).and_then(|text| serde_json::to_string(&text));
    text.map_or(Cow::Borrowed(id), Cow::Owned)
}
