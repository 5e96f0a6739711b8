//! Mistakes of a server's author that would let a caller do more than was meant: `build` refuses them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use mcp_tool_runtime::schemars::JsonSchema;
use mcp_tool_runtime::{CallToolRequest, Dispatcher, Extensions, ToolHandler as _, mcp_tool, tools};
use serde::Deserialize;
use serde_json::json;

use crate::run::{built, exact, faults, now, value};

/// Place an order.
#[mcp_tool(scopes("orders:write"))]
async fn place_order(share: String) -> String {
    share
}

#[test]
fn scopes_that_no_rule_reads_are_an_error_whatever_other_rules_there_are() {
    let other = || Dispatcher::builder().tools(tools![place_order]).visible(|tool, _| !tool.tags().contains("beta"));
    for builder in
        [other(), Dispatcher::builder().merge(other()), Dispatcher::builder().merge_with_prefix("a_", other())]
    {
        let found = faults(builder);
        assert!(found[0].contains("it has the scope `orders:write`, and no rule checks scopes"), "{found:?}");
    }
}

#[test]
fn the_builder_of_a_rule_says_that_it_reads_scopes() {
    let other = || Dispatcher::builder().tools(tools![place_order]).visible(|tool, _| tool.scopes().is_empty());
    let builders = [
        other().scopes_are_read(),
        Dispatcher::builder().merge(other().scopes_are_read()),
        Dispatcher::builder().scopes_are_read().merge(other()),
    ];
    for builder in builders {
        assert!(built(builder).seen_by(&Extensions::new()).list().is_empty());
    }
    let own = || Dispatcher::builder().tools(tools![place_order]);
    let unread = [own().scopes_are_read(), own().merge_with_prefix("a_", other().scopes_are_read())];
    for builder in unread {
        let found = faults(builder);
        assert!(found[0].contains("no rule checks scopes"), "{found:?}");
    }
}

struct Db(u8);

/// Read the database.
#[mcp_tool]
async fn read(#[mcp_tool(state)] db: &Db) -> u8 {
    db.0
}

#[test]
fn one_state_in_two_spellings_is_an_error_that_names_both() {
    let builder = || Dispatcher::builder().tools(tools![read]);
    let plain = || Dispatcher::builder().state(Db(1));
    let shared = || Dispatcher::builder().state(Arc::new(Db(2)));
    let both = [
        builder().state(Db(1)).state(Arc::new(Db(2))),
        builder().state(Arc::new(Db(2))).state(Db(1)),
        builder().state(Db(1)).merge(shared()),
        builder().state(Arc::new(Db(2))).merge(plain()),
        builder().merge(plain()).merge(shared()),
        builder().merge(shared().merge(plain())),
    ];
    for builder in both {
        let found = faults(builder);
        let [error] = &found[..] else { panic!("{found:?}") };
        let plain = concat!("`", module_path!(), "::Db`");
        let shared = concat!("`alloc::sync::Arc<", module_path!(), "::Db>`");
        assert!(error.contains(plain) && error.contains(shared), "{error}");
    }
    let once = Arc::new(Db(3));
    let same = |db: &Arc<Db>| Dispatcher::builder().state(Arc::clone(db));
    assert_eq!(value(&built(builder().merge(same(&once)).merge(same(&once))), "read", json!({})), 3);
}

#[derive(Deserialize, JsonSchema)]
struct Query {
    place: String,
    #[serde(default, alias = "verbose")]
    debug: bool,
}

/// Search.
#[mcp_tool(allow_unknown)]
async fn search(#[mcp_tool(arguments)] query: Query) -> String {
    format!("{} {}", query.place, query.debug)
}

#[test]
fn no_alias_of_a_field_reaches_a_removed_argument() {
    let dispatcher =
        built(exact().tool(search {}.without("debug")).tool(search {}.with_name("fixed").with_fixed("debug", false)));
    for sent in [json!({"place": "Rome", "verbose": true}), json!({"place": "Rome", "debug": true, "other": 1})] {
        for name in ["search", "fixed"] {
            assert_eq!(value(&dispatcher, name, sent.clone()), "Rome false", "{name} {sent}");
        }
    }
}

#[derive(Deserialize, JsonSchema)]
struct Open {
    #[serde(default, alias = "verbose")]
    debug: bool,
    #[serde(flatten)]
    rest: HashMap<String, bool>,
}

/// Search with any options.
#[mcp_tool]
async fn search_openly(#[mcp_tool(arguments)] query: Open) -> String {
    format!("{} {}", query.debug, query.rest.len())
}

#[test]
fn an_argument_beside_arguments_of_any_name_cannot_be_removed() {
    let hidden = search_openly {}.without("debug");
    let found =
        faults(Dispatcher::builder().tool(hidden).tool(search_openly {}.with_name("b").with_fixed("debug", true)));
    assert!(found[0].contains("`debug` cannot be hidden") && found[0].contains("any name"), "{found:?}");
    assert!(found[1].contains("`debug` cannot be fixed") && found[1].contains("any name"), "{found:?}");
}

#[derive(serde::Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
struct Tenant(String);

impl TryFrom<String> for Tenant {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, &'static str> {
        if name == "acme" { Err("no such customer") } else { Ok(Self(name)) }
    }
}

/// Count.
#[mcp_tool]
async fn count(tenant: Tenant, of: String) -> usize {
    tenant.0.len() + of.len()
}

#[test]
fn the_error_of_a_fixed_value_does_not_name_the_argument() {
    let dispatcher = built(exact().tool(count {}.with_fixed("tenant", "acme")));
    let response = now(dispatcher.call(CallToolRequest::new("count", json!({"of": "cats"})))).expect("a response");
    let error = response.error().expect("the type refuses the value");
    assert_eq!(error.message(), "internal error in tool `count` (call_id call-1)");
    assert!(error.developer_message().is_some_and(|text| text.contains("tenant")), "{error:?}");
    assert!(error.errors().is_empty());
}

#[test]
fn settings_that_protect_nothing_are_errors() {
    let builder = Dispatcher::builder;
    let found = faults(builder().state_ttl(Duration::ZERO));
    assert!(found[0].contains("`state_ttl` is 0"), "{found:?}");
    let found = faults(builder().state_keys("example.com", [[0; 32]]));
    assert!(found[0].contains("a key of zeros"), "{found:?}");
    let found = faults(builder().state_keys("example.com", [[1; 32], [0; 32]]));
    assert!(found[0].contains("a key of zeros"), "{found:?}");
    for audience in ["", " "] {
        let found = faults(builder().state_keys(audience, [[1; 32]]));
        assert!(found[0].contains("the audience is empty"), "{found:?}");
    }
}
