//! The session of one client: reads messages, runs calls, writes answers.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Poll;

use serde::Deserialize;
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
use crate::mcp::params::{RequestParams, string};
use crate::mcp::{negotiation, progress};
use crate::serve::protocol::Protocol;
use crate::{Extensions, ProtocolVersion};

/// The capacity of the queue of messages for a slow client. While it is full, calls wait with their answers, and progress
/// reports are dropped.
const MAX_WAITING_MESSAGES: usize = 64;

/// The running calls, by the ids of their requests.
type Running = Arc<Mutex<HashMap<Arc<str>, AbortHandle>>>;

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
    let session = Session {
        protocol,
        extensions,
        sender,
        backlog: Backlog::default(),
        running: Running::default(),
        calls: JoinSet::new(),
        negotiated: None,
        questions: Arc::default(),
        asker: None,
    };
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

struct Session {
    protocol: Protocol,
    /// What the server has attached to every request.
    extensions: Extensions,
    sender: mpsc::Sender<Outgoing>,
    backlog: Backlog,
    running: Running,
    calls: JoinSet<Vec<u8>>,
    /// The version that `initialize` negotiated.
    negotiated: Option<ProtocolVersion>,
    questions: Arc<Questions>,
    /// Asks the client that `initialize` introduced, if it shows forms.
    asker: Option<AttachedAsker>,
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
                    self.send(ProtocolError::invalid_request("the message is too long").to_bytes()).await;
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        // No answer is read any more.
        self.questions.close();
        while self.calls.join_next().await.is_some() {}
        ended
    }

    /// Waits until the server may hold one more message.
    async fn room(&mut self) {
        while self.calls.len() >= MAX_RUNNING_CALLS || self.backlog.is_full() {
            tokio::select! {
                Some(_) = self.calls.join_next() => {}
                () = self.backlog.freed() => {}
            }
        }
    }

    /// Handles a message. A call runs on a task of its own.
    ///
    /// That task owns the message and everything that borrows from it, so it reads the message itself. This function polls it once
    /// before it spawns it: the first poll reads the message and no more. Reading the message here and its `params` again in the task took 8 % more
    /// instructions for the benchmark `stdio-text`, and 12 % more for `stdio-order`.
    async fn handle(&mut self, message: Vec<u8>) {
        if message.trim_ascii().is_empty() {
            return;
        }
        let id = Arc::new(OnceLock::new());
        let call = SpawnedCall {
            protocol: self.protocol.clone(),
            transport: TransportContext {
                extensions: self.extensions.clone(),
                asker: self.asker.clone(),
                ..TransportContext::default()
            },
            negotiated: self.negotiated,
            sender: self.sender.clone(),
            backlog: self.backlog.clone(),
            running: Arc::clone(&self.running),
            id: Arc::clone(&id),
        };
        let mut call = Box::pin(call.run(message));
        match std::future::poll_fn(|cx| Poll::Ready(call.as_mut().poll(cx))).await {
            Poll::Ready(message) => self.handle_other(&message).await,
            Poll::Pending => {
                let Some(id) = id.get() else { return };
                #[cfg(feature = "tracing")]
                let call = tracing::Instrument::in_current_span(call);
                if !start(&mut self.calls, &self.running, key(id), call) {
                    let error = ProtocolError::invalid_request("a request with this id is still running");
                    self.send(error.for_request(Some(id)).to_bytes()).await;
                }
            }
        }
    }

    /// Handles a message that is not a call.
    async fn handle_other(&mut self, message: &[u8]) {
        match Message::read(message, self.protocol.dispatcher().settings()) {
            Ok(Message::Request(mut request)) => {
                let answer = self.answer(&mut request, message).await.unwrap_or_else(|error| error.to_bytes());
                self.send(answer).await;
            }
            Ok(Message::Notification { method, params }) if method == "notifications/cancelled" => {
                let cancelled = params
                    .filter(|params| params.starts_with('{'))
                    .and_then(|params| serde_json::from_str::<Cancelled<'_>>(params).ok());
                let call =
                    cancelled.and_then(|cancelled| lock(&self.running).remove(&*key(cancelled.request_id.get())));
                call.iter().for_each(AbortHandle::abort);
            }
            Ok(Message::Response { id, result }) => self.questions.answer(id.map(key).as_deref(), result),
            // Without questions the server sends no requests.
            Ok(Message::Notification { .. }) => {}
            Err(error) => self.send(error.to_bytes()).await,
        }
    }

    /// Answers a request that is not a call.
    async fn answer<'m>(&mut self, request: &mut Request<'m>, message: &[u8]) -> Result<Vec<u8>, ProtocolError<'m>> {
        let params = request.take_params()?;
        let version = version(&params, request, self.negotiated)?;
        let is_initialize = request.method == "initialize" && version.is_legacy();
        let requested = params.protocol_version.and_then(string);
        let transport = TransportContext { extensions: self.extensions.clone(), ..TransportContext::default() };
        let answer = self.protocol.handle(&*request, params, version, transport).await?;
        if is_initialize {
            self.negotiated = requested.and_then(|version| negotiation::negotiate(&version).parse().ok());
            if let Some(version) = self.negotiated {
                self.asker = questions::asker(&self.questions, &self.sender, &self.backlog, version, message);
            }
        }
        Ok(answer)
    }

    async fn send(&self, message: Vec<u8>) {
        // Fails only if the output has failed, and then the session ends.
        let held = Some(self.backlog.hold(message.len()));
        let _ = self.sender.send(Outgoing { bytes: message, held }).await;
    }
}

