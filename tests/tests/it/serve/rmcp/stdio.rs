//! The stdio transport of the official SDK.

use mcp_tool_runtime::{CallContext, mcp_tool, rmcp::Server, tools};
use rmcp::model::ProtocolVersion;
use serde_json::json;

use super::{Client, are_hanging, call, modern, request, server, sum};
use crate::wait::within_a_minute;

#[tokio::test]
async fn every_version_of_the_sdk_is_negotiated() {
    for version in ProtocolVersion::KNOWN_VERSIONS.iter().filter(|version| version.as_str() < "2026") {
        let mut client = Client::initialized(server().0, version.as_str()).await;
        let list = client.ask(request(1, "tools/list", json!({}))).await;
        assert_eq!(list["result"]["tools"][0]["outputSchema"]["properties"]["result"]["type"], "integer", "{version}");
        assert!(list["result"].get("ttlMs").is_none() && list["result"].get("resultType").is_none(), "{list}");
        let reply = client.ask(sum(2)).await;
        assert_eq!(reply["result"]["structuredContent"], json!({"result": 5}), "{version}");
        assert_eq!(reply["result"]["content"], json!([{"type": "text", "text": "5"}]), "{version}");
    }
}

#[tokio::test]
async fn the_stateless_version_needs_no_handshake() {
    let mut client = Client::of(server().0);
    let found = client.ask(modern(request(1, "server/discover", json!({})))).await;
    let result = &found["result"];
    assert!(result["supportedVersions"].as_array().is_some_and(|versions| versions.contains(&json!("2026-07-28"))));
    assert_eq!(result["capabilities"], json!({"tools": {}}));
    assert_eq!(result["instructions"], "Add with care.");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"], json!({"name": "example", "version": "1.2.3"}));

    let list = client.ask(modern(request(2, "tools/list", json!({})))).await;
    assert_eq!(list["result"]["tools"][0]["outputSchema"], json!({"type": "integer"}));
    assert_eq!(
        (&list["result"]["ttlMs"], &list["result"]["cacheScope"], &list["result"]["resultType"]),
        (&json!(300_000), &json!("private"), &json!("complete")),
    );

    let reply = client.ask(modern(sum(3))).await;
    assert_eq!(reply["result"]["structuredContent"], 5);
    assert_eq!(reply["result"]["resultType"], "complete");
}

#[tokio::test]
async fn the_server_sends_its_info() {
    let mut client = Client::of(server().0);
    let reply = client.ask(super::initialize("2025-11-25")).await;
    assert_eq!(reply["result"]["serverInfo"], json!({"name": "example", "version": "1.2.3"}));
    assert_eq!(reply["result"]["instructions"], "Add with care.");
    assert_eq!(reply["result"]["capabilities"], json!({"tools": {}}));
}

