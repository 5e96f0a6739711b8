//! Serde aliases inside the types of arguments (rule I3): `lint` finds them, and tools with `accept_aliases` accept them.

use std::collections::BTreeMap;

use mcp_tool_runtime::lint::{Finding, Severity};
use mcp_tool_runtime::{Dispatcher, ToolHandler as _, json, mcp_tool, mcp_tools, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::run::{input, lines, message, serve, value};

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
        (json!({"shade": "crimson"}), json!({"shade": "red"})),
        (json!({"form": "dot"}), json!({"form": "point"})),
        (json!({"form": {"ball": {"w": 1, "h": 2}}}), json!({"form": {"circle": size()}})),
        (json!({"form": {"box": {"s": 1}}}), json!({"form": {"box": {"side": 1}}})),
        (json!({"adjacent": {"kind": "none"}}), json!({"adjacent": {"kind": "nothing"}})),
        (
            json!({"adjacent": {"value": {"w": 1, "h": 2}, "kind": "sized"}}),
            json!({"adjacent": {"kind": "size", "value": size()}}),
        ),
        (
            json!({"adjacent": {"kind": "shade", "value": "crimson"}}),
            json!({"adjacent": {"kind": "shade", "value": "red"}}),
        ),
        (
            json!({"adjacent": {"kind": "sizes", "value": {"size": {"w": 1, "h": 2}}}}),
            json!({"adjacent": {"kind": "sizes", "value": {"size": size()}}}),
        ),
        (json!({"internal": {"kind": "none"}}), json!({"internal": {"kind": "nothing"}})),
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
    for alias in ["\"w\"", "\"h\"", "breadth", "dims", "crimson", "dot", "ball", "none", "sized", "kids"] {
        assert!(!published.contains(alias), "{alias}");
    }
}

#[test]
fn i3_without_the_key_aliases_inside_types_are_refused_as_before() {
    let refused = pairs().into_iter().filter(|(sent, _)| {
        let response = crate::run::call(&served(), "strict", json!({"all": sent}));
        !response.is_success()
    });
    assert_eq!(refused.count(), pairs().len() - 2);
}

#[test]
fn i3_the_schema_applies_to_a_property_under_its_alias() {
    let sent = json!({"dims": {"w": 300, "h": 10}, "sizes": [{"h": 1}], "form": {"ball": 1}, "shade": "blue"});
    assert_eq!(
        lines(&served(), "whole", sent),
        [
            "- form.circle: expected an object, got an integer",
            r#"- shade: expected one of "red", "green", got another string"#,
            "- size.height: expected 9 or less",
            "- size.width: expected 255 or less",
            "- sizes[0].width: required, but missing",
        ]
    );
}

#[test]
fn i3_two_names_of_one_property_at_once_are_refused_at_every_depth() {
    assert_eq!(
        lines(
            &served(),
            "nested",
            json!({"all": {"sizes": [{"width": 1, "w": 1}], "tree": {"kids": [{"name": "a", "n": "b"}], "n": "c"}}})
        ),
        [
            "- all.sizes[0].w: the same property as `width`; give one of them",
            "- all.tree.children[0].n: the same property as `name`; give one of them",
        ]
    );
    assert_eq!(
        message(&served(), "whole", json!({"dims": {"w": 1, "breadth": 1}, "size": null})),
        "invalid arguments: dims: the same argument as `size`; give one of them"
    );
    assert_eq!(
        message(&served(), "whole", json!({"size": {"w": 1, "breadth": 1}})),
        "invalid arguments: size.breadth: the same property as `width`; give one of them"
    );
}

#[test]
fn i3_a_lax_tool_accepts_aliases_in_an_object_that_was_sent_as_text() {
    let dispatcher = Dispatcher::builder().tools(tools![whole]).lax(true).build().expect("a dispatcher");
    let sent = json!({"dims": "{\"w\": \"1\", \"h\": 2}"});
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
        .tool(search {}.renamed("hidden").hiding("tenant"))
        .tool(search {}.renamed("fixed").fixing("tenant", 7))
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

    let error = Dispatcher::builder().tools(tools![go, travel]).build().expect_err("two aliases");
    for (error, text) in error.errors().iter().zip([
        "tool `go`: `region` is sent in a header too, and a client could bypass that header with the alias `r`",
        "tool `travel`: `place` is sent in a header too, and a client could bypass that header with the alias `p`",
    ]) {
        assert!(error.starts_with(text), "{error}");
    }
    assert_eq!(error.errors().len(), 2);
}

