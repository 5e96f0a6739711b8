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

/// What each shell must quote, and what a line cannot contain.
const VALUES: [&str; 14] = [
    "$(touch PWNED)",
    "`touch PWNED`",
    "'PWNED'",
    "\"PWNED",
    "a PWNED; b",
    "@@1@@",
    "PWNED\nx",
    "PWNED\u{1b}x",
    "",
    "plain-1.5_x",
    "a/b:c@d",
    "b: [c] (d)",
    "c\\d",
    "größe ß",
];

fn choosing() -> Cli {
    let properties = json!({
        "one": {"type": "string", "enum": VALUES, "description": "‘x‚y‛z’"},
        "many": {"type": "array", "items": {"enum": VALUES}},
    });
    foreign("‘x‚y‛z’", &properties)
}

#[tokio::test]
async fn a_completion_script_quotes_every_value() {
    let cli = choosing();
    for (shell, quoted) in [
        ("bash", [r"'$(touch PWNED)'", r"''\''PWNED'\'''", r#"'"PWNED'"#, "'a PWNED; b'", r"'c\d'", "'größe ß'"]),
        (
            "zsh",
            [
                r"\$\(touch\ PWNED\)",
                r"\'\''PWNED\'\''",
                r#"\"PWNED"#,
                r"a\ PWNED\;\ b",
                r"b\:\ \[c\]\ \(d\)",
                r"größe\ ß",
            ],
        ),
        (
            "fish",
            [
                r"\'$(touch PWNED)\'",
                r"\'\\\'PWNED\\\'\'",
                r#"\'"PWNED\'"#,
                r"\'a PWNED; b\'",
                r"\'c\\\\d\'",
                r"\'größe ß\'",
            ],
        ),
    ] {
        let script = run(&cli, &format!("completions {shell}")).await.answer();
        for value in quoted.into_iter().chain(["plain-1.5_x", "a/b"]) {
            assert!(script.contains(value), "{value} is not in the script for {shell}: {script}");
        }
        assert!(!script.contains("PWNED\nx") && !script.contains("@@"), "{shell}: {script}");
        assert!(!script.contains("u{1b}"), "{shell}: {script}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&cli, &format!("completions {shell}")).await.answer();
        // Quotation marks that end a quoted text of PowerShell.
        assert!(!script.contains(['‘', '’', '‚', '‛']), "{shell}: {script}");
        assert!(["bash", "zsh", "fish"].contains(&shell) || !script.contains("PWNED"), "{shell}: {script}");
    }
    // Help still names every value, and a call still accepts them.
    assert!(run(&cli, "call foreign --help").await.answer().contains("$(touch PWNED)"));
    assert_eq!(run(&cli, "call foreign --one `touch --none x").await.code, super::USAGE.into());
    let words = ["call", "foreign", "--one", "$(touch PWNED)", "--many", "a PWNED; b"];
    super::run_words(&cli, words, Io::captured("")).await.answer();
}

/// Lets bash complete a word as it is typed, and read what it inserts. Returns the values.
#[cfg(unix)]
#[tokio::test]
async fn bash_reads_back_the_values_that_it_completes() {
    let script = run(&choosing(), "completions bash").await.answer();
    for (typed, expected) in [
        ("a", &["a PWNED; b", "a/b:c@d"][..]),
        ("a\\ ", &["a PWNED; b"]),
        ("'a ", &["a PWNED; b"]),
        ("\"a ", &["a PWNED; b"]),
        ("\\$", &["$(touch PWNED)"]),
        ("\\'", &["'PWNED'"]),
        ("b", &["b: [c] (d)"]),
        ("c", &["c\\d"]),
        ("größe", &["größe ß"]),
        // In these quotes, it would be another value.
        ("\"$", &[]),
    ] {
        // bash leaves the quote that opens the word out of its second argument, and writes it before what it inserts.
        let quote = typed.strip_prefix(['\'', '"']).map_or("", |_| &typed[..1]);
        let current = &typed[quote.len()..];
        let words = format!("weather call foreign --one {typed:?}");
        let script = format!(
            r#"{script}
touch() {{ echo it ran; }}
COMP_WORDS=(weather call foreign --one "$2"); COMP_CWORD=4
_weather weather "$3" --one
for reply in "${{COMPREPLY[@]}}"; do eval "printf '%s\n' $1$reply$1"; done
"#
        );
        let done = std::process::Command::new("bash")
            .args(["--norc", "-c", &script, "bash", quote, typed, current])
            .env("LC_ALL", "C.UTF-8")
            .output()
            .expect("bash");
        let output = String::from_utf8(done.stdout).expect("UTF-8");
        let values: Vec<_> = output.lines().collect();
        assert_eq!(values, expected, "{words} {}", String::from_utf8_lossy(&done.stderr));
    }
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
