//! What `build` says about types that serde can never read.

use std::collections::BTreeMap;

use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::run;

#[derive(Deserialize, JsonSchema)]
struct Votes {
    name: String,
    #[serde(flatten)]
    by_id: BTreeMap<u32, u8>,
}

/// Count votes.
#[mcp_tool]
async fn count(votes: Votes) -> usize {
    votes.name.len() + votes.by_id.len()
}

/// Count votes directly.
#[mcp_tool]
async fn count_directly(name: String, #[serde(flatten)] by_id: BTreeMap<i64, u8>) -> usize {
    name.len() + by_id.len()
}

/// Count votes in a map.
#[mcp_tool]
async fn count_map(by_id: BTreeMap<u32, u8>) -> usize {
    by_id.len()
}

/// Count named votes.
#[mcp_tool]
async fn count_named(name: String, #[serde(flatten)] by_name: BTreeMap<String, u8>) -> usize {
    name.len() + by_name.len()
}

#[test]
fn t17_a_flattened_map_with_integer_keys_is_an_error_of_build() {
    let faults = run::faults(Dispatcher::builder().tools(tools![count, count_directly]));
    let text = "a flattened map with integer keys, which serde cannot read: use `String` as the type of the keys, or do not flatten \
                the map";
    assert_eq!(
        faults,
        [
            format!("tool `count`: input schema: `votes`: {text}"),
            format!("tool `count_directly`: input schema: the root: {text}"),
        ]
    );
    let dispatcher = run::serve(tools![count_map, count_named]);
    assert_eq!(run::value(&dispatcher, "count_map", json!({"by_id": {"1": 2}})), 1);
    assert_eq!(run::value(&dispatcher, "count_named", json!({"name": "", "a": 1})), 1);
}
