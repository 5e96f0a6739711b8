//! A caller's view of a server with rules is that of a server that has only the tools that the caller sees.
//!
//! For random tools, rules and callers, every list and every call over every server must give the same bytes from a dispatcher
//! with rules and from one that has just the visible tools. So a tool is callable if and only if it is listed, and a hidden
//! tool is answered like one that does not exist, suggestions included.

use fastrand::Rng;
use mcp_tool_runtime::{
    CallToolRequest, DispatchError, Dispatcher, DispatcherBuilder, Extensions, ProtocolVersion, ShapedTool,
    ToolHandler as _, ToolInfo, mcp_tool,
};
use serde_json::{Value, json};

use crate::carriers::{Carrier, request};
use crate::{Caller, built, exact};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Answer with the region, which is in a header too.
#[mcp_tool]
async fn region(#[mcp_tool(header = "Region")] region: String) -> String {
    region
}

/// Answer with the level of the caller.
#[mcp_tool]
async fn level(#[mcp_tool(extension)] caller: &Caller) -> u8 {
    caller.level
}

const TAGS: [&str; 3] = ["staff", "beta", "loud"];
const SCOPES: [&str; 3] = ["read", "write", "admin"];

/// The names are similar, so that an unknown name has suggestions.
const NAMES: [&str; 8] = ["note_a", "note_b", "note_ab", "notes", "order_a", "order_b", "orders", "x"];

/// A random tool: which function it is, its name, tags and scopes.
#[derive(Debug, Clone)]
struct Sample {
    kind: u8,
    name: &'static str,
    tags: Vec<&'static str>,
    scopes: Vec<&'static str>,
}

impl Sample {
    fn random(rng: &mut Rng, name: &'static str) -> Self {
        let some = |rng: &mut Rng, from: [&'static str; 3]| from.into_iter().filter(|_| rng.u8(..3) == 0).collect();
        Self { kind: rng.u8(..3), name, tags: some(rng, TAGS), scopes: some(rng, SCOPES) }
    }

    fn tool(&self) -> ShapedTool {
        let tool = match self.kind {
            0 => add {}.renamed(self.name),
            1 => region {}.renamed(self.name),
            _ => level {}.renamed(self.name),
        };
        let tool = self.tags.iter().fold(tool, |tool, tag| tool.tagged(*tag));
        self.scopes.iter().fold(tool, |tool, scope| tool.scoped(*scope))
    }
}

/// A random rule, as data, so that a test can compute what it shows.
#[derive(Debug, Clone, Copy)]
enum Rule {
    /// Tools with this tag need this level.
    Level(&'static str, u8),
    Scopes,
    /// Names of this length are hidden from callers without a value.
    Known(usize),
}

impl Rule {
    fn random(rng: &mut Rng) -> Self {
        match rng.u8(..3) {
            0 => Self::Level(TAGS[rng.usize(..3)], rng.u8(..3)),
            1 => Self::Scopes,
            _ => Self::Known(rng.usize(4..8)),
        }
    }

    fn shows(self, name: &str, tags: &[&str], scopes: &[&str], caller: Option<&Caller>) -> bool {
        match self {
            Self::Level(tag, level) => !tags.contains(&tag) || caller.is_some_and(|caller| caller.level >= level),
            Self::Scopes => {
                scopes.iter().all(|scope| caller.is_some_and(|caller| caller.scopes.iter().any(|own| own == scope)))
            }
            Self::Known(length) => caller.is_some() || name.len() != length,
        }
    }

    fn add_to(self, builder: DispatcherBuilder) -> DispatcherBuilder {
        match self {
            Self::Scopes => builder.visible_by_scopes::<Caller>(),
            rule => builder.visible(move |tool: &ToolInfo, extensions: &Extensions| {
                let tags: Vec<_> = tool.tags().iter().map(String::as_str).collect();
                let scopes: Vec<_> = tool.scopes().iter().map(String::as_str).collect();
                rule.shows(tool.name(), &tags, &scopes, extensions.get())
            }),
        }
    }
}

struct World {
    tools: Vec<Sample>,
    rules: Vec<Rule>,
    callers: Vec<Option<Caller>>,
    dispatcher: Dispatcher,
}

impl World {
    fn random(rng: &mut Rng) -> Self {
        let tools: Vec<_> = NAMES
            .into_iter()
            .filter(|_| rng.u8(..4) > 0)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|name| Sample::random(rng, name))
            .collect();
        let rules: Vec<_> = (0..=rng.usize(..3)).map(|_| Rule::random(rng)).collect();
        let mut callers = vec![None];
        for _ in 0..3 {
            let scopes = SCOPES.iter().filter(|_| rng.bool()).map(ToString::to_string).collect();
            callers.push(Some(Caller { level: rng.u8(..3), scopes }));
        }
        let builder = tools.iter().fold(exact(), |builder, tool| builder.tool(tool.tool()));
        let dispatcher = built(rules.iter().fold(builder, |builder, rule| rule.add_to(builder)));
        Self { tools, rules, callers, dispatcher }
    }

    fn is_visible(&self, tool: &Sample, caller: Option<&Caller>) -> bool {
        self.rules.iter().all(|rule| rule.shows(tool.name, &tool.tags, &tool.scopes, caller))
    }

    /// Returns a dispatcher that has only the tools that the caller sees, and shows them to everybody.
    fn twin(&self, caller: Option<&Caller>) -> Dispatcher {
        let visible = self.tools.iter().filter(|tool| self.is_visible(tool, caller));
        built(visible.fold(exact(), |builder, tool| builder.tool(tool.tool())).visible(|_, _| true))
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:?}", self.tools, self.rules)
    }
}

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

fn extensions(caller: Option<&Caller>) -> Extensions {
    let mut extensions = Extensions::new();
    if let Some(caller) = caller {
        extensions.insert(caller.clone());
    }
    extensions
}

#[tokio::test]
async fn every_answer_is_that_of_a_server_with_the_visible_tools_alone() {
    let mut rng = Rng::with_seed(7);
    let (mut hidden, mut shown) = (0, 0);
    for _ in 0..12 {
        let world = World::random(&mut rng);
        for caller in &world.callers {
            let caller = caller.as_ref();
            let twin = world.twin(caller);
            for tool in &world.tools {
                if world.is_visible(tool, caller) { shown += 1 } else { hidden += 1 }
            }
            for version in ProtocolVersion::ALL {
                for carrier in Carrier::ALL {
                    let mut messages = vec![request(version, "tools/list", json!({}))];
                    for name in NAMES.into_iter().chain(["note_c", "ordera", "nothing_like_it"]) {
                        let arguments = &arguments()[rng.usize(..5)];
                        messages.push(request(version, "tools/call", json!({"name": name, "arguments": arguments})));
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
    assert!(hidden > 50 && shown > 50, "{hidden} hidden, {shown} shown");
}

#[tokio::test]
async fn a_tool_is_callable_if_and_only_if_it_is_listed() {
    let mut rng = Rng::with_seed(11);
    for _ in 0..200 {
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
