//! `build` reports all errors of all tools at once.

use mcp_tool_runtime::{BuildError, Dispatcher, mcp, mcp_tool, tools};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::run::{ByHand, exact, faults, giving, taking};

mod first {
    /// Search.
    #[mcp_tool_runtime::mcp_tool(name = "search")]
    pub(super) async fn one() {}
}

mod second {
    /// Search.
    #[mcp_tool_runtime::mcp_tool(name = "search")]
    pub(super) async fn two() {}
}

#[test]
fn a_duplicate_name_lists_both_registrations() {
    let found = faults(Dispatcher::builder().tools(tools![first::one]).tools(tools![second::two]));
    let [only] = found.as_slice() else { panic!("{found:?}") };
    assert!(only.starts_with("two tools are named `search`: "), "{only}");
    assert!(only.contains("::first::one`") && only.contains("::second::two`"), "{only}");
    assert!(only.ends_with("give one of them another name, or its list a prefix"), "{only}");
    let twice = faults(Dispatcher::builder().tools(tools![first::one, first::one]));
    assert!(matches!(twice.as_slice(), [only] if only.ends_with("::first::one` is registered twice")), "{twice:?}");
}

#[test]
fn a_tool_registered_three_times_is_two_errors() {
    let found = faults(Dispatcher::builder().tool(first::one {}).tool(first::one {}).tool(second::two {}));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[1].contains("::second::two`"), "{found:?}");
}

#[test]
fn all_errors_are_reported_at_once() {
    /// A pattern that no browser reads, and a second one.
    #[mcp_tool]
    async fn patterns(
        #[schemars(regex(pattern = "(?i)a"))] one: String,
        #[schemars(regex(pattern = r"\A"))] two: String,
    ) -> String {
        one + &two
    }

    let nameless = mcp::Tool::new("", "", json!([])).with_meta("com.mcp/a", 1);
    let error: BuildError = exact()
        .tools(tools![patterns, first::one])
        .tool(taking("remote", json!({"type": "object", "$ref": "https://example.com"})))
        .tool(giving("output", json!({"$ref": "#/$defs/Gone"})))
        .tool(taking("invalid", json!({"type": "object", "properties": {"a": {"type": 5}}})))
        .tool(second::two {})
        .tool(ByHand::new(nameless, |_, _| unreachable!()))
        .build()
        .expect_err("many errors");
    let text = error.to_string();
    for expected in [
        "tool `patterns`: input schema: `one`",
        "tool `patterns`: input schema: `two`",
        "two tools are named `search`",
        "tool `remote`: input schema: ",
        "tool `output`: output schema: ",
        "tool `invalid`: input schema: ",
        "tool ``: a name has 1 to 128",
        "tool ``: it has no description",
        "tool ``: the prefix `com.mcp` is reserved",
        "tool ``: input schema: a schema must be a JSON object",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(
        text.starts_with(&format!("the dispatcher cannot be built; {} errors:\n- ", error.errors().len())),
        "{text}"
    );
    assert_eq!(text.lines().count(), error.errors().len() + 1, "{text}");
}

#[test]
fn errors_in_the_input_and_output_schema_are_both_reported() {
    let bad = json!({"type": "object", "properties": {"a": {"type": 5}}});
    let tool = mcp::Tool::new("bad", "Bad.", bad.clone()).with_output_schema(bad);
    let found = faults(exact().tool(ByHand::new(tool, |_, _| unreachable!())));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("tool `bad`: input schema: ") && found[1].starts_with("tool `bad`: output schema: "));
}

#[test]
fn a_dispatcher_without_tools_can_be_built() {
    let dispatcher = Dispatcher::builder().build().expect("a dispatcher");
    assert!(dispatcher.list().is_empty());
}

#[test]
fn arguments_whose_type_is_not_an_object_are_refused() {
    /// Not an object.
    #[mcp_tool]
    async fn list(#[mcp_tool(arguments)] all: Vec<u8>) -> usize {
        all.len()
    }

    /// Not always an object.
    #[mcp_tool(root_union)]
    async fn either(#[mcp_tool(arguments)] all: Result<u8, String>) -> bool {
        all.is_ok()
    }

    let found = faults(Dispatcher::builder().tools(tools![list]));
    assert!(
        matches!(found.as_slice(), [only] if only.contains("`list`") && only.contains("must be an object")),
        "{found:?}"
    );
    // serde writes a `Result` as an object with one property.
    assert!(Dispatcher::builder().tools(tools![either]).build().is_ok());
}

#[test]
fn t17_a_default_that_violates_its_schema_is_refused() {
    /// Wait.
    #[mcp_tool]
    async fn wait(
        #[mcp_tool(default = 1)]
        #[schemars(range(min = 5))]
        seconds: u32,
        other: bool,
    ) -> bool {
        other && seconds > 0
    }

    assert_eq!(
        faults(Dispatcher::builder().tools(tools![wait])),
        ["tool `wait`: the default of `seconds`: expected 5 or more"]
    );
}

#[test]
fn t17_an_example_that_violates_its_schema_is_refused() {
    /// Wait.
    #[mcp_tool]
    async fn wait(
        #[mcp_tool(example = 5, example = 300, example = "ten")] seconds: u8,
        /// A valid example is not reported, and neither is a missing property.
        #[mcp_tool(example = "a")]
        other: String,
    ) -> bool {
        seconds > 0 && other.is_empty()
    }

    let expected = [
        "tool `wait`: the example of `seconds`, 300: expected 255 or less",
        "tool `wait`: the example of `seconds`, \"ten\": expected an integer, got a string",
    ];
    assert_eq!(faults(Dispatcher::builder().tools(tools![wait])), expected);
}

