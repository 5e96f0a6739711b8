//! The key `text = off`: the structured value alone.

use mcp_tool_runtime::lint::{Client, Severity};
use mcp_tool_runtime::{Dispatcher, Image, ProtocolVersion, Structured, Text, ToolHandler as _, mcp_tool, tools};
use serde_json::{Value, json};

use crate::run::{self, LATEST, LEGACY, call, serve};

/// List numbers.
#[mcp_tool(text = off)]
async fn list() -> Vec<u8> {
    vec![1, 2]
}

/// List numbers, with the text.
#[mcp_tool]
async fn with_text() -> Vec<u8> {
    vec![1, 2]
}

#[test]
fn text_off_sends_the_structured_value_with_empty_content() {
    let dispatcher = serve(tools![list]);
    let response = call(&dispatcher, "list", json!({}));
    assert!(response.content().is_empty());
    for version in ProtocolVersion::ALL {
        let bytes = run::now(dispatcher.call_json(br#"{"name": "list"}"#, version)).expect("a result");
        let written: Value = serde_json::from_slice(&bytes).expect("JSON");
        let structured = if LEGACY.contains(&version) { json!({"result": [1, 2]}) } else { json!([1, 2]) };
        for result in [written, run::mcp(&response, version)] {
            assert_eq!((&result["content"], &result["structuredContent"]), (&json!([]), &structured));
        }
    }
    assert_eq!(run::otc(&response)["value"], json!([1, 2]));
}

#[test]
fn text_off_keeps_the_text_of_an_error_and_the_authors_blocks() {
    /// Take a picture.
    #[mcp_tool(text = off)]
    async fn picture(fail: bool) -> Result<Structured<u8>, String> {
        if fail {
            Err("no film".to_owned())
        } else {
            Ok(Structured::new(1).with_content(Image::new(b"x", "image/png")))
        }
    }

    let dispatcher = serve(tools![picture]);
    let failed = run::mcp(&call(&dispatcher, "picture", json!({"fail": true})), LATEST);
    assert_eq!(failed["content"], json!([{"type": "text", "text": "no film"}]));
    let taken = run::mcp(&call(&dispatcher, "picture", json!({"fail": false})), LATEST);
    assert_eq!(taken["content"].as_array().map(Vec::len), Some(1));
    assert_eq!(taken["content"][0]["type"], "image");
}

#[test]
fn build_refuses_text_off_for_a_tool_without_an_output_schema() {
    /// Say hello.
    #[mcp_tool(text = off)]
    async fn hello() -> Text {
        Text::new("hello")
    }

    let faults = run::faults(Dispatcher::builder().tools(tools![hello]));
    let expected =
        "tool `hello`: `text = off` needs a structured value, and the result has no output schema; remove `text`";
    assert_eq!(faults, [expected]);
}

#[test]
fn lint_says_which_clients_may_show_nothing_of_a_result_without_text() {
    let found = |dispatcher: &Dispatcher| -> Vec<_> {
        let findings = dispatcher.lint(Client::ALL).into_iter().filter(|finding| finding.rule == "no-text");
        findings.map(|finding| (finding.client().expect("a client"), finding.severity)).collect()
    };
    let expected =
        [(Client::McpLegacy, Severity::Lost), (Client::VsCode, Severity::Advice), (Client::Cursor, Severity::Advice)];
    assert_eq!(found(&serve(tools![list])), expected);
    assert_eq!(found(&run::built(run::exact().tool(list {}.with_name("numbers")))), expected);

    assert_eq!(found(&serve(tools![with_text])), []);
}

fn in_words(numbers: &[u8]) -> String {
    format!("{} numbers", numbers.len())
}

/// List numbers, in words.
#[mcp_tool(text = in_words)]
async fn in_other_words() -> Vec<u8> {
    vec![1, 2]
}

/// Say one.
#[mcp_tool]
async fn with_a_block() -> Structured<u8> {
    Structured::new(1).with_content(Text::new("one"))
}

#[test]
fn lint_says_which_clients_lose_what_is_beside_a_value() {
    let dispatcher = serve(tools![list, with_text, in_other_words, with_a_block]);
    let findings = dispatcher.lint(Client::ALL);
    let lost = findings.iter().filter(|finding| finding.rule == "lost-content");
    let lost: Vec<_> = lost.map(|finding| (finding.client(), finding.tool.as_deref(), finding.severity)).collect();
    let by_claude_code = |tool| (Some(Client::ClaudeCode), Some(tool), Severity::Lost);
    assert_eq!(lost, [by_claude_code("in_other_words"), by_claude_code("with_a_block")]);
}
