//! Every kind of error type, and every key of the derive.

use mcp_tool_runtime::{IntoToolError, ToolError, mcp_tool, tools};

#[derive(Debug, thiserror::Error, IntoToolError)]
#[tool_error(can_retry, crate = ::mcp_tool_runtime)]
enum Failure {
    #[error("no city is called {0}")]
    #[tool_error(can_retry = false, additional_prompt_content = "another than {0:?}, {{really}}")]
    NoCity(String),
    #[error("{type}")]
    #[tool_error(developer_message = "{type} {fn:>3}")]
    Raw { r#type: u8, r#fn: u8 },
    #[error("busy")]
    #[tool_error(retry_after_ms = after.as_millis() as u64)]
    Busy { after: std::time::Duration },
    #[error("refused")]
    #[tool_error(code = _0, data = (_0, _1.len()))]
    Refused(u16, String),
    #[error(transparent)]
    #[tool_error(internal)]
    Io(#[from] std::io::Error),
    #[error("inner")]
    #[tool_error(transparent)]
    Inner(Inner),
}

#[derive(Debug, Clone, Copy, thiserror::Error, IntoToolError)]
#[error("inner {0}")]
#[tool_error(retry_after_ms = 5)]
struct Inner(u8);

#[derive(Debug, thiserror::Error, IntoToolError)]
#[error("{0:?}")]
struct Generic<T: std::fmt::Debug>(T);

#[derive(Debug, thiserror::Error, IntoToolError)]
enum Never {}

/// Refuses everything.
#[mcp_tool]
async fn borrowed_words(text: &str) -> Result<u8, &str> {
    Err(text)
}

macro_rules! tool {
    ($($name:ident: $error:ty,)+) => {$(
        /// A tool.
        #[mcp_tool]
        async fn $name() -> Result<(), $error> {
            Ok(())
        }
    )+};
}

tool! {
    derived: Failure,
    generic: Generic<u8>,
    never: Never,
    words: String,
    fixed_words: &'static str,
    own: ToolError,
    boxed: Box<dyn std::error::Error>,
    boxed_send: Box<dyn std::error::Error + Send + Sync>,
    io: std::io::Error,
    displayed: char,
}

#[test]
fn runs() {
    let _ = tools![borrowed_words, derived, generic, never, words, fixed_words, own, boxed, boxed_send, io, displayed];
    let error = Failure::NoCity("Paris".to_owned()).into_tool_error();
    assert_eq!(error.additional_prompt_content(), Some("another than \"Paris\", {really}"));
    assert!(!error.can_retry());
    let error = Failure::Raw { r#type: 1, r#fn: 2 }.into_tool_error();
    assert_eq!(error.developer_message(), Some("1   2"));
    assert!(error.can_retry());
    let error = Failure::Busy { after: std::time::Duration::from_secs(1) }.into_tool_error();
    assert_eq!(error.retry_after_ms(), Some(1000));
    let error = Failure::Refused(418, "tea".to_owned()).into_tool_error();
    assert_eq!((error.code(), error.data()), (Some("418"), Some(&mcp_tool_runtime::json!([418, 3]))));
    assert_eq!(Failure::Io(std::io::Error::other("secret")).into_tool_error().message(), "internal error");
    assert_eq!(Failure::Inner(Inner(3)).into_tool_error().message(), "inner 3");
    assert_eq!(Failure::Inner(Inner(3)).into_tool_error().retry_after_ms(), Some(5));
}
