//! Texts of tools that would run code in a shell or control the terminal, if they were printed as they are.

use mcp_tool_runtime::cli::{Cli, Io};
use mcp_tool_runtime::{Arguments, BoxFuture, CallContext, Output, ToolError, ToolHandler, ToolMetadata, mcp};
use serde_json::{Value, json};

use super::{SUCCESS, cli, run, run_on};

/// Changes the title, clears the screen with one character, and reverses what follows.
const ESCAPES: &str = "A\u{1b}]0;t\u{7}B\u{9b}2JC\u{7f}D\u{202e}E\u{2066}F";

/// A tool whose texts come from somewhere else, as those of a gateway do.
struct Foreign {
    description: String,
    schema: Value,
}

impl ToolHandler for Foreign {
    fn definition(&self) -> mcp::Tool {
        mcp::Tool::new("foreign", self.description.clone(), self.schema.clone())
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new()
    }

    fn call<'a>(&'a self, _: &'a CallContext, _: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async { Output::value(json!({"text": ESCAPES, ESCAPES: 1})) })
    }
}

fn foreign(description: &str, properties: &Value) -> Cli {
    let schema = json!({"type": "object", "properties": properties});
    cli(vec![Box::new(Foreign { description: description.to_owned(), schema })])
}

fn has_controls(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && c != '\n' || "\u{202e}\u{2066}".contains(c))
}

#[tokio::test]
async fn a_completion_script_has_plain_values_only() {
    let values =
        ["$(touch PWNED)", "`touch PWNED`", "'PWNED'", "\"PWNED", "a PWNED", "PWNED\nx", "", "plain-1.5_x", "a/b:c@d"];
    let properties = json!({
        "one": {"type": "string", "enum": values, "description": "‘x‚y‛z’"},
        "many": {"type": "array", "items": {"enum": values}},
        "none": {"enum": ["$(touch PWNED)"]},
    });
    let cli = foreign("‘x‚y‛z’", &properties);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&cli, &format!("completions {shell}")).await.answer();
        assert!(!script.contains("PWNED"), "{shell}: {script}");
        // Quotation marks that end a quoted text of PowerShell.
        assert!(!script.contains(['‘', '’', '‚', '‛']), "{shell}: {script}");
        let has_values = ["bash", "zsh", "fish"].contains(&shell);
        assert_eq!(script.contains("plain-1.5_x"), has_values, "{shell}: {script}");
    }
    // Help still names every value, and a call still accepts them.
    assert!(run(&cli, "call foreign --help").await.answer().contains("$(touch PWNED)"));
    assert_eq!(run(&cli, "call foreign --one `touch --none x").await.code, super::USAGE.into());
    let words = ["call", "foreign", "--one", "$(touch PWNED)", "--many", "a PWNED"];
    super::run_words(&cli, words, Io::captured("")).await.answer();
}

#[tokio::test]
async fn no_command_sends_control_characters_of_a_tool_to_a_terminal() {
    let properties = json!({
        "text": {"type": "string", "description": ESCAPES, "title": ESCAPES, "default": ESCAPES, "examples": [ESCAPES]},
        "choice": {"enum": [ESCAPES, "ok"]},
    });
    let cli = foreign(&format!("{ESCAPES}\n\nMore {ESCAPES}."), &properties);
    for words in [
        "list",
        "list --json",
        "list --schema foreign",
        "describe",
        "lint",
        "openapi",
        "export anthropic",
        "install claude-code",
        "completions bash",
        "completions zsh",
        "completions fish",
        "call --help",
        "call foreign --help",
        "call foreign",
        "call --output json foreign",
        "call --output mcp foreign",
        "call foreign --choice no",
        "\u{1b}[2J\u{9b}2J",
    ] {
        let ran = run_on(&cli, words, Io::captured("").with_terminal(100)).await;
        assert!(!has_controls(&ran.output) && !has_controls(&ran.errors), "{words}: {ran:?}");
    }
}

#[tokio::test]
async fn json_on_a_terminal_means_the_same_and_a_program_gets_it_unchanged() {
    let cli = foreign("Any.", &json!({}));
    let expected = json!({"text": ESCAPES, ESCAPES: 1});
    let seen = run_on(&cli, "call --output json foreign", Io::captured("").with_terminal(80)).await.answer();
    assert_eq!(serde_json::from_str::<Value>(&seen).expect("JSON"), expected);
    let piped = run(&cli, "call foreign").await;
    assert_eq!(piped.code, SUCCESS.into());
    assert!(piped.output.contains("B\u{9b}2JC\u{7f}D\u{202e}E\u{2066}F"), "{}", piped.output);
}
