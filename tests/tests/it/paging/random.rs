//! Random lists, budgets and keys, over every carrier and version: the pages joined are the list.

use fastrand::Rng;
use mcp_tool_runtime::{Cursor, Dispatcher, Excerpt, Paged, ProtocolVersion, mcp_tool, tools};
use mcp_tool_tests::size;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{LATEST, LEGACY, built, exact, now, tokens};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Row {
    /// Unique and in ascending order, with characters that JSON and base64 write in different ways.
    key: String,
    text: String,
    nested: Vec<Option<f64>>,
}

/// List rows.
#[mcp_tool]
async fn by_position(rows: Vec<Row>) -> Paged<Row> {
    Paged::new(rows)
}

/// List rows.
#[mcp_tool]
async fn by_text(rows: Vec<Row>, after: Cursor<String>, at_once: usize) -> Paged<Row> {
    let rows = rows.into_iter().skip_while(move |row| after.position().is_some_and(|after| row.key <= *after));
    Paged::by(rows.take(at_once), |row| row.key.clone())
}

/// List rows.
#[mcp_tool]
async fn by_tuple(rows: Vec<Row>, cursor: Cursor<(String, usize)>) -> Result<Paged<Row>, String> {
    let rows = rows.into_iter().skip_while(|row| cursor.position().is_some_and(|(after, _)| row.key <= *after));
    Ok(Paged::by(rows, |row| (row.key.clone(), row.text.len())))
}

/// Return lines.
#[mcp_tool]
async fn lines(rows: Vec<Row>) -> Excerpt {
    Excerpt::lines(rows.into_iter().map(|row| row.text + "\n").collect::<String>())
}

fn text(random: &mut Rng, most: usize) -> String {
    let characters = ['a', 'Z', '0', ' ', '"', '\\', '\n', '\u{1}', 'é', '語', '🦀', '-', '_'];
    (0..random.usize(..=most)).filter_map(|_| random.choice(characters)).collect()
}

fn rows(random: &mut Rng) -> Vec<Row> {
    let count = if random.bool() { random.usize(..60) } else { random.usize(..4) };
    let most = if count < 5 && random.bool() { 2_000 } else { 40 };
    let row = |index| Row {
        key: format!("{index:04}{}", text(random, 5)),
        text: text(random, most),
        nested: (0..random.usize(..3)).map(|_| random.bool().then(|| random.f64())).collect(),
    };
    (0..count).map(row).collect()
}

/// How a request is sent.
#[derive(Debug, Clone, Copy)]
enum Carrier {
    Bytes(ProtocolVersion),
    OpenToolCalling,
}

/// Returns the value of a result, its blocks and its next cursor.
fn page(
    dispatcher: &Dispatcher,
    carrier: Carrier,
    name: &str,
    arguments: &Value,
) -> (Value, Vec<String>, Option<String>) {
    let (value, blocks) = match carrier {
        Carrier::Bytes(version) => {
            let params = json!({ "name": name, "arguments": arguments }).to_string();
            let result = now(dispatcher.call_json(params.as_bytes(), version)).expect("a result");
            let result: Value = serde_json::from_slice(&result).expect("JSON");
            assert_ne!(result["isError"], true, "{result}");
            (result["structuredContent"].clone(), result["content"].clone())
        }
        Carrier::OpenToolCalling => {
            let request = json!({ "tool_id": name, "input": arguments });
            let response =
                now(dispatcher.call(serde_json::from_value(request).expect("a request"))).expect("a response");
            let response = crate::run::otc(&response);
            assert_eq!(response["success"], true, "{response}");
            let is_text = response["value"].is_array() || response["value"].is_string();
            let blocks = match &response["value"] {
                Value::String(text) => json!([{ "text": text }]),
                blocks => blocks.clone(),
            };
            if is_text { (Value::Null, blocks) } else { (response["value"].clone(), json!([])) }
        }
    };
    let blocks: Vec<_> = blocks
        .as_array()
        .expect("blocks")
        .iter()
        .map(|block| block["text"].as_str().expect("a text").to_owned())
        .collect();
    let cursor = match &value {
        Value::Null => {
            blocks.get(1).and_then(|note| Some(note.split_once("`cursor`: \"")?.1.trim_end_matches('"').to_owned()))
        }
        value => value["next_cursor"].as_str().map(str::to_owned),
    };
    (value, blocks, cursor)
}

