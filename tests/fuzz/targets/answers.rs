//! Arbitrary `inputResponses` and `requestState`, over several rounds of one conversation. Each line is one call:
//!
//! ```text
//! TOOL ID STATE RESPONSES
//! ```
//!
//! `STATE` is `-` for none, `=2` for the state that call 2 got, `^2:40:3` for that state with bit 3 of byte 40 changed, or any other
//! text, which is sent as it is. `RESPONSES` is `-` for none, or any text. The body of a tool must only run with the consent that the
//! client has really given, to a question that it was really asked.
#![no_main]

use std::sync::{LazyLock, Mutex};

use libfuzzer_sys::fuzz_target;
use mcp_tool_runtime::{Answer, Consent, Dispatcher, ProtocolVersion, mcp_tool, tools};
use serde_json::Value;

/// The ids that a tool has run with, with consent.
static RAN: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn run(id: u32) {
    RAN.lock().expect("no panic").push(id);
}

/// Delete a note.
#[mcp_tool]
async fn delete(
    id: u32,
    #[mcp_tool(ask = "Delete {id}?")] _sure: Consent,
    #[mcp_tool(ask = "Why is {id} deleted?")] why: Answer<String>,
) -> String {
    run(id);
    format!("{why:?}")
}

/// Archive a note, or not.
#[mcp_tool]
async fn archive(
    id: u32,
    #[mcp_tool(ask = "Archive {id}?")] sure: Answer<Consent>,
    #[mcp_tool(ask = "Where to, {sure:?}?")] place: Option<Place>,
) -> String {
    if let Answer::Given(Consent) = sure {
        run(id);
    }
    format!("{place:?}")
}

/// Greet somebody.
#[mcp_tool]
async fn greet(id: u32, #[mcp_tool(ask = "Who?")] guest: Guest) -> String {
    format!("{id} {guest:?}")
}

#[derive(Debug, serde::Deserialize, mcp_tool_runtime::schemars::JsonSchema)]
#[schemars(crate = "mcp_tool_runtime::schemars")]
enum Place {
    Cellar,
    Attic,
}

#[derive(Debug, serde::Deserialize, mcp_tool_runtime::schemars::JsonSchema)]
#[schemars(crate = "mcp_tool_runtime::schemars")]
#[allow(dead_code, reason = "only `Debug` reads the fields")]
struct Guest {
    #[schemars(length(min = 2))]
    name: String,
    seats: Option<u8>,
    #[serde(default)]
    places: Vec<Place>,
}

static TOOLS: LazyLock<Dispatcher> = LazyLock::new(|| {
    let builder = Dispatcher::builder().tools(tools![delete, archive, greet]);
    builder.state_keys("fuzz", [[7; 32]]).lax(true).build().expect("valid tools")
});

/// A state that a call got.
struct Issued {
    state: String,
    tool: String,
    id: u64,
    /// The client has consented in an earlier round.
    has_consent: bool,
}

const META: &str = r#"{"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}"#;

fuzz_target!(|data: &[u8]| {
    let mut issued = Vec::new();
    for line in data.split(|byte| *byte == b'\n').take(6) {
        let fields: Vec<_> = line.splitn(4, |byte| *byte == b' ').collect();
        let [tool, id, state, responses] = fields[..] else { continue };
        let mut params = [br#"{"name":""#, tool, br#"","arguments":{"id":"#, id, b"}"].concat();
        params.extend_from_slice(format!(r#","_meta":{META}"#).as_bytes());
        if state != b"-" {
            params.extend_from_slice(br#","requestState":"#);
            params.extend_from_slice(&state_text(state, &issued));
        }
        if responses != b"-" {
            params.extend_from_slice(br#","inputResponses":"#);
            params.extend_from_slice(responses);
        }
        params.push(b'}');
        call(&params, &mut issued);
    }
});

/// Returns the JSON text of a state.
fn state_text(written: &[u8], issued: &[Issued]) -> Vec<u8> {
    let number = |text: &str| text.parse::<usize>().ok();
    let text = std::str::from_utf8(written).unwrap_or_default();
    let known = |index: &str| Some(issued.get(number(index)?)?.state.clone().into_bytes());
    let changed = || {
        let mut parts = text.strip_prefix('^')?.split(':');
        let mut state = known(parts.next()?)?;
        let (place, bit) = (number(parts.next()?)? % state.len(), number(parts.next()?)? % 7);
        state[place] ^= 1 << bit;
        Some(state)
    };
    let state = text.strip_prefix('=').and_then(known).or_else(changed);
    let text = state.and_then(|state| String::from_utf8(state).ok());
    text.map_or_else(|| written.to_vec(), |state| Value::from(state).to_string().into_bytes())
}

fn call(params: &[u8], issued: &mut Vec<Issued>) {
    RAN.lock().expect("no panic").clear();
    let result = fuzz::now(TOOLS.call_json(params, ProtocolVersion::V2026_07_28));
    let ran = std::mem::take(&mut *RAN.lock().expect("no panic"));
    let sent: Value = serde_json::from_slice(params).unwrap_or_default();
    let (tool, id) = (sent["name"].as_str().unwrap_or_default(), sent["arguments"]["id"].as_f64());
    let earlier = issued.iter().find(|earlier| {
        sent["requestState"] == earlier.state.as_str() && earlier.tool == tool && id == Some(earlier.id as f64)
    });
    let answer = &sent["inputResponses"]["sure"];
    let is_yes = answer["action"] == "accept" && answer["content"]["confirm"] == true;
    let has_consent = earlier.is_some_and(|earlier| earlier.has_consent || is_yes);
    assert!(ran.len() <= 1, "the body ran twice");
    assert!(ran.is_empty() || has_consent, "the tool ran without consent: {}", String::from_utf8_lossy(params));
    let result: Value = match result {
        Ok(result) => serde_json::from_slice(&result).expect("the result is JSON"),
        Err(error) => return assert!([-32602, -32021].contains(&error.code()), "{error}"),
    };
    assert!(earlier.is_some() || sent.get("requestState").is_none(), "a wrong state was accepted");
    if result["resultType"] == "input_required" {
        let state = result["requestState"].as_str().expect("a state").to_owned();
        assert!(state.len() <= 32 << 10 && ran.is_empty() && result["inputRequests"].is_object(), "{result}");
        let id = id.expect("an id") as u64;
        issued.push(Issued { state, tool: tool.to_owned(), id, has_consent });
    } else {
        assert!(result["content"].is_array(), "R1");
    }
    // A request of an earlier version is never asked, so it never has an answer.
    let _ = fuzz::now(TOOLS.call_json(params, ProtocolVersion::V2025_11_25));
    assert!(RAN.lock().expect("no panic").is_empty(), "a legacy client answered a question");
}
