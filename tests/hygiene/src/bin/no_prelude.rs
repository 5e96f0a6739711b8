//! A crate without a prelude.

#![no_implicit_prelude]
#![deny(warnings, missing_docs, unsafe_code, unused_qualifications, clippy::pedantic, clippy::nursery)]

use ::mcp_tool_runtime::serde_json::{Value, from_str};
use ::mcp_tool_runtime::{CallToolRequest, Dispatcher, mcp_tool, tools};

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

fn main() {
    let dispatcher = Dispatcher::builder().tools(tools![warm]).build().unwrap();
    let call = |arguments: &str| {
        let arguments: Value = from_str(arguments).unwrap();
        let mut future = ::std::pin::pin!(dispatcher.call(CallToolRequest::new("warm", arguments)));
        let mut context = ::std::task::Context::from_waker(::std::task::Waker::noop());
        match ::std::future::Future::poll(future.as_mut(), &mut context) {
            ::std::task::Poll::Ready(response) => response.unwrap(),
            ::std::task::Poll::Pending => ::std::panic!("nothing to wait for"),
        }
    };
    let warm = call(r#"{"degrees": 20, "by": 1, "names": ["a"]}"#);
    ::std::assert_eq!(warm.value().unwrap().get(), "[21,1]");
    let hot = call(r#"{"degrees": 100, "names": []}"#);
    ::std::assert_eq!(hot.error().unwrap().additional_prompt_content(), ::std::option::Option::Some("above 100"));
    ::std::println!("warm");
}
