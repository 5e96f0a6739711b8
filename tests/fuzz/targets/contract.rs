//! Two schemas, and values. If the check of a contract reports no break, each argument that the old schema accepts is accepted by
//! the new one, and each result that the new schema accepts is accepted by the old one.
#![no_main]

use std::sync::Mutex;

use arbitrary::Unstructured;
use fuzz::{FixedTool, Tree, changes, locks};
use libfuzzer_sys::fuzz_target;
use mcp_tool_runtime::{Dispatcher, mcp};
use mcp_tool_tests::oracle::{Validator, validator};
use serde_json::{Value, json};

static ANSWER: Mutex<Tree> = Mutex::new(Tree::Unit);

fuzz_target!(|data: &[u8]| {
    let _ = run(&mut Unstructured::new(data));
});

fn run(source: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let is_result: bool = source.arbitrary()?;
    let mut then = changes::document(source)?;
    let mut now = then.clone();
    for _ in 0..source.int_in_range(1..=3)? {
        changes::change(source, &mut now)?;
    }
    if !is_result {
        for schema in [&mut then, &mut now] {
            if let Some(schema) = schema.as_object_mut() {
                schema.insert("type".to_owned(), "object".into());
            }
        }
    }
    let (Some(before), Some(after)) = (dispatcher(&then, is_result), dispatcher(&now, is_result)) else {
        return Ok(());
    };
    if locks::check(&after, &locks::text(&before)).is_err() {
        return Ok(());
    }
    // Arguments must not be refused, and results must not be new.
    let (from, to) = if is_result { (&now, &then) } else { (&then, &now) };
    let (accepted, must_accept) = (validator(from), validator(to));
    for _ in 0..8 {
        let value = changes::value(source, from, from, 0)?;
        check(&accepted, &must_accept, &value, &then, &now);
    }
    Ok(())
}

fn check(accepted: &Validator, must_accept: &Validator, value: &Value, then: &Value, now: &Value) {
    if accepted.is_valid(value) {
        assert!(must_accept.is_valid(value), "{then}\nbecame\n{now}\nwithout a break, but for\n{value}");
    }
}

/// Returns a dispatcher whose tool has the schema, if `build` accepts it.
fn dispatcher(schema: &Value, is_result: bool) -> Option<Dispatcher> {
    let input = if is_result { json!({"type": "object"}) } else { schema.clone() };
    let mut definition = mcp::Tool::new("tool", "Written by hand.", input);
    if is_result {
        definition = definition.with_output_schema(schema.clone());
    }
    Dispatcher::builder().tool(FixedTool { definition, answer: &ANSWER }).build().ok()
}
