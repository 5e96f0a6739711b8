//! The tools, requests and measurements, which are the same for every contestant.

pub mod allocations;
#[cfg(feature = "tokio")]
pub mod driven;
pub mod orders;
pub mod requests;
pub mod searches;
pub mod serve;

use serde::{Deserialize, Serialize};

/// The work of a contestant in one measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Workload {
    /// Two integers in, one out.
    Add,
    /// [`Workload::Add`] among 30 tools.
    Add30,
    /// [`Workload::Add`] among 1,000 tools.
    Add1000,
    /// An order of 20 items in, the same with its total out.
    Order,
    /// A search with options and enums in, a list of 10 hits out.
    Search,
    /// 64 KiB of text in, the same out.
    Text,
    /// [`Workload::Add`] as a JSON-RPC message.
    Message,
    /// The result of `tools/list`, of 30 tools.
    List30,
    /// The result of `tools/list`, of 1,000 tools.
    List1000,
    /// A build of 30 tools.
    Build30,
    /// A build of 1,000 tools.
    Build1000,
    /// A build of 1,000 tools without equal schemas.
    BuildApart,
}

impl Workload {
    /// All workloads, in the order of the table. Every contestant has the first [`Workload::COMMON`].
    pub const ALL: [Self; 12] = [
        Self::Add,
        Self::Add30,
        Self::Add1000,
        Self::Order,
        Self::Search,
        Self::Text,
        Self::Message,
        Self::List30,
        Self::List1000,
        Self::Build30,
        Self::Build1000,
        Self::BuildApart,
    ];

    /// The number of workloads that every contestant has.
    pub const COMMON: usize = 11;

    /// Returns its name on the command line and in the table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Add30 => "add-30",
            Self::Add1000 => "add-1000",
            Self::Order => "order",
            Self::Search => "search",
            Self::Text => "text",
            Self::Message => "message",
            Self::List30 => "list-30",
            Self::List1000 => "list-1000",
            Self::Build30 => "build-30",
            Self::Build1000 => "build-1000",
            Self::BuildApart => "build-1000-apart",
        }
    }

    /// Returns the workload of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|workload| workload.name() == name)
    }

    /// Returns the number of registered tools.
    #[must_use]
    pub fn tools(self) -> usize {
        match self {
            Self::Add | Self::Order | Self::Search | Self::Text | Self::Message => 1,
            Self::Add30 | Self::List30 | Self::Build30 => 30,
            Self::Add1000 | Self::List1000 | Self::Build1000 | Self::BuildApart => 1_000,
        }
    }

    /// Returns the tool that is called.
    #[must_use]
    pub fn tool(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Search => "search",
            Self::Text => "text",
            _ => "add",
        }
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
