//! JSON-RPC: the methods of all versions, and invalid messages.

use mcp_tool_runtime::protocol::Protocol;
use mcp_tool_runtime::{Output, ProtocolVersion};
use serde_json::{Value, json};

use crate::run::{self, ByHand, LEGACY, built, exact};
use crate::wire::{self, MODERN, assert_sound, request};

fn protocol() -> Protocol {
    Protocol::new(wire::dispatcher())
}

fn answer(protocol: &Protocol, message: impl AsRef<[u8]>) -> Option<Value> {
    let bytes = run::now(protocol.answer(message.as_ref()))?;
    Some(serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{error}")))
}

fn ask(protocol: &Protocol, version: ProtocolVersion, method: &str, params: Value) -> Value {
    let answer = answer(protocol, request(version, method, params).to_string()).expect("an answer");
    assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(7)));
    assert_sound(version, method, &answer);
    answer
}

#[test]
fn initialize_negotiates_a_version_with_a_handshake() {
    for (asked, agreed) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", "2024-11-05"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
        ("", "2025-11-25"),
    ] {
        let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
        let answer = ask(&protocol(), ProtocolVersion::V2025_11_25, "initialize", params);
        let server = json!({"name": "tests", "version": "1.2.3"});
        let result = json!({"protocolVersion": agreed, "capabilities": {"tools": {}}, "serverInfo": server});
        assert_eq!(answer["result"], result);
    }
    let answer = ask(&protocol(), ProtocolVersion::V2025_11_25, "initialize", json!({}));
    assert_eq!(answer["error"]["code"], -32602);
}

#[test]
fn the_server_sends_its_info_and_instructions() {
    let protocol = Protocol::new(built(wire::builder().title("Tests of tools").instructions("Add, then ask.")));
    let info = json!({"name": "tests", "title": "Tests of tools", "version": "1.2.3"});
    let answer = ask(&protocol, ProtocolVersion::V2025_06_18, "initialize", json!({"protocolVersion": "2025-06-18"}));
    assert_eq!((&answer["result"]["serverInfo"], &answer["result"]["instructions"]), (&info, &json!("Add, then ask.")));
    let answer = ask(&protocol, MODERN, "server/discover", json!({}));
    assert_eq!(answer["result"]["instructions"], "Add, then ask.");
    for (method, params) in
        [("server/discover", json!({})), ("tools/list", json!({})), ("tools/call", json!({"name": "ask"}))]
    {
        let answer = ask(&protocol, MODERN, method, params);
        assert_eq!(answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"], info, "{method}");
    }
}

#[test]
fn discover_lists_all_versions_and_a_ttl() {
    let mut result = ask(&protocol(), MODERN, "server/discover", json!({}))["result"].take();
    result.as_object_mut().expect("a result").remove("_meta");
    let expected = json!({
        "resultType": "complete", "supportedVersions": ["2026-07-28", "2025-11-25", "2025-06-18"],
        "capabilities": {"tools": {}}, "ttlMs": 300_000, "cacheScope": "private"
    });
    assert_eq!(result, expected);
}

#[test]
fn tools_list_has_one_page_in_every_version() {
    let dispatcher = wire::dispatcher();
    for version in ProtocolVersion::ALL {
        let mut result = ask(&protocol(), version, "tools/list", json!({}))["result"].take();
        let mut expected: Value = serde_json::from_slice(dispatcher.list_json(version)).expect("a list");
        if version != MODERN {
            // A message without a version gets the oldest one.
            expected = serde_json::from_slice(dispatcher.list_json(LEGACY[0])).expect("a list");
        } else if let Some(result) = result.as_object_mut() {
            assert!(result.remove("_meta").is_some());
        }
        assert_eq!(result, expected);
        assert!(ask(&protocol(), version, "tools/list", json!({"cursor": null})).get("result").is_some());
        let answer = ask(&protocol(), version, "tools/list", json!({"cursor": "next"}));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}

#[test]
fn tools_call_returns_the_result_of_the_dispatcher() {
    let params = json!({"name": "add", "arguments": {"a": 2, "b": 3}});
    let legacy = ask(&protocol(), LEGACY[0], "tools/call", params.clone());
    assert_eq!(legacy["result"]["structuredContent"], json!({"result": 5}));
    let modern = ask(&protocol(), MODERN, "tools/call", params.clone());
    assert_eq!(
        (&modern["result"]["structuredContent"], &modern["result"]["resultType"]),
        (&json!(5), &json!("complete"))
    );

    let same = run::now(wire::dispatcher().call_json(params.to_string().as_bytes(), LEGACY[0])).expect("a result");
    assert_eq!(legacy["result"], serde_json::from_slice::<Value>(&same).expect("a result"));
}

#[test]
fn r8_tool_failures_are_results_and_request_failures_are_errors() {
    for version in ProtocolVersion::ALL {
        let call = |params: Value| ask(&protocol(), version, "tools/call", params);
        for params in [
            json!({"name": "explode"}),
            json!({"name": "add", "arguments": {"a": "secret"}}),
            json!({"name": "add", "arguments": [1]}),
        ] {
            let answer = call(params);
            assert_eq!(answer["result"]["isError"], true, "{answer}");
            assert!(!answer.to_string().contains("secret"), "{answer}");
        }
        for (params, message) in [
            (json!({"name": "adds"}), "unknown tool"),
            (json!({}), "invalid request: `name` is missing"),
            (json!({"name": 5}), "invalid request: `name` must be a string"),
            (json!({"name": null}), "invalid request: `name` must be a string"),
        ] {
            let answer = call(params);
            assert_eq!(answer["error"]["code"], -32602, "{answer}");
            assert!(answer["error"]["message"].as_str().is_some_and(|text| text.starts_with(message)), "{answer}");
        }
    }
}

#[test]
fn unknown_methods_and_methods_of_other_versions_are_refused() {
    let unknown = |version: ProtocolVersion, method: &str| {
        assert_eq!(ask(&protocol(), version, method, json!({}))["error"]["code"], -32601, "{version} {method}");
    };
    for method in
        ["resources/list", "prompts/get", "sampling/createMessage", "nothing", "tools/list ", "Tools/list", ""]
    {
        for version in ProtocolVersion::ALL {
            unknown(version, method);
        }
    }
    for method in ["initialize", "ping", "logging/setLevel"] {
        unknown(MODERN, method);
    }
    unknown(LEGACY[0], "server/discover");
    assert_eq!(ask(&protocol(), LEGACY[0], "ping", json!({}))["result"], json!({}));
}

#[test]
fn a_request_of_the_latest_version_requires_its_meta() {
    let key = |name: &str| format!("io.modelcontextprotocol/{name}");
    for (meta, code) in [
        (json!({key("protocolVersion"): "2026-07-28"}), -32602),
        (json!({key("protocolVersion"): "2026-07-28", key("clientCapabilities"): []}), -32602),
        (json!({key("protocolVersion"): 2026, key("clientCapabilities"): {}}), -32602),
        (json!({key("protocolVersion"): null}), -32602),
        (json!({key("protocolVersion"): "2099-01-01", key("clientCapabilities"): {}}), -32022),
        (json!("text"), -32602),
    ] {
        let message = json!({"jsonrpc": "2.0", "id": "a", "method": "tools/list", "params": {"_meta": meta}});
        let answer = answer(&protocol(), message.to_string()).expect("an answer");
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &json!("a")), "{message}");
        assert_sound(MODERN, "tools/list", &answer);
        if code == -32022 {
            let data = json!({"supported": ["2026-07-28", "2025-11-25", "2025-06-18"], "requested": "2099-01-01"});
            assert_eq!(answer["error"]["data"], data);
        }
    }
}

