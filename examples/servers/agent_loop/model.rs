//! A pretended vendor: one server with the interfaces of all five.
//!
//! The model first calls a tool that does not exist and one with wrong arguments. Then it does it right, and at last it says what it
//! read. It refuses a request as the vendor would: tools in another form, results without a call, calls without a result.

use axum::Router;
use axum::body::Bytes;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use mcp_tool_runtime::json;
use mcp_tool_runtime::serde_json::{Value, from_slice};
use tokio::net::TcpListener;

/// Starts the server on a free port. Returns its address.
pub(crate) async fn start() -> std::io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?.to_string();
    let router = Router::new().fallback(|uri: Uri, body: Bytes| async move { respond(uri.path(), &body) });
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

fn respond(path: &str, body: &[u8]) -> Response {
    let answer = from_slice(body).map_err(|error| error.to_string()).and_then(|body: Value| match path {
        "/v1/responses" => responses(&body),
        "/v1/chat/completions" => chat(&body),
        "/v1/messages" => anthropic(&body),
        "/v1beta/models/gemini:generateContent" => gemini(&body),
        "/model/claude/converse" => bedrock(&body),
        _ => Err(format!("no such path: {path}")),
    });
    match answer {
        Ok(answer) => ([("content-type", "application/json")], answer.to_string()).into_response(),
        Err(error) => (StatusCode::BAD_REQUEST, json!({"error": {"message": error}}).to_string()).into_response(),
    }
}

/// What the model does in one turn.
enum Turn {
    /// Names of tools, each with arguments.
    Calls(Vec<(String, Value)>),
    Says(String),
}

/// Decides on the turn from the results so far.
fn turn(tools: &[&str], results: &[String]) -> Result<Turn, String> {
    let temperature =
        tools.iter().find(|name| name.ends_with("temperature")).ok_or("the tool `temperature` is missing")?;
    Ok(match results {
        [] => Turn::Calls(vec![
            ("forecast".to_owned(), json!({})),
            ((*temperature).to_owned(), json!({"city": 7})),
            ("sum".to_owned(), json!({"numbers": [1, 2]})),
        ]),
        [unknown, wrong, three] => {
            if !unknown.contains("unknown tool") || !wrong.contains("expected a string") || !three.contains('3') {
                return Err(format!("unexpected results: {results:?}"));
            }
            Turn::Calls(vec![((*temperature).to_owned(), json!({"city": "Paris", "unit": null}))])
        }
        results => Turn::Says(format!("I read: {}", results[results.len() - 1])),
    })
}

fn array<'v>(value: &'v Value, name: &str) -> Result<&'v Vec<Value>, String> {
    value[name].as_array().ok_or_else(|| format!("`{name}` is not an array"))
}

fn text<'v>(value: &'v Value, name: &str) -> Result<&'v str, String> {
    value[name].as_str().ok_or_else(|| format!("`{name}` is not a string: {value}"))
}

/// Checks that each call has its result, and returns the results.
fn results(calls: &[&str], results: Vec<(&str, String)>) -> Result<Vec<String>, String> {
    let answered: Vec<_> = results.iter().map(|(id, _)| *id).collect();
    if calls != answered {
        return Err(format!("calls {calls:?}, results {answered:?}"));
    }
    Ok(results.into_iter().map(|(_, text)| text).collect())
}

fn ids(count: usize, calls: Vec<(String, Value)>) -> impl Iterator<Item = (String, String, Value)> {
    calls
        .into_iter()
        .enumerate()
        .map(move |(index, (name, arguments))| (format!("call_{}", count + index), name, arguments))
}

fn responses(body: &Value) -> Result<Value, String> {
    let (mut calls, mut found) = (Vec::new(), Vec::new());
    for item in array(body, "input")? {
        match item["type"].as_str() {
            Some("function_call") => calls.push(text(item, "call_id")?),
            Some("function_call_output") => found.push((text(item, "call_id")?, text(item, "output")?.to_owned())),
            _ => {}
        }
    }
    let results = results(&calls, found)?;
    let tools: Result<Vec<_>, _> = array(body, "tools")?.iter().map(|tool| text(tool, "name")).collect();
    let output = match turn(&tools?, &results)? {
        Turn::Calls(calls) => ids(results.len(), calls)
            .map(|(id, name, arguments)| {
                json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments.to_string()})
            })
            .collect(),
        Turn::Says(text) => {
            json!([{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}])
        }
    };
    Ok(json!({"output": output}))
}

