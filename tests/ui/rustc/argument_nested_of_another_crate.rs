// The error is from the derive on the author's own type: schemars describes a type of another crate only with its feature for that crate. Help: in `Cargo.toml`, write `schemars = { version = "1", features = ["chrono04"] }`, and for other crates `uuid1`, `url2`, `jiff02`, `rust_decimal1`, …: the module [`schemas`](crate::schemas#types-of-other-crates) lists all features. If the crate has a newer major version, depend on the one in the feature's name.

use chrono::{DateTime, Utc};
use mcp_tool_runtime::{mcp_tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Visit {
    arrival: DateTime<Utc>,
}

/// Book a visit.
#[mcp_tool]
async fn book(visit: Visit) -> i64 {
    visit.arrival.timestamp()
}

fn main() {
    let _ = tools![book];
}
