//! Questions are asked on the terminal, and nowhere else.

use mcp_tool_runtime::cli::{Cli, Io};
use mcp_tool_runtime::{Consent, Dispatcher, mcp_tool, tools};
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
    assert!(ran.errors.contains("Who is the guest?\n  As on the passport.\n  name (text): "), "{}", ran.errors);
    let value: serde_json::Value = serde_json::from_str(&ran.answer()).expect("JSON");
    assert_eq!(value, serde_json::json!({"name": "Ann", "seats": 2, "meal": "dinner"}));

    // What is required is asked until it is there.
    let ran = answer("call --output json book", "\nAnn\n2\n\n").await;
    assert_eq!(ran.errors.matches("name (text): ").count(), 2, "{}", ran.errors);
    let value: serde_json::Value = serde_json::from_str(&ran.answer()).expect("JSON");
    assert_eq!(value["seats"], 2);

    // What only the type refuses is asked again with the reason, as a whole.
    let ran = run_on(&cli(tools![meet]), "call meet", Io::captured("noon\nmidnight\n").with_terminal(80)).await;
    assert_eq!(ran.errors.matches("When?").count(), 2, "{}", ran.errors);
    assert!(ran.errors.contains("too early"), "{}", ran.errors);
    assert_eq!(ran.answer(), "midnight\n");

    let closed = answer("call book", "Ann\n").await.error(FAILURE);
    assert!(closed.contains("error: the user closed the question without an answer"), "{closed}");
}

/// A text that is not `noon`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String")]
struct Late(String);

impl TryFrom<String> for Late {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text == "noon" { Err("too early") } else { Ok(Self(text)) }
    }
}

/// Meet.
#[mcp_tool]
async fn meet(#[mcp_tool(ask = "When?")] when: Late) -> String {
    when.0
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
    assert_eq!(ran.errors.matches("T\\u{9b}2J\\u{202e} (text; default N\\u{9b}2J): ").count(), 1, "{}", ran.errors);
    assert!(ran.errors.contains("  D\\u{1b}]0;t\\u{7}\n"), "{}", ran.errors);
    assert_eq!(ran.answer(), "x\n");
}

#[tokio::test]
async fn each_field_of_a_form_is_checked_when_it_is_entered() {
    let ran = answer("call --output json book", "Ann\n20\nmany\n2\nbrunch\ndinner\n").await;
    assert_eq!(ran.errors.matches("Who is the guest?").count(), 1, "{}", ran.errors);
    assert_eq!(
        ran.errors.matches("  name (text): ").count(),
        1,
        "the first field is not asked for again: {}",
        ran.errors
    );
    for problem in [
        "  expected 8 or less\n",
        "  expected an integer, got a string\n",
        "  expected one of \"lunch\", \"dinner\", got another string\n",
    ] {
        assert_eq!(ran.errors.matches(problem).count(), 1, "{problem}: {}", ran.errors);
    }
    let value: serde_json::Value = serde_json::from_str(&ran.answer()).expect("JSON");
    assert_eq!(value, serde_json::json!({"name": "Ann", "seats": 2, "meal": "dinner"}));
}

/// Answer with yes or no.
#[mcp_tool]
async fn poll(yes: bool, #[mcp_tool(ask = "Send?")] _sure: Consent) -> bool {
    yes
}

#[tokio::test]
async fn yes_may_follow_the_name_of_the_tool_and_every_tool_takes_it() {
    let cli = cli(tools![delete_note, book, poll, plain]);
    for words in ["call delete_note --yes --id 7", "call delete_note --id 7 -y", "call --yes delete_note --id 7 --yes"]
    {
        assert_eq!(run(&cli, words).await.answer(), "\"deleted 7\"\n", "{words}");
    }
    assert_eq!(run(&cli, "call plain --yes").await.answer(), "null\n");
    assert!(run(&cli, "call delete_note --help").await.answer().contains("  -y, --yes "), "the tool asks");
    assert!(!run(&cli, "call plain --help").await.answer().contains("--yes"), "the tool does not ask");

    // A parameter of this name takes the flag after the name of the tool. The option of `call` still agrees.
    run(&cli, "call poll --yes").await.error(FAILURE);
    assert_eq!(run(&cli, "call --yes poll --no-yes").await.answer(), "false\n");
}

/// Do nothing.
#[mcp_tool]
async fn plain() {}

/// Clear everything.
#[mcp_tool]
async fn clear(#[mcp_tool(ask = "Clear everything?", title = "Yes,\u{1b} clear it")] _sure: Consent) -> &'static str {
    "cleared"
}

