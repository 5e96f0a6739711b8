//! The forms of Rust types, in each version of the protocol.

use chrono::{DateTime, NaiveDate, Utc};
use mcp_tool_runtime::serde_json::Value;
use mcp_tool_runtime::{
    Answer, CallToolRequest, Dispatcher,
    ask::{Reply, Scripted},
    json, mcp_tool, tools,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::ask::tools::{Day, error, request, text};
use crate::ask::transports::Client;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Drink {
    Tea,
    BlackCoffee,
}

/// A person.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only `Debug` reads the fields")]
struct Person {
    /// As in the passport.
    #[schemars(title = "Full name", length(min = 2, max = 80))]
    full_name: String,
    #[schemars(email)]
    email: String,
    home_page: Option<url::Url>,
    born: NaiveDate,
    arrives: Option<DateTime<Utc>>,
    #[schemars(range(min = 0.5, max = 99.5))]
    weight: f64,
    seats: u8,
    floor: i64,
    initial: char,
    #[serde(default)]
    window: bool,
    #[serde(default = "tea")]
    drink: Drink,
    day: Option<Day>,
}

fn tea() -> Drink {
    Drink::Tea
}

/// Register a person.
#[mcp_tool]
async fn register(#[mcp_tool(ask = "Who are you?")] person: Person) -> String {
    format!("{person:?}")
}

/// Choose.
#[mcp_tool]
async fn choose(
    #[mcp_tool(ask = "Which drinks?")]
    #[schemars(length(min = 1, max = 2))]
    drinks: Answer<Vec<Drink>>,
    #[mcp_tool(ask = "Which days?")] days: Answer<Vec<Day>>,
    #[mcp_tool(ask = "One day?")] day: Answer<Option<Day>>,
    #[mcp_tool(ask = "How much?")] much: Answer<f32>,
) -> String {
    format!("{drinks:?} {days:?} {day:?} {much:?}")
}

fn dispatcher() -> Dispatcher {
    Dispatcher::builder().tools(tools![register, choose]).build().expect("every type has a form")
}

async fn schemas(name: &str) -> Vec<Value> {
    let response = dispatcher().call(request(name, json!({}))).await.expect("a response");
    let required = response.input_required().expect("questions");
    required.questions().iter().map(|question| question.schema().clone()).collect()
}

#[tokio::test]
async fn each_type_has_its_field() {
    let [person] = &schemas("register").await[..] else { panic!("one question") };
    assert_eq!(
        *person,
        json!({
            "type": "object",
            "properties": {
                "fullName": { "type": "string", "title": "Full name", "description": "As in the passport.", "minLength": 2, "maxLength": 80 },
                "email": { "type": "string", "format": "email" },
                "homePage": { "type": "string", "format": "uri" },
                "born": { "type": "string", "format": "date" },
                "arrives": { "type": "string", "format": "date-time" },
                "weight": { "type": "number", "minimum": 0.5, "maximum": 99.5 },
                "seats": { "type": "integer", "minimum": 0, "maximum": 255 },
                "floor": { "type": "integer" },
                "initial": { "type": "string", "minLength": 1, "maxLength": 1 },
                "window": { "type": "boolean", "default": false },
                "drink": { "type": "string", "enum": ["tea", "blackCoffee"] },
                "day": { "type": "string", "oneOf": [
                    { "const": "tomorrow", "title": "The day after today." }, { "const": "today", "title": "Today, after six." } ] },
            },
            "required": ["fullName", "email", "born", "weight", "seats", "floor", "initial"],
        })
    );
    let [drinks, days, day, much] = &schemas("choose").await[..] else { panic!("four questions") };
    assert_eq!(
        drinks["properties"]["drinks"],
        json!({ "type": "array", "items": { "type": "string", "enum": ["tea", "blackCoffee"] }, "minItems": 1, "maxItems": 2 })
    );
    assert_eq!(days["properties"]["days"]["items"]["anyOf"][1]["title"], "Today, after six.");
    assert_eq!(day["properties"]["day"]["oneOf"][0]["const"], "tomorrow");
    assert!(day.get("required").is_none(), "{day}");
    assert_eq!(much["properties"]["much"]["type"], "number");
}

#[tokio::test]
async fn the_answers_are_read_into_the_types() {
    let person = json!({ "fullName": "Ann Lee", "email": "ann@example.com", "homePage": null, "born": "2000-02-29",
        "arrives": "2026-08-01T12:00:00Z", "weight": 60, "seats": 2.0, "floor": -1, "initial": "é", "day": "today" });
    let user = Scripted::new().reply("person", Reply::accept(person));
    let call = CallToolRequest::new("register", json!({})).with_asker(user);
    let found = text(&dispatcher().call(call).await.expect("a response"));
    for part in ["\"Ann Lee\"", "home_page: None", "2000-02-29", "seats: 2", "'é'", "drink: Tea", "Some(Today)"] {
        assert!(found.contains(part), "{part} in {found}");
    }
    let user = Scripted::new()
        .reply("drinks", Reply::accept(json!(["tea"])))
        .reply("days", Reply::accept(json!({ "days": [] })))
        .reply("day", Reply::accept(json!({})))
        .reply("much", Reply::accept(0.5));
    let call = CallToolRequest::new("choose", json!({})).with_asker(user);
    let found = text(&dispatcher().call(call).await.expect("a response"));
    assert_eq!(found, "Given([Tea]) Given([]) Given(None) Given(0.5)");
}

#[tokio::test]
async fn a_user_learns_everything_that_is_wrong_and_never_sees_the_answer_again() {
    let wrong = json!({ "fullName": "A", "email": "secret-value", "born": "yesterday", "weight": 0.1, "seats": 300,
        "floor": "secret-value", "initial": "ab", "drink": "wine" });
    let user = Scripted::new().reply("person", Reply::accept(wrong)).reply("person", Reply::Cancel);
    let call = CallToolRequest::new("register", json!({})).with_asker(user.clone());
    let response = dispatcher().call(call).await.expect("a response");
    assert!(error(&response).starts_with("the user closed the question"));
    let message = user.asked()[1].message().to_owned();
    for name in ["fullName", "email", "born", "weight", "seats", "floor", "initial", "drink"] {
        assert!(message.contains(&format!("\n{name}: ")), "{name} in {message}");
    }
    assert!(!message.contains("secret-value"), "{message}");
}

#[tokio::test]
async fn clients_of_2025_06_18_are_not_asked_for_several_choices() {
    for (version, keys) in [("2025-06-18", vec!["day", "much"]), ("2025-11-25", vec!["drinks", "days", "day", "much"])]
    {
        let mut client = Client::legacy(dispatcher(), version, json!({ "elicitation": {} })).await;
        client.call(1, "choose", json!({})).await;
        let mut asked = Vec::new();
        let result = loop {
            let message = client.next().await;
            if message.get("method").is_none() {
                break message;
            }
            let properties = message["params"]["requestedSchema"]["properties"].as_object().expect("properties");
            asked.extend(properties.keys().cloned());
            client.answer(&message, json!({ "action": "decline" })).await;
        };
        assert_eq!(asked, keys, "{version}");
        let (first, _) =
            result["result"]["content"][0]["text"].as_str().expect("a text").split_once(' ').expect("words");
        assert_eq!(first, if version == "2025-06-18" { "Unavailable" } else { "Declined" });
    }
}

#[cfg(specification_documents)]
mod specification {
    use jsonschema::Validator;
    use mcp_tool_runtime::{ProtocolVersion, serde_json};

    use super::{Client, Value, dispatcher, json, request};

    fn schema_of(version: &str, name: &str) -> Validator {
        let folder = std::env::var_os("MCP_SPEC_DIR").expect("MCP_SPEC_DIR is set");
        // A relative path is relative to the workspace.
        let workspace = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
        let file = workspace.join(folder).join(format!("mcp/{version}/schema.json"));
        let text = std::fs::read_to_string(file).expect("a document");
        let mut schema: Value = serde_json::from_str(&text).expect("JSON");
        let definitions = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
        assert!(schema[definitions][name].is_object(), "{version} does not define {name}");
        schema["$ref"] = json!(format!("#/{definitions}/{name}"));
        jsonschema::validator_for(&schema).expect("a schema")
    }

    #[tokio::test]
    async fn the_questions_of_each_version_match_its_schema() {
        for version in ["2025-06-18", "2025-11-25"] {
            let schema = schema_of(version, "ElicitRequest");
            assert!(!schema.is_valid(&json!({ "method": "elicitation/create", "params": { "message": 5 } })));
            for tool in ["register", "choose"] {
                let mut client = Client::legacy(dispatcher(), version, json!({ "elicitation": {} })).await;
                client.call(1, tool, json!({})).await;
                let mut asked = 0;
                loop {
                    let message = client.next().await;
                    if message.get("method").is_none() {
                        break;
                    }
                    asked += 1;
                    assert!(schema.is_valid(&message), "{version}: {:#?}\n{message}", schema.validate(&message));
                    client.answer(&message, json!({ "action": "decline" })).await;
                }
                assert!(asked > 0);
            }
        }
        let schema = schema_of("2026-07-28", "InputRequiredResult");
        for tool in ["register", "choose"] {
            let response = dispatcher().call(request(tool, json!({}))).await.expect("a response");
            let result = serde_json::to_value(response.to_mcp(ProtocolVersion::V2026_07_28)).expect("JSON");
            assert!(schema.is_valid(&result), "{:#?}\n{result}", schema.validate(&result));
        }
    }
}
