//! Every key, in each of its forms.

use mcp_tool_runtime::{Dispatcher, json, mcp_tool, tools};

const DESCRIPTION: &str = "Add two numbers.";

mod schemas {
    pub(super) const INPUT: &str = r#"{"type": "object", "properties": {"a": {}, "b": {}}}"#;
}

fn spoken(sum: &i64) -> String {
    format!("the sum is {sum}")
}

#[mcp_tool(
    name = "Calculator.Add",
    title = "Adder",
    description = DESCRIPTION,
    read_only_hint,
    destructive_hint = false,
    idempotent_hint = true,
    open_world_hint = false,
    text = spoken,
    output = i32,
    input_schema = schemas::INPUT,
    allow_unknown = false,
    accept_aliases,
    expose_errors,
    handler = AddTool,
    crate = ::mcp_tool_runtime,
)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[mcp_tool(description = concat!("Sub", "tract."))]
async fn subtract(a: i64, b: i64) -> i64 {
    a - b
}

#[mcp_tool(description = include_str!("description.txt"), root_union = false)]
async fn described() {}

#[test]
fn runs() {
    let dispatcher = Dispatcher::builder().tool(AddTool {}).tools(tools![subtract, described]).build().unwrap();
    let [add, subtract, described] = dispatcher.list() else { panic!() };
    assert_eq!(add.name, "Calculator.Add");
    assert_eq!(add.title.as_deref(), Some("Adder"));
    assert_eq!(add.description.as_deref(), Some(DESCRIPTION));
    let annotations = json!({
        "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false,
    });
    assert_eq!(mcp_tool_runtime::serde_json::to_value(add).unwrap()["annotations"], annotations);
    assert_eq!(subtract.description.as_deref(), Some("Subtract."));
    assert_eq!(described.description.as_deref(), Some("Described in a file of its own."));
}
