//! Lists that many callers ask for: the second one may be a copy of the first, and must not be anybody else's.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_tool_runtime::http::PlainHttp;
use mcp_tool_runtime::{Dispatcher, Extensions, ProtocolVersion, ToolHandler as _, mcp_tool};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::listing::Caller;
use crate::listing::transports::{Carrier, request};
use crate::run::{built, exact};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

const TOOLS: usize = 90;

/// Returns a dispatcher of 90 tools. A caller of level 0 sees those whose number has the remainder `shown` when it is divided by 3; a
/// caller of another level sees the others.
fn dispatcher(shown: &Arc<AtomicUsize>) -> Dispatcher {
    let shown = Arc::clone(shown);
    let tools = (0..TOOLS).map(|number| add {}.with_name(format!("add_{number}")));
    let rule = move |tool: &mcp_tool_runtime::ToolInfo, extensions: &Extensions| {
        let number: usize = tool.name()["add_".len()..].parse().expect("a number");
        let is_shown = number % 3 == shown.load(Ordering::SeqCst);
        is_shown == extensions.get::<Caller>().is_none_or(|caller| caller.level == 0)
    };
    built(tools.fold(exact(), mcp_tool_runtime::DispatcherBuilder::tool).visible(rule))
}

fn names(tools: &Value) -> Vec<&str> {
    tools.as_array().expect("an array").iter().map(|tool| tool["name"].as_str().expect("a name")).collect()
}

fn expected(shown: usize, level: u8) -> Vec<String> {
    let numbers = (0..TOOLS).filter(|number| (number % 3 == shown) == (level == 0));
    numbers.map(|number| format!("add_{number}")).collect()
}

#[test]
fn a_list_follows_rules_that_change_however_often_it_was_asked_for() {
    let shown = Arc::new(AtomicUsize::new(0));
    let dispatcher = dispatcher(&shown);
    for round in 0..4 {
        for now_shown in [0, 1, 2, 1] {
            shown.store(now_shown, Ordering::SeqCst);
            for version in ProtocolVersion::ALL {
                for level in [0, 1, 0] {
                    let mut extensions = Extensions::new();
                    extensions.insert(Caller { level, scopes: Vec::new() });
                    let bytes = dispatcher.seen_by(&extensions).list_json(version);
                    let list: Value = serde_json::from_slice(&bytes).expect("JSON");
                    assert_eq!(names(&list["tools"]), expected(now_shown, level), "{round} {version}");
                    let whole: Value = serde_json::from_slice(dispatcher.list_json(version)).expect("JSON");
                    for key in ["resultType", "ttlMs", "cacheScope"] {
                        assert_eq!(list.get(key), whole.get(key), "{key}");
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn repeated_lists_are_the_same_in_every_carrier() {
    let shown = Arc::new(AtomicUsize::new(0));
    let dispatcher = dispatcher(&shown);
    for round in 0..4 {
        for level in [0, 1] {
            let caller = Caller { level, scopes: Vec::new() };
            for carrier in Carrier::ALL {
                let list = request(ProtocolVersion::LATEST, "tools/list", json!({}));
                let answer = carrier.ask(&dispatcher, Some(&caller), ProtocolVersion::LATEST, &list).await;
                let body = &answer[answer.find('{').expect("an object")..];
                let answer: Value = serde_json::from_str(body).expect("JSON");
                assert_eq!(names(&answer["result"]["tools"]), expected(0, level), "{round} {carrier:?}");
            }

            let mut get = http::Request::get("http://localhost/").body(String::new()).expect("a request");
            get.extensions_mut().insert(caller);
            let answer = PlainHttp::new(dispatcher.clone()).oneshot(get).await.unwrap_or_else(|never| match never {});
            let body = http_body_util::BodyExt::collect(answer.into_body()).await.expect("a body").to_bytes();
            let answer: Value = serde_json::from_slice(&body).expect("JSON");
            assert_eq!(names(&answer["tools"]), expected(0, level), "{round}");
        }
    }
}
