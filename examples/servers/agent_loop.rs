//! An agent loop for each model vendor, against a vendor that runs on this machine and needs no key.
//!
//! ```sh
//! cargo run -p mcp-tool-servers --example agent_loop
//! ```
//!
//! [`run`] is the loop without streaming. The tools and the loop are the same for all vendors. What differs is in [`Api`]: the address, the form of a request, and where the
//! model's message is in the response. With a real vendor, [`post`] also sends the key, over TLS. The pretended model in
//! `agent_loop/model.rs` calls every tool that it is offered, once with wrong arguments.
//!
//! [`run_streamed`] is the loop for one vendor with streaming, approval and a log. It reads a stream, which
//! `tests/clients/streams.py` records with the package of the vendor.

#[path = "agent_loop/model.rs"]
mod model;

use std::error::Error;

use mcp_tool_runtime::export::{Approval, ExportedCall};
use mcp_tool_runtime::serde_json::{Value, from_slice};
use mcp_tool_runtime::{
    Dispatcher,
    export::{Strict, Vendor},
    json, mcp_tool, tools,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Celsius,
    Fahrenheit,
}

#[derive(Serialize, JsonSchema)]
struct Reading {
    temperature: f64,
    unit: Unit,
}

/// Get the temperature at a place.
#[mcp_tool(name = "weather.temperature", read_only_hint, example_call(city = "Paris", unit = Unit::Celsius))]
async fn temperature(
    /// City name.
    city: String,
    unit: Option<Unit>,
) -> Result<Reading, String> {
    let celsius = match city.as_str() {
        "Paris" => 22.5,
        "Oslo" => 4.0,
        _ => return Err(format!("no city is called {city:?}")),
    };
    Ok(match unit.unwrap_or(Unit::Celsius) {
        unit @ Unit::Celsius => Reading { temperature: celsius, unit },
        unit @ Unit::Fahrenheit => Reading { temperature: celsius * 9.0 / 5.0 + 32.0, unit },
    })
}

/// Add numbers.
#[mcp_tool(read_only_hint)]
async fn sum(numbers: Vec<f64>) -> f64 {
    numbers.iter().sum()
}

/// Forget all cities.
#[mcp_tool(destructive_hint)]
async fn forget() -> String {
    "forgot all cities".to_owned()
}

/// One vendor's interface.
struct Api {
    vendor: Vendor,
    path: &'static str,
    /// The field with the conversation.
    conversation: &'static str,
}

const APIS: [Api; 5] = [
    Api { vendor: Vendor::OpenAiResponses, path: "/v1/responses", conversation: "input" },
    Api { vendor: Vendor::OpenAiChat, path: "/v1/chat/completions", conversation: "messages" },
    Api { vendor: Vendor::Anthropic, path: "/v1/messages", conversation: "messages" },
    Api { vendor: Vendor::Gemini, path: "/v1beta/models/gemini:generateContent", conversation: "contents" },
    Api { vendor: Vendor::Bedrock, path: "/model/claude/converse", conversation: "messages" },
];

impl Api {
    /// Writes the user's first message.
    fn question(&self, text: &str) -> Value {
        match self.vendor {
            Vendor::Gemini => json!({"role": "user", "parts": [{"text": text}]}),
            Vendor::Bedrock => json!({"role": "user", "content": [{"text": text}]}),
            _ => json!({"role": "user", "content": text}),
        }
    }

    fn request(&self, tools: &[Value], conversation: &[Value]) -> Value {
        match self.vendor {
            Vendor::Gemini => json!({"tools": tools, "contents": conversation}),
            Vendor::Bedrock => json!({"toolConfig": {"tools": tools}, "messages": conversation}),
            Vendor::Anthropic => {
                json!({"model": "claude", "max_tokens": 1024, "tools": tools, "messages": conversation})
            }
            _ => json!({"model": "gpt", "tools": tools, self.conversation: conversation}),
        }
    }
}

