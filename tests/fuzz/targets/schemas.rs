//! Arbitrary schemas of a hand-written tool. Either `build` refuses the schema, or calls get an answer.
#![no_main]

use std::sync::Mutex;

use arbitrary::{Arbitrary, Unstructured};
use fuzz::{FixedTool, Tree};
use libfuzzer_sys::fuzz_target;
use mcp_tool_runtime::{Dispatcher, ProtocolVersion, mcp};
use serde_json::json;

static ANSWER: Mutex<Tree> = Mutex::new(Tree::Unit);

fuzz_target!(|data: &[u8]| {
    let _ = run(&mut Unstructured::new(data));
});

fn run(source: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let mut input = fuzz::schema(source, 0)?;
    if let Some(input) = input.as_object_mut().filter(|_| source.ratio(7, 8).unwrap_or(true)) {
        input.insert("type".to_owned(), "object".into());
    }
    let mut definition = mcp::Tool::new("tool", "Written by hand.", input);
    if source.arbitrary()? {
        definition = definition.with_output_schema(fuzz::schema(source, 0)?);
    }
    let Ok(dispatcher) =
        Dispatcher::builder().tool(FixedTool { definition, answer: &ANSWER }).lax(source.arbitrary()?).build()
    else {
        return Ok(());
    };
    for version in ProtocolVersion::ALL {
        *ANSWER.lock().expect("no panic") = Tree::arbitrary(source)?;
        let params = json!({"name": "tool", "arguments": fuzz::json(source, 0)?});
        fuzz::call(&dispatcher, params.to_string().as_bytes(), version);
    }
    Ok(())
}
