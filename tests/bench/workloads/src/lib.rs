//! The tools, requests and measurements, which are the same for every contestant.

pub mod allocations;
#[cfg(feature = "tokio")]
pub mod driven;
#[cfg(feature = "http")]
pub mod http;
pub mod orders;
pub mod requests;
pub mod searches;
pub mod serve;

use serde::{Deserialize, Serialize};

/// The work of a contestant in one measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Workload {
    /// A call of a tool.
    Call(Level, Tool),
    /// [`Tool::Add`] among 30 tools.
    Add30,
    /// [`Tool::Add`] among 1,000 tools.
    Add1000,
    /// The result of `tools/list`, of 30 tools.
    List30,
    /// The result of `tools/list`, of 1,000 tools.
    List1000,
    /// The result of `tools/list` for a caller who sees the first half of 1,000 tools.
    ListBlock,
    /// The result of `tools/list` for a caller who sees every second one of 1,000 tools.
    ListMixed,
    /// A build of 30 tools.
    Build30,
    /// A build of 1,000 tools.
    Build1000,
    /// A build of 1,000 tools without equal schemas.
    BuildApart,
}

/// From what a call is read, and to what its result is written. All but [`Level::Bare`] are requests of 2026-07-28, with the
/// `_meta` that every request of that version must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// From the bytes of `params` to the bytes of the result.
    Params,
    /// The same without `_meta`, as a request of 2025-11-25.
    Bare,
    /// From a request value to a result value, then to bytes. The contestant copies the request outside of its own work.
    Value,
    /// From the bytes of a JSON-RPC message to those of its response.
    Message,
    /// From an HTTP request, with headers and body, to an HTTP response.
    Http,
    /// From a line of an in-memory pipe to another line.
    Stdio,
    /// As [`Level::Params`], of a tool that a rule shows only to some callers.
    Ruled,
    /// As [`Level::Http`], with a function that gets the record of each call.
    Recorded,
}

impl Level {
    /// All levels, in the order of the table.
    pub const ALL: [Self; 8] =
        [Self::Params, Self::Bare, Self::Value, Self::Message, Self::Http, Self::Stdio, Self::Ruled, Self::Recorded];
}

/// A tool that is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tool {
    /// Two integers in, one out.
    Add,
    /// A search with options and enums in, a list of 10 hits out.
    Search,
    /// The same tool with three arguments in, and one hit out.
    Row,
    /// An order of 20 items in, the same with its total out.
    Order,
    /// 64 KiB of text in, the same out.
    Text,
}

impl Tool {
    /// All tools, in the order of the table.
    pub const ALL: [Self; 5] = [Self::Add, Self::Search, Self::Row, Self::Order, Self::Text];

    /// Returns its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Search | Self::Row => "search",
            Self::Order => "order",
            Self::Text => "text",
        }
    }
}

/// Names each workload, in the order of the table.
const NAMES: [(Workload, &str); 41] = {
    use Level::{Bare, Http, Message, Params, Recorded, Ruled, Stdio, Value};
    use Tool::{Add, Order, Row, Search, Text};
    use Workload::{Add30, Add1000, Build30, Build1000, BuildApart, Call, List30, List1000, ListBlock, ListMixed};
    [
        (Call(Params, Add), "add"),
        (Call(Params, Search), "search"),
        (Call(Params, Row), "row"),
        (Call(Params, Order), "order"),
        (Call(Params, Text), "text"),
        (Call(Bare, Add), "bare-add"),
        (Call(Bare, Search), "bare-search"),
        (Call(Bare, Row), "bare-row"),
        (Call(Bare, Order), "bare-order"),
        (Call(Bare, Text), "bare-text"),
        (Call(Value, Add), "value-add"),
        (Call(Value, Search), "value-search"),
        (Call(Value, Row), "value-row"),
        (Call(Value, Order), "value-order"),
        (Call(Value, Text), "value-text"),
        (Call(Message, Add), "message-add"),
        (Call(Message, Search), "message-search"),
        (Call(Message, Row), "message-row"),
        (Call(Message, Order), "message-order"),
        (Call(Message, Text), "message-text"),
        (Call(Http, Add), "http-add"),
        (Call(Http, Search), "http-search"),
        (Call(Http, Row), "http-row"),
        (Call(Http, Order), "http-order"),
        (Call(Http, Text), "http-text"),
        (Call(Stdio, Add), "stdio-add"),
        (Call(Stdio, Search), "stdio-search"),
        (Call(Stdio, Row), "stdio-row"),
        (Call(Stdio, Order), "stdio-order"),
        (Call(Stdio, Text), "stdio-text"),
        (Call(Ruled, Add), "ruled-add"),
        (Call(Recorded, Add), "recorded-add"),
        (Add30, "add-30"),
        (Add1000, "add-1000"),
        (List30, "list-30"),
        (List1000, "list-1000"),
        (ListBlock, "list-1000-block"),
        (ListMixed, "list-1000-mixed"),
        (Build30, "build-30"),
        (Build1000, "build-1000"),
        (BuildApart, "build-1000-apart"),
    ]
};

