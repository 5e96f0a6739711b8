//! The session of one client: reads messages, runs calls, writes answers.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::sync::{Arc, Mutex, OnceLock};
use std::task::Poll;
use std::time::Duration;

use serde_json::Value;
use serde_json::value::RawValue;
use tokio::io::{AsyncBufRead, AsyncWrite};
use tokio::sync::oneshot::{self, error::RecvError};
use tokio::task::JoinHandle;

use super::backlog::{Backlog, Outbox, write};
use super::questions::{self, Questions};
use super::streams::{Line, Lines};
use crate::ask::session::AttachedAsker;
use crate::call::lock;
use crate::dispatcher::TransportContext;
use crate::mcp::message::{ErrorKind, Message, ProtocolError, Request, progress_sink, progress_token};
use crate::mcp::params::{InvalidParams, RequestParams, string};
use crate::mcp::version;
use crate::operations::{Carrier, OpenRecord, Outcome};
use crate::serve::protocol::{Begun, Protocol};
use crate::{BoxFuture, Extensions, ProtocolVersion, ask::ClientInfo, log};

/// How long a call waits for room before it is refused. The time is short, because nothing else is read in the
/// meantime, and the running calls may hang.
const MAX_WAIT: Duration = Duration::from_millis(100);

/// How long running calls may go on after a shutdown.
pub(super) const GRACE_PERIOD: Duration = Duration::from_secs(10);

/// The error for a call that is refused for lack of room.
const TOO_MANY: &str =
    "too many calls are running, and this one was not started: send it again when some of them have ended";

/// The running calls, by the ids of their requests.
type Running = HashMap<Arc<str>, JoinHandle<()>>;

/// Runs a session until the input ends or `shutdown` completes, and then waits for the running calls. Drops the calls
/// if the grace period after `shutdown` ends, the output fails, or `closed` completes.
pub(super) async fn run(
    protocol: Protocol,
    extensions: Extensions,
    input: Lines<impl AsyncBufRead + Unpin>,
    output: impl AsyncWrite + Unpin,
    closed: impl Future<Output = Result<(), RecvError>>,
    shutdown: impl Future,
) -> io::Result<()> {
    let (outbox, messages) = Outbox::new();
    let (requests, running, client, questions) = Default::default();
    let shared = Arc::new(Shared { protocol, extensions, outbox, requests, running, client, questions });
    let session = Session { shared, is_stuck: false };
    let (stop, stopped) = oneshot::channel::<()>();
    let reading = async { Ok(session.read(input, stopped).await) };
    let ended = tokio::select! {
        biased;
        Ok(()) = closed => Ok(()),
        () = async {
            shutdown.await;
            drop(stop);
            tokio::time::sleep(GRACE_PERIOD).await;
        } => Ok(()),
        // `try_join!` alternates which of the two it polls first. In a fixed order, the first could use up tokio's
        // budget for the task each time, and the second would never run.
        ended = async { tokio::try_join!(write(output, messages), reading) } => ended.and_then(|((), read)| read),
    };
    match ended {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        ended => ended,
    }
}

/// What the calls of a session share.
struct Shared {
    protocol: Protocol,
    /// The values that the server attaches to every request.
    extensions: Extensions,
    outbox: Outbox,
    /// Counts the bytes of the requests of the running calls.
    requests: Backlog,
    running: Mutex<Running>,
    client: Mutex<Client>,
    questions: Arc<Questions>,
}

/// What `initialize` says about the client.
#[derive(Clone, Default)]
struct Client {
    version: Option<ProtocolVersion>,
    /// The asker that sends questions to the client. `None` if the client does not show forms.
    asker: Option<AttachedAsker>,
    /// The values that the server attaches to every request, together with the client's name and version. `None` if the
    /// name and the version are not known, or if nobody reads them.
    extensions: Option<Arc<Extensions>>,
}

