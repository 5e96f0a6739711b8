//! The keys of `#[mcp_tool]` and their effect on the definition.

use std::sync::Arc;

use mcp_tool_runtime::{Output, Structured, Text, ToolHandler, mcp_tool, tools};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::run::{self, LATEST, LEGACY, call, listed, output, serve};

const DESCRIPTION: &str = "From a constant.";

mod inner {
    /// In a module.
    #[mcp_tool_runtime::mcp_tool]
    pub(super) async fn nested() {}
}

#[test]
fn the_name_and_the_title_are_derived_from_the_function() {
    /// Weather.
    #[mcp_tool]
    async fn get_weather() {}

    /// Raw.
    #[mcp_tool]
    async fn r#match() {}

    /// Dotted.
    #[mcp_tool(name = "Calculator.add-two")]
    async fn dotted() {}

    /// Said.
    #[mcp_tool(name = "said", title = "As I say")]
    async fn other() {}

    let dispatcher = serve(tools![get_weather, r#match, dotted, other, inner::nested]);
    let names: Vec<_> = dispatcher.list().iter().map(|tool| (&*tool.name, tool.title.as_deref())).collect();
    assert_eq!(
        names,
        [
            ("get_weather", Some("Get Weather")),
            ("match", Some("Match")),
            ("Calculator.add-two", Some("Calculator Add Two")),
            ("said", Some("As I say")),
            ("nested", Some("Nested")),
        ]
    );
}

#[test]
fn the_description_is_the_doc_comment_up_to_its_headings() {
    /// First line,
    /// second line.
    ///
    /// - a point
    ///
    /// # Errors
    ///
    /// Not for models.
    #[mcp_tool]
    async fn documented() -> Result<u8, String> {
        Ok(1)
    }

    /// Not this.
    #[mcp_tool(description = "This.")]
    async fn said() {}

    #[mcp_tool(description = DESCRIPTION)]
    async fn constant() {}

    #[mcp_tool(description = concat!("Joined ", "together."))]
    async fn joined() {}

    let dispatcher = serve(tools![documented, said, constant, joined]);
    let texts: Vec<_> = dispatcher.list().iter().filter_map(|tool| tool.description.as_deref()).collect();
    assert_eq!(texts, ["First line,\nsecond line.\n\n- a point", "This.", "From a constant.", "Joined together.",]);
}

#[test]
fn a_deprecation_note_precedes_the_description() {
    /// Say goodbye.
    #[deprecated(note = "say hello")]
    #[mcp_tool]
    async fn goodbye() {}

    #[allow(deprecated)]
    let dispatcher = serve(tools![goodbye]);
    assert_eq!(dispatcher.list()[0].description.as_deref(), Some("[DEPRECATED: say hello] Say goodbye."));
}

#[test]
fn unset_hints_are_not_published() {
    /// All.
    #[mcp_tool(read_only_hint, destructive_hint = false, idempotent_hint = true, open_world_hint = false)]
    async fn all() {}

    /// None.
    #[mcp_tool]
    async fn none() {}

    let dispatcher = serve(tools![all, none]);
    for version in [LEGACY[0], LEGACY[1], LATEST] {
        assert_eq!(
            listed(&dispatcher, "all", version)["annotations"],
            json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false})
        );
        assert!(listed(&dispatcher, "none", version).get("annotations").is_none());
    }
}

#[test]
fn output_publishes_the_schema_of_another_type() {
    #[derive(Serialize, JsonSchema)]
    struct Row {
        #[allow(dead_code)]
        id: u8,
    }

    /// Rows.
    #[mcp_tool(output = Vec<Row>)]
    async fn rows(good: bool) -> Value {
        if good { json!([{"id": 1}]) } else { json!([{"id": "x"}]) }
    }

    let dispatcher = serve(tools![rows]);
    assert_eq!(output(&dispatcher, "rows")["items"]["required"], json!(["id"]));
    assert_eq!(run::value(&dispatcher, "rows", json!({"good": true})), json!([{"id": 1}]));
    let text = run::message(&dispatcher, "rows", json!({"good": false}));
    assert!(text.contains("`[0].id`: expected an integer, got a string"), "{text}");
}

#[test]
fn output_off_publishes_no_schema_and_sends_only_text() {
    /// Off.
    #[mcp_tool(output = off)]
    async fn off() -> Vec<u8> {
        vec![1, 2]
    }

    let dispatcher = serve(tools![off]);
    let response = call(&dispatcher, "off", json!({}));
    for version in [LEGACY[0], LATEST] {
        assert!(listed(&dispatcher, "off", version).get("outputSchema").is_none());
        let result = run::mcp(&response, version);
        assert!(result.get("structuredContent").is_none(), "{result}");
        assert_eq!(result["content"], json!([{"type": "text", "text": "[1,2]"}]));
    }
    assert_eq!(run::otc(&response)["value"], json!([1, 2]));
}

