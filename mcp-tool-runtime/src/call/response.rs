//! What every call ends with.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Serialize, Serializer};
use serde_json::Map;
use serde_json::value::RawValue;

use super::CallId;
use super::settings::Settings;
use crate::tool::output::Body;
use crate::{Content, Output, ProtocolVersion, ToolError, mcp};

/// The answer to a call: a value, content, or an error, with the call's id and how long it took.
///
/// It serialises as Open Tool Calling 1.0 writes it; [`to_mcp`](Self::to_mcp) gives the Model Context Protocol's form.
///
/// ```
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher, ProtocolVersion};
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
/// let response = dispatcher.call(CallToolRequest::new("add", json!({"a": 2, "b": 3}))).await?;
/// assert!(response.is_success());
/// assert_eq!(response.deserialize::<i64>()?, 5);
/// assert_eq!(response.to_mcp(ProtocolVersion::LATEST).structured_content.unwrap().get(), "5");
/// # Ok(())
/// # }
/// # let waker = std::task::Waker::noop();
/// # let mut run = std::pin::pin!(run());
/// # assert!(matches!(run.as_mut().poll(&mut std::task::Context::from_waker(waker)), std::task::Poll::Ready(Ok(()))));
/// ```
pub struct CallToolResponse {
    pub(crate) reply: Reply,
    pub(crate) sender: Arc<Sender>,
    blocks: OnceLock<Box<Blocks>>,
}

/// What a call comes to, in no protocol's words.
pub(crate) struct Reply {
    pub(crate) call_id: CallId,
    pub(crate) duration: Duration,
    pub(crate) outcome: Result<Output, ToolError>,
}

/// What of a tool and its dispatcher its responses share, for a projection. A response does not keep the states.
#[derive(Debug)]
pub(crate) struct Sender {
    pub(crate) tool_name: Arc<str>,
    /// Whether the tool publishes an output schema, so that its value goes out as structured content.
    pub(crate) structured: bool,
    /// Whether legacy versions get the value as `{"result": …}`.
    pub(crate) wrapped: bool,
    pub(crate) settings: Arc<Settings>,
}

/// What is made of an outcome only when it is asked for.
#[derive(Debug)]
struct Blocks {
    content: Vec<Content>,
    value: Option<Box<RawValue>>,
}

impl CallToolResponse {
    pub(crate) fn new(reply: Reply, sender: Arc<Sender>) -> Self {
        Self { reply, sender, blocks: OnceLock::new() }
    }

    /// The call's id, the caller's or a fresh one.
    #[must_use]
    pub fn call_id(&self) -> &CallId {
        &self.reply.call_id
    }

    /// How long the tool took.
    #[must_use]
    pub fn duration(&self) -> Duration {
        self.reply.duration
    }

    /// Whether the call succeeded.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.reply.outcome.is_ok()
    }

    /// The value, as Open Tool Calling has it: the structured value; of a result of content alone the text of a single
    /// text block, else the array of blocks; `null` of a tool that returns nothing. `None` when the call failed.
    #[must_use]
    pub fn value(&self) -> Option<&RawValue> {
        match &self.reply.outcome.as_ref().ok()?.body {
            // It was written as JSON.
            Body::Value(value) => serde_json::from_str(value.as_str()).ok(),
            Body::Unit | Body::Blocks => self.blocks().value.as_deref(),
        }
    }

    /// The error of a call that failed.
    #[must_use]
    pub fn error(&self) -> Option<&ToolError> {
        self.reply.outcome.as_ref().err()
    }

    /// The content blocks, as the latest protocol version has them.
    #[must_use]
    pub fn content(&self) -> &[Content] {
        &self.blocks().content
    }

    /// Reads the value into a type.
    ///
    /// # Errors
    ///
    /// When the call failed, or its value does not fit the type.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        match (&self.reply.outcome, self.value()) {
            (Err(error), _) => Err(serde_json::Error::custom(error)),
            (Ok(_), Some(value)) => serde_json::from_str(value.get()),
            (Ok(_), None) => Err(serde_json::Error::custom("the call has no value")),
        }
    }

    /// The result in the shape of one version of the Model Context Protocol.
    #[must_use]
    pub fn to_mcp(&self, version: ProtocolVersion) -> mcp::CallToolResult {
        mcp::result::result(self, version)
    }

    fn blocks(&self) -> &Blocks {
        self.blocks.get_or_init(|| {
            let content = mcp::result::content(&self.reply.outcome, self.sender.structured, ProtocolVersion::LATEST);
            Box::new(Blocks {
                content,
                value: self.reply.outcome.as_ref().ok().and_then(crate::otc::result::value_of_content),
            })
        })
    }
}