#[test]
fn debug_and_display_of_errors_are_equal() {
    let error =
        Dispatcher::builder().tool(first::one {}).tool(second::two {}).tool(taking("remote", json!([]))).build();
    let error = error.expect_err("two errors");
    assert!(error.to_string().lines().count() > 2);
    assert_eq!(format!("{error:?}"), error.to_string());
}

#[test]
fn a_constraint_that_cannot_apply_to_its_type_is_refused() {
    /// A text with a type of its own.
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Name(String);

    /// Nothing of this can be published.
    #[mcp_tool]
    async fn unfit(
        #[schemars(range(min = 1, max = 9))] text: String,
        #[schemars(length(min = 1))] number: Option<f64>,
        #[schemars(email)] integer: u8,
        #[schemars(regex(pattern = "^a"))] list: Vec<String>,
        #[schemars(range(min = 1))] flag: bool,
        #[serde(rename = "inside")]
        #[schemars(length(max = 9))]
        name: Name,
    ) -> usize {
        let _ = (number, integer, flag);
        text.len() + list.len() + name.0.len()
    }

    assert_eq!(
        faults(Dispatcher::builder().tools(tools![unfit])),
        [
            "tool `unfit`: `text`: `range(…)` has no effect on a string: write `length(…)` or `regex(…)`, or remove it",
            "tool `unfit`: `number`: `length(…)` has no effect on a number: write `range(…)`, or remove it",
            "tool `unfit`: `integer`: `email` has no effect on an integer: write `range(…)`, or remove it",
            "tool `unfit`: `list`: `regex(…)` has no effect on an array: write `length(…)`, or `inner(…)` for a constraint on its \
             elements, or remove it",
            "tool `unfit`: `flag`: `range(…)` has no effect on a boolean: remove it",
            "tool `unfit`: `inside`: `length(…)` has no effect on the value inside this type: write it on the field of the type, or \
             remove it",
        ]
    );
}

#[test]
fn a_constraint_that_limits_only_some_of_the_accepted_types_is_an_error() {
    #[derive(Deserialize, JsonSchema)]
    struct Line {
        #[schemars(range(min = 1))]
        amount: Option<Decimal>,
    }

    /// Strings would pass each range, and numbers the pattern.
    #[mcp_tool]
    async fn pay(
        #[schemars(range(min = 1))] price: Decimal,
        #[schemars(regex(pattern = "^1"))] digits: Decimal,
        lines: Vec<Line>,
        #[schemars(with = "f64", range(min = 1))] number: Decimal,
    ) -> String {
        let amounts = lines.into_iter().filter_map(|line| line.amount).sum::<Decimal>();
        (price + digits + number + amounts).to_string()
    }

    let range = "`range(…)` does not limit a string, which this type also accepts: check the value in the function";
    let regex = "`regex(…)` does not limit a number, which this type also accepts: check the value in the function";
    assert_eq!(
        faults(Dispatcher::builder().tools(tools![pay])),
        [
            format!("tool `pay`: input schema: `price`: {range}"),
            format!("tool `pay`: input schema: `lines[].amount`: {range}"),
            format!("tool `pay`: `digits`: {regex}"),
        ]
    );
}

#[test]
fn a_constraint_that_applies_to_its_type_is_published() {
    /// All of this is published.
    #[mcp_tool]
    async fn fit(
        #[schemars(length(min = 1), regex(pattern = "^a"))] text: Option<String>,
        #[schemars(range(min = 1))] number: f64,
        #[schemars(range(max = 9))] small: &u8,
        #[schemars(email)] address: &str,
        #[schemars(length(max = 9), inner(length(min = 1)))] list: &[String],
        #[mcp_tool(default = 3)]
        #[schemars(range(max = 9))]
        defaulted: i32,
    ) -> bool {
        drop((text, number, address));
        i32::from(*small) < defaulted && list.is_empty()
    }
    assert_eq!(Dispatcher::builder().tools(tools![fit]).build().map(|_| ()), Ok(()));
}

#[test]
fn a_field_that_a_flattened_enum_has_too_is_refused() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    enum Shape {
        Circle { size: u8 },
        Point,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Item {
        size: u8,
        #[serde(flatten)]
        shape: Shape,
    }

    /// A struct whose author has added conditions on its own fields.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[schemars(extend("anyOf" = [{"properties": {"size": {"minimum": 2}}}, {"properties": {"name": {"minLength": 1}}}]))]
    struct Named {
        size: u8,
        name: String,
    }

    /// Draw.
    #[mcp_tool]
    async fn draw(item: Item) -> u8 {
        item.size
    }

    /// Take.
    #[mcp_tool]
    async fn take(size: u8) -> Item {
        Item { size, shape: Shape::Point }
    }

    /// Name.
    #[mcp_tool]
    async fn name(named: Named) -> Named {
        named
    }

    let found = faults(Dispatcher::builder().tools(tools![draw, take, name]));
    let expected = |tool, which, place| {
        format!(
            "tool `{tool}`: {which} schema: {place}: `size` is a field beside a flattened enum and a field of one of its variants, \
             and serde passes it only to the field beside it: rename one of them, or do not flatten the enum"
        )
    };
    assert_eq!(found, [expected("draw", "input", "`item`"), expected("take", "output", "the root")]);
}
