//! Attributes of serde and schemars on parameters.

use std::collections::BTreeMap;

use mcp_tool_runtime::{json, mcp_tool, tools};

#[derive(Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Units {
    #[default]
    Celsius,
    Fahrenheit,
}

/// A default that cannot be written.
#[derive(Default, serde::Deserialize, schemars::JsonSchema)]
struct Hidden {
    _a: Option<u8>,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Filter {
    tag: String,
    limit: Option<u8>,
}

/// A type from elsewhere, which serde cannot read by itself.
struct Foreign(u8);

mod foreign {
    use serde::Deserialize as _;

    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<super::Foreign, D::Error> {
        u8::deserialize(from).map(super::Foreign)
    }
}

fn ten() -> u8 {
    10
}

/// Everything at once.
#[mcp_tool]
async fn all(
    #[serde(default)] units: Units,
    #[serde(default)] hidden: Hidden,
    #[serde(default = "ten")] count: u8,
    #[serde(rename = "renamed", alias = "old", default)] new: u8,
    #[serde(flatten)] filter: Filter,
    // Not the property that the flattened parameter seems to be.
    #[serde(rename = "filter")] other: Option<String>,
    #[serde(with = "foreign")]
    #[schemars(with = "u8")]
    foreign: Foreign,
) -> String {
    let units = match units {
        Units::Celsius => "c",
        Units::Fahrenheit => "f",
    };
    format!("{units} {count} {new} {} {:?} {other:?} {}", filter.tag, filter.limit.or(hidden._a), foreign.0)
}

/// A map that takes the rest.
#[mcp_tool]
async fn rest(#[serde(flatten)] rest: BTreeMap<String, u8>) -> usize {
    rest.len()
}

#[test]
fn runs() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let tools = tools![all, rest];
    let schema = tools[0].definition().input_schema;
    assert_eq!(schema["properties"]["units"]["default"], "celsius");
    assert_eq!(schema["properties"]["count"]["default"], 10);
    assert_eq!(schema["properties"]["hidden"].get("default"), None);
    assert_eq!(schema["properties"]["tag"]["type"], "string");
    assert_eq!(schema["required"], json!(["tag", "foreign"]));
    let dispatcher = mcp_tool_runtime::Dispatcher::builder().tools(tools).build().unwrap();
    let call = |arguments| {
        let response = runtime.block_on(dispatcher.call(mcp_tool_runtime::CallToolRequest::new("all", arguments)));
        let response = response.unwrap();
        response.deserialize::<String>().unwrap_or_else(|_| panic!("{:?}", response.error()))
    };
    assert_eq!(call(json!({"tag": "x", "foreign": 3})), "c 10 0 x None None 3");
    let all = json!({
        "units": "fahrenheit", "hidden": {}, "count": 1, "renamed": 2, "tag": "y", "limit": 4, "filter": "z", "foreign": 5,
    });
    assert_eq!(call(all), "f 1 2 y Some(4) Some(\"z\") 5");
}