/// What a session and a call that has not begun pass to each other: the id of the call, and the error if the call is
/// refused.
#[derive(Default)]
struct Pending {
    /// The [`key`] of the request's id, if the message is a call.
    id: OnceLock<Arc<str>>,
    /// The error and the outcome of the call, if the call is refused.
    refusal: OnceLock<(ProtocolError, Outcome)>,
}

struct Session {
    shared: Arc<Shared>,
    /// `true` if a call was refused for lack of room, and there has been no room since.
    is_stuck: bool,
}

impl Session {
    async fn read(
        mut self,
        mut lines: Lines<impl AsyncBufRead + Unpin>,
        mut stopped: oneshot::Receiver<()>,
    ) -> io::Result<()> {
        let ended = loop {
            let line = tokio::select! {
                biased;
                _ = &mut stopped => break Ok(()),
                line = async {
                    self.shared.outbox.unread.room().await;
                    lines.next().await
                } => line,
            };
            match line {
                Ok(Some(Line::Message(message))) => self.handle(message).await,
                Ok(Some(Line::TooLong(outline))) => self.shared.refuse(&outline, lines.max_bytes),
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        // No more answers to questions will be read.
        self.shared.questions.close();
        self.shared.requests.empty().await;
        self.shared.outbox.end();
        ended
    }

    /// Waits until there is room for one more call. Returns `false` if the running calls seem to hang.
    async fn room(&mut self) -> bool {
        let Shared { requests, outbox: Outbox { unread, .. }, .. } = &*self.shared;
        while requests.is_full() {
            if self.is_stuck {
                return false;
            }
            // While the client is not reading its responses, calls do not begin. That does not mean that they are
            // stuck, so start the timeout only once the client has caught up.
            unread.room().await;
            let freed = tokio::time::timeout(MAX_WAIT, requests.room()).await;
            self.is_stuck = freed.is_err() && !unread.is_full();
        }
        self.is_stuck = false;
        true
    }

    /// Handles a message. If it is a call, runs it on its own task.
    ///
    /// The task owns the message and everything borrowed from it, so the task also reads the message. The task's future
    /// is polled once before it is spawned: the first poll reads the message, and handles it if it is not a call.
    /// Reading the message here, and its `params` again in the task, took 8% more instructions in the benchmark
    /// `stdio-text`, and 12% more in `stdio-order`.
    async fn handle(&mut self, message: Vec<u8>) {
        if message.trim_ascii().is_empty() {
            return;
        }
        let length = message.len();
        let pending = Arc::new(Pending::default());
        let mut call = Arc::clone(&self.shared).boxed_run(message, Arc::clone(&pending));
        let first = std::future::poll_fn(|cx| Poll::Ready(call.as_mut().poll(cx))).await;
        if first.is_ready() {
            return;
        }
        let Some(id) = pending.id.get() else { return call.await };
        let mut call = log::future_in_current_span(call);
        let mut refusal = (ProtocolError::new(ErrorKind::Method, -32603, TOO_MANY), Outcome::Limited);
        if self.room().await {
            call = match self.start(id, length, call) {
                Ok(()) => return,
                Err(call) => call,
            };
            let error = ProtocolError::invalid_request("a request with this id is still running");
            refusal = (error, Outcome::InvalidRequest);
        }
        let _ = pending.refusal.set(refusal);
        call.await;
    }

    /// Runs a call on its own task. Gives the call back if a call with this id is already running.
    fn start<F: Future<Output = ()> + Send + 'static>(
        &mut self,
        id: &Arc<str>,
        length: usize,
        call: F,
    ) -> Result<(), F> {
        // Hold the lock until the call is registered, so that the call cannot end before that.
        let mut running = lock(&self.shared.running);
        let Entry::Vacant(entry) = running.entry(Arc::clone(id)) else { return Err(call) };
        let held = self.shared.requests.hold_call(length);
        let call = async move {
            let _held = held;
            call.await;
        };
        entry.insert(tokio::spawn(call));
        Ok(())
    }
}

impl Drop for Session {
    /// Drops the calls that still run.
    fn drop(&mut self) {
        lock(&self.shared.running).values().for_each(JoinHandle::abort);
    }
}

impl Shared {
    /// Answers a message that is too long, of which only this outline is known. A response that is too long counts as an
    /// error.
    fn refuse(&self, outline: &[u8], max_bytes: usize) {
        let text = format!("the message has more than {max_bytes} bytes");
        log::message_refused(&text);
        let dispatcher = self.protocol.dispatcher();
        let mut params = RequestParams::default();
        let refused;
        let id = match Message::read(outline, &mut params, dispatcher.settings()) {
            Ok(Message::Request(request, _)) => {
                let extensions = lock(&self.client).extensions.clone();
                let extensions = extensions.as_deref().unwrap_or(&self.extensions);
                let mut record = dispatcher.open_record_of(&request.method, Carrier::Stdio, extensions);
                record.end(Outcome::InvalidRequest);
                Some(request.id)
            }
            Ok(Message::Response { id, .. }) => return self.questions.answer(id.map(key).as_deref(), None),
            Ok(Message::Notification { .. }) => return,
            Err(response) => {
                refused = response;
                let response: Option<HashMap<&str, &RawValue>> = serde_json::from_slice(&refused).ok();
                response.and_then(|response| Some(response.get("id")?.get()))
            }
        };
        self.outbox.send(ProtocolError::invalid_request(text).to_bytes(id));
    }

