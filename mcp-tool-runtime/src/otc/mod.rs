//! The types of Open Tool Calling 1.0: definitions, responses, the context of a request, and the body of a validation
//! error.
//!
//! These two functions implement the HTTP interface of Open Tool Calling. They work with any HTTP server, for example
//! as axum handlers:
//!
//! ```
//! use mcp_tool_runtime::{json, otc, serde_json, CallToolRequest, Dispatcher};
//! use mcp_tool_runtime::serde_json::Value;
//!
//! /// `GET /tools`.
//! fn list(dispatcher: &Dispatcher) -> Result<Value, otc::DefinitionError> {
//!     Ok(json!({"$schema": "urn:oxp:1.0", "tools": dispatcher.list_otc("1.0.0")?}))
//! }
//!
//! /// `POST /tools/call`: the status and the body of the response.
//! async fn call(dispatcher: &Dispatcher, body: &[u8]) -> (u16, Value) {
//!     // The request itself is wrong: an unknown tool, an unknown version, or not a request.
//!     let refused = |message: String| (400, json!({"$schema": "urn:oxp:1.0", "message": message}));
//!     let request: CallToolRequest = match serde_json::from_slice(body) {
//!         Ok(request) => request,
//!         Err(error) => return refused(error.to_string()),
//!     };
//!     if !request.extensions.get::<otc::Context>().is_some_and(|context| context.asks_for("1.0.0")) {
//!         return refused(format!("this version of {} is not available", request.name));
//!     }
//!     match dispatcher.call(request).await {
//!         Err(error) => refused(error.to_string()),
//!         Ok(response) => match otc::ValidationError::of(&response) {
//!             Some(error) => (422, json!(error)),
//!             None => (200, json!({"$schema": "urn:oxp:1.0", "result": response.to_otc()})),
//!         },
//!     }
//! }
//! # /// Add two numbers.
//! # #[mcp_tool_runtime::mcp_tool(name = "Calculator.Add")]
//! # async fn add(/** One. */ a: f64, /** Another. */ b: f64) -> f64 { a + b }
//! # let dispatcher = Dispatcher::builder().tools(mcp_tool_runtime::tools![add]).build().unwrap();
//! # assert_eq!(list(&dispatcher).unwrap()["tools"][0]["name"], "Calculator_Add");
//! # let now = |body: &str| {
//! #     let mut call = std::pin::pin!(call(&dispatcher, body.as_bytes()));
//! #     let waker = std::task::Waker::noop();
//! #     let std::task::Poll::Ready(response) = call.as_mut().poll(&mut std::task::Context::from_waker(waker)) else { panic!() };
//! #     response
//! # };
//! # let (status, body) = now(r#"{"$schema": "urn:oxp:1.0", "request": {"tool_id": "Calculator.Add@1", "input": {"a": 10, "b": 5}}}"#);
//! # assert_eq!((status, &body["result"]["value"]), (200, &json!(15.0)));
//! # assert_eq!(now(r#"{"request": {"tool_id": "Calculator.Add@2.0.0"}}"#).0, 400);
//! # assert_eq!(now(r#"{"request": {"tool_id": "Calculator.Sub"}}"#).0, 400);
//! # assert_eq!(now(r#"{"request": {"tool_id": "Calculator.Add"}}"#).0, 422);
//! ```

mod definition;

use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

pub(crate) use definition::definitions;
pub use definition::{DefinitionError, InputSchema, ToolDefinition};

use crate::call::milliseconds;
use crate::output::error_kind;
pub use crate::output::error_kind::ParameterError;
use crate::output::value::Body;
use crate::{Content, Output};

