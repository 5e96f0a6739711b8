//! Serde aliases inside the types of arguments (rule I3). Tools with `accept_aliases` accept them, if the schema complains of nothing but
//! unknown and missing properties, and the type reads the arguments.

use std::collections::BTreeMap;

use mcp_tool_runtime::{Dispatcher, ToolHandler as _, json, mcp_tool, mcp_tools, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::run::{input, message, serve, value};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Size {
    #[serde(alias = "w", alias = "breadth")]
    width: u8,
    #[serde(default, alias = "h")]
    #[schemars(range(max = 9))]
    height: Option<u8>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Shade {
    #[serde(alias = "crimson")]
    Red,
    Green,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Form {
    #[serde(alias = "dot")]
    Point,
    #[serde(alias = "ball")]
    Circle(Size),
    Box {
        #[serde(alias = "s")]
        side: u8,
    },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
enum Adjacent {
    #[serde(alias = "none")]
    Nothing,
    #[serde(alias = "sized")]
    Size(Size),
    Shade(Shade),
    Sizes {
        size: Size,
    },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Internal {
    #[serde(alias = "none")]
    Nothing,
    Size {
        #[serde(alias = "w")]
        width: u8,
    },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Tree {
    #[serde(alias = "n")]
    name: String,
    #[serde(default, alias = "kids", skip_serializing_if = "Vec::is_empty")]
    children: Vec<Tree>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Name(String);

#[derive(Serialize, Deserialize, JsonSchema)]
struct All {
    #[serde(alias = "dims", skip_serializing_if = "Option::is_none")]
    size: Option<Size>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sizes: Vec<Size>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    by_name: BTreeMap<String, Size>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<(u8, Name, Size)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shade: Option<Shade>,
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<Form>,
    #[serde(skip_serializing_if = "Option::is_none")]
    adjacent: Option<Adjacent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    internal: Option<Internal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<Box<Tree>>,
}

/// Take everything.
#[mcp_tool(accept_aliases)]
async fn whole(#[mcp_tool(arguments)] all: All) -> Value {
    json!(all)
}

/// Take everything as one parameter.
#[mcp_tool(accept_aliases)]
async fn nested(#[serde(alias = "everything")] all: All) -> Value {
    json!(all)
}

/// Take everything, and refuse the aliases.
#[mcp_tool]
async fn strict(#[serde(alias = "everything")] all: All) -> Value {
    json!(all)
}

/// Take a map beside everything.
#[mcp_tool(accept_aliases)]
async fn beside(all: All, #[serde(flatten)] rest: BTreeMap<String, u8>) -> Value {
    json!([all, rest])
}

fn served() -> Dispatcher {
    serve(tools![whole, nested, strict, beside])
}

/// What a client sends with aliases, and with the published names.
fn pairs() -> Vec<(Value, Value)> {
    let size = || json!({"width": 1, "height": 2});
    vec![
        (json!({"size": {"w": 1, "height": 2}}), json!({"size": size()})),
        (json!({"dims": {"breadth": 1.0, "h": 2}}), json!({"size": size()})),
        (json!({"dims": {"width": 1, "h": null}}), json!({"size": {"width": 1, "height": null}})),
        (json!({"sizes": [{"w": 1, "h": 2}, size()]}), json!({"sizes": [size(), size()]})),
        (json!({"by_name": {"w": {"w": 1, "h": 2}}}), json!({"by_name": {"w": size()}})),
        (json!({"pair": [1, "w", {"w": 1, "h": 2}]}), json!({"pair": [1, "w", size()]})),
        (json!({"form": {"box": {"s": 1}}}), json!({"form": {"box": {"side": 1}}})),
        (
            json!({"adjacent": {"kind": "sizes", "value": {"size": {"w": 1, "h": 2}}}}),
            json!({"adjacent": {"kind": "sizes", "value": {"size": size()}}}),
        ),
        (json!({"internal": {"kind": "size", "w": 1}}), json!({"internal": {"kind": "size", "width": 1}})),
        (
            json!({"tree": {"n": "a", "kids": [{"n": "b", "children": [{"n": "c"}]}]}}),
            json!({"tree": {"name": "a", "children": [{"name": "b", "children": [{"name": "c"}]}]}}),
        ),
    ]
}

#[test]
fn i3_aliases_inside_types_are_accepted_at_every_depth_and_not_published() {
    let dispatcher = served();
    for (sent, read) in pairs() {
        assert_eq!(value(&dispatcher, "whole", sent.clone()), read, "{sent}");
        assert_eq!(value(&dispatcher, "nested", json!({"all": sent})), read, "{sent}");
        assert_eq!(value(&dispatcher, "nested", json!({"everything": sent})), read, "{sent}");
        assert_eq!(value(&dispatcher, "beside", json!({"all": sent, "w": 1})), json!([read, {"w": 1}]), "{sent}");
    }
    assert_eq!(input(&dispatcher, "nested"), input(&dispatcher, "strict"));
    let published = input(&dispatcher, "whole").to_string();
    for alias in ["\"w\"", "\"h\"", "breadth", "dims", "crimson", "ball", "kids"] {
        assert!(!published.contains(alias), "{alias}");
    }
}

#[test]
fn i3_without_the_key_aliases_inside_types_are_refused_where_the_schema_refuses_them() {
    let refused = pairs().into_iter().filter(|(sent, _)| {
        let response = crate::run::call(&served(), "strict", json!({"all": sent}));
        !response.is_success()
    });
    // An open type reads the alias of an optional property.
    assert_eq!(refused.count(), pairs().len() - 2);
}

#[test]
fn i3_an_alias_beside_any_other_mistake_is_refused_as_the_schema_refuses_it() {
    let many = json!(vec![json!({"w": 1}); 33]);
    for (sent, refused) in [
        (json!({"size": {"w": 1, "height": 10}}), "size.height: expected 9 or less"),
        (json!({"size": {"w": 300}}), "size.width: required, but missing"),
        (json!({"tree": {"n": "a", "kid": []}}), "tree.n: not known"),
        // The name of a variant is a value, or selects a branch. A property given twice is unknown once.
        (json!({"form": {"ball": {"width": 1}}}), "form: expected "),
        (json!({"shade": "crimson"}), r#"shade: expected one of "red", "green", got another string"#),
        (json!({"tree": {"n": "a", "name": "b"}}), "tree.n: not known"),
        // The search for more ends, so there may be other mistakes.
        (json!({"sizes": many}), "sizes[0].width: required, but missing"),
    ] {
        let response = crate::run::call(&served(), "whole", sent.clone());
        let text = response.error().map(|error| error.message().to_owned()).unwrap_or_default();
        assert!(text.contains(refused), "{sent}: {text}");
    }
    assert_eq!(
        message(&served(), "nested", json!({"all": {"sizes": [{"width": 1, "w": 1}]}})),
        "invalid arguments: all.sizes[0].width: given twice, under two of its names"
    );
}

/// serde ignores an unknown argument, and reads a flattened type without naming its fields.
#[test]
fn i3_an_argument_that_the_type_does_not_name_is_never_lost() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Parcel {
        id: u8,
        #[serde(flatten)]
        size: Size,
    }

    /// Take a parcel.
    #[mcp_tool(accept_aliases)]
    async fn parcel(#[mcp_tool(arguments)] parcel: Parcel) -> Parcel {
        parcel
    }

    /// Take a parcel as one argument.
    #[mcp_tool(accept_aliases)]
    async fn parcels(parcel: Parcel, #[serde(default)] count: u8) -> (Parcel, u8) {
        (parcel, count)
    }

    let dispatcher = serve(tools![whole, parcel, parcels]);
    for (tool, sent) in [
        ("whole", json!({"dim": {"width": 1}})),
        ("whole", json!({"dims": {"width": 1}, "shades": "red"})),
        ("parcel", json!({"id": 1, "w": 2})),
        ("parcels", json!({"parcel": {"id": 1, "w": 2}, "cuont": 3})),
    ] {
        let text = message(&dispatcher, tool, sent.clone());
        assert!(text.starts_with("invalid arguments"), "{sent}: {text}");
    }
    let sent = json!({"parcel": {"id": 1, "w": 2, "h": 3}, "count": 3});
    assert_eq!(value(&dispatcher, "parcels", sent), json!([{"id": 1, "width": 2, "height": 3}, 3]));
}

#[test]
fn i3_a_lax_tool_accepts_aliases_in_an_object_that_was_sent_as_text() {
    let dispatcher = Dispatcher::builder().tools(tools![whole]).lax(true).build().expect("a dispatcher");
    let sent = json!({"size": "{\"w\": 1, \"h\": 2}"});
    assert_eq!(value(&dispatcher, "whole", sent), json!({"size": {"width": 1, "height": 2}}));
}

#[test]
fn i3_the_key_of_a_block_holds_for_each_method_that_does_not_refuse_it() {
    struct Sizes;

    #[mcp_tools(accept_aliases)]
    impl Sizes {
        /// Take a size.
        #[mcp_tool]
        async fn lenient(&self, size: Size) -> Size {
            size
        }

        /// Take a size, by its published names only.
        #[mcp_tool(accept_aliases = false)]
        async fn exact(&self, size: Size) -> Size {
            size
        }
    }

    let dispatcher = Dispatcher::builder().service(Sizes).build().expect("a dispatcher");
    let sent = json!({"size": {"w": 1}});
    assert_eq!(value(&dispatcher, "lenient", sent.clone()), json!({"width": 1, "height": null}));
    assert_eq!(message(&dispatcher, "exact", sent), "invalid arguments: size.width: required, but missing");
}

#[test]
fn i3_an_alias_of_a_hidden_or_fixed_argument_is_not_accepted() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Query {
        text: String,
        #[serde(default, alias = "t")]
        tenant: u8,
    }

    /// Search.
    #[mcp_tool(accept_aliases)]
    async fn search(#[mcp_tool(arguments)] query: Query) -> Query {
        query
    }

    let dispatcher = Dispatcher::builder()
        .tool(search {}.with_name("hidden").without("tenant"))
        .tool(search {}.with_name("fixed").with_fixed("tenant", 7))
        .build()
        .expect("a dispatcher");
    for tool in ["hidden", "fixed"] {
        let sent = json!({"text": "a", "t": 1});
        assert_eq!(message(&dispatcher, tool, sent), "invalid arguments: t: not known", "{tool}");
    }
    assert_eq!(value(&dispatcher, "fixed", json!({"text": "a"})), json!({"text": "a", "tenant": 7}));
}

#[test]
fn i3_an_accepted_alias_cannot_bypass_a_header() {
    #[derive(Deserialize, JsonSchema)]
    struct Place {
        #[serde(alias = "r")]
        #[schemars(extend("x-mcp-header" = "Region"))]
        region: String,
    }

    /// Go there.
    #[mcp_tool(accept_aliases)]
    async fn go(place: Place) -> String {
        place.region
    }

    /// Travel there.
    #[mcp_tool]
    async fn travel(#[serde(alias = "p")] place: Place) -> String {
        place.region
    }

    let dispatcher = serve(tools![go]);
    let sent = json!({"place": {"r": "eu"}});
    assert!(message(&dispatcher, "go", sent).starts_with("invalid arguments: place.region: required, but missing"));
    let error = Dispatcher::builder().tools(tools![travel]).build().expect_err("an alias");
    let text =
        "tool `travel`: `place` is sent in a header too, and a client could bypass that header with the other name `p`";
    assert!(error.errors()[0].starts_with(text), "{error}");
    assert_eq!(error.errors().len(), 1);
}