#[test]
fn r9_the_pages_joined_are_the_list() {
    let mut random = Rng::with_seed(7);
    let carriers = LEGACY.map(Carrier::Bytes).into_iter().chain([Carrier::Bytes(LATEST), Carrier::OpenToolCalling]);
    let carriers: Vec<_> = carriers.collect();
    for _ in 0..size(80, 500) {
        let rows = rows(&mut random);
        let budget = random.u32(40..1_500);
        let tools = tools![by_position, by_text, by_tuple, lines];
        let dispatcher = built(exact().tools(tools).result_budget(budget));
        let carrier = *random.choice(&carriers).expect("a carrier");
        for (name, argument) in
            [("by_position", "cursor"), ("by_text", "after"), ("by_tuple", "cursor"), ("lines", "cursor")]
        {
            let mut arguments = json!({ "rows": rows });
            if name == "by_text" {
                arguments["at_once"] = random.usize(1..100).into();
            }
            let tool = dispatcher.list().iter().find(|tool| tool.name == name).expect("the tool");
            let validator =
                tool.output_schema.as_ref().map(|schema| jsonschema::validator_for(schema).expect("a schema"));
            let (mut joined, mut joined_text) = (Vec::new(), String::new());
            for round in 0.. {
                assert!(round < 2_000, "the pages have no end");
                let (value, blocks, cursor) = page(&dispatcher, carrier, name, &arguments);
                if let Some(validator) = &validator {
                    assert!(validator.is_valid(&value), "{value}");
                    let items = value["items"].as_array().expect("items");
                    let tokens = tokens(&value.to_string());
                    assert!(items.len() < 2 || tokens <= budget.into(), "{tokens} {budget}");
                    assert!(!items.is_empty() || cursor.is_none());
                    joined.extend(items.iter().cloned());
                } else {
                    joined_text.push_str(&blocks[0]);
                }
                let Some(cursor) = cursor else { break };
                arguments[argument] = cursor.into();
            }
            if name == "lines" {
                assert_eq!(joined_text, rows.iter().flat_map(|row| [&*row.text, "\n"]).collect::<String>());
            } else {
                assert_eq!(json!(joined), json!(rows), "{name} {carrier:?}");
            }
        }
    }
}

/// Count bytes.
#[mcp_tool]
async fn texts(lengths: Vec<usize>) -> Paged<String> {
    Paged::new(lengths.into_iter().map(|length| "x".repeat(length)))
}

#[test]
fn r9_no_page_is_over_the_limit_and_no_item_more_would_fit() {
    let mut random = Rng::with_seed(8);
    for _ in 0..300 {
        // Bytes and tokens are limited in the same way, and the bytes of the next cursor are known here.
        let budget = random.usize(200..600);
        let dispatcher = built(exact().tools(tools![texts]).max_result_bytes(budget));
        let lengths: Vec<_> = (0..random.usize(..40)).map(|_| random.usize(..120)).collect();
        let mut arguments = json!({ "lengths": lengths });
        let mut sent = 0;
        loop {
            let (value, _, cursor) = page(&dispatcher, Carrier::Bytes(LATEST), "texts", &arguments);
            let (count, bytes) = (value["items"].as_array().expect("items").len(), value.to_string().len());
            assert!(bytes <= budget, "{bytes} {budget}");
            sent += count;
            let Some(cursor) = cursor else { break };
            let next = lengths[sent] + ",\"\"".len();
            assert!(bytes + next > budget, "{next} would fit {bytes} of {budget}");
            arguments["cursor"] = cursor.into();
        }
        assert_eq!(sent, lengths.len());
    }
}