/// The context of an Open Tool Calling request: user, trace, authorizations and secrets.
///
/// A [`CallToolRequest`](crate::CallToolRequest) that was deserialized from an Open Tool Calling request has this
/// context as an extension. Results and `_meta` never contain it, and its `Debug` output does not show tokens or
/// secrets.
///
/// ```
/// use mcp_tool_runtime::{otc, serde_json, CallToolRequest};
///
/// let request: CallToolRequest = serde_json::from_str(
///     r#"{"tool_id": "SMS.Send@0.1.2", "input": {"to": "+1"}, "context": {"secrets": [{"id": "KEY", "value": "s3cr3t"}]}}"#,
/// )?;
/// let context = request.extensions.get::<otc::Context>().unwrap();
/// assert_eq!(context.secret("KEY"), Some("s3cr3t"));
/// assert!(!format!("{context:?}").contains("s3cr3t"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Context {
    version: Option<String>,
    trace_id: Option<String>,
    sent: RequestContext,
}

/// The `context` property of a request.
#[derive(Clone, Default, Deserialize)]
pub(crate) struct RequestContext {
    #[serde(default)]
    authorization: Vec<Authorization>,
    #[serde(default)]
    secrets: Vec<Secret>,
    user_id: Option<String>,
}

#[derive(Clone, Deserialize)]
struct Authorization {
    id: String,
    token: String,
}

#[derive(Clone, Deserialize)]
struct Secret {
    id: String,
    value: String,
}

impl Context {
    pub(crate) fn new(version: Option<String>, trace_id: Option<String>, context: RequestContext) -> Self {
        Self { version, trace_id, sent: context }
    }

    /// Returns the tool version that the request names: `1.0.0` for `Calculator.Add@1.0.0`.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Returns `true` if the request accepts a tool of this version: it names no version, exactly this version, or `1`
    /// for a version such as `1.0.0`. A dispatcher has only one version of each tool, and does not check which version
    /// a request names.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, otc, serde_json, CallToolRequest};
    ///
    /// let request: CallToolRequest = serde_json::from_value(json!({"tool_id": "Calculator.Add@1", "input": {}}))?;
    /// let context = request.extensions.get::<otc::Context>().unwrap();
    /// assert!(context.asks_for("1.0.0") && !context.asks_for("1.0.1") && !context.asks_for("2.0.0"));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn asks_for(&self, version: &str) -> bool {
        self.version().is_none_or(|asked| asked == version || version.strip_prefix(asked) == Some(".0.0"))
    }

    /// Returns the id of the trace that the call belongs to.
    pub fn trace_id(&self) -> Option<&str> {
        self.trace_id.as_deref()
    }

    /// Returns the id of the user for whom the call is made.
    pub fn user_id(&self) -> Option<&str> {
        self.sent.user_id.as_deref()
    }

    /// Returns the token of the authorization with this id.
    pub fn authorization(&self, id: &str) -> Option<&str> {
        self.sent.authorization.iter().find(|entry| entry.id == id).map(|entry| entry.token.as_str())
    }

    /// Returns the value of the secret with this id.
    pub fn secret(&self, id: &str) -> Option<&str> {
        self.sent.secrets.iter().find(|entry| entry.id == id).map(|entry| entry.value.as_str())
    }
}

debug_struct!(
    /// Shows the ids of authorizations and secrets, but not the tokens or the values of secrets.
    Context, it =>
    version: it.version,
    trace_id: it.trace_id,
    user_id: it.sent.user_id,
    authorization: it.sent.authorization.iter().map(|entry| &entry.id).collect::<Vec<_>>(),
    secrets: it.sent.secrets.iter().map(|entry| &entry.id).collect::<Vec<_>>(),
);