#[test]
fn lint_names_each_alias_inside_a_type_and_the_key_that_accepts_it() {
    let findings = serve(tools![strict]).lint(&[]);
    let of = |finding: &Finding| format!("{} {}", finding.place(), finding.problem());
    let found: Vec<_> = findings.iter().filter(|finding| finding.rule() == "alias").map(of).collect();
    let text = |place: &str, kind: &str, name: &str, alias: &str| {
        format!(
            "/inputSchema/{place} the type reads the {kind} `{name}` under the alias `{alias}` too, and the schema does not have the alias"
        )
    };
    for expected in [
        text("properties/all/properties/size", "property", "size", "dims"),
        text("properties/all/properties/shade", "variant", "red", "crimson"),
    ] {
        assert!(found.contains(&expected), "{expected} in {found:#?}");
    }
    let names = [
        "`w`",
        "`breadth`",
        "`h`",
        "`dims`",
        "`crimson`",
        "`dot`",
        "`ball`",
        "`s`",
        "`none`",
        "`sized`",
        "`n`",
        "`kids`",
    ];
    for name in names {
        assert!(found.iter().any(|text| text.contains(&format!("alias {name} too"))), "{name} in {found:#?}");
    }
    // Two enums have the alias `none`.
    assert_eq!(found.len(), names.len() + 1, "{found:#?}");
    let finding = findings.iter().find(|finding| finding.rule() == "alias").expect("a finding");
    assert_eq!((finding.tool(), finding.severity()), (Some("strict"), Severity::Advice));
    assert_eq!(finding.help(), "write `#[mcp_tool(accept_aliases)]` to accept it");
    assert!(finding.to_string().starts_with("advice for this server about `strict` at /inputSchema/properties/all"));
}

#[test]
fn lint_has_nothing_to_say_about_aliases_that_are_accepted() {
    let findings = serve(tools![whole, nested, beside]).lint(&[]);
    assert!(findings.iter().all(|finding| finding.rule() != "alias"), "{findings:#?}");
}

