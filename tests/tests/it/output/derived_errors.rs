//! The keys of `#[tool_error(…)]`, and errors without them.

use std::fmt;
use std::time::Duration;

use mcp_tool_runtime::{CallToolResponse, Dispatcher, IntoToolError, ProtocolVersion, ToolError, mcp_tool, tools};
use serde_json::{Value, json};

use crate::run::{self, call, serve};

const PAUSE: u32 = 250;

#[derive(Debug, thiserror::Error)]
#[error("disk 7 is full")]
struct Disk;

#[derive(Debug, thiserror::Error, IntoToolError)]
#[tool_error(can_retry, additional_prompt_content = "see the manual", developer_message = "from the press")]
enum Press {
    #[error("no page {number} in {book:?}")]
    #[tool_error(
        can_retry = false,
        additional_prompt_content = "{book} has {last:>3} pages, {{not}} {number}",
        developer_message = "{book:?} lacks {number:03}"
    )]
    NoPage { book: String, number: u32, last: u32 },
    #[error("the press is busy")]
    #[tool_error(retry_after_ms = 500)]
    Literal,
    #[error("the press is cleaned")]
    #[tool_error(retry_after_ms = u64::from(PAUSE) * 2)]
    Constant,
    #[error("the press is oiled")]
    #[tool_error(retry_after_ms = wait)]
    Field { wait: u64 },
    #[error("the press is hot")]
    #[tool_error(retry_after_ms = _0)]
    Span(Duration),
    #[error("the press was ready before")]
    #[tool_error(retry_after_ms = _0)]
    Past(i64),
    #[error("the press stands")]
    Default,
    #[error("the press broke: {0}")]
    #[tool_error(internal)]
    Broken(#[source] Disk),
    #[error(transparent)]
    #[tool_error(transparent)]
    Paper(#[from] Paper),
    #[error("wrapped")]
    #[tool_error(transparent)]
    Own(Box<ByHand>),
}

/// An error with a manual `IntoToolError` impl.
#[derive(Debug)]
struct ByHand;

impl fmt::Display for ByHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not shown")
    }
}

impl IntoToolError for ByHand {
    fn into_tool_error(self) -> ToolError {
        ToolError::new("by hand").with_retry_after(Duration::from_secs(1))
    }
}

