//! Errors as `application/problem+json` (RFC 9457).

use std::borrow::Cow;

use ::http::header::{ALLOW, HeaderName, RETRY_AFTER};
use ::http::{HeaderValue, Response, StatusCode};
use serde_json::{Value, json};

use super::Body;
use crate::call::add_property;
use crate::json::path::fragment;
use crate::listing::visibility::REFUSED;
use crate::output::error_kind::ToolErrorKind;
use crate::{CallToolResponse, DispatchError, ToolError};

/// The status and the text for a request that is refused before its message or its arguments are read.
pub(super) struct Rejected(pub(super) StatusCode, pub(super) Cow<'static, str>);

impl From<Rejected> for Problem {
    fn from(Rejected(status, text): Rejected) -> Self {
        Self::new(status, text)
    }
}

impl From<DispatchError> for Problem {
    fn from(error: DispatchError) -> Self {
        let status = match error {
            DispatchError::UnknownTool { .. } => StatusCode::NOT_FOUND,
            DispatchError::MissingExtension { .. } => StatusCode::INTERNAL_SERVER_ERROR,
            DispatchError::MissingCapability => StatusCode::CONFLICT,
            DispatchError::InvalidRequest { .. }
            | DispatchError::InvalidMessage { .. }
            | DispatchError::InvalidState => StatusCode::BAD_REQUEST,
        };
        Self::new(status, error.to_string())
    }
}

/// An error response: its status, its document and its headers. It answers a refused request or a call that failed.
#[derive(Debug)]
pub(super) struct Problem {
    status: StatusCode,
    document: Value,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Problem {
    pub(super) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        let document = json!({
            "type": "about:blank", "title": status.canonical_reason(), "status": status.as_u16(), "detail": detail.into(),
        });
        Self { status, document, headers: Vec::new() }
    }

    pub(super) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Creates the error for a wrong method. `allowed` lists the methods that the path supports.
    pub(super) fn not_allowed(text: &str, allowed: &'static str) -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, text).with_header(ALLOW, HeaderValue::from_static(allowed))
    }

    /// Creates the problem for the error of a call.
    pub(super) fn of_tool(error: &ToolError) -> Self {
        let status = match (error.kind(), error.code()) {
            (ToolErrorKind::Arguments, _) => StatusCode::UNPROCESSABLE_ENTITY,
            (ToolErrorKind::ServerError, _) => StatusCode::INTERNAL_SERVER_ERROR,
            (ToolErrorKind::TimedOut, _) => StatusCode::GATEWAY_TIMEOUT,
            (ToolErrorKind::Limited, _) => StatusCode::TOO_MANY_REQUESTS,
            _ if error.retry_after_ms().is_some() => StatusCode::SERVICE_UNAVAILABLE,
            (_, Some("unavailable" | "declined" | "cancelled")) => StatusCode::CONFLICT,
            (_, Some(REFUSED)) => StatusCode::FORBIDDEN,
            _ => StatusCode::BAD_REQUEST,
        };
        let mut problem = Self::new(status, error.message());
        let pointed = error.errors().iter();
        // The member `errors` has the form of the example in RFC 9457.
        let errors: Vec<_> =
            pointed.map(|error| json!({ "pointer": fragment(error.pointer()), "detail": error.message() })).collect();
        add_property(&mut problem.document, "errors", (!errors.is_empty()).then_some(errors));
        if let Some(milliseconds) = error.retry_after_ms() {
            // Round up, because a client that tries again too early would be refused again.
            problem.headers.push((RETRY_AFTER, HeaderValue::from(milliseconds.div_ceil(1_000))));
        }
        add_property(&mut problem.document, "can_retry", error.can_retry().then_some(true));
        add_property(&mut problem.document, "additional_prompt_content", error.additional_prompt_content());
        add_property(&mut problem.document, "code", error.code());
        add_property(&mut problem.document, "data", error.data().cloned());
        problem
    }

    /// Creates the error for a question that nobody can answer here. Returns `None` if the response asks no question.
    pub(super) fn of_question(response: &CallToolResponse) -> Option<Self> {
        let required = response.input_required()?;
        response.without_questions(required).error().map(Self::of_tool)
    }

    pub(super) fn into_response(self) -> Response<Body> {
        let body = Body::whole(self.document.to_string().into_bytes());
        let mut response = body.into_response(self.status, "application/problem+json");
        response.headers_mut().extend(self.headers);
        response
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use serde_json::Map;

    use super::*;
    use crate::{CallToolRequest, Consent, Dispatcher, mcp_tool, tools};

    /// Erase a note.
    #[mcp_tool]
    async fn erase(id: u32, #[mcp_tool(ask = "Erase?")] _sure: Consent) -> u32 {
        id
    }

    #[test]
    fn a_question_is_a_conflict_and_another_response_is_no_question() {
        let dispatcher = Dispatcher::builder().tools(tools![erase]).build().expect("a tool");
        let meta = Map::from_iter([(crate::mcp::params::CAPABILITIES_KEY.to_owned(), json!({ "elicitation": {} }))]);
        let problem = |arguments: Value| {
            let mut call = pin!(dispatcher.call(CallToolRequest::new("erase", arguments).with_meta(meta.clone())));
            match call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(response) => Problem::of_question(&response.expect("a response")),
                Poll::Pending => panic!("the call waits"),
            }
        };
        let conflict = problem(json!({ "id": 7 })).expect("a question");
        assert_eq!((conflict.status, &conflict.document["code"]), (StatusCode::CONFLICT, &json!("unavailable")));
        let detail = conflict.document["detail"].as_str().expect("a text");
        assert!(detail.ends_with("this client cannot ask: Erase?"), "{detail}");
        assert!(problem(json!({ "id": "x" })).is_none());
    }
}
