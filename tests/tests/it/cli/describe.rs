//! `describe`: a Markdown page about the tools.

use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};

use super::described;

#[tokio::test]
async fn describe_lists_arguments_and_results() {
    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Unit {
        Metre,
        Foot,
    }

    #[derive(serde::Serialize, schemars::JsonSchema)]
    struct Length {
        /// How long it is.
        value: f64,
        parts: Vec<u8>,
    }

    /// Measure it.
    #[mcp_tool(read_only_hint, idempotent_hint, tags("trade", "beta"), scopes("orders:read"))]
    async fn measure(
        /// The unit.
        ///
        /// Feet are those of 1959.
        /// All of them.
        #[mcp_tool(default = Unit::Metre)]
        unit: Unit,
        #[schemars(length(min = 1, max = 9))] names: Vec<String>,
        #[schemars(length(min = 1))] label: Option<String>,
        either: serde_json::Value,
        pairs: std::collections::BTreeMap<String, i8>,
    ) -> Option<Length> {
        drop((unit, names, label, either, pairs));
        None
    }

    let dispatcher =
        Dispatcher::builder().tools(tools![measure]).visible(|_, _| true).scopes_are_read().build().expect("a tool");
    let page = described(dispatcher).await;
    let expected = r#"# Tools

## `measure`

Measure it.

Hints: read-only, idempotent

Tags: `trade`, `beta`

Scopes: `orders:read`

- `unit` (`"metre"` or `"foot"`, optional, default `"metre"`): The unit.

  Feet are those of 1959.
  All of them.
- `names` (array from 1 to 9 elements of string, required)
- `label` (string of 1 character or more, optional)
- `either` (anything, required): any JSON value
- `pairs` (object with values: integer from -128 to 127, required)

Result: object with `value` (number), `parts` (array of integer from 0 to 255) or null
"#;
    assert_eq!(page, expected, "{page}");
}
