//! Untagged enums that contain themselves. serde reads one variant after the other, and each of them reads everything below.

use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{self, LATEST};

/// A node of either kind. Both kinds have children, so that serde reads them twice on each level.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Node {
    Counted { children: Vec<Node>, count: u8 },
    Named { children: Vec<Node>, name: String },
}

/// The next of a chain.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Chain {
    Number { next: Option<Box<Chain>>, number: u8 },
    Text { next: Option<Box<Chain>>, text: String },
    Flag { next: Option<Box<Chain>>, flag: bool },
}

/// Different properties tell the variants apart before serde reads further.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Term {
    All { all: Vec<Term> },
    Any { any: Vec<Term> },
    Is { is: String },
}

/// A tag tells the variants apart.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged {
    One { children: Vec<Tagged> },
    Two { children: Vec<Tagged> },
}

/// Take a node.
#[mcp_tool]
async fn node(node: Node) -> Node {
    node
}

/// Take a chain.
#[mcp_tool]
async fn chain(chain: Chain) -> Chain {
    chain
}

/// Take a term.
#[mcp_tool]
async fn term(term: Term) -> Term {
    term
}

/// Take a tagged value.
#[mcp_tool]
async fn tagged(tagged: Tagged) -> Tagged {
    tagged
}

fn dispatcher() -> Dispatcher {
    run::built(run::exact().tools(tools![node, chain, term, tagged]).max_argument_bytes(usize::MAX))
}

/// Calls a tool with a value inside this many others. Returns the text of the error, if the call fails.
fn call(name: &str, open: &str, inner: &str, close: &str, levels: usize) -> Result<(), String> {
    let arguments = format!(r#"{{"{name}":{}{inner}{}}}"#, open.repeat(levels), close.repeat(levels));
    let params = format!(r#"{{"name":"{name}","arguments":{arguments}}}"#);
    let result = run::now(dispatcher().call_json(params.as_bytes(), LATEST)).expect("a result");
    let result: Value = serde_json::from_slice(&result).expect("JSON");
    if result["isError"] == true {
        Err(result["content"][0]["text"].as_str().expect("a text").to_owned())
    } else {
        Ok(())
    }
}

fn nodes(levels: usize, leaf: &Value) -> Result<(), String> {
    call("node", r#"{"children":["#, &leaf.to_string(), r#"],"name":"n"}"#, levels)
}

#[test]
fn i4_variants_that_are_read_twice_on_each_level_are_refused_before_they_take_exponential_time() {
    let leaf = json!({"children": [], "name": "leaf"});
    assert_eq!(nodes(5, &leaf), Ok(()));
    for levels in [30, 59] {
        let text = nodes(levels, &leaf).expect_err("too deep");
        assert!(text.contains("nested too deep for this type"), "{text}");
    }
    // A wide document may not be as deep as a narrow one.
    let wide = json!({"children": vec![&leaf; 500], "name": "wide"});
    assert_eq!(nodes(0, &wide), Ok(()));
    assert!(nodes(12, &wide).is_err());

    let chain = |levels| call("chain", r#"{"next":"#, r#"{"flag":true}"#, r#","flag":true}"#, levels);
    assert_eq!(chain(5), Ok(()));
    for levels in [40, 100] {
        assert!(chain(levels).is_err());
    }
}

#[test]
fn i4_an_invalid_value_below_such_variants_is_refused_without_exponential_time() {
    for levels in [5, 30, 59] {
        assert!(nodes(levels, &json!({"children": [], "name": 1})).is_err());
    }
}

#[test]
fn variants_that_serde_tells_apart_nest_as_deep_as_any_value() {
    let term = call("term", r#"{"any":["#, r#"{"is":"a"}"#, "]}", 50);
    assert_eq!(term, Ok(()));
    let tagged = call("tagged", r#"{"kind":"Two","children":["#, r#"{"kind":"One","children":[]}"#, "]}", 50);
    assert_eq!(tagged, Ok(()));
}

/// A variant that is the enum again: serde would read the same value without end, and overflow the stack.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Filter {
    Text(String),
    Not(Box<Filter>),
}

/// Find something.
#[mcp_tool]
async fn find(filter: Filter) -> Filter {
    filter
}

#[test]
fn an_untagged_enum_with_a_variant_that_is_the_enum_itself_is_refused_by_build() {
    let faults = run::faults(run::exact().tools(tools![find]));
    let [input, output] = faults.as_slice() else { panic!("{faults:#?}") };
    for (fault, schema) in [(input, "input"), (output, "output")] {
        let start = format!("tool `find`: {schema} schema: the schema at `/$defs/Filter");
        assert!(fault.starts_with(&start) && fault.contains("applies itself to the same value"), "{fault}");
    }
}
