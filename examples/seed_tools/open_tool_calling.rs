//! The five tools of the examples in the Open Tool Calling specification.

use std::sync::OnceLock;

use chrono::{DateTime, Utc};
use mcp_tool_runtime::{IntoToolError, mcp_tool};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Number;

/// Adds two numbers together.
#[mcp_tool(name = "Calculator.Add", read_only_hint)]
pub(super) async fn calculator_add(
    /// The first number to add.
    a: f64,
    /// The second number to add.
    b: f64,
) -> Result<Number, &'static str> {
    number(a + b).ok_or("the sum is too large for a number")
}

/// Returns whole numbers as integers, so that they are written as `15` and not `15.0`.
fn number(number: f64) -> Option<Number> {
    let whole = number.fract() == 0.0 && number.abs() < 1e15;
    #[expect(clippy::cast_possible_truncation, reason = "whole and small")]
    let integer = whole.then_some(number as i64).map(Number::from);
    integer.or_else(|| Number::from_f64(number))
}

/// The reasons why a doorbell does not ring.
#[derive(Debug, thiserror::Error, IntoToolError)]
pub(super) enum DoorbellError {
    #[error("Could not reach the server. Please try again later.")]
    #[tool_error(developer_message = "The host {host} is not reachable (ECONNREFUSED)")]
    Unreachable { host: &'static str },
    #[error("Doorbell ID not found")]
    #[tool_error(
        developer_message = "The doorbell with ID '{id}' does not exist.",
        additional_prompt_content = "ids: doorbell42,doorbell84",
        retry_after_ms = 500
    )]
    UnknownId { id: String },
}

/// Rings a doorbell given a doorbell ID.
#[mcp_tool(name = "Doorbell.Ring", open_world_hint)]
pub(super) async fn doorbell_ring(
    /// The ID of the doorbell to ring.
    doorbell_id: String,
) -> Result<(), DoorbellError> {
    match doorbell_id.as_str() {
        "doorbell42" => Ok(()),
        "doorbell84" => Err(DoorbellError::Unreachable { host: "api.example.com" }),
        _ => Err(DoorbellError::UnknownId { id: doorbell_id }),
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Timestamp {
    /// The current system timestamp.
    timestamp: DateTime<Utc>,
}

static FIXED: OnceLock<DateTime<Utc>> = OnceLock::new();

/// Makes `System.GetTimestamp` return `time` from now on, so that the output of a program is the same on every run.
pub fn fix_clock(time: DateTime<Utc>) {
    let _ = FIXED.set(time);
}

/// Retrieves the current system timestamp.
#[mcp_tool(name = "System.GetTimestamp", read_only_hint)]
pub(super) async fn system_get_timestamp() -> Timestamp {
    Timestamp { timestamp: FIXED.get().copied().unwrap_or_else(Utc::now) }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Emails {
    /// List of retrieved emails.
    emails: Vec<Email>,
}

#[derive(Serialize, JsonSchema)]
struct Email {
    id: &'static str,
    subject: &'static str,
    snippet: &'static str,
}

const MAILBOX: [Email; 2] = [
    Email { id: "email_1", subject: "Welcome to Gmail", snippet: "Hello, welcome to your inbox!" },
    Email { id: "email_2", subject: "Your Receipt", snippet: "Thank you for your purchase..." },
];

/// Retrieves emails from Gmail using OAuth 2.0 authentication.
#[mcp_tool(name = "Gmail.GetEmails", read_only_hint, open_world_hint)]
pub(super) async fn gmail_get_emails(
    /// Search query for filtering emails.
    query: Option<String>,
) -> Emails {
    // Both emails are unread. Any other query searches the subjects.
    let words = query.filter(|query| query != "is:unread").unwrap_or_default().to_lowercase();
    let found = |email: &Email| email.subject.to_lowercase().contains(&words);
    Emails { emails: MAILBOX.into_iter().filter(found).collect() }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Sending {
    /// Status of the SMS sending operation.
    status: &'static str,
}

/// Sends SMS messages using Twilio.
#[mcp_tool(name = "SMS.Send", open_world_hint)]
pub(super) async fn sms_send(
    /// Recipient phone number.
    to: &str,
    /// Message content to send.
    message: &str,
) -> Result<Sending, &'static str> {
    match (to.starts_with('+'), message.is_empty()) {
        (false, _) => Err("the phone number must begin with + and the code of a country"),
        (true, true) => Err("the message is empty"),
        (true, false) => Ok(Sending { status: "sent" }),
    }
}
