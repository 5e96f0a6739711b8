//! The builder's option `compact_output_schemas`.

use mcp_tool_runtime::{Dispatcher, DispatcherBuilder, ProtocolVersion, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{self, built, giving};

/// Something on the shelf.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Item {
    /// What it is for.
    description: String,
    /// How it can be seen.
    #[schemars(example = json!({"description": "kept"}))]
    state: State,
    /// What lies in it.
    inside: Vec<Item>,
}

/// How it can be seen.
#[derive(Serialize, Deserialize, JsonSchema)]
enum State {
    /// In front.
    Open,
    /// Behind.
    Hidden,
}

/// Find something.
#[mcp_tool(name = "Shelf.Find")]
async fn find(
    /// What to look for.
    item: Item,
) -> Item {
    item
}

fn shelf() -> DispatcherBuilder {
    let by_hand = json!({"type": "object", "description": "by hand", "properties": {"a": {"description": "a"}}});
    Dispatcher::builder().tools(tools![find]).tool(giving("by_hand", by_hand))
}

/// Returns the descriptions that the schema has, at every depth.
fn descriptions(schema: &Value) -> Vec<&str> {
    match schema {
        Value::Object(map) => {
            let own = map.get("description").and_then(Value::as_str);
            let inner = map.iter().filter(|(key, _)| *key != "examples").flat_map(|(_, value)| descriptions(value));
            own.into_iter().chain(inner).collect()
        }
        Value::Array(list) => list.iter().flat_map(descriptions).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn compact_output_schemas_have_no_descriptions_in_any_list() {
    let (compact, full) = (built(shelf().compact_output_schemas(true)), built(shelf()));
    for version in ProtocolVersion::ALL {
        for name in ["Shelf.Find", "by_hand"] {
            let [short, long] = [&compact, &full].map(|dispatcher| run::listed(dispatcher, name, version));
            assert!(!descriptions(&long["outputSchema"]).is_empty(), "{long}");
            assert_eq!(descriptions(&short["outputSchema"]), [""; 0]);
            assert_eq!((&short["inputSchema"], &short["description"]), (&long["inputSchema"], &long["description"]));
        }
        let short = run::listed(&compact, "Shelf.Find", version)["outputSchema"].to_string();
        assert!(short.contains(r#""required":["description","state","inside"]"#), "{short}");
        assert!(short.contains(r#""examples":[{"description":"kept"}]"#), "{short}");
    }
    let otc = built(Dispatcher::builder().tools(tools![find]).compact_output_schemas(true));
    let otc = otc.list_otc("1.0.0").expect("valid names");
    let otc = run::json(&otc[0]);
    assert_eq!(descriptions(&otc["output_schema"]), [""; 0]);
    assert!(!descriptions(&otc["input_schema"]).is_empty());
}

#[test]
fn compact_output_schemas_check_results_as_before() {
    let dispatcher = built(shelf().compact_output_schemas(true));
    assert!(!descriptions(dispatcher.list()[0].output_schema.as_ref().expect("a schema")).is_empty());
    let wrong = run::message(&dispatcher, "by_hand", json!({"value": 3}));
    assert!(wrong.contains("expected an object, got an integer"), "{wrong}");
    let value =
        run::value(&dispatcher, "Shelf.Find", json!({"item": {"description": "x", "state": "Open", "inside": []}}));
    assert_eq!(value["state"], "Open");
}
