//! The table of types and their schemas in the documentation, made from tools so that it stays true.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroU8;
use std::path::PathBuf;
use std::time::Duration;

use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::run::serve;

/// The file that the documentation of the crate includes.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../mcp-tool-runtime/docs/schemas.md");

const HEAD: &str = "\
What is published of a type: as an argument by the way it is read, as a result by the way it is written.

The schema of an argument stands under `properties` of the input schema; one that is *optional* is not among the
`required`. The schema of a result is the output schema of 2026-07-28; what is no object goes out as `{\"result\": …}` to
older clients. Each row was made by a tool that takes the type and gives it back.

";

/// Appends a row for each type, made by a tool that takes it and gives it back.
macro_rules! rows {
    ($rows:ident: $($type:ty),+ $(,)?) => {$({
        /// Give it back.
        #[mcp_tool(name = "row")]
        async fn row(value: $type) -> $type {
            value
        }
        $rows.push(line(stringify!($type), &serve(tools![row])));
    })+};
}

/// Appends a row for each type that is defined here, which shows its definition.
macro_rules! items {
    ($rows:ident: $($name:ty = { $item:item })+) => {$({
        #[derive(Serialize, Deserialize, JsonSchema)]
        #[allow(dead_code)]
        $item
        /// Give it back.
        #[mcp_tool(name = "row")]
        async fn row(value: $name) -> $name {
            value
        }
        $rows.push(line(stringify!($item), &serve(tools![row])));
    })+};
}

fn line(type_name: &str, dispatcher: &Dispatcher) -> String {
    let tool = &dispatcher.list()[0];
    let needed = tool.input_schema["required"].as_array().is_some_and(|names| names.contains(&Value::from("value")));
    let mut input = tool.input_schema["properties"]["value"].to_string();
    if let Some(definitions) = tool.input_schema.get("$defs") {
        input.extend([", `$defs`: ", &definitions.to_string()].map(|text| text.replace('`', "")));
    }
    let output = tool.output_schema.as_ref().map(Value::to_string);
    let code = |text: &str| format!("`{}`", text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|"));
    let optional = if needed { "" } else { "*optional* " };
    let output = match output {
        Some(output) if output == input => "the same".to_owned(),
        Some(output) => code(&output),
        None => "none".to_owned(),
    };
    format!("| {} | {optional}{} | {output} |", code(type_name), code(&input))
}

fn table() -> String {
    let mut rows = vec!["| Rust | argument | result |".to_owned(), "| --- | --- | --- |".to_owned()];
    rows!(rows:
        bool, String, char, i8, u8, i32, u32, i64, u64, f32, f64, NonZeroU8, Option<String>, Vec<u8>, [bool; 2],
        BTreeSet<String>, (String, u8), BTreeMap<String, bool>, BTreeMap<u8, bool>, Value, Duration, IpAddr, Ipv4Addr,
        PathBuf,
    );
    items!(rows:
        Point = { struct Point { x: f64, y: Option<f64> } }
        Closed = { #[serde(deny_unknown_fields)] struct Closed { #[serde(default)] x: bool } }
        Short = { struct Short { #[schemars(length(min = 1, max = 9))] text: String, #[schemars(range(max = 5))] n: u8 } }
        Metres = { struct Metres(f64); }
        Units = { #[serde(rename_all = "lowercase")] enum Units { Celsius, Fahrenheit } }
        Named = { enum Named { Unit, Newtype(bool), Struct { x: bool } } }
        Tagged = { #[serde(tag = "kind")] enum Tagged { A { x: bool }, B } }
        Beside = { #[serde(tag = "t", content = "c")] enum Beside { A(bool), B } }
        Untagged = { #[serde(untagged)] enum Untagged { Number(f64), Text(String) } }
        Tree = { struct Tree { #[serde(default)] branches: Vec<Tree> } }
    );
    rows.join("\n") + "\n"
}

#[test]
fn t17_the_table_of_types_is_as_published() {
    let now = HEAD.to_owned() + &table();
    if std::env::var_os("MCP_TOOL_TABLE").is_some_and(|value| value == "write") {
        std::fs::write(FILE, &now).expect("a file");
    }
    let then = std::fs::read_to_string(FILE).unwrap_or_default();
    let stale = now.lines().zip(then.lines().chain(std::iter::repeat(""))).find(|(now, then)| now != then);
    assert!(
        now == then,
        "docs/schemas.md is stale; write it anew: MCP_TOOL_TABLE=write cargo test -p mcp-tool-tests t17_the_table\n{stale:#?}"
    );
}
