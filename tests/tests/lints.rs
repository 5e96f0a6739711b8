//! What is written on a function stays on it, in any order, and the function stays what it was.

#![deny(warnings, missing_docs, unused_qualifications, unreachable_pub, clippy::pedantic, clippy::nursery)]
#![allow(clippy::redundant_pub_crate, reason = "it asks for the opposite of `unreachable_pub`")]

use mcp_tool_runtime::{ToolHandler, mcp_tool, tools};

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

    /// Not there: neither the function nor its handle.
    #[mcp_tool_runtime::mcp_tool]
    #[cfg(any())]
    pub(super) async fn below_cfg(missing: NoSuchType) {}

    /// Not there either.
    #[cfg(any())]
    #[mcp_tool_runtime::mcp_tool]
    pub(super) async fn above_cfg(missing: NoSuchType) {}

    /// Not there, and one of the same name is.
    #[mcp_tool_runtime::mcp_tool]
    #[cfg(any())]
    pub(super) async fn either() -> u8 {
        1
    }

    /// There.
    #[mcp_tool_runtime::mcp_tool]
    #[cfg(not(any()))]
    pub(super) async fn either() -> u8 {
        2
    }

    /// Deprecated, which its own handle is not told.
    #[mcp_tool_runtime::mcp_tool]
    #[deprecated(note = "use another")]
    pub(super) async fn old() -> u8 {
        3
    }
}

/// Visibility: what a private function is, its handle is too.
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

/// A type that no other module can name, under a function that they can.
mod private_types {
    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    struct Hidden {
        a: u8,
    }

    /// Takes what only this module has.
    #[mcp_tool_runtime::mcp_tool]
    #[expect(private_interfaces)]
    pub(super) async fn hidden(hidden: Hidden) -> Hidden {
        hidden
    }
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
fn attributes_stay_out_of_the_way() {
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

#[test]
fn a_handle_is_as_visible_as_its_function() {
    assert_eq!(names(&visibility::handlers()), ["outside", "inside"]);
    assert_eq!(names(&tools![visibility::outside, private_types::hidden]), ["outside", "hidden"]);
}

#[tokio::test]
async fn the_function_can_be_called_as_it_is_written() {
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
async fn a_panic_points_at_the_line_of_the_author() {
    /// Panics.
    #[mcp_tool]
    async fn panics() -> u8 {
        panic!("here")
    }

    const LINE: u32 = line!() - 3;
    let (send, receive) = std::sync::mpsc::channel();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let _ = send.send(panic.location().map(|location| (location.file().to_owned(), location.line())));
    }));
    let result = tokio::spawn(panics()).await;
    std::panic::set_hook(before);
    assert!(result.is_err());
    let (file, line) = receive.recv().expect("a panic").expect("a place");
    assert!(file.ends_with("lints.rs"), "{file}");
    assert_eq!(line, LINE);
}
