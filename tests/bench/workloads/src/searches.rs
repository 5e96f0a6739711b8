//! The tool `search`: options and enums in, a list of hits out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What comes first.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// The best match.
    #[default]
    Relevance,
    /// The newest.
    Newest,
    /// The oldest.
    Oldest,
}

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A text of somebody's.
    Document,
    /// A message to somebody.
    Message,
    /// A line in a calendar.
    Event,
}

/// One thing that was found.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    /// Its number.
    pub id: u64,
    /// What it is.
    pub kind: Kind,
    /// What it is called.
    pub title: String,
    /// Where it is.
    pub url: String,
    /// The words around the match.
    pub snippet: String,
    /// How well it fits, from 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub score: f64,
    /// Who wrote it, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
}

/// What was found.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Hits {
    /// The first of them.
    pub hits: Vec<Hit>,
    /// How many there are.
    pub total: u64,
    /// Where to go on.
    pub next: Option<String>,
}

/// What a search asks for.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Query {
    /// Words to look for.
    #[schemars(length(min = 1))]
    pub query: String,
    /// How many hits at most.
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<u32>,
    /// What comes first.
    pub sort: Option<Sort>,
    /// Only these.
    pub kinds: Option<Vec<Kind>>,
    /// Only what was written since this day.
    pub since: Option<String>,
    /// Also what was put away.
    pub archived: Option<bool>,
}

/// The tool. It invents its hits.
#[must_use]
pub fn search(query: &Query) -> Hits {
    let kinds = query.kinds.as_deref().unwrap_or(&[Kind::Document, Kind::Message, Kind::Event]);
    let hit = |place: u32| Hit {
        id: 7_000 + u64::from(place),
        kind: kinds[place as usize % kinds.len()],
        title: format!("{} in review {place}", query.query),
        url: format!("https://example.com/files/{place}"),
        snippet: format!("… what they say of \"{}\" is in part {place}, below the table …", query.query),
        score: 0.97 / f64::from(place + 1),
        author: place.is_multiple_of(2).then(|| "Ann Example".to_owned()),
    };
    let hits = (0..query.limit.unwrap_or(20)).map(hit).collect();
    Hits { hits, total: 1_234, next: Some("cursor-10".to_owned()) }
}

/// Returns the arguments of the call.
#[must_use]
pub fn arguments() -> Query {
    Query {
        query: "annual report".to_owned(),
        limit: Some(10),
        sort: Some(Sort::Newest),
        kinds: Some(vec![Kind::Document, Kind::Event]),
        since: Some("2025-01-01".to_owned()),
        archived: None,
    }
}

/// Returns the arguments of the call that gives one hit.
#[must_use]
pub fn short() -> serde_json::Value {
    serde_json::json!({"query": "annual report", "limit": 1, "sort": "newest"})
}
