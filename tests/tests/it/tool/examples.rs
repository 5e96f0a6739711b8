//! Examples of arguments: everything that a client could send is accepted, and published as it is.

#![allow(clippy::too_many_arguments, reason = "a tool as users write it")]

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use mcp_tool_runtime::{mcp_tool, mcp_tools, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::run::{property, serve};

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Units {
    Celsius,
}

#[derive(Deserialize, JsonSchema)]
struct Meters(f64);

#[derive(Deserialize, JsonSchema)]
struct Place {
    name: String,
}

#[test]
fn an_example_is_of_the_type_or_of_its_json() {
    /// Take one of each.
    #[mcp_tool]
    async fn take(
        #[mcp_tool(example = "a", example = String::from("b"))] text: &str,
        #[mcp_tool(example = "/tmp")] path: PathBuf,
        #[mcp_tool(example = 1, example = 1.5)] number: f64,
        #[mcp_tool(example = 7)] small: u8,
        #[mcp_tool(example = true)] flag: Option<bool>,
        #[mcp_tool(example = ["a", "b"], example = vec!["c"])] list: Option<Vec<String>>,
        #[mcp_tool(example = BTreeMap::from([("a", 1)]), example = json!({"b": 2}))] map: HashMap<String, u8>,
        #[mcp_tool(example = "celsius", example = Units::Celsius)] units: Units,
        #[mcp_tool(example = 2.5)] length: Meters,
        #[mcp_tool(example = json!({"name": "Paris"}))] place: Place,
        #[mcp_tool(example = ["celsius"])] all: Vec<Units>,
        #[mcp_tool(example = 1, example = "x")] any: serde_json::Value,
    ) {
        let _ = (text, path, number, small, flag, list, map, units, length.0, place.name, all, any);
    }

    let dispatcher = serve(tools![take]);
    let examples = |name| property(&dispatcher, "take", name)["examples"].clone();
    assert_eq!(examples("text"), json!(["a", "b"]));
    assert_eq!(examples("path"), json!(["/tmp"]));
    assert_eq!(examples("number"), json!([1, 1.5]));
    assert_eq!(examples("small"), json!([7]));
    assert_eq!(examples("flag"), json!([true]));
    assert_eq!(examples("list"), json!([["a", "b"], ["c"]]));
    assert_eq!(examples("map"), json!([{"a": 1}, {"b": 2}]));
    assert_eq!(examples("units"), json!(["celsius", "celsius"]));
    assert_eq!(examples("length"), json!([2.5]));
    assert_eq!(examples("place"), json!([{"name": "Paris"}]));
    assert_eq!(examples("all"), json!([["celsius"]]));
    assert_eq!(examples("any"), json!([1, "x"]));
}

#[test]
fn a_method_of_a_generic_service_can_have_examples() {
    struct Notes<S>(S);

    #[mcp_tools]
    impl<S: Send + Sync + 'static> Notes<S> {
        /// List the notes.
        #[mcp_tool]
        async fn list(&self, #[mcp_tool(example = 3)] page: u32) {
            let _ = (&self.0, page);
        }
    }

    let dispatcher = mcp_tool_runtime::Dispatcher::builder().service(Notes(1)).build().expect("one tool");
    assert_eq!(property(&dispatcher, "list", "page")["examples"], json!([3]));
}
