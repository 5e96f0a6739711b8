//! The same tools twice: with `#[mcp_tool]` and with the SDK's `#[tool]`. Both read and return the same types.

use std::collections::BTreeMap;
use std::net::IpAddr;

use rmcp::handler::server::wrapper::{Json, Parameters};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Add {
    a: i64,
    b: i64,
}

#[derive(Serialize, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "snake_case")]
enum Sort {
    #[default]
    Newest,
    Oldest,
    BestMatch,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Search {
    #[schemars(length(min = 1, max = 40))]
    text: String,
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
    #[serde(default)]
    exact: bool,
    #[serde(default)]
    sort: Sort,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Customer {
    name: String,
    #[schemars(regex(pattern = r"^[^@]+@[^@]+$"))]
    email: String,
    vip: Option<bool>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Item {
    sku: String,
    count: u16,
    price: f64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Order {
    customer: Customer,
    items: Vec<Item>,
    labels: BTreeMap<String, String>,
    note: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Trigger {
    Cron { minute: u8, hour: u8 },
    Webhook { address: IpAddr, port: u16 },
    Manual,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Schedule {
    name: String,
    trigger: Trigger,
    retries: u8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Plot {
    from: (f64, f64),
    to: (f64, f64),
    colour: [u8; 3],
    width: f32,
    mark: Option<char>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Leaf {
    weight: i8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Node {
    leaf: Option<Leaf>,
    branches: Vec<Node>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Tree {
    root: Node,
    depth: u64,
}

macro_rules! tools {
    ($($name:ident: $arguments:ty, $description:literal;)*) => {
        pub mod ours {
            use super::*;

            $(
                #[doc = $description]
                #[mcp_tool_runtime::mcp_tool]
                pub async fn $name(#[mcp_tool(arguments)] arguments: $arguments) -> $arguments {
                    arguments
                }
            )*

            pub fn all() -> Vec<Box<dyn mcp_tool_runtime::ToolHandler>> {
                mcp_tool_runtime::tools![$($name),*]
            }
        }

        #[derive(Clone)]
        pub struct Sdk;

        #[rmcp::tool_router]
        impl Sdk {
            $(
                #[rmcp::tool(description = $description)]
                async fn $name(&self, Parameters(arguments): Parameters<$arguments>) -> Json<$arguments> {
                    Json(arguments)
                }
            )*
        }
    };
}

tools! {
    add: Add, "Add two numbers.";
    search: Search, "Search all notes.";
    order: Order, "Place an order.";
    schedule: Schedule, "Schedule a job.";
    plot: Plot, "Draw a line.";
    tree: Tree, "Store a tree.";
}

#[rmcp::tool_handler]
impl rmcp::ServerHandler for Sdk {}

/// One good call of each tool. Every other call is made from these.
pub fn good_calls() -> Vec<(&'static str, Value)> {
    vec![
        ("add", json!({"a": 2, "b": 3})),
        ("search", json!({"text": "rust", "limit": 5, "exact": true, "sort": "oldest"})),
        (
            "order",
            json!({
                "customer": {"name": "Ann", "email": "ann@example.com", "vip": true},
                "items": [{"sku": "A-1", "count": 2, "price": 9.5}, {"sku": "B-2", "count": 1, "price": 20}],
                "labels": {"channel": "web"},
                "note": "ring twice",
            }),
        ),
        ("schedule", json!({"name": "nightly", "trigger": {"kind": "cron", "minute": 30, "hour": 2}, "retries": 3})),
        (
            "schedule",
            json!({"name": "push", "trigger": {"kind": "webhook", "address": "10.0.0.1", "port": 80}, "retries": 0}),
        ),
        ("plot", json!({"from": [0, 0.5], "to": [3, 4], "colour": [255, 0, 127], "width": 1.5, "mark": "x"})),
        ("tree", json!({"root": {"leaf": {"weight": 1}, "branches": [{"branches": []}]}, "depth": 2})),
    ]
}
