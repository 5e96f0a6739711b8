//! The part of an error that a model sees, and the part that it never sees (section 5 of the contract).

use std::fmt;
use std::time::Duration;

use mcp_tool_runtime::{IntoToolError, ProtocolVersion, ToolError, mcp_tool, tools};
use serde_json::json;

use crate::run::{self, built, call, error, exact, serve};

const MASKED: &str = "internal error in tool `masked` (call_id call-1)";
const SECRET: &str = "password of db-7";

#[derive(Debug, thiserror::Error)]
#[error("cannot reach the {SECRET}")]
struct Inner;

#[derive(Debug, thiserror::Error)]
enum Outer {
    #[error("the lookup failed")]
    Lookup(#[source] Inner),
}

/// A type that implements `Display` but not `Error`.
struct Words;

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the lookup failed: cannot reach the {SECRET}")
    }
}

/// Calls the tool `masked` and returns its error. Asserts that a model cannot see the secret.
fn masked(tools: Vec<Box<dyn mcp_tool_runtime::ToolHandler>>) -> ToolError {
    let dispatcher = serve(tools);
    let response = call(&dispatcher, "masked", json!({}));
    for version in ProtocolVersion::ALL {
        let text = run::mcp(&response, version).to_string();
        assert!(!text.contains("db-7") && !text.contains("lookup"), "{text}");
    }
    let otc = run::otc(&response);
    assert_eq!(otc["error"], json!({"message": MASKED}));
    error(&dispatcher, "masked", json!({}))
}

const CHAIN: &str = "the lookup failed: cannot reach the password of db-7";

#[test]
fn any_error_is_masked_and_its_sources_are_for_the_logs() {
    let enumeration = {
        /// Masked.
        #[mcp_tool]
        async fn masked() -> Result<u8, Outer> {
            Err(Outer::Lookup(Inner))
        }
        tools![masked]
    };
    let boxed = {
        /// Masked.
        #[mcp_tool]
        async fn masked() -> Result<u8, Box<dyn std::error::Error>> {
            Err(Box::new(Outer::Lookup(Inner)))
        }
        tools![masked]
    };
    let boxed_send = {
        /// Masked.
        #[mcp_tool]
        async fn masked() -> Result<u8, Box<dyn std::error::Error + Send + Sync>> {
            Err(Box::new(Outer::Lookup(Inner)))
        }
        tools![masked]
    };
    let anyhow = {
        /// Masked.
        #[mcp_tool]
        async fn masked() -> anyhow::Result<u8> {
            Err(anyhow::Error::new(Inner).context("the lookup failed"))
        }
        tools![masked]
    };
    let shown = {
        /// Masked.
        #[mcp_tool]
        async fn masked() -> Result<u8, Words> {
            Err(Words)
        }
        tools![masked]
    };
    let question_mark = {
        /// Masked.
        #[mcp_tool]
        async fn masked() -> Result<u8, ToolError> {
            Err(Outer::Lookup(Inner))?
        }
        tools![masked]
    };
    for (kind, tools) in [
        ("enum", enumeration),
        ("Box<dyn Error>", boxed),
        ("Box<dyn Error + Send + Sync>", boxed_send),
        ("anyhow", anyhow),
        ("Display", shown),
        ("?", question_mark),
    ] {
        let error = masked(tools);
        assert_eq!(error.message(), MASKED, "{kind}");
        assert_eq!(error.developer_message(), Some(CHAIN), "{kind}");
        assert!(!error.can_retry(), "{kind}");
    }
}

#[test]
fn expose_errors_shows_the_error_without_its_sources() {
    /// Exposed.
    #[mcp_tool(expose_errors)]
    async fn chained() -> Result<u8, Outer> {
        Err(Outer::Lookup(Inner))
    }

    /// Exposed.
    #[mcp_tool(expose_errors)]
    async fn shown() -> Result<u8, Words> {
        Err(Words)
    }

    /// Exposed.
    #[mcp_tool(expose_errors)]
    async fn wrapped() -> anyhow::Result<u8> {
        Err(anyhow::Error::new(Inner).context("the lookup failed"))
    }

    let dispatcher = serve(tools![chained, shown, wrapped]);
    for name in ["chained", "wrapped"] {
        let error = error(&dispatcher, name, json!({}));
        assert_eq!((error.message(), error.developer_message()), ("the lookup failed", Some(CHAIN)), "{name}");
    }
    assert_eq!(error(&dispatcher, "shown", json!({})).message(), CHAIN);
}

