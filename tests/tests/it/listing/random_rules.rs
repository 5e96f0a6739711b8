//! A caller's view of a server with rules is that of a server that has only the tools that the caller sees.
//!
//! For random tools, rules and callers, every list and every call over every server must give the same bytes from a dispatcher
//! with rules and from one that has just the visible tools. So a tool is callable if and only if it is listed, and a hidden
//! tool is answered like one that does not exist, suggestions included.

use fastrand::Rng;
use mcp_tool_runtime::{CallToolRequest, DispatchError, ProtocolVersion};
use mcp_tool_tests::size;
use serde_json::{Value, json};

use crate::listing::random_servers::{NAMES, World, extensions};
use crate::listing::transports::{Carrier, request};

/// Arguments of all tools and of none, right and wrong.
fn arguments() -> [Value; 5] {
    [
        json!({"a": 1, "b": 2}),
        json!({"region": "eu"}),
        json!({}),
        json!({"a": "wrong", "region": 5}),
        json!("not even an object"),
    ]
}

#[tokio::test]
async fn every_answer_is_that_of_a_server_with_the_visible_tools_alone() {
    let mut rng = Rng::with_seed(7);
    let (mut hidden, mut shown) = (0, 0);
    for _ in 0..size(3, 12) {
        let world = World::random(&mut rng);
        for caller in &world.callers {
            let caller = caller.as_ref();
            let twin = world.twin(caller);
            for tool in &world.tools {
                if world.is_visible(tool, caller) { shown += 1 } else { hidden += 1 }
            }
            for version in ProtocolVersion::ALL {
                for carrier in Carrier::ALL {
                    let mut messages = vec![
                        request(version, "tools/list", json!({})),
                        request(version, "tools/list", json!({"cursor": "note_a"})),
                        request(version, "server/discover", json!({})),
                    ];
                    for name in NAMES.into_iter().chain(["note_c", "ordera", "nothing_like_it"]) {
                        let arguments = &arguments()[rng.usize(..5)];
                        let mut call = request(version, "tools/call", json!({"name": name, "arguments": arguments}));
                        if rng.u8(..4) == 0 {
                            call["params"]["_meta"]["progressToken"] = json!("token");
                        }
                        messages.push(call);
                    }
                    for message in messages {
                        let one = carrier.ask(&world.dispatcher, caller, version, &message).await;
                        let other = carrier.ask(&twin, caller, version, &message).await;
                        assert_eq!(one, other, "{carrier:?} {version} {caller:?} {message} {world:?}");
                    }
                }
            }
        }
    }
    assert!(hidden > 10 && shown > 10, "{hidden} hidden, {shown} shown");
}

#[tokio::test]
async fn a_tool_is_callable_if_and_only_if_it_is_listed() {
    let mut rng = Rng::with_seed(11);
    for _ in 0..size(30, 200) {
        let world = World::random(&mut rng);
        for caller in &world.callers {
            let caller = caller.as_ref();
            let extensions = extensions(caller);
            let seen = world.dispatcher.seen_by(&extensions);
            let listed: Vec<_> = seen.list().into_iter().map(|tool| tool.name.clone()).collect();
            for version in ProtocolVersion::ALL {
                let names: Vec<_> = seen.list_for(version).into_iter().map(|tool| tool.name.clone()).collect();
                assert_eq!(names, listed);
                let list: Value = serde_json::from_slice(&seen.list_json(version)).expect("JSON");
                let names: Vec<_> =
                    list["tools"].as_array().expect("tools").iter().map(|tool| tool["name"].clone()).collect();
                assert_eq!(names, listed);
            }
            for tool in &world.tools {
                let mut call = CallToolRequest::new(tool.name, json!({}));
                call.extensions = extensions.clone();
                let unknown = matches!(world.dispatcher.call(call).await, Err(DispatchError::UnknownTool { .. }));
                assert_eq!(listed.iter().any(|name| name == tool.name), !unknown, "{tool:?} {caller:?} {world:?}");
                assert_eq!(world.is_visible(tool, caller), !unknown, "{tool:?} {caller:?} {world:?}");
            }
        }
    }
}

#[tokio::test]
async fn routes_of_the_sdk_exist_for_the_tools_that_everybody_sees() {
    struct Existing;
    impl rmcp::ServerHandler for Existing {}

    let mut rng = Rng::with_seed(13);
    for _ in 0..50 {
        let world = World::random(&mut rng);
        let routes: Vec<_> =
            world.dispatcher.rmcp_routes::<Existing>().iter().map(|route| route.name().to_owned()).collect();
        let visible = world.tools.iter().filter(|tool| world.is_visible(tool, None));
        assert_eq!(routes, visible.map(|tool| tool.name).collect::<Vec<_>>());
    }
}
