//! Other attributes stay on the function in any order, and the function stays callable.

#![deny(warnings, missing_docs, unused_qualifications, unreachable_pub, clippy::pedantic, clippy::nursery)]
#![allow(clippy::redundant_pub_crate, reason = "it asks for the opposite of `unreachable_pub`")]

use mcp_tool_runtime::{CallToolRequest, Dispatcher, ToolHandler, json, mcp_tool, mcp_tools, tools};

/// A unit of temperature.
#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Degrees(f64);

mod attributes {
    use super::Degrees;

    /// Attributes above the tool's.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    #[allow(clippy::many_single_char_names)]
    #[mcp_tool_runtime::mcp_tool]
    pub(super) async fn above(a: u8, b: u8, c: u8, d: u8, e: u8) -> u8 {
        a + b + c + d + e
    }

    /// Attributes below it.
    #[mcp_tool_runtime::mcp_tool]
    #[doc(hidden)]
    #[inline(never)]
    #[must_use]
    #[expect(clippy::many_single_char_names)]
    pub(super) async fn below(a: u8, b: u8, c: u8, d: u8, e: u8) -> u8 {
        a + b + c + d + e
    }

    /// Attributes on both sides, and between the lines of the documentation.
    #[allow(unused_variables)]
    #[mcp_tool_runtime::mcp_tool(read_only_hint)]
    #[cfg(not(any()))]
    /// A second line.
    #[cfg_attr(not(any()), inline)]
    pub(super) async fn around(degrees: Degrees, unused: u8) -> Degrees {
        degrees
    }

    /// Not compiled: neither the function nor its handle exists.
    #[mcp_tool_runtime::mcp_tool]
    #[cfg(any())]
    pub(super) async fn below_cfg(missing: NoSuchType) {}

    /// Not compiled either.
    #[cfg(any())]
    #[mcp_tool_runtime::mcp_tool]
    pub(super) async fn above_cfg(missing: NoSuchType) {}

    /// Not compiled, unlike the next function of the same name.
    #[mcp_tool_runtime::mcp_tool]
    #[cfg(any())]
    pub(super) async fn either() -> u8 {
        1
    }

    /// Compiled.
    #[mcp_tool_runtime::mcp_tool]
    #[cfg(not(any()))]
    pub(super) async fn either() -> u8 {
        2
    }

    /// Deprecated: the handle itself must not cause a warning.
    #[mcp_tool_runtime::mcp_tool]
    #[deprecated(note = "use another")]
    pub(super) async fn old() -> u8 {
        3
    }
}

/// Attributes that rewrite the function, above and below `mcp_tool`.
mod rewritten {
    /// Recorded, then a tool.
    #[tracing::instrument(skip_all)]
    #[mcp_tool_runtime::mcp_tool]
    pub(super) async fn recorded_above(
        /// A text.
        #[serde(rename = "words")]
        text: String,
        #[mcp_tool(default = 2)] times: usize,
    ) -> String {
        text.repeat(times)
    }

    /// A tool, then recorded.
    #[mcp_tool_runtime::mcp_tool(title = "Recorded")]
    #[tracing::instrument(level = "debug", skip(text), fields(length = text.len()), ret)]
    pub(super) async fn recorded_below(
        /// A text.
        #[serde(rename = "words")]
        text: &str,
        #[mcp_tool(default = 2)] times: usize,
    ) -> String {
        text.repeat(times)
    }

    /// Under conditions, on either side.
    #[cfg_attr(not(any()), tracing::instrument(skip_all), must_use)]
    #[mcp_tool_runtime::mcp_tool(blocking)]
    #[cfg_attr(not(any()), track_caller, cold)]
    #[cfg_attr(any(), no_such_attribute)]
    #[allow(clippy::missing_const_for_fn)]
    pub(super) fn conditional() -> u32 {
        std::panic::Location::caller().line()
    }

    /// All of it under a condition.
    #[cfg_attr(not(any()), mcp_tool_runtime::mcp_tool(read_only_hint), allow(dead_code))]
    pub(super) async fn on_condition() -> u8 {
        1
    }

    /// A service of a recorded method.
    pub(super) struct Recorder;

    #[mcp_tool_runtime::mcp_tools]
    impl Recorder {
        /// Recorded, with the object.
        #[tracing::instrument(skip_all)]
        #[mcp_tool]
        pub(super) async fn record(&self, #[serde(rename = "words")] text: &str) -> usize {
            text.len()
        }
    }
}

