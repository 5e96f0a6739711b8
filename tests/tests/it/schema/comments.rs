//! Block comments are published as rustdoc shows them.

use mcp_tool_runtime::{mcp_tool, mcp_tools, tools, Dispatcher};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::run::{input, output, property, serve};

/**
 * A place.
 *
 * - on a map
 */
#[derive(Serialize, Deserialize, JsonSchema)]
struct Place {
    /**
     * Degrees north.
     *
     * From the equator.
     */
    latitude: f64,
    /** Degrees east,
     * from Greenwich.
     */
    longitude: f64,
    /**
        Metres above
        the sea.
    */
    height: f64,
    /** The name. */
    name: String,
    /// * a list
    /// * of two
    list: u8,
}

/**
 * Find a place.
 *
 *     indented code
 *
 * # Errors
 *
 * Never.
 */
#[mcp_tool]
async fn find(
    /**
     * The place.
     *
     * Anywhere.
     */
    place: Place,
    /** How far,
        in metres. */
    #[schemars(range(max = 9))]
    far: u32,
) -> Place {
    assert!(far < 10);
    place
}

struct Atlas;

#[mcp_tools]
impl Atlas {
    /**
     * Count the places.
     *
     * All of them.
     */
    #[mcp_tool]
    async fn count(&self, /** At most
                            * so many. */ most: u32) -> u32 {
        most
    }
}

/// Go on.
#[mcp_tool]
async fn go(
    /** How far. */
    /// In metres.
    far: u32,
) -> u32 {
    far
}

#[test]
fn t2_a_block_on_one_line_ends_with_its_text() {
    assert_eq!(description(&property(&serve(tools![go]), "go", "far")), "How far.\nIn metres.");
}

fn description(schema: &Value) -> &str {
    schema["description"].as_str().unwrap_or_default()
}

#[test]
fn t2_a_block_comment_has_no_stars_and_no_indentation() {
    let dispatcher = serve(tools![find]);
    assert_eq!(dispatcher.list()[0].description.as_deref(), Some("Find a place.\n\n    indented code"));
    let place = property(&dispatcher, "find", "place");
    assert_eq!(description(&place), "The place.\n\nAnywhere.");
    assert_eq!(description(&property(&dispatcher, "find", "far")), "How far,\nin metres.");
    let result = output(&dispatcher, "find");
    assert_eq!(description(&result), "A place.\n\n- on a map");
    for schema in [&place, &result] {
        for (name, expected) in [
            ("latitude", "Degrees north.\n\nFrom the equator."),
            ("longitude", "Degrees east,\nfrom Greenwich."),
            ("height", "Metres above\nthe sea."),
            ("name", "The name."),
            ("list", "* a list\n* of two"),
        ] {
            assert_eq!(description(&schema["properties"][name]), expected);
        }
    }
    let dispatcher = Dispatcher::builder().service(Atlas).build().expect("a dispatcher");
    assert_eq!(dispatcher.list()[0].description.as_deref(), Some("Count the places.\n\nAll of them."));
    assert_eq!(description(&input(&dispatcher, "count")["properties"]["most"]), "At most\nso many.");
}
