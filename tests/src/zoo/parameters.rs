//! Tools with several parameters, and attributes on parameters.

use std::collections::BTreeMap;

use mcp_tool_runtime::mcp_tool;
use serde::{Deserialize, Serialize};

use super::Specimen;

/// The parameters of [`search`] as a struct.
#[derive(Serialize, Deserialize, schemars::JsonSchema, arbitrary::Arbitrary)]
struct Search {
    query: String,
    #[serde(default, rename = "minPrice")]
    min_price: f64,
    limit: Option<u8>,
    #[serde(default = "ten")]
    page: u16,
    order: Option<Order>,
    #[serde(flatten)]
    place: Place,
}

#[derive(Clone, Copy, Serialize, Deserialize, schemars::JsonSchema, arbitrary::Arbitrary)]
#[serde(rename_all = "lowercase")]
enum Order {
    Up,
    /// From the end.
    Down,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema, arbitrary::Arbitrary)]
struct Place {
    city: Option<String>,
    zip: u32,
}

fn ten() -> u16 {
    10
}

/// Search.
#[mcp_tool]
async fn search(
    #[schemars(length(min = 1, max = 20))] query: &str,
    #[serde(default, rename = "minPrice")] min_price: f64,
    #[schemars(range(min = 1, max = 50))] limit: Option<u8>,
    #[mcp_tool(default = 10u16)] page: u16,
    #[serde(alias = "sort_by", alias = "by")] order: Option<Order>,
    #[serde(flatten)] place: Place,
) -> Search {
    Search { query: query.to_owned(), min_price, limit, page, order, place }
}

/// The parameters of [`tally`] as a struct.
#[derive(Serialize, Deserialize, schemars::JsonSchema, arbitrary::Arbitrary)]
struct Tally {
    votes: BTreeMap<String, u8>,
    #[serde(flatten)]
    more: BTreeMap<String, bool>,
}

/// Count.
#[mcp_tool]
async fn tally(votes: BTreeMap<String, u8>, #[serde(flatten)] more: BTreeMap<String, bool>) -> Tally {
    Tally { votes, more }
}

/// The parameters of [`open`] as a struct.
#[derive(Serialize, Deserialize, schemars::JsonSchema, arbitrary::Arbitrary)]
struct Open {
    a: Option<bool>,
    b: u8,
}

/// Ignore what is not known.
#[mcp_tool(allow_unknown)]
async fn open(a: Option<bool>, b: u8) -> Open {
    Open { a, b }
}

const ALIASES: &[super::Alias] = &[("sort_by", "order"), ("by", "order")];

pub(super) fn specimens() -> Vec<Specimen> {
    vec![
        Specimen::new("search", search {}).whole::<Search>().constrained().aliased(ALIASES),
        Specimen::new("tally", tally {}).whole::<Tally>(),
        Specimen::new("open", open {}).whole::<Open>(),
    ]
}
