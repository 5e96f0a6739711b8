//! Questions are asked on the terminal, and nowhere else.

use mcp_tool_runtime::cli::{Cli, Io};
use mcp_tool_runtime::{Consent, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FAILURE, Ran, cli, run, run_on};

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Meal {
    Lunch,
    Dinner,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Guest {
    /// As on the passport.
    name: String,
    #[schemars(range(min = 1, max = 8))]
    seats: u8,
    meal: Option<Meal>,
}

/// Delete a note for good.
#[mcp_tool(destructive_hint)]
async fn delete_note(id: u32, #[mcp_tool(ask = "Delete note {id} for good?")] _sure: Consent) -> String {
    format!("deleted {id}")
}

/// Book a table.
#[mcp_tool]
async fn book(#[mcp_tool(ask = "Who is the guest?")] guest: Guest) -> Guest {
    guest
}

fn asking() -> Cli {
    cli(tools![delete_note, book])
}

async fn answer(words: &str, typed: &str) -> Ran {
    run_on(&asking(), words, Io::captured(typed).with_terminal(80)).await
}

#[tokio::test]
async fn consent_is_a_typed_yes_and_nothing_else() {
    for typed in ["y\n", "yes\n", "YES\n", "maybe\ny\n"] {
        let ran = answer("call delete_note --id 7", typed).await;
        assert!(ran.errors.starts_with("Delete note 7 for good? [y/N] "), "{}", ran.errors);
        assert_eq!(ran.answer(), "deleted 7\n", "{typed:?}");
    }
    for typed in ["n\n", "\n", "no\n", ""] {
        let ran = answer("call delete_note --id 7", typed).await;
        let errors = ran.error(FAILURE);
        assert!(errors.contains("error: the user "), "{typed:?}: {errors}");
    }
}

#[tokio::test]
async fn a_form_is_filled_in_and_asked_again_until_it_fits() {
    let ran = answer("call --output json book", "Ann\n2\ndinner\n").await;
    assert!(ran.errors.contains("Who is the guest?\n  As on the passport.\n  name (string): "), "{}", ran.errors);
    let value: serde_json::Value = serde_json::from_str(&ran.answer()).expect("JSON");
    assert_eq!(value, serde_json::json!({"name": "Ann", "seats": 2, "meal": "dinner"}));

    // What is required is asked until it is there, and what does not fit is asked again with the reason.
    let ran = answer("call --output json book", "\nAnn\n20\n\nAnn\n2\n\n").await;
    assert!(ran.errors.matches("Who is the guest?").count() >= 2, "{}", ran.errors);
    assert!(ran.errors.contains("seats"), "{}", ran.errors);
    let value: serde_json::Value = serde_json::from_str(&ran.answer()).expect("JSON");
    assert_eq!(value["seats"], 2);

    let closed = answer("call book", "Ann\n").await.error(FAILURE);
    assert!(closed.contains("error: the user closed the question without an answer"), "{closed}");
}

/// Rename a note.
#[mcp_tool]
async fn rename(#[mcp_tool(ask = "What is it now?")] name: Renamed) -> String {
    name.name
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Renamed {
    #[schemars(title = "T\u{9b}2J\u{202e}", description = "D\u{1b}]0;t\u{7}")]
    #[serde(default = "old_name")]
    name: String,
}

fn old_name() -> String {
    "N\u{9b}2J".to_owned()
}

#[tokio::test]
async fn a_form_cannot_control_the_terminal() {
    let ran = run_on(&cli(tools![rename]), "call rename", Io::captured("x\n").with_terminal(80)).await;
    assert_eq!(
        ran.errors.matches("T\\u{9b}2J\\u{202e} (string; default \"N\\u{9b}2J\"): ").count(),
        1,
        "{}",
        ran.errors
    );
    assert!(ran.errors.contains("  D\\u{1b}]0;t\\u{7}\n"), "{}", ran.errors);
    assert_eq!(ran.answer(), "x\n");
}

#[tokio::test]
async fn without_a_terminal_nobody_is_asked_and_yes_answers_consent_only() {
    let cli = asking();
    let errors = run(&cli, "call delete_note --id 7").await.error(FAILURE);
    assert!(errors.contains("this client cannot ask"), "{errors}");
    assert_eq!(run(&cli, "call --yes delete_note --id 7").await.answer(), "\"deleted 7\"\n");
    assert_eq!(run(&cli, "call -y delete_note --id 7").await.answer(), "\"deleted 7\"\n");
    let errors = run(&cli, "call --yes book").await.error(FAILURE);
    assert!(errors.contains("this client cannot ask"), "{errors}");
    // The input is not a person, even if messages go to a terminal.
    let errors = run_on(&cli, "call delete_note --id 7", Io::captured("y\n")).await.error(FAILURE);
    assert!(errors.contains("this client cannot ask"), "{errors}");
}