/// Runs a call on a task of its own, unless a call with this id is running.
fn start<F>(calls: &mut JoinSet<Vec<u8>>, running: &Running, key: Cow<'_, str>, call: F) -> bool
where
    F: Future<Output = Vec<u8>> + Send + 'static,
{
    // Locked until the call is registered, so that it cannot end before.
    let mut running = lock(running);
    if running.contains_key(&*key) {
        return false;
    }
    running.insert(key.into(), calls.spawn(call));
    true
}

/// What a call needs of its session.
struct SpawnedCall {
    protocol: Protocol,
    transport: TransportContext,
    negotiated: Option<ProtocolVersion>,
    sender: mpsc::Sender<Outgoing>,
    backlog: Backlog,
    running: Running,
    /// The id of the request, once it is read.
    id: Arc<OnceLock<Arc<str>>>,
}

impl SpawnedCall {
    /// Runs the call that a message requests. The first poll only reads the message. If it is not a call, that poll completes and returns
    /// the message.
    async fn run(self, message: Vec<u8>) -> Vec<u8> {
        let held = self.backlog.hold(message.len());
        let answer = match Message::read(&message, self.protocol.dispatcher().settings()) {
            Ok(Message::Request(mut request)) if request.method == "tools/call" => {
                self.id.get_or_init(|| request.id.into());
                yield_once().await;
                Some(answer_call(&self.protocol, self.transport, &mut request, self.negotiated, &self.sender).await)
            }
            _ => None,
        };
        let Some(bytes) = answer else { return message };
        // While the answer waits for the client, the request takes no memory.
        drop((message, held));
        if let Some(id) = self.id.get() {
            lock(&self.running).remove(&*key(id));
        }
        let held = Some(self.backlog.hold(bytes.len()));
        // Fails only if the output has failed.
        let _ = self.sender.send(Outgoing { bytes, held }).await;
        Vec::new()
    }
}

/// Is pending once, without a waker: the caller must poll again.
async fn yield_once() {
    let mut has_yielded = false;
    std::future::poll_fn(|_| if std::mem::replace(&mut has_yielded, true) { Poll::Ready(()) } else { Poll::Pending })
        .await;
}

async fn answer_call(
    protocol: &Protocol,
    mut transport: TransportContext,
    request: &mut Request<'_>,
    negotiated: Option<ProtocolVersion>,
    sender: &mpsc::Sender<Outgoing>,
) -> Vec<u8> {
    let answer = async {
        let params = request.take_params()?;
        let version = version(&params, request, negotiated)?;
        if !version.is_legacy() {
            // Since 2026-07-28 a server sends no requests.
            transport.asker = None;
        }
        transport.progress = progress::progress_token(&params).map(|token| {
            // A weak sender: a tool that keeps its context must not keep the output open.
            let sender = sender.downgrade();
            progress::progress_sink(token, move |report| {
                if let Some(sender) = sender.upgrade() {
                    drop(sender.try_send(Outgoing { bytes: report, held: None }));
                }
            })
        });
        protocol.handle(request, params, version, transport).await
    };
    answer.await.unwrap_or_else(|error| error.to_bytes())
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

fn lock(running: &Running) -> MutexGuard<'_, HashMap<Arc<str>, AbortHandle>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}