/// Asks the model until it calls no more tools. Returns its last message and the number of requests.
async fn run(api: &Api, dispatcher: &Dispatcher, address: &str) -> Result<(Value, usize), Box<dyn Error>> {
    let export = dispatcher.export(api.vendor).strict(Strict::WhereLossless);
    for finding in export.findings() {
        println!("  {finding}");
    }
    let mut conversation = vec![api.question("How warm is it in Paris?")];
    for requests in 1..=10 {
        let response = post(address, api.path, &api.request(export.tools(), &conversation)).await?;
        conversation.extend(export.turn(&response)?);
        let results = export.answer(&response).await?;
        if results.is_empty() {
            return Ok((response, requests));
        }
        for result in &results {
            println!("  {result}");
        }
        conversation.extend(results);
    }
    Err("the model does not come to an end".into())
}

/// The loop with streaming and approval. `post` sends a request, and returns the lines of the response.
async fn run_streamed(
    dispatcher: &Dispatcher,
    mut post: impl FnMut(Value) -> Vec<&'static str>,
) -> Result<Value, Box<dyn Error>> {
    let export = dispatcher.export(Vendor::Anthropic);
    let mut messages = vec![json!({"role": "user", "content": "How warm is it in Paris?"})];
    loop {
        let mut stream = export.assemble();
        let tools = export.tools();
        for line in
            post(json!({"model": "claude", "max_tokens": 1024, "stream": true, "tools": tools, "messages": messages}))
        {
            stream.push_line(line)?;
        }
        let response = stream.finish()?;
        messages.extend(export.turn(&response)?);
        let answer = export.answer_with(&response, approve).await?;
        for outcome in &answer.outcomes {
            println!("  {}: success {}, {:?}", outcome.tool, outcome.is_success, outcome.duration);
        }
        if answer.messages.is_empty() {
            return Ok(messages.into());
        }
        messages.extend(answer.messages);
    }
}

/// Approves what only reads. A real program asks the user about the other calls.
fn approve(call: &ExportedCall) -> Approval {
    match call.annotations().and_then(|hints| hints.read_only_hint) {
        Some(true) => Approval::Run,
        _ => Approval::Refuse("the user does not want this".to_owned()),
    }
}

/// Sends JSON and receives JSON. A program that talks to a real vendor uses an HTTP client for this.
async fn post(address: &str, path: &str, body: &Value) -> Result<Value, Box<dyn Error>> {
    let body = body.to_string();
    let mut stream = TcpStream::connect(address).await?;
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    let mut response = Vec::new();
    stream.read_to_end(&mut response).await?;
    let end = response.windows(4).position(|bytes| bytes == b"\r\n\r\n").ok_or("the response is incomplete")?;
    let (head, body) = (String::from_utf8_lossy(&response[..end]).into_owned(), &response[end + 4..]);
    if !head.starts_with("HTTP/1.1 200") {
        return Err(format!("{head}\n{}", String::from_utf8_lossy(body)).into());
    }
    Ok(from_slice(body)?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let dispatcher = Dispatcher::builder().tools(tools![temperature, sum]).build()?;
    let address = model::start().await?;
    for api in &APIS {
        println!("{}", api.vendor);
        let (last, requests) = run(api, &dispatcher, &address).await?;
        let text = last.to_string();
        if !text.contains("22.5") || requests != 3 {
            return Err(format!("{requests} requests: {text}").into());
        }
        println!("  the model says: {text}");
    }

    println!("Anthropic, streamed");
    let dispatcher = Dispatcher::builder().tools(tools![temperature, forget]).build()?;
    let mut responses = include_str!("../../mcp-tool-runtime/docs/guide/agent_stream.txt")
        .split_inclusive("data: {\"type\":\"message_stop\"}\n");
    let conversation =
        run_streamed(&dispatcher, |_| responses.next().unwrap_or_default().lines().collect()).await?.to_string();
    println!("  {conversation}");
    if !conversation.contains("22.5") || !conversation.contains("does not want") || conversation.contains("forgot all")
    {
        return Err("the loop did something else".into());
    }
    Ok(())
}
