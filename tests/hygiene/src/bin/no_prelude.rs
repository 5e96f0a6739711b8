//! A crate without a prelude.

#![no_implicit_prelude]
#![deny(warnings, missing_docs, unsafe_code, unused_qualifications, clippy::pedantic, clippy::nursery)]

use ::mcp_tool_runtime::serde_json::{Value, from_str};
use ::mcp_tool_runtime::{CallContext, CallToolRequest, Dispatcher, mcp_tool, mcp_tools, tools};

/// A unit of temperature.
#[derive(::std::default::Default, ::mcp_tool_runtime::serde::Deserialize)]
#[serde(crate = "::mcp_tool_runtime::serde")]
enum Unit {
    #[default]
    Celsius,
}

impl ::mcp_tool_runtime::schemars::JsonSchema for Unit {
    fn schema_name() -> ::std::borrow::Cow<'static, str> {
        ::std::borrow::Cow::Borrowed("Unit")
    }

    fn json_schema(_: &mut ::mcp_tool_runtime::schemars::SchemaGenerator) -> ::mcp_tool_runtime::schemars::Schema {
        from_str(r#"{"enum": ["Celsius"]}"#).unwrap()
    }
}

/// An error.
#[derive(::mcp_tool_runtime::IntoToolError)]
#[tool_error(additional_prompt_content = "above {limit}")]
struct TooHot {
    limit: i64,
}

impl ::std::fmt::Display for TooHot {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str("too hot")
    }
}

/// Warm something up.
#[mcp_tool]
async fn warm(
    degrees: i64,
    by: ::std::option::Option<&i64>,
    #[serde(default)] unit: Unit,
    names: &[::std::string::String],
) -> ::std::result::Result<::std::vec::Vec<i64>, TooHot> {
    match (unit, by) {
        (Unit::Celsius, ::std::option::Option::Some(by)) if degrees + by < 100 => {
            ::std::result::Result::Ok(::std::vec![
                degrees + by,
                ::std::convert::TryFrom::try_from(names.len()).unwrap()
            ])
        }
        _ => ::std::result::Result::Err(TooHot { limit: 100 }),
    }
}

/// A service.
struct Oven(i64);

#[mcp_tools(prefix = "oven_")]
impl Oven {
    /// Heat something.
    #[mcp_tool(icon(src = "data:,", theme = "dark"), meta("com.example/key" = "value"))]
    async fn heat(
        &self,
        #[mcp_tool(context)] context: &CallContext,
        #[mcp_tool(state)] most: &i64,
        #[mcp_tool(extension)] more: ::std::option::Option<&i64>,
        #[mcp_tool(default = 5, header = "By")] by: i64,
        #[mcp_tool(default = "it", example = "that")] what: &str,
    ) -> ::std::result::Result<::std::string::String, TooHot> {
        let by = more.map_or(by, |more| by + more);
        if self.0 + by > *most {
            return ::std::result::Result::Err(TooHot { limit: *most });
        }
        ::std::result::Result::Ok(::std::format!("{} {what} by {by}", context.tool_name()))
    }

    /// Its heat.
    #[mcp_tool]
    async fn value(self: ::std::sync::Arc<Self>) -> i64 {
        self.0
    }
}

/// A service of any type.
struct Generic<T>(T);

#[mcp_tools]
impl<T> Generic<T>
where
    T: ::std::marker::Send + ::std::marker::Sync + ::std::fmt::Display + 'static,
{
    /// What is in it.
    #[mcp_tool]
    async fn shown(&self, #[mcp_tool(default = "!")] end: &str) -> ::std::string::String {
        ::std::format!("{}{end}", self.0)
    }
}

fn main() {
    let builder = Dispatcher::builder().tools(tools![warm]).service(Oven(20)).service(Generic("any"));
    let dispatcher = builder.state(100_i64).build().unwrap();
    let call = |name: &str, arguments: &str| {
        let arguments: Value = from_str(arguments).unwrap();
        let mut future = ::std::pin::pin!(dispatcher.call(CallToolRequest::new(name, arguments)));
        let mut context = ::std::task::Context::from_waker(::std::task::Waker::noop());
        match ::std::future::Future::poll(future.as_mut(), &mut context) {
            ::std::task::Poll::Ready(response) => response.unwrap(),
            ::std::task::Poll::Pending => ::std::panic!("every tool is ready at once"),
        }
    };
    let warm = call("warm", r#"{"degrees": 20, "by": 1, "names": ["a"]}"#);
    ::std::assert_eq!(warm.value().unwrap().get(), "[21,1]");
    let hot = call("warm", r#"{"degrees": 100, "names": []}"#);
    ::std::assert_eq!(hot.error().unwrap().additional_prompt_content(), ::std::option::Option::Some("above 100"));
    let heat = call("oven_heat", "{}");
    ::std::assert_eq!(heat.value().unwrap().get(), r#""oven_heat it by 5""#);
    ::std::assert_eq!(call("oven_value", "{}").value().unwrap().get(), "20");
    ::std::assert_eq!(call("shown", "{}").value().unwrap().get(), r#""any!""#);
    ::std::println!("warm");
}