#[test]
fn errors_written_for_a_model_are_shown() {
    /// Words.
    #[mcp_tool]
    async fn string() -> Result<u8, String> {
        Err("no such user".to_owned())
    }

    /// Words.
    #[mcp_tool]
    async fn literal() -> Result<u8, &'static str> {
        Err("no such user")
    }

    /// Words.
    #[mcp_tool]
    async fn full() -> Result<u8, ToolError> {
        Err(ToolError::new("no such user")
            .with_developer_message("users.csv has 3 rows")
            .with_additional_prompt_content("users: ann, bob")
            .with_retry_after(Duration::from_millis(250)))
    }

    let dispatcher = serve(tools![string, literal, full]);
    for name in ["string", "literal"] {
        let otc = run::otc(&call(&dispatcher, name, json!({})));
        assert_eq!(otc["error"], json!({"message": "no such user"}), "{name}");
    }
    let error = error(&dispatcher, "full", json!({}));
    assert_eq!(error.message(), "no such user");
    assert_eq!(error.developer_message(), Some("users.csv has 3 rows"));
    assert_eq!(error.additional_prompt_content(), Some("users: ann, bob"));
    assert_eq!((error.can_retry(), error.retry_after_ms()), (true, Some(250)));
}

#[derive(Debug, thiserror::Error, IntoToolError)]
#[tool_error(can_retry)]
enum Shop {
    #[error("no item {0:?}")]
    #[tool_error(can_retry = false, additional_prompt_content = "items: {1}", developer_message = "asked for {0}")]
    NoItem(String, &'static str),
    #[error("the shop is busy")]
    #[tool_error(retry_after_ms = 500)]
    Busy,
    #[error("closed")]
    Closed,
    #[error("cannot reach the {SECRET}")]
    #[tool_error(internal)]
    Database(#[source] Inner),
    #[error(transparent)]
    #[tool_error(transparent)]
    Other(Lower),
}

#[derive(Debug, thiserror::Error, IntoToolError)]
#[error("{what} is out")]
#[tool_error(additional_prompt_content = "ask for something other than {what}")]
struct Lower {
    what: &'static str,
}

#[test]
fn a_derived_error_follows_its_attributes() {
    /// Buy.
    #[mcp_tool]
    async fn buy(case: u8) -> Result<u8, Shop> {
        Err(match case {
            0 => Shop::NoItem("coffee".to_owned(), "tea, milk"),
            1 => Shop::Busy,
            2 => Shop::Closed,
            3 => Shop::Database(Inner),
            _ => Shop::Other(Lower { what: "milk" }),
        })
    }

    let dispatcher = serve(tools![buy]);
    let of = |case: u8| error(&dispatcher, "buy", json!({"case": case}));
    assert_eq!(of(0).message(), r#"no item "coffee""#);
    assert_eq!(of(0).developer_message(), Some("asked for coffee"));
    assert_eq!(of(0).additional_prompt_content(), Some("items: tea, milk"));
    assert!(!of(0).can_retry());
    assert_eq!((of(1).message(), of(1).can_retry(), of(1).retry_after_ms()), ("the shop is busy", true, Some(500)));
    assert_eq!((of(2).message(), of(2).can_retry(), of(2).retry_after_ms()), ("closed", true, None));
    assert_eq!(of(3).message(), "internal error in tool `buy` (call_id call-1)");
    assert!(of(3).developer_message().is_some_and(|text| text.contains(SECRET)));
    assert_eq!(of(4).message(), "milk is out");
    assert_eq!(of(4).additional_prompt_content(), Some("ask for something other than milk"));
}

#[test]
fn internal_wins_over_expose_errors() {
    /// Buy.
    #[mcp_tool(expose_errors)]
    async fn buy() -> Result<u8, Shop> {
        Err(Shop::Database(Inner))
    }

    let error = error(&serve(tools![buy]), "buy", json!({}));
    assert_eq!(error.message(), "internal error in tool `buy` (call_id call-1)");
}

#[test]
fn developer_messages_are_sent_only_in_open_tool_calling_and_only_on_request() {
    /// Fail.
    #[mcp_tool]
    async fn fail() -> Result<u8, Outer> {
        Err(Outer::Lookup(Inner))
    }

    for expose in [false, true] {
        let dispatcher = built(exact().tools(tools![fail]).expose_developer_messages(expose));
        let response = call(&dispatcher, "fail", json!({}));
        let message = run::otc(&response)["error"].get("developer_message").cloned();
        assert_eq!(message, expose.then(|| json!(CHAIN)));
        for version in ProtocolVersion::ALL {
            assert!(!run::mcp(&response, version).to_string().contains("db-7"));
        }
        assert!(!run::json(&response.content()).to_string().contains("db-7"));
    }
}
