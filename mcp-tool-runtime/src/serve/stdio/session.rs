//! One client: its messages in, the answers out, its calls in between.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::io::{AsyncBufRead, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

use super::lines::{Line, Lines};
use crate::ProtocolVersion;
use crate::dispatcher::TransportContext;
use crate::serve::protocol::{self, Message, Protocol, Refusal, Request, in_one_line, string};

/// How many messages wait for a client that reads slowly. Answers wait for their turn, reports beyond are dropped.
const MOST_MESSAGES: usize = 64;

/// The calls that run, by the ids of their requests.
type Running = Arc<Mutex<HashMap<String, AbortHandle>>>;

/// Reads until the input ends, the output fails or `shutdown` is done, and finishes what runs.
pub(super) async fn run<R, W>(
    protocol: Protocol,
    input: R,
    max_line_bytes: usize,
    output: W,
    shutdown: impl Future,
) -> io::Result<()>
where
    R: AsyncBufRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let (send, messages) = mpsc::channel(MOST_MESSAGES);
    let session = Session { protocol, send, running: Running::default(), calls: JoinSet::new(), agreed: None };
    let mut writing = pin!(write(output, messages));
    let reading = pin!(session.read(Lines::new(input, max_line_bytes), shutdown));
    let ended = tokio::select! {
        // Only if the output failed: as long as the session reads, it may have something to say.
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

/// Writes messages as they come, until nobody is left to send one.
async fn write(output: impl AsyncWrite, mut messages: mpsc::Receiver<Vec<u8>>) -> io::Result<()> {
    let mut output = pin!(output);
    while let Some(first) = messages.recv().await {
        let mut next = Some(first);
        while let Some(mut message) = next {
            in_one_line(&mut message);
            message.push(b'\n');
            output.write_all(&message).await?;
            next = messages.try_recv().ok();
        }
        output.flush().await?;
    }
    Ok(())
}

struct Session {
    protocol: Protocol,
    send: mpsc::Sender<Vec<u8>>,
    running: Running,
    calls: JoinSet<()>,
    /// What `initialize` agreed on.
    agreed: Option<ProtocolVersion>,
}

impl Session {
    async fn read<R: AsyncBufRead + Unpin>(mut self, mut lines: Lines<R>, shutdown: impl Future) -> io::Result<()> {
        let mut shutdown = pin!(shutdown);
        let ended = loop {
            while self.calls.try_join_next().is_some() {}
            let line = tokio::select! {
                biased;
                _ = &mut shutdown => break Ok(()),
                line = lines.next() => line,
            };
            match line {
                Ok(Some(Line::Message(message))) => self.take(&message).await,
                Ok(Some(Line::TooLong)) => self.say(Refusal::invalid("the message is too long").to_bytes()).await,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        while self.calls.join_next().await.is_some() {}
        ended
    }

    async fn take(&mut self, message: &[u8]) {
        if message.trim_ascii().is_empty() {
            return;
        }
        match Message::read(message) {
            Ok(Message::Request(request)) if request.method == "tools/call" => self.call(request).await,
            Ok(Message::Request(request)) => {
                let answer = self.answer(&request).await.unwrap_or_else(|refusal| refusal.to_bytes());
                self.say(answer).await;
            }
            Ok(Message::Notification { method, params }) if method == "notifications/cancelled" => {
                let id = params
                    .filter(|params| params.get().starts_with('{'))
                    .and_then(|params| serde_json::from_str::<Cancelled<'_>>(params.get()).ok());
                let call = id.and_then(|id| lock(&self.running).remove(&*key(id.request_id.get())));
                call.iter().for_each(AbortHandle::abort);
            }
            // This server asks nothing, so an answer is to nothing.
            Ok(Message::Notification { .. } | Message::Response) => {}
            Err(refusal) => self.say(refusal.to_bytes()).await,
        }
    }

    /// Answers what takes no time.
    async fn answer<'m>(&mut self, request: &Request<'m>) -> Result<Vec<u8>, Refusal<'m>> {
        let params = request.params()?;
        let version = version(&params, request, self.agreed)?;
        let begins = request.method == "initialize" && version.is_legacy();
        let asked = params.protocol_version.and_then(string);
        let answer = self.protocol.perform(request, params, version, TransportContext::default()).await?;
        if begins {
            self.agreed = asked.and_then(|asked| protocol::agreed(&asked).parse().ok());
        }
        Ok(answer)
    }

    /// Starts a call on a task of its own.
    async fn call(&mut self, request: Request<'_>) {
        let key = key(request.id).into_owned();
        if lock(&self.running).contains_key(&key) {
            let refusal = Refusal::invalid("a request with this id is still running");
            return self.say(refusal.of(Some(request.id)).to_bytes()).await;
        }
        let (protocol, agreed, send) = (self.protocol.clone(), self.agreed, self.send.clone());
        let (request, running, own_key) = (request.into_owned(), Arc::clone(&self.running), key.clone());
        // Held until the call is noted, so that it cannot end before.
        let mut noted = lock(&self.running);
        let call = async move {
            let answer = perform(&protocol, &request.borrowed(), agreed, &send).await;
            lock(&running).remove(&own_key);
            // Without a reader nobody misses it.
            let _ = send.send(answer).await;
        };
        #[cfg(feature = "tracing")]
        let call = tracing::Instrument::in_current_span(call);
        noted.insert(key, self.calls.spawn(call));
    }

    async fn say(&self, message: Vec<u8>) {
        // When the output has failed, the reading ends as well.
        let _ = self.send.send(message).await;
    }
}

async fn perform(
    protocol: &Protocol,
    request: &Request<'_>,
    agreed: Option<ProtocolVersion>,
    send: &mpsc::Sender<Vec<u8>>,
) -> Vec<u8> {
    let answered = async {
        let params = request.params()?;
        let version = version(&params, request, agreed)?;
        let progress = protocol::progress_token(&params).map(|token| {
            // A tool may keep its context, which must not keep the output open.
            let send = send.downgrade();
            protocol::reporter(token, move |report| {
                if let Some(send) = send.upgrade() {
                    drop(send.try_send(report));
                }
            })
        });
        protocol.perform(request, params, version, TransportContext { progress, ..TransportContext::default() }).await
    };
    answered.await.unwrap_or_else(|refusal| refusal.to_bytes())
}

/// The version of a request: what it names, else what `initialize` agreed on.
fn version<'m>(
    params: &protocol::Params<'_>,
    request: &Request<'m>,
    agreed: Option<ProtocolVersion>,
) -> Result<ProtocolVersion, Refusal<'m>> {
    match (protocol::named_version(params.meta.as_deref(), request.id)?, agreed) {
        (Some(version), _) | (None, Some(version)) => Ok(version),
        (None, None) if ["initialize", "ping"].contains(&&*request.method) => Ok(ProtocolVersion::V2025_06_18),
        (None, None) => Err(protocol::uninitialized().of(Some(request.id))),
    }
}

#[derive(Deserialize)]
struct Cancelled<'m> {
    #[serde(borrow, rename = "requestId")]
    request_id: &'m RawValue,
}

/// An id in the one spelling by which it is looked up.
fn key(id: &str) -> Cow<'_, str> {
    if !id.contains('\\') {
        return Cow::Borrowed(id);
    }
    let text = serde_json::from_str::<String>(id).and_then(|text| serde_json::to_string(&text));
    text.map_or(Cow::Borrowed(id), Cow::Owned)
}

fn lock(running: &Running) -> MutexGuard<'_, HashMap<String, AbortHandle>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}