#[derive(Debug, thiserror::Error, IntoToolError)]
#[error("no paper of size {0}")]
#[tool_error(additional_prompt_content = "not {0}, ask for A4", retry_after_ms = 7)]
struct Paper(&'static str);

#[derive(Debug, thiserror::Error, IntoToolError)]
#[error("the vault is shut: {0}")]
#[tool_error(internal)]
struct Vault(&'static str);

#[derive(Debug, thiserror::Error, IntoToolError)]
#[error(transparent)]
#[tool_error(transparent)]
struct Wrapper(#[from] Paper);

#[derive(Debug, thiserror::Error, IntoToolError)]
#[tool_error(internal)]
enum Closed {
    #[error("secret")]
    Secret,
    #[error("the door is open")]
    #[tool_error(internal = false)]
    Open,
}

/// Print.
#[mcp_tool]
async fn print(case: u8) -> Result<(), Press> {
    Err(match case {
        0 => Press::NoPage { book: "Dune".to_owned(), number: 9, last: 5 },
        1 => Press::Literal,
        2 => Press::Constant,
        3 => Press::Field { wait: 30 },
        4 => Press::Span(Duration::from_millis(1_500)),
        5 => Press::Past(-4),
        6 => Press::Default,
        7 => Press::Broken(Disk),
        8 => Press::Paper(Paper("A9")),
        _ => Press::Own(Box::new(ByHand)),
    })
}

/// Returns the Open Tool Calling error, which includes the developer message if the builder opts in.
fn whole(dispatcher: &Dispatcher, name: &str, arguments: Value) -> Value {
    run::otc(&call(dispatcher, name, arguments))["error"].clone()
}

#[test]
fn each_key_of_tool_error_sets_its_field() {
    let dispatcher = run::built(run::exact().tools(tools![print]).expose_developer_messages(true));
    let busy = |message: &str, after: u64| {
        json!({
            "message": message, "developer_message": "from the press", "can_retry": true,
            "additional_prompt_content": "see the manual", "retry_after_ms": after
        })
    };
    for (case, expected) in [
        json!({
            "message": "no page 9 in \"Dune\"", "developer_message": "\"Dune\" lacks 009",
            "additional_prompt_content": "Dune has   5 pages, {not} 9"
        }),
        busy("the press is busy", 500),
        busy("the press is cleaned", 500),
        busy("the press is oiled", 30),
        busy("the press is hot", 1_500),
        busy("the press was ready before", 0),
        json!({
            "message": "the press stands", "developer_message": "from the press", "can_retry": true,
            "additional_prompt_content": "see the manual"
        }),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(whole(&dispatcher, "print", json!({"case": case})), expected, "{case}");
    }
}

/// The text of these is that of another error, which was not written for a model.
#[derive(Debug, thiserror::Error, IntoToolError)]
enum Foreign {
    #[error(transparent)]
    Disk(#[from] Disk),
    #[error(transparent)]
    #[tool_error(can_retry)]
    Again(Disk2),
    #[error(transparent)]
    #[tool_error(internal = false)]
    Shown(Paper),
    #[error("{0}")]
    Own(&'static str),
}

#[derive(Debug, thiserror::Error)]
#[error("disk 8 is full")]
struct Disk2;

#[derive(Debug, thiserror::Error, IntoToolError)]
#[error(transparent)]
struct ForeignStruct(#[from] Disk);

#[derive(Debug, thiserror::Error, IntoToolError)]
#[tool_error(internal = false)]
enum AllShown {
    #[error(transparent)]
    Disk(#[from] Disk),
}

#[test]
fn a_variant_with_the_text_of_another_error_is_masked() {
    /// Fail.
    #[mcp_tool]
    async fn fails(case: u8) -> Result<(), Foreign> {
        Err(match case {
            0 => Disk.into(),
            1 => Foreign::Again(Disk2),
            2 => Foreign::Shown(Paper("A9")),
            _ => Foreign::Own("no page"),
        })
    }
    /// Fail.
    #[mcp_tool]
    async fn fails_alone() -> Result<(), ForeignStruct> {
        Err(Disk.into())
    }
    /// Fail.
    #[mcp_tool]
    async fn fails_openly() -> Result<(), AllShown> {
        Err(Disk.into())
    }

    let dispatcher = serve(tools![fails, fails_alone, fails_openly]);
    let error = |name: &str, case: Value| run::error(&dispatcher, name, case);
    let masked = |name: &str| format!("internal error in tool `{name}` (call_id call-1)");
    for case in [0, 1] {
        let found = error("fails", json!({"case": case}));
        assert_eq!(found.message(), masked("fails"));
        assert!(found.developer_message().is_some_and(|text| text.contains("is full")), "{found:?}");
        assert_eq!(found.can_retry(), case == 1);
    }
    assert_eq!(error("fails", json!({"case": 2})).message(), "no paper of size A9");
    assert_eq!(error("fails", json!({"case": 3})).message(), "no page");
    assert_eq!(error("fails_alone", json!({})).message(), masked("fails_alone"));
    assert_eq!(error("fails_openly", json!({})).message(), "disk 7 is full");
}

#[test]
fn transparent_uses_the_inner_error_and_not_the_defaults_of_the_type() {
    /// Wrap.
    #[mcp_tool]
    async fn wrap() -> Result<(), Wrapper> {
        Err(Paper("A0"))?
    }

    let dispatcher = run::built(run::exact().tools(tools![print, wrap]).expose_developer_messages(true));
    let paper = |size: &str| {
        json!({
            "message": format!("no paper of size {size}"), "can_retry": true,
            "additional_prompt_content": format!("not {size}, ask for A4"), "retry_after_ms": 7
        })
    };
    assert_eq!(whole(&dispatcher, "print", json!({"case": 8})), paper("A9"));
    assert_eq!(whole(&dispatcher, "wrap", json!({})), paper("A0"));
    let own = json!({"message": "by hand", "can_retry": true, "retry_after_ms": 1_000});
    assert_eq!(whole(&dispatcher, "print", json!({"case": 9})), own);
}

/// Asserts that a response to a model does not contain the secret.
fn shows_nothing(response: &CallToolResponse, secret: &str) {
    for version in ProtocolVersion::ALL {
        let text = run::mcp(response, version).to_string();
        assert!(!text.contains(secret), "{text}");
    }
    let text = run::otc(response).to_string();
    assert!(!text.contains(secret), "{text}");
}

#[test]
fn internal_masks_a_variant_a_struct_or_a_whole_enum() {
    /// Open the vault.
    #[mcp_tool(expose_errors)]
    async fn vault() -> Result<(), Vault> {
        Err(Vault("code 1234"))
    }

    /// Knock.
    #[mcp_tool]
    async fn knock(open: bool) -> Result<(), Closed> {
        Err(if open { Closed::Open } else { Closed::Secret })
    }

    let dispatcher = serve(tools![print, vault, knock]);
    for (name, arguments, secret) in [
        ("print", json!({"case": 7}), "disk 7"),
        ("vault", json!({}), "1234"),
        ("knock", json!({"open": false}), "secret"),
    ] {
        let response = call(&dispatcher, name, arguments);
        let error = response.error().expect("an error");
        assert_eq!(error.message(), format!("internal error in tool `{name}` (call_id call-1)"));
        assert!(error.developer_message().is_some_and(|text| !text.is_empty()), "{error:?}");
        shows_nothing(&response, secret);
    }
    assert_eq!(run::message(&dispatcher, "knock", json!({"open": true})), "the door is open");
}

#[test]
fn the_developer_message_has_each_source_once() {
    #[derive(Debug, thiserror::Error)]
    #[error("cannot save")]
    struct Save(#[source] Middle);

    #[derive(Debug, thiserror::Error)]
    #[error(transparent)]
    struct Middle(Disk);

    /// Save.
    #[mcp_tool]
    async fn save(kind: u8) -> Result<(), ToolError> {
        match kind {
            0 => Err(Save(Middle(Disk)))?,
            1 => Err(ToolError::internal(anyhow::Error::new(Save(Middle(Disk))).context("step 2")))?,
            2 => Err(ToolError::internal("plain words"))?,
            _ => Err(fmt::Error)?,
        }
        Ok(())
    }

    let dispatcher = serve(tools![save]);
    for (kind, developer_message) in [
        "cannot save: disk 7 is full",
        "step 2: cannot save: disk 7 is full",
        "plain words",
        "an error occurred when formatting an argument",
    ]
    .into_iter()
    .enumerate()
    {
        let response = call(&dispatcher, "save", json!({"kind": kind}));
        assert_eq!(response.error().and_then(ToolError::developer_message), Some(developer_message));
        shows_nothing(&response, developer_message);
    }
}

#[test]
fn an_error_in_a_box_or_an_alias_is_recognised_by_its_type() {
    type Fallible<T> = Result<T, Box<Paper>>;

    /// Boxed words.
    #[mcp_tool]
    async fn boxed() -> Fallible<u8> {
        Err(Box::new(Paper("A1")))
    }

    /// Boxed internals, exposed.
    #[mcp_tool(expose_errors)]
    async fn exposed() -> Result<u8, Box<dyn std::error::Error + Send + Sync>> {
        Err(Box::new(Disk))
    }

    let dispatcher = serve(tools![boxed, exposed]);
    assert_eq!(run::message(&dispatcher, "boxed", json!({})), "no paper of size A1");
    assert_eq!(run::message(&dispatcher, "exposed", json!({})), "disk 7 is full");
}
