//! Headers of 2026-07-28 that repeat parts of the body: they are required and must equal the body.

use http::{HeaderMap, HeaderName, HeaderValue};
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::{Dispatcher, ProtocolVersion, mcp, mcp_tool, tools};
use serde_json::{Value, json};

use crate::run::{ByHand, built, exact};
use crate::wire::{Answer, MODERN, assert_sound, endpoint, headers, post, request, send, still_serves, sum};

type Change = fn(&mut HeaderMap);

/// The name and the value of a header.
type Sent = (&'static str, &'static [u8]);

async fn with(endpoint: &Endpoint, message: &Value, more: &[Sent]) -> Answer {
    let mut headers = headers(MODERN, message);
    for (name, value) in more {
        let name: HeaderName = name.parse().expect("a name");
        headers.append(name, HeaderValue::from_bytes(value).expect("a value"));
    }
    send(endpoint, headers, message.to_string()).await
}

fn assert_mismatch(answer: &Answer, what: &str) {
    assert_eq!((answer.status.as_u16(), answer.code()), (400, -32020), "{what}: {answer:?}");
    assert_eq!(answer.message()["id"], 7, "{what}");
    assert_sound(MODERN, "tools/call", &answer.message());
}

#[tokio::test]
async fn the_method_and_name_headers_must_equal_the_body() {
    let endpoint = endpoint();
    let changes: [(&str, Change); 8] = [
        ("no method", |headers| drop(headers.remove("mcp-method"))),
        ("another method", |headers| drop(headers.insert("mcp-method", HeaderValue::from_static("tools/list")))),
        ("a method in capitals", |headers| drop(headers.insert("mcp-method", HeaderValue::from_static("TOOLS/CALL")))),
        ("two methods", |headers| {
            headers.append("mcp-method", HeaderValue::from_static("tools/call"));
        }),
        ("no name", |headers| drop(headers.remove("mcp-name"))),
        ("another name", |headers| drop(headers.insert("mcp-name", HeaderValue::from_static("ask")))),
        ("two names", |headers| {
            headers.append("mcp-name", HeaderValue::from_static("add"));
        }),
        ("no characters", |headers| drop(headers.insert("mcp-name", HeaderValue::from_bytes(b"\xe9").unwrap()))),
    ];
    for (what, change) in changes {
        let mut headers = headers(MODERN, &sum(MODERN));
        change(&mut headers);
        assert_mismatch(&send(&endpoint, headers, sum(MODERN).to_string()).await, what);
    }
    for name in ["add", "  add\t", "=?base64?YWRk?="] {
        let mut headers = headers(MODERN, &sum(MODERN));
        headers.insert("mcp-name", HeaderValue::from_static(name));
        assert_eq!(send(&endpoint, headers, sum(MODERN).to_string()).await.status, 200, "{name}");
    }
    let mut headers = headers(MODERN, &request(MODERN, "tools/list", json!({})));
    headers.remove("mcp-method");
    assert_mismatch(&send(&endpoint, headers, request(MODERN, "tools/list", json!({})).to_string()).await, "a list");
    still_serves(&endpoint).await;
}

#[tokio::test]
async fn older_versions_ignore_the_mirrored_headers() {
    let endpoint = endpoint();
    for version in [ProtocolVersion::V2025_06_18, ProtocolVersion::V2025_11_25] {
        let message = request(version, "tools/call", json!({"name": "ask", "arguments": {"region": "eu"}}));
        let mut headers = headers(version, &message);
        headers.insert("mcp-method", HeaderValue::from_static("nothing"));
        headers.insert("mcp-param-region", HeaderValue::from_static("us"));
        assert_eq!(send(&endpoint, headers, message.to_string()).await.status, 200);
    }
}

