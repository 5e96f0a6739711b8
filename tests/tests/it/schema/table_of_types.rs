//! Generates the table of types and schemas in the documentation from real tools.

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
Look up the schema that a Rust type publishes, as an argument and as a result.

The schemas of an argument and of a result can differ, because serde reads arguments and writes results:

- The argument column is the schema in the `properties` of the input schema. An argument marked *optional* is not in `required`.
- The result column is the output schema for protocol version 2026-07-28. Earlier versions wrap a value that is not an object as `{\"result\": …}`.

A test generates each row from a tool that takes the type and returns it.

";

/// Appends a row for each type.
macro_rules! rows {
    ($rows:ident: $($type:ty),+ $(,)?) => {$({
        /// Returns the value.
        #[mcp_tool(name = "row")]
        async fn row(value: $type) -> $type {
            value
        }
        $rows.push(self::row(stringify!($type), &serve(tools![row])));
    })+};
}

/// Appends a row for each type that is defined here. The row shows the definition.
macro_rules! items {
    ($rows:ident: $($name:ty = { $item:item })+) => {$({
        #[derive(Serialize, Deserialize, JsonSchema)]
        #[allow(dead_code)]
        $item
        /// Returns the value.
        #[mcp_tool(name = "row")]
        async fn row(value: $name) -> $name {
            value
        }
        $rows.push(self::row(stringify!($item), &serve(tools![row])));
    })+};
}

const FOREIGN: &str = "
# Types of other crates

Such a type needs two features: its crate writes and reads it with `serde`, and schemars describes it. The feature of schemars has the major
version of the crate in its name. Depend on that version, such as jiff 0.2 for `jiff02`, even if the crate has a newer one:

```toml
[dependencies]
chrono = { version = \"0.4\", features = [\"serde\"] }
schemars = { version = \"1\", features = [\"chrono04\"] }
```

Without the feature of schemars, rustc says of a field: ``the trait bound `DateTime<Utc>: JsonSchema` is not satisfied``.

";

const NOTES: &str = r#"
- A `Decimal` that a client sends as a JSON number is read as an `f64` first, so `90071992547409931.25` becomes `90071992547409940`. As a string it is
  exact. To accept only strings, write `#[schemars(with = "String", regex(pattern = r"^-?[0-9]+(\.[0-9]+)?$"))]`. This also helps if
  [`lint`](crate::Dispatcher::lint) finds `gemini-type-list`: Gemini refuses a list of types.
- The feature `serde-float` of `rust_decimal`, which any crate of your program can turn on, writes a `Decimal` as a number. The result is then not what the
  schema says, and every call fails with "produced an invalid result". Add `#[serde(with = "rust_decimal::serde::str")]` and
  `#[schemars(with = "String")]` to the field.
"#;

/// Appends a row for each type of another crate.
macro_rules! foreign {
    ($rows:ident: $($feature:literal: $($type:ty),+;)+) => {$($({
        /// Returns the value.
        #[mcp_tool(name = "row")]
        async fn row(value: $type) -> $type {
            value
        }
        let row = self::row(stringify!($type), &serve(tools![row]));
        $rows.push(format!("| `{}` {row}", $feature));
    })+)+};
}

/// Formats the row of a type, from a tool that takes the type and returns it.
fn row(type_name: &str, dispatcher: &Dispatcher) -> String {
    let tool = &dispatcher.list()[0];
    let is_required =
        tool.input_schema["required"].as_array().is_some_and(|names| names.contains(&Value::from("value")));
    let mut input = tool.input_schema["properties"]["value"].to_string();
    if let Some(definitions) = tool.input_schema.get("$defs") {
        input.extend([", `$defs`: ", &definitions.to_string()].map(|text| text.replace('`', "")));
    }
    let output = tool.output_schema.as_ref().map(Value::to_string);
    let code = |text: &str| format!("`{}`", text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|"));
    let optional = if is_required { "" } else { "*optional* " };
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

fn table_of_foreign_types() -> String {
    let mut rows =
        vec!["| feature of schemars | Rust | argument | result |".to_owned(), "| --- | --- | --- | --- |".to_owned()];
    foreign!(rows:
        "arrayvec07": arrayvec::ArrayVec<u8, 3>, arrayvec::ArrayString<8>;
        "bytes1": bytes::Bytes;
        "chrono04": chrono::DateTime<chrono::Utc>, chrono::NaiveDate, chrono::NaiveDateTime, chrono::NaiveTime;
        "either1": either::Either<u8, String>;
        "indexmap2": indexmap::IndexMap<String, bool>, indexmap::IndexSet<String>;
        "jiff02": jiff::Timestamp, jiff::Zoned, jiff::civil::Date, jiff::civil::DateTime, jiff::civil::Time, jiff::Span;
        "rust_decimal1": rust_decimal::Decimal;
        "semver1": semver::Version;
        "smallvec1": smallvec::SmallVec<[u8; 4]>;
        "url2": url::Url;
        "uuid1": uuid::Uuid;
    );
    rows.join("\n") + "\n"
}

#[test]
fn t17_the_table_of_types_is_up_to_date() {
    let expected = HEAD.to_owned() + &table() + FOREIGN + &table_of_foreign_types() + NOTES;
    if std::env::var_os("MCP_TOOL_TABLE").is_some_and(|value| value == "write") {
        std::fs::write(FILE, &expected).expect("a file");
    }
    let actual = std::fs::read_to_string(FILE).unwrap_or_default();
    let difference =
        expected.lines().zip(actual.lines().chain(std::iter::repeat(""))).find(|(expected, actual)| expected != actual);
    assert!(
        expected == actual,
        "docs/schemas.md is out of date; to update it, run MCP_TOOL_TABLE=write cargo test -p mcp-tool-tests t17_the_table\n{difference:#?}"
    );
}