#[tokio::test]
async fn a_consent_of_a_policy_and_one_with_a_title_are_asked_on_the_terminal() {
    let dispatcher = Dispatcher::builder().tools(tools![plain, clear]).info("weather", "1.2.3").consent_for(|_| true);
    let cli = Cli::new(dispatcher.build().expect("valid tools"));
    let terminal = |typed| Io::captured(typed).with_terminal(80);
    let ran = run_on(&cli, "call plain", terminal("n\n")).await;
    assert!(ran.errors.starts_with("Run \"Plain\"? [y/N] "), "{}", ran.errors);
    assert!(ran.error(FAILURE).contains("error: the user declined"));
    assert!(run_on(&cli, "call plain", terminal("y\n")).await.errors.starts_with("Run "));
    assert_eq!(run(&cli, "call plain --yes").await.answer(), "null\n");
    assert!(run(&cli, "call plain").await.error(FAILURE).contains("call --yes plain"));
    let ran = run_on(&cli, "call clear", terminal("y\n")).await;
    assert!(ran.errors.starts_with("Clear everything?\n  Yes,\\u{1b} clear it [y/N] "), "{}", ran.errors);
    assert_eq!(ran.answer(), "cleared\n");
}

#[tokio::test]
async fn an_error_of_a_question_that_nobody_could_answer_says_how_to_agree() {
    let hint = "\n  help: to agree without being asked: weather call --yes delete_note …\n";
    // A user who was asked has decided.
    for typed in ["n\n", ""] {
        let errors = answer("call delete_note --id 7", typed).await.error(FAILURE);
        assert!(!errors.contains("help: "), "{typed:?}: {errors}");
    }
    let errors = run(&asking(), "call delete_note --id 7").await.error(FAILURE);
    assert!(errors.ends_with(hint), "{errors}");
    // `--yes` answers no form.
    let errors = run(&asking(), "call book").await.error(FAILURE);
    assert!(!errors.contains("--yes") && errors.contains("  help: a question is asked only if"), "{errors}");
}

#[tokio::test]
async fn without_a_terminal_nobody_is_asked_and_yes_answers_consent_only() {
    let cli = asking();
    let nobody =
        "error: delete_note asks for your consent, and there is no terminal to answer on: Delete note 7 for good?\n";
    let errors = run(&cli, "call delete_note --id 7").await.error(FAILURE);
    assert!(errors.starts_with(nobody), "{errors}");
    // An error that is JSON is that of the protocol.
    let ran = run(&cli, "call --output mcp delete_note --id 7").await;
    assert!(ran.output.contains("this client cannot ask") && ran.errors.contains("call --yes delete_note"), "{ran:?}");
    assert_eq!(run(&cli, "call --yes delete_note --id 7").await.answer(), "\"deleted 7\"\n");
    assert_eq!(run(&cli, "call -y delete_note --id 7").await.answer(), "\"deleted 7\"\n");
    let errors = run(&cli, "call --yes book").await.error(FAILURE);
    let no_form = "error: book asks a question, and there is no terminal to answer on: Who is the guest?\n";
    assert!(errors.starts_with(no_form), "{errors}");
    // The input is not a person, even if messages go to a terminal.
    let errors = run_on(&cli, "call delete_note --id 7", Io::captured("y\n")).await.error(FAILURE);
    assert!(errors.starts_with(nobody), "{errors}");
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Pizza {
    #[schemars(length(min = 2, max = 5))]
    toppings: Vec<Topping>,
    size: Size,
    seats: bool,
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Topping {
    Cheese,
    Ham,
    Olives,
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum Size {
    #[serde(rename = "30")]
    Small,
    #[serde(rename = "2")]
    Large,
}

/// Order a pizza.
#[mcp_tool]
async fn order(#[mcp_tool(ask = "Which pizza?")] pizza: Pizza) -> Pizza {
    pizza
}

#[tokio::test]
async fn choices_are_numbered_and_prompts_use_the_words_of_people() {
    let typed = "1, olives\n1\nn\n";
    let ran = run_on(&cli(tools![order]), "call --output json order", Io::captured(typed).with_terminal(80)).await;
    assert!(
        ran.errors.contains("    1 cheese\n    2 ham\n    3 olives\n  toppings (2 to 5 of: cheese, ham, olives): "),
        "{}",
        ran.errors
    );
    assert!(ran.errors.contains("    1 30\n    2 2\n  size (one of: 30, 2): "), "{}", ran.errors);
    assert!(ran.errors.contains("seats (yes or no): "), "{}", ran.errors);
    let value: serde_json::Value = serde_json::from_str(&ran.answer()).expect("JSON");
    assert_eq!(value["toppings"], serde_json::json!(["cheese", "olives"]));
    assert_eq!(value["size"], "30");
    // A text comes before the number of another choice.
    let ran =
        run_on(&cli(tools![order]), "call --output json order", Io::captured("1,2\n2\ny\n").with_terminal(80)).await;
    let value: serde_json::Value = serde_json::from_str(&ran.answer()).expect("JSON");
    assert_eq!((&value["size"], &value["seats"]), (&"2".into(), &true.into()));
}