#[test]
fn the_key_text_replaces_the_text_and_not_the_value() {
    #[allow(clippy::ptr_arg, reason = "the function of `text` takes what the tool returns")]
    fn summary(rows: &Vec<u8>) -> String {
        format!("{} rows", rows.len())
    }

    /// Rows.
    #[mcp_tool(text = summary)]
    async fn rows(count: u8) -> Result<Vec<u8>, String> {
        if count == 0 { Err("none".to_owned()) } else { Ok(vec![0; count.into()]) }
    }

    let dispatcher = serve(tools![rows]);
    for version in [LEGACY[0], LATEST] {
        let result = run::mcp(&call(&dispatcher, "rows", json!({"count": 2})), version);
        assert_eq!(result["content"], json!([{"type": "text", "text": "2 rows"}]));
        let value = if version == LATEST { json!([0, 0]) } else { json!({"result": [0, 0]}) };
        assert_eq!(result["structuredContent"], value);
    }
    assert_eq!(run::message(&dispatcher, "rows", json!({"count": 0})), "none");
}

#[test]
fn the_function_of_text_takes_what_the_result_holds() {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "the function of `text` takes a reference")]
    fn doubled(number: &u8) -> String {
        (number * 2).to_string()
    }

    fn counted(rows: &[u8]) -> String {
        format!("{} rows", rows.len())
    }

    fn whole(result: &Structured<String>) -> String {
        format!("{result:?}").chars().take(10).collect()
    }

    fn loud(word: &str) -> String {
        word.to_uppercase()
    }

    /// Number.
    #[mcp_tool(text = doubled)]
    async fn number() -> Structured<u8> {
        Structured::new(4).with_content(Text::new("four"))
    }

    /// Number or error.
    #[mcp_tool(text = doubled)]
    async fn number_or_error(ok: bool) -> Result<Structured<u8>, String> {
        ok.then(|| Structured::new(4).with_meta("a/b", 1)).ok_or_else(|| "none".to_owned())
    }

    /// Rows.
    #[mcp_tool(text = counted)]
    async fn rows() -> Structured<Vec<u8>> {
        Structured::new(vec![1, 2])
    }

    /// Word.
    #[mcp_tool(text = loud)]
    async fn word() -> Structured<String> {
        Structured::new("a".to_owned())
    }

    /// The whole result.
    #[mcp_tool(text = whole)]
    async fn all() -> Structured<String> {
        Structured::new("a".to_owned())
    }

    /// A shared word.
    #[mcp_tool(text = loud)]
    async fn shared() -> Arc<str> {
        "a".into()
    }

    let dispatcher = serve(tools![number, number_or_error, rows, word, all, shared]);
    let texts = |name: &str, arguments| {
        let result = run::mcp(&call(&dispatcher, name, arguments), LATEST);
        let blocks = result["content"].as_array().into_iter().flatten();
        (blocks.map(|block| block["text"].clone()).collect::<Value>(), result["structuredContent"].clone())
    };
    assert_eq!(texts("number", json!({})), (json!(["8", "four"]), json!(4)));
    assert_eq!(texts("number_or_error", json!({"ok": true})), (json!(["8"]), json!(4)));
    assert_eq!(run::message(&dispatcher, "number_or_error", json!({"ok": false})), "none");
    assert_eq!(texts("rows", json!({})), (json!(["2 rows"]), json!([1, 2])));
    assert_eq!(texts("word", json!({})), (json!(["A"]), json!("a")));
    assert_eq!(texts("all", json!({})), (json!(["Structured"]), json!("a")));
    assert_eq!(texts("shared", json!({})), (json!(["A"]), json!("a")));
}

#[test]
fn handler_sets_the_name_of_the_handle() {
    /// Named.
    #[mcp_tool(handler = Handle)]
    async fn named() -> u8 {
        7
    }

    let dispatcher = run::built(run::exact().tool(Handle {}));
    assert_eq!(dispatcher.list()[0].name, "named");
    assert_eq!(run::value(&dispatcher, "named", json!({})), json!(7));
    assert_eq!(run::now(named()), 7);
}

#[test]
fn a_list_of_tools_leaves_out_elements_whose_cfg_is_false() {
    /// Here.
    #[mcp_tool]
    async fn here() {}

    #[cfg(any())]
    /// Not here.
    #[mcp_tool]
    async fn gone() {}

    let tools: Vec<Box<dyn ToolHandler>> = tools![
        here,
        #[cfg(any())]
        gone
    ];
    assert_eq!(tools.len(), 1);
    assert!(tools![].is_empty());
}

#[test]
fn a_tool_can_still_be_called_as_a_function() {
    /// Add.
    #[mcp_tool]
    async fn add(a: i64, b: i64) -> i64 {
        a + b
    }

    assert_eq!(run::now(add(1, 2)), 3);
    let output = Output::value(run::now(add(3, 4))).expect("a value");
    assert!(format!("{output:?}").contains('7'));
}