/// Deprecated types: only the code of the author causes a warning.
mod deprecated {
    mod once {
        #![allow(deprecated, reason = "the derives name the type")]

        /// Once a weather.
        #[deprecated(note = "use another")]
        #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        pub(crate) struct Weather {
            /// Its temperature.
            degrees: f64,
        }
    }

    /// Give it back.
    #[mcp_tool_runtime::mcp_tool]
    #[expect(deprecated)]
    pub(super) async fn same(weather: once::Weather, all: Vec<once::Weather>) -> Option<once::Weather> {
        all.into_iter().next().or(Some(weather))
    }
}

/// A handle has the visibility of its function.
mod visibility {
    /// For all the world.
    #[mcp_tool_runtime::mcp_tool]
    pub(crate) async fn outside() -> u8 {
        inside().await
    }

    /// For this module.
    #[mcp_tool_runtime::mcp_tool]
    async fn inside() -> u8 {
        1
    }

    pub(super) fn handlers() -> Vec<Box<dyn mcp_tool_runtime::ToolHandler>> {
        mcp_tool_runtime::tools![outside, inside]
    }
}

/// A private type in the signature of a public function.
mod private_types {
    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    struct Hidden {
        a: u8,
    }

    /// Takes a private type.
    #[mcp_tool_runtime::mcp_tool]
    #[expect(private_interfaces)]
    pub(super) async fn hidden(hidden: Hidden) -> Hidden {
        hidden
    }
}

/// Attributes stay on a method, and the rest of the impl block does not change.
mod methods {
    /// A service.
    pub(super) struct Service;

    #[expect(clippy::unused_self, reason = "attributes on the block")]
    #[mcp_tool_runtime::mcp_tools]
    #[allow(clippy::many_single_char_names)]
    impl Service {
        /// A constant.
        pub(super) const ONE: u8 = 1;

        /// No tool, in the midst of them.
        #[must_use]
        pub(super) const fn plain<'a>(&self, text: &'a str) -> &'a str {
            text
        }

        /// Attributes above the tool's.
        #[doc(hidden)]
        #[inline]
        #[must_use]
        #[mcp_tool]
        pub(super) async fn above(&self, a: u8, b: u8, c: u8, d: u8, e: u8) -> u8 {
            a + b + c + d + e
        }

        /// Attributes below it.
        #[mcp_tool(blocking)]
        #[cfg_attr(not(any()), inline(never))]
        #[must_use]
        #[track_caller]
        /// A second line.
        pub(super) const fn below(&self, a: u8) -> u8 {
            a + Self::ONE
        }

        /// Panics.
        #[mcp_tool]
        pub(super) async fn panics(&self) -> u8 {
            panic!("here")
        }

        /// Panics on a thread of its own.
        #[mcp_tool(blocking)]
        pub(super) fn panics_elsewhere(&self) -> u8 {
            panic!("there")
        }
    }

    /// The lines of the panics above.
    pub(super) const LINES: [u32; 2] = [line!() - 11, line!() - 5];
}

fn names(tools: &[Box<dyn ToolHandler>]) -> Vec<String> {
    tools.iter().map(|tool| tool.definition().name).collect()
}

#[tokio::test]
async fn attributes_stay_on_the_function() {
    assert_eq!(attributes::above(1, 2, 3, 4, 5).await, 15);
    assert_eq!(attributes::below(1, 2, 3, 4, 5).await, 15);
    assert!((attributes::around(Degrees(0.5), 1).await.0 - 0.5).abs() < f64::EPSILON);
    assert_eq!(attributes::either().await, 2);
    #[expect(deprecated)]
    let old = attributes::old().await;
    assert_eq!(old, 3);
}

#[test]
fn attributes_do_not_affect_the_handle() {
    use attributes::{above, around, below, either};

    let tools = tools![
        above,
        below,
        around,
        either,
        attributes::old,
        #[cfg(any())]
        attributes::above_cfg,
        #[cfg(any())]
        attributes::below_cfg,
    ];
    assert_eq!(names(&tools), ["above", "below", "around", "either", "old"]);
    let around = tools[2].definition();
    let description = "Attributes on both sides, and between the lines of the documentation.\nA second line.";
    assert_eq!(around.description.as_deref(), Some(description));
}