impl Workload {
    /// Returns all workloads, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.into_iter().map(|(workload, _)| workload)
    }

    /// Returns its name on the command line and in the table.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.into_iter().find(|(workload, _)| *workload == self).map_or("", |(_, name)| name)
    }

    /// Returns the workload of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        NAMES.into_iter().find(|(_, known)| *known == name).map(|(workload, _)| workload)
    }

    /// Returns the number of registered tools.
    #[must_use]
    pub fn tools(self) -> usize {
        match self {
            Self::Call(..) => 1,
            Self::Add30 | Self::List30 | Self::Build30 => 30,
            Self::Add1000 | Self::List1000 | Self::ListBlock | Self::ListMixed | Self::Build1000 | Self::BuildApart => {
                1_000
            }
        }
    }

    /// Returns from what the call is read.
    #[must_use]
    pub fn level(self) -> Level {
        match self {
            Self::Call(level, _) => level,
            Self::ListBlock | Self::ListMixed => Level::Ruled,
            _ => Level::Params,
        }
    }

    /// Returns the tool that is called.
    #[must_use]
    pub fn tool(self) -> &'static str {
        if let Self::Call(_, tool) = self { tool.name() } else { "add" }
    }

    /// Returns `true` for a build.
    #[must_use]
    pub fn is_build(self) -> bool {
        matches!(self, Self::Build30 | Self::Build1000 | Self::BuildApart)
    }
}

/// The names of the tools that every contestant has: the called tools, and one more.
pub const TOOLS: [&str; 5] = ["add", "order", "search", "text", "convert"];

/// Returns the prefixes under which [`TOOLS`] are registered to get this number of tools: none, then `s1_`, `s2_`, ….
pub fn prefixes(tools: usize) -> impl Iterator<Item = String> {
    let copies = if tools < TOOLS.len() { 0 } else { tools / TOOLS.len() };
    (0..copies).map(|copy| if copy == 0 { String::new() } else { format!("s{copy}_") })
}

/// A unit of length.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// The metre.
    Metre,
    /// The foot, 0.3048 m.
    Foot,
    /// The international nautical mile, 1,852 m.
    NauticalMile,
}

/// The arguments of `add`.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Summands {
    /// The first.
    pub a: i64,
    /// The second.
    pub b: i64,
}

/// The arguments of `text`.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Words {
    /// The text.
    pub text: String,
}

/// The arguments of `convert`.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Conversion {
    /// How long.
    pub length: f64,
    /// The unit it is given in.
    pub from: Unit,
    /// The unit that is asked for.
    pub to: Unit,
}

/// The result of those tools whose own is no object, for contestants that take objects only. Ours wraps it like this by itself.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Wrapped<T> {
    /// What came out.
    pub result: T,
}

/// The tool `add`.
#[must_use]
pub fn add(of: &Summands) -> i64 {
    of.a.wrapping_add(of.b)
}

/// The tool `convert`.
#[must_use]
pub fn convert(of: &Conversion) -> f64 {
    let metres = |unit| match unit {
        Unit::Metre => 1.0,
        Unit::Foot => 0.3048,
        Unit::NauticalMile => 1852.0,
    };
    of.length * metres(of.from) / metres(of.to)
}