/// Names that a type reads into a value without fields, but that are no aliases.
#[test]
fn lint_finds_no_alias_where_two_names_are_published_or_none() {
    #[derive(Deserialize, JsonSchema)]
    struct Coordinates {
        #[serde(alias = "long")]
        #[schemars(rename = "lon")]
        _longitude: f64,
        #[schemars(skip)]
        #[serde(default, alias = "secret")]
        _hidden: u8,
    }

    /// Go there.
    #[mcp_tool]
    async fn go(to: Coordinates, wait: std::time::Duration) {
        let _ = (to, wait);
    }

    let findings = serve(tools![go]).lint(&[]);
    assert!(findings.iter().all(|finding| finding.rule() != "alias"), "{findings:#?}");
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Parcel {
    id: u8,
    #[serde(flatten)]
    size: Size,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Size(Size),
    Name {
        #[serde(alias = "n")]
        name: String,
    },
    Number(u8),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged {
    Round {
        #[serde(alias = "r")]
        radius: u8,
    },
    Square(Size),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Named {
    Box {
        #[serde(alias = "s")]
        side: u8,
    },
}

/// A key that cannot be made up.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
struct Id(String);

impl TryFrom<String> for Id {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        if text.starts_with("id-") { Ok(Self(text)) } else { Err("not an id") }
    }
}

impl From<Id> for String {
    fn from(id: Id) -> Self {
        id.0
    }
}

impl Clone for Id {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Hiding {
    Parcel { parcel: Parcel },
    Untagged { any: Untagged },
    Tagged { tagged: Tagged },
    Named { named: Named },
    ById { by_id: BTreeMap<Id, Size> },
    Two { two: (Size, Size) },
}

/// Take what hides its names.
#[mcp_tool(accept_aliases)]
async fn hidden(#[mcp_tool(arguments)] parcel: Parcel) -> Parcel {
    parcel
}

/// Take what hides its names, deeper.
#[mcp_tool(accept_aliases)]
async fn hidden_inside(
    parcel: Option<Parcel>,
    any: Option<Untagged>,
    tagged: Option<Tagged>,
    named: Option<Named>,
    by_id: Option<BTreeMap<Id, Size>>,
    two: Option<(Size, Size)>,
    all: Option<Vec<Hiding>>,
) -> Value {
    json!([parcel, any, tagged, named, by_id, two, all])
}

/// Take what hides its names, by the published ones only.
#[mcp_tool]
async fn hidden_strict(any: Untagged) -> Untagged {
    any
}

/// What a client sends with aliases, and with the published names.
fn hidden_pairs() -> Vec<(Value, Value)> {
    let size = |width: u8| json!({"width": width, "height": null});
    let parcel = json!({"id": 1, "width": 2, "height": 3});
    vec![
        (json!({"parcel": {"id": 1, "w": 2, "height": 3}}), json!({"parcel": parcel})),
        (json!({"parcel": {"id": 1, "breadth": 2, "h": 3}}), json!({"parcel": parcel})),
        (json!({"any": {"w": 1}}), json!({"any": size(1)})),
        (json!({"any": {"n": "a"}}), json!({"any": {"name": "a"}})),
        (json!({"tagged": {"kind": "Round", "r": 1}}), json!({"tagged": {"kind": "Round", "radius": 1}})),
        (
            json!({"tagged": {"kind": "Square", "w": 1}}),
            json!({"tagged": {"kind": "Square", "width": 1, "height": null}}),
        ),
        (json!({"named": {"t": "Box", "c": {"s": 1}}}), json!({"named": {"t": "Box", "c": {"side": 1}}})),
        (json!({"by_id": {"id-1": {"w": 1}}}), json!({"by_id": {"id-1": size(1)}})),
        (json!({"two": [{"w": 1}, {"w": 2}]}), json!({"two": [size(1), size(2)]})),
    ]
}

#[test]
fn i3_aliases_that_serde_hides_are_accepted_where_the_schema_requires_their_property() {
    let dispatcher = serve(tools![hidden, hidden_inside]);
    let names = ["parcel", "any", "tagged", "named", "by_id", "two", "all"];
    for (sent, read) in hidden_pairs() {
        let expected: Vec<_> = names.iter().map(|name| read.get(name).cloned().unwrap_or_default()).collect();
        assert_eq!(value(&dispatcher, "hidden_inside", sent.clone()), json!(expected), "{sent}");
        let in_union = value(&dispatcher, "hidden_inside", json!({"all": [sent]}));
        assert_eq!(in_union[6], json!([read]), "{sent} in an untagged enum");
    }
    let sent = json!({"id": 1, "w": 2, "h": 3});
    assert_eq!(value(&dispatcher, "hidden", sent), json!({"id": 1, "width": 2, "height": 3}));
}

#[test]
fn i3_the_schema_applies_to_a_hidden_alias_too() {
    let dispatcher = serve(tools![hidden, hidden_inside, hidden_strict]);
    assert_eq!(
        message(&dispatcher, "hidden", json!({"id": 1, "w": 2, "h": 30})),
        "invalid arguments: height: expected 9 or less"
    );
    // A property that only looks like a published one is no alias, and neither is one of two names.
    for (tool, sent) in [
        ("hidden", json!({"id": 1, "w": 2, "heigth": 3})),
        ("hidden", json!({"id": 1, "w": 2, "breadth": 3})),
        ("hidden_inside", json!({"any": {"w": 1, "width": 1}, "two": [{"w": 1}]})),
        ("hidden_strict", json!({"any": {"w": 1}})),
    ] {
        assert!(message(&dispatcher, tool, sent.clone()).starts_with("invalid arguments"), "{sent}");
    }
}

#[test]
fn i3_hidden_aliases_in_a_large_document_are_refused() {
    let unknown: BTreeMap<_, _> = (0..20_000).map(|index| (format!("x{index}"), 0)).collect();
    let mut sent = json!({"id": 1, "w": 2});
    sent.as_object_mut().expect("an object").extend(unknown.into_iter().map(|(name, value)| (name, value.into())));
    let dispatcher = serve(tools![hidden]);
    assert!(message(&dispatcher, "hidden", sent).starts_with("invalid arguments"));
}