    /// Returns the future of [`run`](Self::run) in a box, so that it is compiled with this crate and not with each
    /// program.
    fn boxed_run(self: Arc<Self>, message: Vec<u8>, pending: Arc<Pending>) -> BoxFuture<'static, ()> {
        Box::pin(self.run(message, pending))
    }

    /// Reads and handles a message, and sends the answer. If the message is a call, this sets the `id` in `pending` and
    /// then returns [`Poll::Pending`] once, so that the session can start a task for the call or refuse it.
    async fn run(self: Arc<Self>, message: Vec<u8>, pending: Arc<Pending>) {
        let Pending { id, refusal } = &*pending;
        let request_id;
        // Use a block, so that the future does not hold `params` while the call runs.
        let mut begun = {
            let mut params = RequestParams::default();
            let (request, params) = match Message::read(&message, &mut params, self.protocol.dispatcher().settings()) {
                Ok(Message::Request(request, params)) => (request, params),
                Ok(Message::Notification { method, params }) => {
                    return self.take_notification(&method, params);
                }
                Ok(Message::Response { id, result }) => {
                    return self.questions.answer(id.map(key).as_deref(), result);
                }
                Err(response) => return self.outbox.send(response),
            };
            // Clone the client before the next message is read, since that message may be an `initialize`.
            let client = lock(&self.client).clone();
            let extensions = client.extensions.as_deref().unwrap_or(&self.extensions);
            let mut record = self.protocol.dispatcher().open_record_of(&request.method, Carrier::Stdio, extensions);
            if request.method == "tools/call" {
                id.get_or_init(|| key(request.id).into());
                record.set(Outcome::Cancelled);
                // Use a single `await`. If `params` lived across two, rustc would not let the running call reuse that
                // memory, so the future would be larger.
                let turn = async {
                    yield_once().await;
                    if refusal.get().is_none() {
                        self.outbox.unread.room_in_turn().await;
                    }
                };
                turn.await;
                if let Some((error, outcome)) = refusal.get() {
                    record.end(*outcome);
                    return self.outbox.send(error.to_bytes(Some(request.id)));
                }
                record.set(Outcome::InvalidRequest);
            }
            request_id = request.id;
            let introduced = params.as_deref().ok().filter(|_| request.method == "initialize");
            let introduced = introduced.map(|params| self.introduced(params));
            let begun = self.begin(request, params, client, record);
            if let Some(client) = introduced.filter(|_| begun.is_ok()) {
                *lock(&self.client) = client;
            }
            begun
        };
        // Borrow `begun`, because moving it copies a lot.
        let answer = match begun {
            Ok(ref mut begun) => self.protocol.finish(request_id, begun).await,
            Err(error) => Err(error),
        };
        if id.get().is_some_and(|id| !self.take_ended(id)) {
            return;
        }
        self.outbox.send(answer.unwrap_or_else(|error| error.to_bytes(Some(request_id))));
    }