#[test]
fn the_meta_of_a_request_may_name_an_older_version() {
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2025-11-25"});
    let message =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "explode", "_meta": meta}});
    let answer = answer(&protocol(), message.to_string()).expect("an answer");
    assert!(answer["result"].get("resultType").is_none(), "{answer}");
}

#[test]
fn ids_are_echoed_byte_for_byte() {
    for id in ["0", "-7", "123456789012345678901234567890", r#""a\u0062\n""#, r#""""#] {
        let message = format!(r#" {{"id": {id} ,"method":"ping", "jsonrpc":"2.0"}} "#);
        let answer = run::now(protocol().answer(message.as_bytes())).expect("an answer");
        assert_eq!(String::from_utf8_lossy(&answer), format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
    }
}

#[test]
fn notifications_and_responses_are_not_answered() {
    for message in [
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
        json!({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "add"}}),
        json!({"jsonrpc": "2.0", "method": "no such thing", "params": [1]}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}}),
    ] {
        assert_eq!(answer(&protocol(), message.to_string()), None, "{message}");
    }
}

/// Invalid messages, each with the expected error code, and `true` if the response can repeat the id.
pub(crate) fn invalid_messages() -> Vec<(Vec<u8>, i64, bool)> {
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"add","_meta":{}}}}}"#,
        "[".repeat(9_000)
    );
    vec![
        (b"{".to_vec(), -32700, false),
        (b"not json".to_vec(), -32700, false),
        (br#"{"jsonrpc":"2.0","id":7,"method":"ping"} more"#.to_vec(), -32700, false),
        (b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\"}".to_vec(), -32700, false),
        (br#"{"jsonrpc":"2.0","id":7,"method":"\ud800"}"#.to_vec(), -32600, true),
        (deep.into_bytes(), -32700, false),
        (br#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#.to_vec(), -32600, false),
        (b"[]".to_vec(), -32600, false),
        (b"5".to_vec(), -32600, false),
        (b"null".to_vec(), -32600, false),
        (b"{}".to_vec(), -32600, false),
        (br#"{"id":7,"method":"ping"}"#.to_vec(), -32600, true),
        (br#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#.to_vec(), -32600, true),
        (br#"{"jsonrpc":2.0,"id":7,"method":"ping"}"#.to_vec(), -32600, true),
        (br#"{"jsonrpc":"2.0","id":7}"#.to_vec(), -32600, true),
        (br#"{"jsonrpc":"2.0","id":7,"method":5}"#.to_vec(), -32600, true),
        (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#.to_vec(), -32600, false),
        (br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#.to_vec(), -32600, false),
        (br#"{"jsonrpc":"2.0","id":[7],"method":"ping"}"#.to_vec(), -32600, false),
        (br#"{"jsonrpc":"2.0","id":7,"method":"ping","method":"tools/list"}"#.to_vec(), -32600, false),
        (br#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}"#.to_vec(), -32602, true),
        (br#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":"a"}"#.to_vec(), -32602, true),
        (br#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":[]}}"#.to_vec(), -32602, true),
        (
            br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","name":"explode"}}"#.to_vec(),
            -32602,
            true,
        ),
    ]
}

#[test]
fn invalid_messages_are_answered_without_repeating_their_content() {
    let protocol = protocol();
    for (message, code, named) in invalid_messages() {
        let shown = String::from_utf8_lossy(&message).chars().take(100).collect::<String>();
        let answer = answer(&protocol, &message).unwrap_or_else(|| panic!("no answer: {shown}"));
        assert_eq!(answer["error"]["code"], code, "{shown}: {answer}");
        assert_eq!(answer.get("id"), named.then_some(&json!(7)), "{shown}: {answer}");
        assert!(answer["error"]["message"].as_str().is_some_and(|text| text.len() < 200 && !text.contains("more")));
        assert_sound(MODERN, "", &answer);
    }
    assert!(answer(&protocol, wire::sum(MODERN).to_string()).is_some());
}

#[test]
fn i4_arguments_that_are_too_deep_or_too_long_are_an_error_result() {
    let protocol = Protocol::new(built(exact().tools(mcp_tool_runtime::tools![wire::add]).max_argument_bytes(1_000)));
    for arguments in ["[".repeat(9_000) + &"]".repeat(9_000), format!(r#"{{"a":1,"b":{}}}"#, "1".repeat(2_000))] {
        let message = format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"add","arguments":{arguments}}}}}"#
        );
        assert_eq!(answer(&protocol, message).expect("an answer")["result"]["isError"], true);
    }
}

#[test]
fn the_metadata_of_the_server_and_the_tool_are_merged() {
    let tool = ByHand::any("by_hand", |_, _| Ok(Output::value(1)?.with_meta("com.example/a", 1)));
    let dispatcher = built(exact().tool(tool));
    let answer = ask(&Protocol::new(dispatcher), MODERN, "tools/call", json!({"name": "by_hand"}));
    let mut keys: Vec<_> = answer["result"]["_meta"].as_object().expect("metadata").keys().cloned().collect();
    keys.sort_unstable();
    let of_the_tool = ["com.example/a", "io.modelcontextprotocol/serverInfo"];
    assert_eq!(keys, [&of_the_tool[..], &["rs.mcp-tool/call_id", "rs.mcp-tool/duration"]].concat());
}

#[test]
fn raw_json_of_a_tool_does_not_break_a_message() {
    let protocol = Protocol::new(built(exact().tool(wire::spread(false))));
    let answer = ask(&protocol, MODERN, "tools/call", json!({"name": "spread"}));
    assert_eq!(answer["result"]["structuredContent"], json!({"a": [1, 2]}));
}

#[test]
fn r8_an_array_is_not_a_request() {
    for message in [r#"["2.0",1,"ping",null]"#, r#" ["2.0",1,"tools/call",{"name":"ask"}]"#] {
        let answer = answer(&protocol(), message).expect("an answer");
        assert_eq!(answer["error"]["code"], -32600, "{answer}");
    }
    let dispatcher = wire::dispatcher();
    for params in [&br#"["ask"]"#[..], br#" ["ask",{},null]"#] {
        let error = run::now(dispatcher.call_json(params, LEGACY[0])).expect_err("an array is not an object");
        assert_eq!(error.code(), -32602);
    }
}