#[tokio::test]
async fn t14_a_parameter_header_must_equal_its_argument() {
    let endpoint = endpoint();
    let rows: [(Value, &[Sent], bool); 24] = [
        (json!({"region": "eu-1"}), &[("Mcp-Param-Region", b"eu-1")], true),
        (json!({"region": "eu-1"}), &[("MCP-PARAM-REGION", b" eu-1 ")], true),
        (json!({"region": "eu-1"}), &[("Mcp-Param-Region", b"=?base64?ZXUtMQ==?=")], true),
        (json!({"region": "=?base64?ZXUtMQ=="}), &[("Mcp-Param-Region", b"=?base64?ZXUtMQ==")], true),
        (json!({"region": "ZXUtMQ=="}), &[("Mcp-Param-Region", b"ZXUtMQ==")], true),
        (json!({"region": " \u{e9}\n"}), &[("Mcp-Param-Region", b"=?base64?IMOpCg==?=")], true),
        (json!({"region": ""}), &[("Mcp-Param-Region", b"")], true),
        (json!({"limit": 42}), &[("Mcp-Param-Limit", b"42")], true),
        (json!({"limit": 42}), &[("Mcp-Param-Limit", b"42.0")], true),
        (json!({"limit": 42.0}), &[("Mcp-Param-Limit", b"42")], true),
        (json!({"fresh": true}), &[("Mcp-Param-Fresh", b"true")], true),
        (json!({"region": null}), &[], true),
        (json!({}), &[], true),
        (json!({"region": "eu-1"}), &[], false),
        (json!({"region": "eu-1"}), &[("Mcp-Param-Region", b"us-1")], false),
        (json!({"region": "eu-1"}), &[("Mcp-Param-Region", b"EU-1")], false),
        (json!({"region": "eu-1"}), &[("Mcp-Param-Region", b"eu-1"), ("Mcp-Param-Region", b"eu-1")], false),
        (json!({"region": "Hello"}), &[("Mcp-Param-Region", b"=?base64?SGVsbG8?=")], false),
        (json!({"region": "Hello"}), &[("Mcp-Param-Region", b"=?base64?SGVs!!!bG8=?=")], false),
        (json!({"region": "\u{e9}"}), &[("Mcp-Param-Region", b"\xc3\xa9")], false),
        (json!({"limit": 42}), &[("Mcp-Param-Limit", b"43")], false),
        (json!({"fresh": true}), &[("Mcp-Param-Fresh", b"True")], false),
        (json!({}), &[("Mcp-Param-Region", b"eu-1")], false),
        (json!({"region": null}), &[("Mcp-Param-Region", b"null")], false),
    ];
    for (arguments, headers, same) in rows {
        let message = request(MODERN, "tools/call", json!({"name": "ask", "arguments": arguments}));
        let answer = with(&endpoint, &message, headers).await;
        if same {
            assert_eq!(
                (answer.status.as_u16(), &answer.message()["result"]["isError"]),
                (200, &json!(false)),
                "{message}"
            );
        } else {
            assert_mismatch(&answer, &format!("{arguments}"));
            assert!(!answer.text.contains("eu-1"), "the error contains the value: {answer:?}");
        }
    }
    still_serves(&endpoint).await;
}

#[tokio::test]
async fn t14_an_argument_of_the_wrong_type_is_an_argument_error() {
    let message = request(MODERN, "tools/call", json!({"name": "ask", "arguments": {"region": ["eu-1"]}}));
    let answer = with(&endpoint(), &message, &[]).await;
    assert_eq!((answer.status.as_u16(), &answer.message()["result"]["isError"]), (200, &json!(true)));
    assert_mismatch(&with(&endpoint(), &message, &[("Mcp-Param-Region", b"eu-1")]).await, "a list");
}

#[tokio::test]
async fn t14_headers_of_nested_properties_are_compared_and_unknown_headers_ignored() {
    let schema = json!({"type": "object", "properties": {
        "where": {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}},
        "region": {"type": "string"}
    }});
    let tool = mcp::Tool::new("nested", "Written by hand.", schema);
    let endpoint = Endpoint::new(built(
        exact().tool(ByHand::new(tool, |_, arguments| mcp_tool_runtime::Output::value(arguments))),
    ));
    let call = |arguments: Value| request(MODERN, "tools/call", json!({"name": "nested", "arguments": arguments}));
    let eu: Sent = ("Mcp-Param-Region", b"eu");
    for (arguments, headers, same) in [
        (json!({"where": {"region": "eu"}, "region": "us"}), vec![eu], true),
        (json!({"region": "eu"}), vec![], true),
        (json!({"where": {}}), vec![("Mcp-Param-Other", b"x".as_slice())], true),
        (json!({"region": "eu"}), vec![eu], false),
        (json!({"where": {"region": "eu"}}), vec![], false),
    ] {
        let answer = with(&endpoint, &call(arguments.clone()), &headers).await;
        assert_eq!(answer.status.as_u16(), if same { 200 } else { 400 }, "{arguments} {answer:?}");
    }
}

#[tokio::test]
async fn the_name_header_is_compared_for_an_unknown_tool_too() {
    let endpoint = endpoint();
    let message = request(MODERN, "tools/call", json!({"name": "n\u{e9}"}));
    let mut headers = headers(MODERN, &sum(MODERN));
    headers.insert("mcp-name", HeaderValue::from_static("=?base64?bsOp?="));
    let answer = send(&endpoint, headers, message.to_string()).await;
    assert_eq!((answer.status.as_u16(), answer.code()), (200, -32602));
    let nameless = request(MODERN, "tools/call", json!({}));
    assert_mismatch(&post(&endpoint, MODERN, &nameless).await, "no name at all");
}

/// A proxy may decide by a header, so the body must not set the same argument in another way.
#[tokio::test]
async fn t14_aliases_and_lax_strings_cannot_bypass_a_header() {
    /// Read from a region.
    #[mcp_tool]
    async fn read(#[mcp_tool(header = "Region")] region: u8) -> u8 {
        region
    }
    /// Read from an area.
    #[mcp_tool]
    async fn aliased(
        #[mcp_tool(header = "Region")]
        #[serde(alias = "area")]
        region: u8,
    ) -> u8 {
        region
    }
    let error =
        Dispatcher::builder().tools(tools![aliased]).build().expect_err("an alias of an argument with a header");
    assert!(error.to_string().contains("the other name `area`"), "{error}");

    let dispatcher = Dispatcher::builder().tools(tools![read]).lax(true).build().expect("a dispatcher");
    let message = request(MODERN, "tools/call", json!({"name": "read", "arguments": {"region": "7"}}));
    let answer = with(&Endpoint::new(dispatcher), &message, &[("mcp-param-region", b"7")]).await;
    assert_eq!(answer.message()["result"]["isError"], true, "{answer:?}");
}
