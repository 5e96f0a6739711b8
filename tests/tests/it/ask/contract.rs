//! Which changes of questions break a contract.

use std::path::PathBuf;

use mcp_tool_runtime::serde_json::Value;
use mcp_tool_runtime::{Dispatcher, ToolHandler, contract, json, serde_json};

/// A file for one comparison, removed at its end.
struct File(PathBuf);

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn serving(tool: impl ToolHandler) -> Dispatcher {
    Dispatcher::builder().tool(tool).build().expect("a valid tool")
}

/// Returns what breaks when a tool becomes another one.
fn breaks(name: &str, then: impl ToolHandler, now: impl ToolHandler) -> Vec<String> {
    let file = File(std::env::temp_dir().join(format!("mcp-tool-asking-{}-{name}.json", std::process::id())));
    let then = serving(then);
    contract::write(&then, &file.0).expect("a file");
    assert_eq!(contract::check(&then, &file.0), Ok(()), "a new contract is not broken");
    contract::check(&serving(now), &file.0).map_or_else(|error| error.errors().to_vec(), |()| Vec::new())
}

/// Two versions of a tool: their parameters.
macro_rules! versions {
    ($($name:ident($($parameters:tt)*);)*) => {
        $(mod $name {
            #[allow(unused_imports, reason = "not every version uses each type")]
            use mcp_tool_runtime::{Answer, Consent, mcp_tool};
            #[allow(unused_imports, reason = "not every version uses each type")]
            use super::{Choice, Guest, LaterGuest};

            /// Book a table.
            #[mcp_tool]
            pub(super) async fn book($($parameters)*) {}
        })*
    };
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Guest {
    name: String,
    seats: Option<u8>,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct LaterGuest {
    #[schemars(length(min = 2))]
    name: String,
    seats: u8,
    window: bool,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
enum Choice {
    Hall,
    Garden,
}

versions! {
    silent(_table: u32);
    argument(_table: u32, _guest: String);
    asked(_table: u32, #[mcp_tool(ask = "Who?")] _guest: String);
    asked_in_other_words(_table: u32, #[mcp_tool(ask = "Who comes?", sealed)] _guest: String);
    free(_table: u32, #[mcp_tool(ask = "Who?")] _guest: Answer<String>);
    consent(_table: u32, #[mcp_tool(ask = "Sure?")] _guest: Consent);
    form(#[mcp_tool(ask = "Who?")] _guest: Guest);
    later_form(#[mcp_tool(ask = "Who?")] _guest: LaterGuest);
    one(#[mcp_tool(ask = "Where?")] _place: Choice);
    several(#[mcp_tool(ask = "Where?")] _place: Vec<Choice>);
}

#[test]
fn a_new_question_is_a_break() {
    assert_eq!(
        breaks("new", silent::book {}, asked::book {}),
        ["tool `book`, question `guest`: it is new, and the tool needs an answer"]
    );
    assert_eq!(breaks("new-free", silent::book {}, free::book {}), ["tool `book`, question `guest`: it is new"]);
    assert_eq!(breaks("gone", asked::book {}, silent::book {}), [""; 0]);
}

#[test]
fn an_argument_that_becomes_a_question_is_a_break_and_so_is_the_way_back() {
    let found = breaks("argument", argument::book {}, asked::book {});
    assert!(found.iter().any(|text| text.contains("argument `guest`")), "{found:?}");
    let question = "tool `book`, question `guest`: it was an argument, and the user is asked for it now".to_owned();
    assert!(found.contains(&question), "{found:?}");
    assert_eq!(
        breaks("back", asked::book {}, argument::book {}),
        ["tool `book`, argument `guest`: it is new and required"]
    );
}

#[test]
fn an_answer_that_becomes_needed_is_a_break() {
    assert_eq!(
        breaks("needed", free::book {}, asked::book {}),
        ["tool `book`, question `guest`: the tool could do without an answer, and needs one now"]
    );
    assert_eq!(breaks("free", asked::book {}, free::book {}), [""; 0]);
    assert_eq!(breaks("words", asked::book {}, asked_in_other_words::book {}), [""; 0]);
}

#[test]
fn a_question_of_another_kind_is_a_break() {
    assert_eq!(
        breaks("consent", asked::book {}, consent::book {}),
        ["tool `book`, question `guest`: it is a consent now"]
    );
    assert_eq!(
        breaks("no-consent", consent::book {}, asked::book {}),
        ["tool `book`, question `guest`: it was a consent, and asks for something else now"]
    );
}

#[test]
fn a_form_that_accepts_less_is_a_break() {
    let found = breaks("form", form::book {}, later_form::book {});
    for expected in [
        "tool `book`, question `guest`, answer `seats`: it was optional and is required",
        "tool `book`, question `guest`, answer `window`: it is new and required",
        "tool `book`, question `guest`, answer `name`: `minLength` was absent and is 2",
    ] {
        assert!(found.contains(&expected.to_owned()), "{expected} in {found:?}");
    }
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(breaks("wider", later_form::book {}, form::book {}), [""; 0]);
}

#[test]
fn a_form_that_older_clients_cannot_show_is_a_break() {
    let found = breaks("list", one::book {}, several::book {});
    let expected =
        "tool `book`, question `place`: clients of 2025-06-18 cannot show its form any more, because of a list";
    assert!(found.contains(&expected.to_owned()), "{found:?}");
}

#[test]
fn the_file_has_the_key_the_kind_and_the_form_of_each_question() {
    let file = File(std::env::temp_dir().join(format!("mcp-tool-asking-{}-file.json", std::process::id())));
    contract::write(&serving(consent::book {}), &file.0).expect("a file");
    let lock: Value = serde_json::from_str(&std::fs::read_to_string(&file.0).expect("a file")).expect("JSON");
    assert_eq!(
        lock["tools"]["book"]["questions"],
        json!({ "guest": { "kind": "consent", "required": true, "schema": {
            "properties": { "confirm": { "type": "boolean" } }, "required": ["confirm"], "type": "object" } } })
    );
    contract::write(&serving(silent::book {}), &file.0).expect("a file");
    assert!(
        !std::fs::read_to_string(&file.0).expect("a file").contains("questions"),
        "nothing is new without questions"
    );
}
