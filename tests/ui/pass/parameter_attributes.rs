//! Every attribute of a parameter, in each of its forms.

use std::borrow::Cow;

use mcp_tool_runtime::{CallContext, CallToolRequest, Dispatcher, json, mcp_tool, tools};

struct Db(u8);

struct User(&'static str);

#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
enum Unit {
    Celsius,
    Kelvin,
}

/// Not to be written.
#[derive(Clone, serde::Deserialize, schemars::JsonSchema)]
struct Hidden {
    inner: u8,
}

const TEN: u16 = 10;

/// Marks that clients see.
#[mcp_tool]
#[expect(clippy::too_many_arguments)]
async fn seen(
    #[mcp_tool(default = 10)] number: i64,
    #[mcp_tool(default = "Paris", example = "Rome", example = "Oslo")] city: String,
    #[mcp_tool(default = "lent")] lent: &str,
    #[mcp_tool(default = "cow")] cow: Cow<'static, str>,
    #[mcp_tool(default = 5)] some: Option<u8>,
    #[mcp_tool(default = Some(6))] given: Option<u8>,
    #[mcp_tool(default = None)] none: Option<u8>,
    #[mcp_tool(default = "inner")] inner: Option<&str>,
    #[mcp_tool(default = TEN + 1)] constant: u16,
    #[mcp_tool(default = Unit::Kelvin, example = Unit::Celsius)] unit: Unit,
    #[mcp_tool(default = vec![1, 2])] list: &[u8],
    #[mcp_tool(default = Hidden { inner: 1 })] hidden: Hidden,
    #[mcp_tool(header = "X-Region", example = "eu")] region: Option<String>,
    #[mcp_tool(default = -1)]
    #[mcp_tool(header = "Offset")]
    #[serde(rename = "by")]
    #[schemars(range(max = 5))]
    offset: i8,
) -> String {
    format!(
        "{number} {city} {lent} {cow} {some:?} {given:?} {none:?} {inner:?} {constant} {unit:?} {list:?} {} {region:?} {offset}",
        hidden.inner
    )
}

/// Marks that clients do not see.
#[mcp_tool]
async fn unseen(
    #[mcp_tool(context)] cx: &CallContext,
    #[mcp_tool(state)] db: &Db,
    #[mcp_tool(state = true)] missing: Option<&String>,
    #[mcp_tool(extension)] user: &User,
    #[mcp_tool(extension)] other: Option<&Db>,
    #[mcp_tool(state = false)] plain: bool,
) -> String {
    format!("{} {} {missing:?} {} {} {plain}", cx.tool_name(), db.0, user.0, other.is_some())
}

/// Beside the whole of the arguments.
#[mcp_tool]
async fn whole<'a>(
    #[mcp_tool(state)] db: &'a Db,
    #[mcp_tool(arguments)] hidden: Hidden,
    #[mcp_tool(extension)] user: &'a User,
) -> &'a str {
    if db.0 == hidden.inner { user.0 } else { "" }
}

#[test]
fn runs() {
    let dispatcher = Dispatcher::builder().tools(tools![seen, unseen, whole]).state(Db(1)).build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let call = |name: &str, arguments| {
        let request = CallToolRequest::new(name, arguments).with_extension(User("me"));
        let response = runtime.block_on(dispatcher.call(request)).unwrap();
        match response.error() {
            Some(error) => error.message().to_owned(),
            None => response.deserialize::<String>().unwrap(),
        }
    };
    assert_eq!(
        call("seen", json!({})),
        "10 Paris lent cow Some(5) Some(6) None Some(\"inner\") 11 Kelvin [1, 2] 1 None -1"
    );
    assert_eq!(
        call("seen", json!({"number": 1, "city": "Oslo", "some": null, "unit": "Celsius", "list": [], "by": 2})),
        "1 Oslo lent cow None Some(6) None Some(\"inner\") 11 Celsius [] 1 None 2"
    );
    assert_eq!(call("unseen", json!({"plain": true})), "unseen 1 None me false true");
    assert_eq!(call("whole", json!({"inner": 1})), "me");
    let schema = &dispatcher.list()[0].input_schema;
    assert!(schema.get("required").is_none(), "{schema}");
    let properties = &schema["properties"];
    let defaults = [
        ("number", json!(10)),
        ("city", json!("Paris")),
        ("some", json!(5)),
        ("list", json!([1, 2])),
        ("by", json!(-1)),
    ];
    for (name, default) in defaults {
        assert_eq!(properties[name]["default"], default, "{name}");
    }
    assert!(properties["hidden"].get("default").is_none() && properties["none"].get("default").is_none());
    assert_eq!(properties["city"]["examples"], json!(["Rome", "Oslo"]));
    assert_eq!(properties["region"]["x-mcp-header"], "X-Region");
    assert_eq!(properties["by"]["x-mcp-header"], "Offset");
    let unseen = &dispatcher.list()[1].input_schema["properties"];
    assert_eq!(unseen.as_object().unwrap().keys().collect::<Vec<_>>(), ["plain"]);
}