    /// Removes an ended call from the running calls. Returns `false` if the call was cancelled: it then gets no answer,
    /// and its id may already belong to another call.
    fn take_ended(&self, id: &Arc<str>) -> bool {
        match lock(&self.running).entry(Arc::clone(id)) {
            Entry::Occupied(entry) if Arc::ptr_eq(entry.key(), id) => {
                entry.remove();
                true
            }
            _ => false,
        }
    }

    fn take_notification(&self, method: &str, params: Option<&str>) {
        if method != "notifications/cancelled" {
            return;
        }
        let params = params.and_then(|params| serde_json::from_str::<HashMap<String, &RawValue>>(params).ok());
        let call = params.and_then(|params| lock(&self.running).remove(&*key(params.get("requestId")?.get())));
        call.iter().for_each(JoinHandle::abort);
    }

    fn begin<'m>(
        &'m self,
        request: Request<'m>,
        params: Result<&mut RequestParams<'m>, InvalidParams>,
        client: Client,
        record: OpenRecord,
    ) -> Result<Begun<'m>, ProtocolError> {
        let params = params?;
        // Before `initialize` has negotiated a version, only `initialize` and `ping` may leave the version out.
        let is_early = matches!(&*request.method, "initialize" | "ping");
        let version = version::requested_version(params.meta.as_ref())?
            .or(client.version)
            .or(is_early.then_some(ProtocolVersion::V2025_06_18))
            .ok_or_else(version::not_initialized)?;
        let progress = progress_token(params).map(|token| {
            let outbox = self.outbox.clone();
            progress_sink(token, move |report| outbox.report(report))
        });
        let transport = TransportContext {
            extensions: client.extensions.as_deref().unwrap_or(&self.extensions).clone(),
            progress,
            // From version 2026-07-28 on, servers send no requests, so a call cannot ask questions while it runs.
            asker: client.asker.filter(|_| version.is_legacy()),
            record,
            ..TransportContext::default()
        };
        self.protocol.begin(request, params, version, transport, None)
    }

    /// Reads what an `initialize` says about the client.
    fn introduced(&self, params: &RequestParams<'_>) -> Client {
        // If one of the two parts cannot be read as a `Value`, treat it as missing, and still read the other part.
        let [capabilities, client]: [Value; 2] = [params.capabilities, params.client_info]
            .map(|part| part.and_then(|part| serde_json::from_str(part).ok()).unwrap_or_default());
        let requested = params.protocol_version.and_then(string).unwrap_or_default();
        let version = version::negotiate(&requested).parse().ok();
        let asker = version
            .and_then(|version| questions::asker(&self.questions, &self.outbox, version, &capabilities, &client));
        let info = ClientInfo::read(&client).filter(|_| self.protocol.dispatcher().reads_clients());
        let extensions = info.map(|info| {
            let mut extensions = self.extensions.clone();
            extensions.insert(info);
            Arc::new(extensions)
        });
        Client { version, asker, extensions }
    }
}

/// Returns [`Poll::Pending`] once, without waking the task: the caller must poll again.
async fn yield_once() {
    let mut has_yielded = false;
    std::future::poll_fn(|_| if std::mem::replace(&mut has_yielded, true) { Poll::Ready(()) } else { Poll::Pending })
        .await;
}

/// Returns the canonical text of an id, because JSON can write the same string with different escapes.
fn key(id: &str) -> Cow<'_, str> {
    if !id.contains('\\') {
        return Cow::Borrowed(id);
    }
    let text = serde_json::from_str::<String>(id).and_then(|text| serde_json::to_string(&text));
    text.map_or(Cow::Borrowed(id), Cow::Owned)
}