#[tokio::test]
async fn unsupported_methods_are_not_found() {
    let mut client = Client::initialized(server().0, "2025-11-25").await;
    let complete = json!({"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "y", "value": ""}});
    let asked = [
        ("prompts/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("completion/complete", complete),
        ("no/such/method", json!({})),
    ];
    for (id, (method, params)) in (1..).zip(asked) {
        assert_eq!(client.ask(request(id, method, params)).await["error"]["code"], -32601, "{method}");
    }
}

#[tokio::test]
async fn tools_list_has_one_page() {
    let mut client = Client::initialized(server().0, "2025-11-25").await;
    let reply = client.ask(request(1, "tools/list", json!({"cursor": "2"}))).await;
    assert_eq!(reply["error"]["code"], -32602, "{reply}");
}

#[tokio::test]
async fn r8_arguments_of_the_wrong_kind_are_an_error_result() {
    let (server, _) = server();
    let mut client = Client::initialized(server.clone(), "2025-11-25").await;
    for (id, arguments) in (1..).zip([json!([1, 2]), json!("a"), json!(7), json!(true)]) {
        let reply = client.ask(call(id, "add", arguments.clone())).await;
        assert_eq!(reply["result"]["isError"], true, "{reply}");
        assert!(reply["result"]["content"][0]["text"].as_str().is_some_and(|text| text.contains("object")), "{reply}");
        assert!(reply["result"].get("resultType").is_none(), "{reply}");
    }
    let reply = client.ask(call(9, "add", json!(null))).await;
    assert_eq!(reply["result"]["isError"], true, "{reply}");

    let mut client = Client::of(server);
    let reply = client.ask(modern(call(1, "add", json!([1, 2])))).await;
    assert_eq!((&reply["result"]["isError"], &reply["result"]["resultType"]), (&json!(true), &json!("complete")));
}

#[tokio::test]
async fn r8_an_unknown_tool_is_a_protocol_error() {
    let mut client = Client::initialized(server().0, "2025-11-25").await;
    let unknown = client.ask(call(1, "ad", json!({}))).await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert!(unknown["error"]["message"].as_str().is_some_and(|text| text.starts_with("unknown tool")), "{unknown}");
    for (id, params) in (2..).zip([json!({}), json!({"name": 7}), json!({"name": null, "arguments": {}})]) {
        let reply = client.ask(request(id, "tools/call", params)).await;
        assert_eq!(reply["error"]["code"], -32602, "{reply}");
    }
}

#[tokio::test]
async fn section_6_progress_arrives_in_order_before_the_result() {
    let mut client = Client::initialized(server().0, "2025-11-25").await;
    let mut ask = call(7, "report", json!({"steps": [1.0, 2.0, 2.0, 3.5]}));
    ask["params"]["_meta"] = json!({"progressToken": "mine"});
    client.send(&ask).await;
    for done in [1.0, 2.0, 3.5] {
        let report = client.next().await;
        assert_eq!(report["method"], "notifications/progress");
        let params = json!({"progressToken": "mine", "progress": done, "total": 10.0, "message": format!("at {done}")});
        assert_eq!(report["params"], params);
    }
    assert_eq!(client.next().await["result"]["structuredContent"], json!({"result": 4}));

    let silent = client.ask(call(8, "report", json!({"steps": [1.0]}))).await;
    assert_eq!(silent["result"]["isError"], false, "who does not ask for progress gets none");
}

#[tokio::test]
async fn section_6_a_cancelled_request_is_dropped_and_not_answered() {
    let (server, mut hanging) = server();
    let mut client = Client::initialized(server, "2025-11-25").await;
    client.send(&call(7, "hang", json!({}))).await;
    are_hanging(&mut hanging, 1).await;
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}})).await;
    are_hanging(&mut hanging, 0).await;
    // The next line is the response to the next request.
    assert_eq!(client.ask(sum(8)).await["result"]["isError"], false);
}

#[tokio::test]
async fn a_call_sees_its_metadata_and_its_peer() {
    let mut client = Client::initialized(server().0, "2025-06-18").await;
    let mut ask = call(1, "attached", json!({}));
    ask["params"]["_meta"] = json!({"com.example/note": [1], "rs.mcp-tool/call_id": "theirs"});
    let reply = client.ask(ask).await;
    assert_eq!(reply["result"]["structuredContent"]["result"], json!([true, true, null, [1], "2025-06-18"]));
    assert_eq!(reply["result"]["_meta"]["rs.mcp-tool/call_id"], "theirs");
}

#[tokio::test]
async fn section_6_a_panic_does_not_stop_the_server() {
    let mut client = Client::initialized(server().0, "2025-11-25").await;
    let reply = client.ask(call(1, "panicking", json!({}))).await;
    assert_eq!(reply["result"]["isError"], true);
    assert!(!reply.to_string().contains("secret"), "{reply}");
    assert_eq!(client.ask(sum(2)).await["result"]["isError"], false);
}

