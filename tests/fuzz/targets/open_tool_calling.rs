//! Arbitrary bytes as requests of Open Tool Calling. The first byte selects the tool. The rest is used as the whole request, and
//! as the JSON text of the arguments: the Model Context Protocol then gives the same answer.
#![no_main]

use fuzz::served::{MAX_ERROR_BYTES, TOOLS, block_on};
use libfuzzer_sys::fuzz_target;
use mcp_tool_runtime::{CallToolRequest, ProtocolVersion};
use serde_json::Value;
use serde_json::value::RawValue;

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    call(rest);

    if serde_json::from_slice::<&RawValue>(rest).is_err() {
        return;
    }
    let tools = TOOLS.list();
    let name = &tools[usize::from(*first) % tools.len()].name;
    let inside = |start: &str| [start.as_bytes(), rest, b"}"].concat();
    let ours = call(&inside(&format!(r#"{{"tool_id":"{name}","input":"#)));
    let params = inside(&format!(r#"{{"name":"{name}","arguments":"#));
    let theirs = block_on(TOOLS.call_json(&params, ProtocolVersion::LATEST)).ok().map(|result| {
        let result: Value = serde_json::from_slice(&result).expect("the result is JSON");
        result["isError"] == false
    });
    let text = String::from_utf8_lossy(rest);
    assert_eq!(ours.unwrap_or_default(), theirs.unwrap_or_default(), "{name} {text}");
});

/// Calls a tool with the text of a request. Returns whether the call succeeded, or `None` if the text is no request.
fn call(request: &[u8]) -> Option<bool> {
    let request: CallToolRequest = serde_json::from_slice(request).ok()?;
    let response = block_on(TOOLS.call(request)).ok()?;
    let text = serde_json::to_vec(&response.to_otc()).expect("the response is JSON");
    let written: Value = serde_json::from_slice(&text).expect("the response is JSON");
    let success = written["success"].as_bool().expect("`success`");
    assert_eq!(written.get("value").is_some(), success, "{written}");
    assert_eq!(written.get("error").is_some(), !success, "{written}");
    assert!(success || text.len() <= MAX_ERROR_BYTES, "{} bytes: {written}", text.len());
    Some(success)
}
