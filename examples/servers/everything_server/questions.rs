//! Tools that ask the user. The names that begin with `test_` and their forms are those of the official conformance suite.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use mcp_tool_runtime::{Answer, Ask, Consent, Text, ToolHandler, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) fn all() -> Vec<Box<dyn ToolHandler>> {
    tools![
        test_elicitation,
        test_elicitation_sep1034_defaults,
        test_elicitation_sep1330_enums,
        test_input_required_result_elicitation,
        test_input_required_result_request_state,
        test_input_required_result_tampered_state,
        test_input_required_result_multi_round,
        test_missing_capability,
        test_streaming_elicitation,
        delete_item,
        is_deleted,
        book_table,
        order_drink,
        decide,
        decide_quickly,
    ]
}

/// Writes what the user did, and the answer.
fn outcome<T: Serialize>(answer: &Answer<T>) -> String {
    let action = match answer {
        Answer::Given(content) => {
            return format!("action=accept, content={}", serde_json::to_string(content).unwrap_or_default());
        }
        Answer::Declined => "decline",
        Answer::Cancelled => "cancel",
        Answer::Unavailable => "none, because nobody could be asked",
    };
    format!("action={action}")
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct User {
    /// User's response
    username: String,
    /// User's email address
    email: String,
}

/// Ask a question that the arguments contain.
#[mcp_tool(read_only_hint)]
async fn test_elicitation(message: &str, #[mcp_tool(ask = "{message}")] user: Answer<User>) -> Text {
    Text::new(format!("User response to {message:?}: {}", outcome(&user)))
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Active,
    Inactive,
    Pending,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Profile {
    name: String,
    age: i32,
    score: f64,
    status: Status,
    verified: bool,
}

impl Default for Profile {
    fn default() -> Self {
        Self { name: "John Doe".to_owned(), age: 30, score: 95.5, status: Status::Active, verified: true }
    }
}

/// Ask with a default in each type of field.
#[mcp_tool(read_only_hint)]
async fn test_elicitation_sep1034_defaults(#[mcp_tool(ask = "Who are you?")] profile: Answer<Profile>) -> Text {
    Text::new(format!("Elicitation completed: {}", outcome(&profile)))
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Plain {
    Option1,
    Option2,
    Option3,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Titled {
    /// First Option
    Value1,
    /// Second Option
    Value2,
    /// Third Option
    Value3,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(extend("enumNames" = ["Option One", "Option Two", "Option Three"]))]
enum OldTitled {
    Opt1,
    Opt2,
    Opt3,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Choices {
    untitled_single: Plain,
    titled_single: Titled,
    legacy_enum: OldTitled,
    untitled_multi: Vec<Plain>,
    titled_multi: Vec<Titled>,
}

/// Ask with each kind of choice.
#[mcp_tool(read_only_hint)]
async fn test_elicitation_sep1330_enums(#[mcp_tool(ask = "What do you choose?")] choices: Answer<Choices>) -> Text {
    Text::new(format!("Elicitation completed: {}", outcome(&choices)))
}

#[derive(Deserialize, JsonSchema)]
struct Name {
    name: String,
}

/// Ask for a name.
#[mcp_tool(read_only_hint)]
async fn test_input_required_result_elicitation(#[mcp_tool(ask = "What is your name?")] user_name: Name) -> Text {
    Text::new(format!("Hello, {}!", user_name.name))
}

#[derive(Deserialize, JsonSchema)]
struct Confirmation {
    ok: bool,
}

/// Ask for a confirmation that counts only together with the state.
#[mcp_tool(read_only_hint)]
async fn test_input_required_result_request_state(
    #[mcp_tool(ask = "Please confirm", sealed)] confirm: Confirmation,
) -> Text {
    Text::new(format!("state-ok, confirmed: {}", confirm.ok))
}

/// Ask for a confirmation that counts only together with the state.
#[mcp_tool(read_only_hint)]
async fn test_input_required_result_tampered_state(
    #[mcp_tool(ask = "Please confirm", sealed)] confirm: Confirmation,
) -> Text {
    Text::new(format!("confirmed: {}", confirm.ok))
}

#[derive(Deserialize, JsonSchema)]
struct Colour {
    color: String,
}

fn favourite_colour(step1: &Name) -> Ask<Colour> {
    Ask::new(format!("Step 2: What is your favorite color, {}?", step1.name))
}

/// Ask two questions, one after the other.
#[mcp_tool(read_only_hint)]
async fn test_input_required_result_multi_round(
    #[mcp_tool(ask = "Step 1: What is your name?")] step1: Name,
    #[mcp_tool(ask = favourite_colour(step1))] step2: Colour,
) -> Text {
    Text::new(format!("{} likes {}.", step1.name, step2.color))
}

/// Ask a question without which the tool cannot run.
#[mcp_tool(read_only_hint)]
async fn test_missing_capability(#[mcp_tool(ask = "What is your name?")] user_name: Name) -> Text {
    Text::new(format!("Hello, {}!", user_name.name))
}

/// Ask a question whose answer the tool can do without.
#[mcp_tool(read_only_hint)]
async fn test_streaming_elicitation(#[mcp_tool(ask = "What is your name?")] user_name: Answer<Name>) -> Text {
    Text::new(match user_name {
        Answer::Given(Name { name }) => format!("Hello, {name}!"),
        _ => "Hello, whoever you are!".to_owned(),
    })
}

/// The items that were deleted.
#[derive(Default)]
pub(crate) struct Deleted(Mutex<BTreeSet<u32>>);

impl Deleted {
    fn with<T>(&self, work: impl FnOnce(&mut BTreeSet<u32>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Delete an item after the user has agreed.
#[mcp_tool(destructive_hint)]
async fn delete_item(
    id: u32,
    #[mcp_tool(ask = "Delete item {id}?")] _sure: Consent,
    #[mcp_tool(state)] deleted: &Deleted,
) -> String {
    deleted.with(|items| items.insert(id));
    format!("item {id} is deleted")
}

/// Return whether an item was deleted.
#[mcp_tool(read_only_hint)]
async fn is_deleted(id: u32, #[mcp_tool(state)] deleted: &Deleted) -> bool {
    deleted.with(|items| items.contains(&id))
}

#[derive(Deserialize, JsonSchema)]
struct Guest {
    #[schemars(length(min = 2))]
    name: String,
    #[schemars(range(min = 1, max = 8))]
    seats: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Day {
    Today,
    Tomorrow,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "a question function borrows the arguments")]
fn which_day(table: &u32, guest: &Guest) -> Ask<Day> {
    Ask::new(format!("On which day does {} need table {table}?", guest.name))
}

/// Book a table: ask for the guest, then for the day.
#[mcp_tool]
async fn book_table(
    table: u32,
    #[mcp_tool(ask = "Who is the guest at table {table}?")] guest: Guest,
    #[mcp_tool(ask = which_day(table, guest))] day: Day,
) -> String {
    format!("table {table}: {}, {} seats, {day:?}", guest.name, guest.seats)
}

/// Order a drink: ask for two things at once.
#[mcp_tool]
async fn order_drink(
    #[mcp_tool(ask = "Which drink?")] drink: String,
    #[mcp_tool(ask = "How many?")]
    #[schemars(range(min = 1))]
    count: u8,
) -> String {
    format!("{count} {drink}")
}

/// Ask whether to go on, and return what happened to the question.
#[mcp_tool(read_only_hint)]
async fn decide(#[mcp_tool(ask = "Go on?")] go: Answer<Consent>) -> String {
    format!("{go:?}")
}

/// Ask with a timeout shorter than users take to answer. The time of the user does not count.
#[mcp_tool(read_only_hint, timeout = "300ms")]
async fn decide_quickly(#[mcp_tool(ask = "Go on soon?")] _go: Consent) -> String {
    "went on".to_owned()
}