fn chat(body: &Value) -> Result<Value, String> {
    let (mut calls, mut found) = (Vec::new(), Vec::new());
    for message in array(body, "messages")? {
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            calls.push(text(call, "id")?);
        }
        if message["role"] == "tool" {
            found.push((text(message, "tool_call_id")?, text(message, "content")?.to_owned()));
        }
    }
    let results = results(&calls, found)?;
    let tools: Result<Vec<_>, _> = array(body, "tools")?.iter().map(|tool| text(&tool["function"], "name")).collect();
    let message = match turn(&tools?, &results)? {
        Turn::Calls(calls) => {
            let calls = ids(results.len(), calls).map(|(id, name, arguments)| {
                json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments.to_string()}})
            });
            json!({"role": "assistant", "content": null, "tool_calls": calls.collect::<Vec<_>>()})
        }
        Turn::Says(text) => json!({"role": "assistant", "content": text}),
    };
    Ok(json!({"choices": [{"message": message}]}))
}

fn anthropic(body: &Value) -> Result<Value, String> {
    let (mut calls, mut found) = (Vec::new(), Vec::new());
    for block in array(body, "messages")?.iter().filter_map(|message| message["content"].as_array()).flatten() {
        match text(block, "type")? {
            "tool_use" => calls.push(text(block, "id")?),
            "tool_result" => {
                let is_error = block["is_error"].as_bool().ok_or("`is_error` is missing")?;
                let texts: Result<Vec<_>, _> = array(block, "content")?.iter().map(|part| text(part, "text")).collect();
                let texts = texts?.join(" ");
                if is_error != (texts.contains("unknown") || texts.contains("invalid")) {
                    return Err(format!("`is_error` is wrong for {texts}"));
                }
                found.push((text(block, "tool_use_id")?, texts));
            }
            _ => {}
        }
    }
    let results = results(&calls, found)?;
    let tools: Result<Vec<_>, _> = array(body, "tools")?.iter().map(|tool| text(tool, "name")).collect();
    let content: Value = match turn(&tools?, &results)? {
        Turn::Calls(calls) => ids(results.len(), calls)
            .map(|(id, name, arguments)| json!({"type": "tool_use", "id": id, "name": name, "input": arguments}))
            .collect(),
        Turn::Says(text) => json!([{"type": "text", "text": text}]),
    };
    Ok(json!({"id": "msg_1", "type": "message", "role": "assistant", "content": content, "stop_reason": "tool_use"}))
}

fn gemini(body: &Value) -> Result<Value, String> {
    let (mut calls, mut found) = (Vec::new(), Vec::new());
    for part in array(body, "contents")?.iter().filter_map(|content| content["parts"].as_array()).flatten() {
        if part["functionCall"].is_object() {
            calls.push(text(&part["functionCall"], "id")?);
        }
        if part["functionResponse"].is_object() {
            found.push((text(&part["functionResponse"], "id")?, part["functionResponse"]["response"].to_string()));
        }
    }
    let results = results(&calls, found)?;
    let declarations = array(&body["tools"][0], "functionDeclarations")?;
    let tools: Result<Vec<_>, _> = declarations.iter().map(|tool| text(tool, "name")).collect();
    let parts: Value = match turn(&tools?, &results)? {
        Turn::Calls(calls) => ids(results.len(), calls)
            .map(|(id, name, arguments)| json!({"functionCall": {"id": id, "name": name, "args": arguments}}))
            .collect(),
        Turn::Says(text) => json!([{"text": text}]),
    };
    Ok(json!({"candidates": [{"content": {"role": "model", "parts": parts}}]}))
}

fn bedrock(body: &Value) -> Result<Value, String> {
    let (mut calls, mut found) = (Vec::new(), Vec::new());
    for block in array(body, "messages")?.iter().filter_map(|message| message["content"].as_array()).flatten() {
        if block["toolUse"].is_object() {
            calls.push(text(&block["toolUse"], "toolUseId")?);
        }
        if block["toolResult"].is_object() {
            found.push((text(&block["toolResult"], "toolUseId")?, block["toolResult"]["content"].to_string()));
        }
    }
    let results = results(&calls, found)?;
    let tools: Result<Vec<_>, _> =
        array(&body["toolConfig"], "tools")?.iter().map(|tool| text(&tool["toolSpec"], "name")).collect();
    let content: Value = match turn(&tools?, &results)? {
        Turn::Calls(calls) => ids(results.len(), calls)
            .map(|(id, name, arguments)| json!({"toolUse": {"toolUseId": id, "name": name, "input": arguments}}))
            .collect(),
        Turn::Says(text) => json!([{"text": text}]),
    };
    Ok(json!({"output": {"message": {"role": "assistant", "content": content}}, "stopReason": "tool_use"}))
}
