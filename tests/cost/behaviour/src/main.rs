//! Compares what a server publishes with what it does, for this library and for the official SDK.
//!
//! ```console
//! $ python3 tests/cost/cost.py --behaviour
//! ```
//!
//! Both serve the same tools on the same types, over a pipe in memory, as a client meets them over stdio. Every call is judged by the
//! server's own published schemas, with `jsonschema` as the judge and formats asserted.

mod calls;
mod tools;

use std::collections::BTreeMap;

use jsonschema::Validator;
use mcp_tool_runtime::{Dispatcher, stdio};
use rmcp::ServiceExt as _;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

/// The client's end of a pipe to a server.
struct Client {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    id: u64,
}

impl Client {
    async fn start(pipe: DuplexStream) -> Self {
        let (reader, writer) = tokio::io::split(pipe);
        let mut client = Self { lines: BufReader::new(reader).lines(), writer, id: 0 };
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "cost", "version": "0"}});
        client.request("initialize", hello).await;
        client.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    async fn send(&mut self, message: Value) {
        self.writer.write_all(format!("{message}\n").as_bytes()).await.expect("the pipe is open");
    }

    async fn request(&mut self, method: &str, params: Value) -> Value {
        self.id += 1;
        self.send(json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})).await;
        loop {
            let line = self.lines.next_line().await.expect("the pipe is open").expect("an answer");
            let answer: Value = serde_json::from_str(&line).expect("a message");
            if answer["id"] == self.id {
                return answer;
            }
        }
    }
}

#[derive(Default)]
struct Counts {
    calls: usize,
    /// The schema admits the arguments, and the server refuses them.
    admitted_and_refused: usize,
    /// The schema forbids the arguments, and the server accepts them.
    forbidden_and_accepted: usize,
    /// Of these, the ones where an optional argument is `null`.
    of_these_null: usize,
    results: usize,
    invalid_results: usize,
    refusals: usize,
    /// Refusals that are error results, not errors of the protocol.
    error_results: usize,
    /// Refusals whose text names the argument that was changed.
    named: usize,
    several: usize,
    /// Of the arguments of calls with three mistakes, the ones that the refusal names.
    several_named: usize,
}

fn text(answer: &Value) -> String {
    let blocks = answer["result"]["content"].as_array().into_iter().flatten();
    let texts = blocks.filter_map(|block| block["text"].as_str()).chain(answer["error"]["message"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

fn schemas(list: &Value, key: &str) -> BTreeMap<String, Validator> {
    let tools = list["result"]["tools"].as_array().expect("a list").iter();
    let compile = |schema| jsonschema::options().should_validate_formats(true).build(schema).expect("a schema");
    tools.map(|tool| (tool["name"].as_str().expect("a name").to_owned(), compile(&tool[key]))).collect()
}

async fn judge(name: &str, mut client: Client, show: bool) -> Counts {
    let list = client.request("tools/list", json!({})).await;
    let (inputs, outputs) = (schemas(&list, "inputSchema"), schemas(&list, "outputSchema"));
    let mut counts = Counts::default();
    for (tool, good) in tools::good_calls() {
        let single = calls::changed(&good).into_iter().map(|call| (false, call));
        let three = calls::three_mistakes(&good).into_iter().map(|call| (true, call));
        for (several, call) in single.chain(three) {
            let answer = client.request("tools/call", json!({"name": tool, "arguments": call.arguments})).await;
            let admitted = inputs[tool].is_valid(&call.arguments);
            let refused = answer.get("error").is_some() || answer["result"]["isError"] == true;
            counts.calls += 1;
            if admitted && refused {
                counts.admitted_and_refused += 1;
            }
            if !admitted && !refused {
                counts.forbidden_and_accepted += 1;
                counts.of_these_null += usize::from(call.arguments.to_string().contains("null"));
            }
            if show && admitted == refused {
                println!(
                    "{name}: {tool} {}\n    admitted: {admitted}, refused: {refused}: {}",
                    call.arguments,
                    text(&answer)
                );
            }
            if !refused {
                counts.results += 1;
                let value = &answer["result"]["structuredContent"];
                counts.invalid_results += usize::from(!outputs[tool].is_valid(value));
                continue;
            }
            let text = text(&answer);
            let named = call.names.iter().filter(|name| text.contains(name.as_str())).count();
            if several {
                counts.several += call.names.len();
                counts.several_named += named;
            } else {
                counts.refusals += 1;
                counts.error_results += usize::from(answer.get("error").is_none());
                counts.named += named;
            }
        }
    }
    let bad = json!({"text": "", "limit": "5", "exakt": true, "sort": "random"});
    let answer = client.request("tools/call", json!({"name": "search", "arguments": bad})).await;
    println!("{name}, for {bad}:\n    {}", text(&answer).replace('\n', "\n    "));
    counts
}

fn share(part: usize, whole: usize) -> String {
    #[expect(clippy::cast_precision_loss, reason = "thousands at most")]
    let percent = part as f64 * 100.0 / whole as f64;
    format!("{part} of {whole} ({percent:.1} %)")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let show = std::env::args().any(|argument| argument == "--show");

    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let dispatcher = Dispatcher::builder().tools(tools::ours::all()).build()?;
    let (reader, writer) = tokio::io::split(theirs);
    tokio::spawn(stdio::Server::new(dispatcher).serve_on(reader, writer));
    let library = judge("mcp-tool", Client::start(ours).await, show).await;

    let (ours, theirs) = tokio::io::duplex(1 << 20);
    tokio::spawn(async { tools::Sdk.serve(theirs).await.expect("a client").waiting().await });
    let sdk = judge("rmcp", Client::start(ours).await, show).await;

    println!("\n| | mcp-tool | rmcp 3.11 |\n| --- | --- | --- |");
    let row = |what: &str, of: &dyn Fn(&Counts) -> String| println!("| {what} | {} | {} |", of(&library), of(&sdk));
    row("calls whose arguments the published schema admits, and the server refuses", &|counts| {
        share(counts.admitted_and_refused, counts.calls)
    });
    row("calls whose arguments the published schema forbids, and the server accepts", &|counts| {
        share(counts.forbidden_and_accepted, counts.calls)
    });
    row("… of these, with `null` somewhere", &|counts| counts.of_these_null.to_string());
    row("results that do not match the published output schema", &|counts| {
        share(counts.invalid_results, counts.results)
    });
    row("refusals that are results a model reads, not protocol errors", &|counts| {
        share(counts.error_results, counts.refusals)
    });
    row("refusals that name the wrong argument", &|counts| share(counts.named, counts.refusals));
    row("wrong arguments named, three in a call", &|counts| share(counts.several_named, counts.several));
    Ok(())
}