/// The body of an Open Tool Calling response with status 422, which means that the arguments are invalid.
///
/// For such a call, Open Tool Calling sends no `CallToolResponse`, which would have status 200 and mean that the tool
/// ran.
///
/// ```
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, otc, serde_json, tools, CallToolRequest, Dispatcher};
///
/// /// Add two numbers.
/// #[mcp_tool(name = "Calculator.Add")]
/// async fn add(a: f64, b: f64) -> f64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
/// let request = json!({"tool_id": "Calculator.Add@1.0.0", "input": {"a": 10, "b": "infinity"}});
/// let response = dispatcher.call(serde_json::from_value(request)?).await?;
/// let (status, body) = match otc::ValidationError::of(&response) {
///     Some(error) => (422, serde_json::to_value(&error)?),
///     None => (200, json!({"result": response.to_otc()})),
/// };
/// assert_eq!(status, 422);
/// assert_eq!(body["parameter_errors"], json!({"b": "expected a number, got a string"}));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ValidationError<'a> {
    message: &'a str,
    /// The errors of individual arguments. Empty if the arguments are wrong as a whole.
    #[serde(skip_serializing_if = "<[_]>::is_empty", serialize_with = "error_kind::serialize_as_map")]
    parameter_errors: &'a [ParameterError],
}

impl<'a> ValidationError<'a> {
    /// Returns the body for a response if the arguments of the call were invalid.
    pub fn of(response: &'a crate::CallToolResponse) -> Option<Self> {
        let error = response.error().filter(|error| error.has_invalid_arguments())?;
        Some(Self { message: error.message(), parameter_errors: error.errors() })
    }
}

/// An Open Tool Calling 1.0 response. [`to_otc`](crate::CallToolResponse::to_otc) creates it.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, serde_json, tools, CallToolRequest, Dispatcher};
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
/// let response = dispatcher.call(CallToolRequest::new("add", json!({"a": 2, "b": 3}))).await?;
/// let response = serde_json::to_value(response.to_otc())?;
/// assert_eq!((&response["success"], &response["value"]), (&json!(true), &json!(5)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct CallToolResponse<'a>(&'a crate::CallToolResponse);

impl<'a> CallToolResponse<'a> {
    pub(crate) fn new(response: &'a crate::CallToolResponse) -> Self {
        Self(response)
    }
}

/// Serializes `call_id`, `duration`, `success`, and `value` or `error`.
impl Serialize for CallToolResponse<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.input_required() {
            Some(required) => write(&self.0.without_questions(required), serializer),
            None => write(self.0, serializer),
        }
    }
}

fn write<S: Serializer>(response: &crate::CallToolResponse, serializer: S) -> Result<S::Ok, S::Error> {
    let mut document = serializer.serialize_struct("CallToolResponse", 4)?;
    document.serialize_field("call_id", &response.call_id)?;
    document.serialize_field("duration", &whole_or_fractional(milliseconds(response.duration)))?;
    document.serialize_field("success", &response.is_success())?;
    match &response.result {
        Ok(_) => document.serialize_field("value", &response.value())?,
        Err(error) if response.format.settings.expose_developer_messages => {
            document.serialize_field("error", error)?;
        }
        Err(error) => document.serialize_field("error", &error.clone().without_developer_message())?,
    }
    document.end()
}

/// Returns the value of a result that has no structured value: `null` for a tool that returns nothing, the text of a
/// single text block, or else the array of blocks. Returns `None` if the result has a structured value, asks the user,
/// or is a list or text that has not been cut into a page yet.
pub(crate) fn value_of_content(output: &Output) -> Option<Box<RawValue>> {
    match (&output.body, output.blocks()) {
        (Body::Value(_) | Body::InputRequired(_) | Body::Unfinished(_), _) => None,
        (Body::Unit, _) => Some(RawValue::NULL.to_owned()),
        (Body::Blocks, [Content::Text(text)]) => to_raw_value(text.text()).ok(),
        (Body::Blocks, blocks) => to_raw_value(blocks).ok(),
    }
}

/// Returns a non-negative number as JSON. A whole number below 10¹⁵ becomes an integer.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, positive and small")]
fn whole_or_fractional(number: f64) -> Value {
    if number.fract() == 0.0 && number < 1e15 { (number as u64).into() } else { number.into() }
}