#[tokio::test]
async fn attributes_that_rewrite_the_function_work_above_and_below() {
    use rewritten::{Recorder, conditional, on_condition, recorded_above, recorded_below};

    let tools = tools![recorded_above, recorded_below, conditional, on_condition, deprecated::same];
    let dispatcher = Dispatcher::builder().tools(tools).service(Recorder).build().expect("a dispatcher");
    for name in ["recorded_above", "recorded_below"] {
        let request = CallToolRequest::new(name, json!({"words": "ab"}));
        let response = dispatcher.call(request).await.expect("a tool of this name");
        assert_eq!(response.deserialize::<String>().expect("a text"), "abab", "{name}");
    }
    let response = dispatcher.call(CallToolRequest::new("record", json!({"words": "ab"}))).await;
    assert_eq!(response.expect("a tool of this name").deserialize::<usize>().expect("a number"), 2);
    // `#[track_caller]` stays on the function, so the location is that of the call.
    assert_eq!(conditional(), line!());
    assert_eq!(dispatcher.list()[3].annotations.as_ref().and_then(|hints| hints.read_only_hint), Some(true));
}

#[test]
fn a_handle_is_as_visible_as_its_function() {
    assert_eq!(names(&visibility::handlers()), ["outside", "inside"]);
    assert_eq!(names(&tools![visibility::outside, private_types::hidden]), ["outside", "hidden"]);
}

#[tokio::test]
async fn attributes_stay_on_the_method() {
    use methods::Service;

    assert_eq!(Service.above(1, 2, 3, 4, 5).await, 15);
    assert_eq!(Service.below(1), 2);
    assert_eq!(Service.plain("text"), "text");
    let dispatcher = Dispatcher::builder().service(Service).build().expect("a dispatcher");
    let tools = dispatcher.list();
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["above", "below", "panics", "panics_elsewhere"]);
    assert_eq!(tools[1].description.as_deref(), Some("Attributes below it.\nA second line."));
}

/// A private type.
struct Private(u8);

#[mcp_tools]
impl Private {
    /// What is in it.
    #[mcp_tool]
    async fn value(&self) -> u8 {
        self.0
    }
}

#[tokio::test]
async fn a_private_type_can_be_a_service() {
    let dispatcher = Dispatcher::builder().service(Private(3)).build().expect("a dispatcher");
    let response = dispatcher.call(CallToolRequest::new("value", json!({}))).await.expect("a tool of this name");
    assert_eq!(response.deserialize::<u8>().expect("a number"), 3);
}

#[tokio::test]
async fn the_function_can_be_called_as_written() {
    /// Join two texts.
    #[mcp_tool]
    async fn join<'a>(first: &'a str, second: Option<&'a str>, mut third: String) -> Result<String, &'static str> {
        third.insert_str(0, second.ok_or("no second")?);
        third.insert_str(0, first);
        Ok(third)
    }

    let local = String::from("a");
    assert_eq!(join(&local, Some("b"), "c".to_owned()).await, Ok("abc".to_owned()));
    assert_eq!(join(&local, None, String::new()).await, Err("no second"));
    let pointer: fn(u8, u8, u8, u8, u8) -> _ = attributes::above;
    assert_eq!(pointer(1, 1, 1, 1, 1).await, 5);
}

#[tokio::test]
async fn a_panic_is_located_at_the_line_in_the_function_body() {
    /// Panics.
    #[mcp_tool]
    async fn panics() -> u8 {
        panic!("here")
    }

    const LINE: u32 = line!() - 3;
    const FILE: &str = "tool/other_attributes.rs";
    let dispatcher = Dispatcher::builder().tool(panics {}).service_with_prefix("service_", methods::Service);
    let dispatcher = dispatcher.build().expect("a dispatcher");
    let (send, receive) = std::sync::mpsc::channel();
    let before = std::sync::Arc::new(std::panic::take_hook());
    let others = std::sync::Arc::clone(&before);
    // The hook is that of the whole process, and tests of other files panic at the same time.
    std::panic::set_hook(Box::new(move |panic| match panic.location() {
        Some(location) if location.file().ends_with(FILE) => {
            let _ = send.send(location.line());
        }
        _ => others(panic),
    }));
    let mut failed = Vec::new();
    for name in ["panics", "service_panics", "service_panics_elsewhere"] {
        let response = dispatcher.call(CallToolRequest::new(name, json!({}))).await;
        failed.push(response.is_ok_and(|response| !response.is_success()));
    }
    std::panic::set_hook(Box::new(move |panic| before(panic)));
    assert_eq!(failed, [true; 3]);
    for line in [LINE, methods::LINES[0], methods::LINES[1]] {
        assert_eq!(receive.recv().expect("a panic in this file"), line);
    }
}
