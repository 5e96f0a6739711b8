//! No tests: random tools, rules and callers.

use fastrand::Rng;
use mcp_tool_runtime::{
    CallContext, Dispatcher, DispatcherBuilder, Extensions, ToolHandler as _, ToolInfo, mcp_tool, tool::ShapedTool,
};
use serde_json::json;

use crate::listing::Caller;
use crate::run::{built, exact};

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

/// The names are similar, so that an unknown name has suggestions, and some are equal in the alphabet of a model vendor.
pub(crate) const NAMES: [&str; 8] = ["note_a", "note.a", "note_ab", "notes", "order_a", "order.b", "order_b", "x"];

/// Call another tool, and answer with what it says.
#[mcp_tool]
async fn relay(name: String, #[mcp_tool(context)] cx: &CallContext) -> String {
    match cx.call(name, json!({"a": 1, "b": 2})).await {
        Ok(response) => serde_json::to_string(&response.to_otc()).expect("a response"),
        Err(error) => format!("{} {error:?}", error.code()),
    }
}

/// A random tool: which function it is, its name, tags and scopes.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    kind: u8,
    pub(crate) name: &'static str,
    tags: Vec<&'static str>,
    scopes: Vec<&'static str>,
}

/// The kind of [`relay`].
const RELAY: u8 = 3;

impl Sample {
    fn random(rng: &mut Rng, name: &'static str) -> Self {
        let some = |rng: &mut Rng, from: [&'static str; 3]| from.into_iter().filter(|_| rng.u8(..3) == 0).collect();
        Self { kind: rng.u8(..3), name, tags: some(rng, TAGS), scopes: some(rng, SCOPES) }
    }

    fn tool(&self) -> ShapedTool {
        let tool = match self.kind {
            0 => add {}.with_name(self.name),
            1 => region {}.with_name(self.name),
            RELAY => relay {}.with_name(self.name),
            _ => level {}.with_name(self.name),
        };
        let tool = self.tags.iter().fold(tool, |tool, tag| tool.with_tags([*tag]));
        self.scopes.iter().fold(tool, |tool, scope| tool.with_scopes([*scope]))
    }
}

/// A random rule, as data, so that a test can compute what it shows.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rule {
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

/// Tools, rules and callers.
pub(crate) struct World {
    pub(crate) tools: Vec<Sample>,
    rules: Vec<Rule>,
    pub(crate) callers: Vec<Option<Caller>>,
    pub(crate) dispatcher: Dispatcher,
}

impl World {
    pub(crate) fn random(rng: &mut Rng) -> Self {
        let mut tools: Vec<_> = NAMES
            .into_iter()
            .filter(|_| rng.u8(..4) > 0)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|name| Sample::random(rng, name))
            .collect();
        tools.push(Sample { kind: RELAY, name: "relay", tags: Vec::new(), scopes: Vec::new() });
        let rules: Vec<_> = (0..=rng.usize(..3)).map(|_| Rule::random(rng)).collect();
        let mut callers = vec![None];
        for _ in 0..3 {
            let scopes = SCOPES.iter().filter(|_| rng.bool()).map(ToString::to_string).collect();
            callers.push(Some(Caller { level: rng.u8(..3), scopes }));
        }
        let builder = tools
            .iter()
            .fold(exact().info("tests", "1.0.0"), |builder, tool| builder.tool(tool.tool()))
            .scopes_are_read();
        let dispatcher = built(rules.iter().fold(builder, |builder, rule| rule.add_to(builder)));
        Self { tools, rules, callers, dispatcher }
    }

    pub(crate) fn is_visible(&self, tool: &Sample, caller: Option<&Caller>) -> bool {
        self.rules.iter().all(|rule| rule.shows(tool.name, &tool.tags, &tool.scopes, caller))
    }

    /// Returns a dispatcher that has only the tools that the caller sees, and shows them to everybody.
    pub(crate) fn twin(&self, caller: Option<&Caller>) -> Dispatcher {
        let visible = self.tools.iter().filter(|tool| self.is_visible(tool, caller));
        built(
            visible
                .fold(exact().info("tests", "1.0.0"), |builder, tool| builder.tool(tool.tool()))
                .visible(|_, _| true)
                .scopes_are_read(),
        )
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:?}", self.tools, self.rules)
    }
}

/// Returns what the transport attaches to the requests of a caller.
pub(crate) fn extensions(caller: Option<&Caller>) -> Extensions {
    let mut extensions = Extensions::new();
    if let Some(caller) = caller {
        extensions.insert(caller.clone());
    }
    extensions
}