/// As Open Tool Calling 1.0 writes it.
impl Serialize for CallToolResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        crate::otc::result::response(self, serializer)
    }
}

/// Shows no value, which may be secret.
impl fmt::Debug for CallToolResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallToolResponse")
            .field("call_id", &self.reply.call_id)
            .field("duration", &self.reply.duration)
            .field("is_success", &self.is_success())
            .field("error", &self.error())
            .finish_non_exhaustive()
    }
}

/// The metadata that the dispatcher, the author and the server give a result.
pub(crate) fn meta(reply: &Reply, settings: &Settings) -> Map<String, serde_json::Value> {
    let mut meta = settings.server_meta.clone();
    match &reply.outcome {
        Ok(output) => meta.extend(output.meta().cloned().unwrap_or_default()),
        Err(error) => {
            meta.insert(settings.can_retry_key.clone(), error.can_retry().into());
            if let Some(after) = error.retry_after_ms() {
                meta.insert(settings.retry_after_key.clone(), after.into());
            }
        }
    }
    meta.insert(settings.call_id_key.clone(), reply.call_id.as_str().into());
    meta.insert(settings.duration_key.clone(), milliseconds(reply.duration).into());
    meta
}

/// A duration in milliseconds with its fraction.
#[expect(clippy::cast_precision_loss, reason = "nobody calls for longer")]
pub(crate) fn milliseconds(duration: Duration) -> f64 {
    // Nanoseconds up to 104 days are exact, so that 40170 ns read 0.04017.
    nanoseconds(duration) as f64 / 1e6
}

/// [`milliseconds`] as JSON, to the last nanosecond.
pub(crate) fn write_milliseconds(bytes: &mut Vec<u8>, duration: Duration) {
    /// Nanoseconds in one.
    const MILLISECOND: u64 = 1_000_000;
    let nanos = nanoseconds(duration);
    // Numbers always serialise.
    let _ = serde_json::to_writer(&mut *bytes, &(nanos / MILLISECOND));
    let mut fraction = *b".000000";
    let mut rest = nanos % MILLISECOND;
    for digit in fraction[1..].iter_mut().rev() {
        *digit += u8::try_from(rest % 10).unwrap_or_default();
        rest /= 10;
    }
    // As of any float one decimal stays.
    let zeros = fraction[2..].iter().rev().take_while(|digit| **digit == b'0').count();
    bytes.extend_from_slice(&fraction[..fraction.len() - zeros]);
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(duration: Duration) -> String {
        let mut bytes = Vec::new();
        write_milliseconds(&mut bytes, duration);
        String::from_utf8(bytes).expect("digits")
    }

    #[test]
    fn a_duration_is_written_to_the_last_nanosecond() {
        for (nanos, expected) in [
            (0, "0.0"),
            (1, "0.000001"),
            (40_170, "0.04017"),
            (999_999, "0.999999"),
            (1_000_000, "1.0"),
            (10_500_000, "10.5"),
            (1_234_567_890_123, "1234567.890123"),
            (u64::MAX, "18446744073709.551615"),
        ] {
            assert_eq!(written(Duration::from_nanos(nanos)), expected);
        }
        assert_eq!(written(Duration::MAX), "18446744073709.551615");
    }

    #[test]
    fn it_is_the_number_that_the_map_of_metadata_has() {
        let mut nanos = 1_u64;
        while nanos < 1 << 53 {
            let duration = Duration::from_nanos(nanos);
            assert_eq!(written(duration).parse(), Ok(milliseconds(duration)), "{nanos} ns");
            nanos += nanos / 7 + 1;
        }
    }
}