#[tokio::test]
async fn invalid_lines_do_not_stop_the_server() {
    let mut client = Client::initialized(server().0, "2025-11-25").await;
    client.send_text("{\"jsonrpc\": \n\nnonsense\n").await;
    client.send(&sum(1)).await;
    // The SDK may answer each of them with a parse error, which has no id.
    loop {
        let reply = client.next().await;
        if reply["id"] == 1 {
            assert_eq!(reply["result"]["isError"], false);
            break;
        }
        assert_eq!(reply["error"]["code"], -32700, "{reply}");
    }
}

#[tokio::test]
async fn end_of_input_stops_the_server_even_inside_a_message() {
    let mut client = Client::initialized(server().0, "2025-11-25").await;
    client.send_text("{\"jsonrpc\": \"2.0\", \"id\": 1, \"meth").await;
    let Client { replies, requests, ended } = client;
    drop(requests);
    drop(replies);
    within_a_minute(ended).await.expect("no panic");
}

/// Report half a second after the call, and answer.
#[mcp_tool]
async fn report_late(#[mcp_tool(context)] cx: &CallContext) -> u8 {
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    for step in [1.0, 2.0, 3.0] {
        cx.progress(step, 3.0, "late".to_owned());
        tokio::task::yield_now().await;
    }
    3
}

#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn a_call_that_reports_after_the_end_of_the_input_is_answered() {
    use rmcp::ServiceExt as _;
    use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
    use tokio::net::unix::pipe::pipe;

    let (mut requests, input) = pipe().expect("a pipe");
    let (output, replies) = pipe().expect("a pipe");
    let server = Server::new(crate::run::built(crate::run::exact().tools(tools![report_late])));
    let ended = tokio::spawn(async move { server.serve((input, output)).await.expect("a client").waiting().await });
    let mut replies = BufReader::new(replies).lines();
    requests.write_all(format!("{}\n", super::initialize("2025-11-25")).as_bytes()).await.expect("the server reads");
    within_a_minute(replies.next_line()).await.expect("a line").expect("the server lives");

    let mut late = call(1, "report_late", json!({}));
    late["params"]["_meta"] = json!({"progressToken": "p"});
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    requests.write_all(format!("{initialized}\n{late}\n").as_bytes()).await.expect("the server reads");
    drop(requests);

    let mut answers = Vec::new();
    while let Some(line) = within_a_minute(replies.next_line()).await.expect("a line") {
        let message: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        answers.extend(message.get("result").map(|result| result["structuredContent"].clone()));
    }
    assert_eq!(answers, [json!({"result": 3})]);
    within_a_minute(ended).await.expect("no panic").expect("no panic");
}

/// List numbers.
#[mcp_tool]
async fn numbers() -> mcp_tool_runtime::Paged<u64> {
    mcp_tool_runtime::Paged::new(0..1_000_000)
}

#[tokio::test]
async fn a_connection_has_pages_with_the_budget_of_its_client() {
    let builder = crate::run::exact().tools(tools![numbers]).result_budget_for(|_| Some(300));
    let mut client = Client::initialized(Server::new(crate::run::built(builder)), "2025-11-25").await;
    let list = client.ask(request(1, "tools/list", json!({}))).await;
    assert_eq!(list["result"]["tools"][0]["inputSchema"]["properties"]["cursor"]["type"], "string");
    let (mut arguments, mut joined) = (json!({}), Vec::new());
    for id in 2..5 {
        let reply = client.ask(request(id, "tools/call", json!({"name": "numbers", "arguments": arguments}))).await;
        let page = &reply["result"]["structuredContent"];
        assert!((200..=300).contains(&crate::run::tokens(&page.to_string())), "{page}");
        joined.extend(page["items"].as_array().expect("items").clone());
        arguments = json!({"cursor": page["next_cursor"]});
    }
    assert!(joined.iter().enumerate().all(|(index, number)| *number == index));
}
