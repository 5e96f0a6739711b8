//! `Endpoint::selectable_by_header`: a request chooses some of the tools that its caller sees.

use fastrand::Rng;
use http::HeaderMap;
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::mcp::CacheScope;
use mcp_tool_runtime::{Dispatcher, ProtocolVersion};
use serde_json::{Value, json};

use super::selections::{Choice, NAMES, Sample};
use crate::run::{LATEST, built, exact};
use crate::wire;

fn endpoint(dispatcher: &Dispatcher) -> Endpoint {
    Endpoint::new(dispatcher.clone()).selectable_by_header()
}

async fn ask(endpoint: &Endpoint, version: ProtocolVersion, method: &str, params: Value, more: &HeaderMap) -> Value {
    let message = wire::request(version, method, params);
    let mut headers = wire::headers(version, &message);
    for (name, value) in more {
        headers.append(name, value.clone());
    }
    wire::send(endpoint, headers, message.to_string()).await.message()
}

async fn listed(endpoint: &Endpoint, version: ProtocolVersion, headers: &HeaderMap) -> Vec<String> {
    let list = ask(endpoint, version, "tools/list", json!({}), headers).await;
    let tools = list["result"]["tools"].as_array().unwrap_or_else(|| panic!("{list}"));
    tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
}

fn headers(all: &[(&'static str, &str)]) -> HeaderMap {
    all.iter().map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value"))).collect()
}

#[tokio::test]
async fn a_header_narrows_and_never_widens() {
    let mut rng = Rng::with_seed(11);
    let mut narrowed = 0;
    for _ in 0..500 {
        let tools = Sample::all(&mut rng);
        let hidden = *rng.choice(NAMES.iter()).expect("a name");
        let builder = tools.iter().fold(exact(), |builder, tool| builder.tool(tool.tool()));
        let all = built(builder.visible(move |tool, _| tool.name() != hidden));
        let operator = Choice::random(&mut rng);
        let endpoint = endpoint(&all.selected(&operator.selection()).expect("known names"));

        let client = Choice { without: Vec::new(), ..Choice::random(&mut rng) };
        let mut chosen = HeaderMap::new();
        let mut say = |name: &'static str, value: String| chosen.append(name, value.parse().expect("a header"));
        if client.is_read_only {
            say("x-mcp-readonly", "true".to_owned());
        }
        for (name, list) in [("x-mcp-toolsets", &client.tags), ("x-mcp-tools", &client.only)] {
            // A list without a name chooses nothing, so a name stands for it that no tool has.
            let list = list.iter().map(|list| if list.is_empty() { vec!["nothing"] } else { list.clone() });
            list.for_each(|list| assert!(!say(name, list.join(" , "))));
        }
        let is_seen = |tool: &Sample| tool.name != hidden && operator.keeps(tool);
        let version = *rng.choice(ProtocolVersion::ALL.iter()).expect("a version");
        let widest = listed(&endpoint, version, &HeaderMap::new()).await;
        assert_eq!(widest, tools.iter().filter(|tool| is_seen(tool)).map(|tool| tool.name).collect::<Vec<_>>());
        let list = listed(&endpoint, version, &chosen).await;
        let expected = tools.iter().filter(|tool| is_seen(tool) && client.keeps(tool));
        assert_eq!(list, expected.map(|tool| tool.name).collect::<Vec<_>>(), "{chosen:?}");
        narrowed += widest.len() - list.len();
        for name in NAMES {
            let answer = ask(&endpoint, version, "tools/call", json!({"name": name}), &chosen).await;
            assert_eq!(answer["result"]["isError"] == false, list.iter().any(|listed| listed == name), "{answer}");
        }
    }
    assert!(narrowed > 200, "{narrowed}");
}

fn three() -> Dispatcher {
    let sample = |name, is_read_only| Sample { name, tags: vec![name], is_read_only }.tool();
    built(
        exact().tool(sample("a", true)).tool(sample("b", false)).tool(sample("c", true)).list_scope(CacheScope::Public),
    )
}

#[tokio::test]
async fn headers_are_read_as_other_servers_read_them() {
    let endpoint = endpoint(&three());
    for (given, expected) in [
        (vec![("x-mcp-readonly", "")], "abc"),
        (vec![("x-mcp-readonly", " False ")], "abc"),
        (vec![("x-mcp-readonly", "off")], "abc"),
        (vec![("x-mcp-readonly", "1")], "ac"),
        (vec![("x-mcp-readonly", "Yes")], "ac"),
        (vec![("x-mcp-readonly", "0"), ("x-mcp-readonly", "1")], "ac"),
        (vec![("x-mcp-toolsets", "")], "abc"),
        (vec![("x-mcp-toolsets", " , ")], "abc"),
        (vec![("x-mcp-toolsets", "a,nothing")], "a"),
        (vec![("x-mcp-toolsets", "nothing")], ""),
        (vec![("x-mcp-tools", "b"), ("x-mcp-tools", "c")], "bc"),
        (vec![("x-mcp-tools", "a,b"), ("x-mcp-toolsets", "b,c")], "b"),
    ] {
        assert_eq!(listed(&endpoint, LATEST, &headers(&given)).await.concat(), expected, "{given:?}");
    }
}

#[tokio::test]
async fn an_endpoint_ignores_the_headers_unless_it_is_told_to_read_them() {
    let chosen = headers(&[("x-mcp-tools", "a")]);
    assert_eq!(listed(&Endpoint::new(three()), LATEST, &chosen).await.concat(), "abc");
}

#[tokio::test]
async fn lists_that_depend_on_headers_are_private() {
    for (endpoint, expected) in [(Endpoint::new(three()), "public"), (endpoint(&three()), "private")] {
        for method in ["tools/list", "server/discover"] {
            let answer = ask(&endpoint, LATEST, method, json!({}), &HeaderMap::new()).await;
            assert_eq!(answer["result"]["cacheScope"], expected, "{method}: {answer}");
        }
    }
}
