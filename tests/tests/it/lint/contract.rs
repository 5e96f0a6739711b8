//! `contract::check`: breaking changes are reported, other changes pass, and the file is written only on request.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_tool_runtime::{Dispatcher, Output, ToolHandler, contract, mcp, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{ByHand, built, exact, giving, serve, taking};
use crate::sample_tools;

/// A file for one test, removed at its end.
pub(crate) struct File(pub(crate) PathBuf);

impl File {
    pub(crate) fn new(name: &str) -> Self {
        // Tests that run at the same time may use the same name.
        static FILES: AtomicUsize = AtomicUsize::new(0);
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        Self(std::env::temp_dir().join(format!("mcp-tool-{}-{name}-{number}.lock.json", std::process::id())))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Returns what breaks when the dispatcher `then` becomes `now`.
fn breaks(name: &str, then: &Dispatcher, now: &Dispatcher) -> Vec<String> {
    let file = File::new(name);
    contract::write(then, &file.0).expect("a file");
    assert_eq!(contract::check(then, &file.0), Ok(()), "a new contract is not broken");
    match contract::check(now, &file.0) {
        Ok(()) => Vec::new(),
        Err(error) => {
            assert!(error.to_string().contains("MCP_TOOL_CONTRACT=write cargo test"), "{error}");
            error.errors().to_vec()
        }
    }
}

fn arguments(schema: Value) -> Dispatcher {
    built(exact().tool(taking("t", schema)))
}

fn result(schema: Value) -> Dispatcher {
    built(exact().tool(giving("t", schema)))
}

#[allow(clippy::needless_pass_by_value, reason = "it is called with literals")]
fn closed(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

mod then {
    use super::{Deserialize, JsonSchema, Serialize};

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    pub(super) enum Shape {
        Circle { radius: f64 },
        Square { side: f64 },
    }

    #[derive(Serialize, JsonSchema)]
    pub(super) struct Drawn {
        pub(super) id: u32,
        pub(super) note: Option<String>,
    }

    /// Draw a shape.
    #[mcp_tool_runtime::mcp_tool]
    pub(super) async fn draw(shape: Shape, #[schemars(range(min = 1, max = 9))] times: u32) -> Drawn {
        let (Shape::Circle { .. } | Shape::Square { .. }) = shape;
        Drawn { id: times, note: None }
    }
}

mod compatible {
    use super::{Deserialize, JsonSchema, Serialize};

    /// What can be drawn.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    pub(super) enum Shape {
        Triangle { base: f64 },
        Circle { radius: f64 },
        Square { side: f64, turned: Option<bool> },
    }

    #[derive(Serialize, JsonSchema)]
    pub(super) struct Drawn {
        /// No longer optional.
        pub(super) note: String,
        pub(super) id: u8,
    }

    /// Draw a shape, and say more about it.
    #[mcp_tool_runtime::mcp_tool(title = "Drawing", idempotent_hint)]
    pub(super) async fn draw(
        /// How often.
        #[mcp_tool(default = 1)]
        #[schemars(range(min = 0, max = 10))]
        times: u32,
        shape: Shape,
        colour: Option<String>,
    ) -> Drawn {
        drop((shape, colour));
        Drawn { id: u8::try_from(times).unwrap_or_default(), note: String::new() }
    }
}

mod breaking {
    use super::{Deserialize, JsonSchema, Serialize};

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    pub(super) enum Shape {
        Circle { radius: String },
    }

    #[derive(Serialize, JsonSchema)]
    pub(super) struct Drawn {
        pub(super) id: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub(super) note: Option<String>,
    }

    /// Draw a shape.
    #[mcp_tool_runtime::mcp_tool]
    pub(super) async fn draw(shape: Shape, #[schemars(range(min = 1, max = 5))] times: u32, colour: String) -> Drawn {
        drop((shape, colour));
        Drawn { id: times.into(), note: None }
    }
}

/// Something else.
#[mcp_tool]
async fn another() -> u8 {
    1
}

#[test]
fn a_compatible_change_passes() {
    assert_eq!(breaks("compatible", &serve(tools![then::draw]), &serve(tools![another, compatible::draw])), [""; 0]);
}

#[test]
fn every_break_names_the_tool_and_the_position() {
    let mut found = breaks("breaking", &serve(tools![then::draw, another]), &serve(tools![breaking::draw]));
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "tool `another`: it is gone; if it was renamed, put the old name into the tool's `formerly`",
            "tool `draw`, argument `colour`: it is new and required",
            r#"tool `draw`, argument `shape.radius`: `type` was "number" and is "string""#,
            "tool `draw`, argument `shape`: the variant with `kind` \"Square\" was accepted and fits no variant now",
            "tool `draw`, argument `times`: `maximum` was 9 and is 5",
            "tool `draw`, result `id`: `maximum` was 4294967295 and is absent",
            "tool `draw`, result `note`: it was always there and may be missing",
        ]
    );
}

#[test]
fn a_break_inside_a_recursive_type_is_reported() {
    #[derive(Deserialize, JsonSchema)]
    struct Tree {
        #[serde(default)]
        kids: Vec<Tree>,
        name: String,
    }
    let plant = || {
        /// Plant a tree.
        #[mcp_tool]
        async fn plant(tree: Tree) -> usize {
            tree.kids.len() + tree.name.len()
        }
        serve(tools![plant])
    };
    let another_plant = || {
        #[derive(Deserialize, JsonSchema)]
        struct Tree {
            id: u64,
            kids: Vec<Tree>,
        }
        /// Plant a tree.
        #[mcp_tool]
        async fn plant(tree: Tree) -> u64 {
            tree.id + tree.kids.len() as u64
        }
        serve(tools![plant])
    };
    let found = breaks("tree", &plant(), &another_plant());
    for expected in ["argument `tree.id`: it is new and required", "argument `tree.kids`: it was optional"] {
        assert!(found.iter().any(|text| text.contains(expected)), "{expected}: {found:?}");
    }
    assert_eq!(breaks("tree", &plant(), &plant()), [""; 0]);
}

#[test]
fn arguments_may_not_become_narrower_and_results_may_not_become_wider() {
    let narrow = closed(json!({ "a": { "type": "string", "minLength": 2, "enum": ["one", "two"] } }), &["a"]);
    for (wide, expected) in [
        (closed(json!({ "a": { "type": "string", "minLength": 2, "enum": ["one", "two", "six"] } }), &["a"]), "six"),
        (
            closed(
                json!({ "a": { "type": ["string", "null"], "minLength": 2, "enum": ["one", "two", null] } }),
                &["a"],
            ),
            "null",
        ),
        (closed(json!({ "a": { "type": "string", "minLength": 2 } }), &["a"]), "`enum`"),
        (closed(json!({ "a": {} }), &["a"]), "`enum`"),
        (closed(narrow["properties"].clone(), &[]), "`a`: it was"),
        (json!({ "type": "object", "properties": narrow["properties"], "required": ["a"] }), "`*`"),
        (closed(json!({ "a": narrow["properties"]["a"], "b": { "type": "null" } }), &["a"]), "`b`"),
    ] {
        let both = [
            breaks("narrower", &arguments(wide.clone()), &arguments(narrow.clone())),
            breaks("wider", &result(narrow.clone()), &result(wide.clone())),
        ];
        for found in both {
            assert!(found.iter().any(|text| text.contains(expected)), "{wide}: {found:?}");
        }
        assert_eq!(breaks("wider", &arguments(narrow.clone()), &arguments(wide.clone())), [""; 0], "{wide}");
        assert_eq!(breaks("narrower", &result(wide), &result(narrow.clone())), [""; 0]);
    }
}

#[test]
fn a_new_optional_property_passes_unless_additional_properties_were_described() {
    let one = json!({ "type": "object", "properties": { "a": {} } });
    let two = json!({ "type": "object", "properties": { "a": {}, "b": { "type": "string" } } });
    assert_eq!(breaks("open", &arguments(one.clone()), &arguments(two.clone())), [""; 0]);
    assert_eq!(breaks("open", &result(one.clone()), &result(two.clone())), [""; 0]);
    assert_eq!(
        breaks("open", &result(two.clone()), &result(one.clone())),
        ["tool `t`, result `b`: it was described, and is not any more"]
    );
    let mut map = one;
    map["additionalProperties"] = json!({ "type": "integer" });
    let found = breaks("map", &arguments(map), &arguments(two));
    assert_eq!(found, [r#"tool `t`, argument `b`: `type` was "integer" and is "string""#]);
}

#[test]
fn a_header_that_existing_clients_do_not_send_is_a_break() {
    let of = |header: Option<&str>| {
        let mut schema = closed(json!({ "a": { "type": "string" } }), &[]);
        if let Some(header) = header {
            schema["properties"]["a"]["x-mcp-header"] = header.into();
        }
        arguments(schema)
    };
    let expected = "tool `t`, argument `a`: it must be repeated in the header `Mcp-Param-Region` now";
    for then in [None, Some("Zone")] {
        assert_eq!(breaks("header", &of(then), &of(Some("Region"))), [expected]);
    }
    assert_eq!(breaks("header", &of(Some("Region")), &of(Some("REGION"))), [""; 0]);
    assert_eq!(breaks("header", &of(Some("Region")), &of(None)), [""; 0]);
    // Existing clients do not send a new argument, and so need not send its header.
    let new =
        arguments(closed(json!({ "a": { "type": "string" }, "b": { "type": "string", "x-mcp-header": "B" } }), &[]));
    assert_eq!(breaks("header", &of(None), &new), [""; 0]);
}

#[test]
fn a_change_that_cannot_be_compared_asks_for_a_review() {
    let conditional = |least: u64| {
        let mut schema = closed(json!({ "a": { "type": "string" } }), &[]);
        schema["if"] = json!({ "required": ["a"] });
        schema["then"] = json!({ "properties": { "a": { "minLength": least } } });
        schema
    };
    let found = breaks("review", &arguments(conditional(2)), &arguments(conditional(1)));
    assert_eq!(found.len(), 1, "{found:?}");
    for part in [r#""minLength":2"#, r#""minLength":1"#, "which may break clients"] {
        assert!(found[0].contains(part), "{found:?}");
    }
    assert_eq!(breaks("same", &arguments(conditional(2)), &arguments(conditional(2))), [""; 0]);
}

#[test]
fn a_result_that_loses_its_schema_or_its_wrapper_is_a_break() {
    let typed = || giving("t", json!({ "type": "object" }));
    let untyped = || ByHand::any("t", |_, _| Output::value(0));
    let (typed, untyped) = (built(exact().tool(typed())), built(exact().tool(untyped())));
    let gone = "tool `t`, result: its schema is gone, and so is the structured value";
    assert_eq!(breaks("gone", &typed, &untyped), [gone]);
    assert_eq!(breaks("new", &untyped, &typed), [""; 0]);
    let wrapped = "tool `t`, result: for older clients it was wrapped in `result`, and now it is not";
    assert_eq!(breaks("unwrapped", &result(json!({})), &typed), [wrapped]);
}

#[test]
fn unchanged_tools_keep_their_contract() {
    assert_eq!(breaks("zoo", &sample_tools::dispatcher(), &sample_tools::dispatcher()), [""; 0]);
}

#[test]
fn the_file_is_readable_and_does_not_depend_on_descriptions_or_order() {
    let file = File::new("text");
    let text = |dispatcher: &Dispatcher| {
        contract::write(dispatcher, &file.0).expect("a file");
        std::fs::read_to_string(&file.0).expect("a file")
    };
    let tool = |description: &str, properties: &str| -> Box<dyn ToolHandler> {
        let schema = format!(r#"{{"required":["b","a"],"type":"object","properties":{properties}}}"#);
        let schema = serde_json::from_str(&schema).expect("JSON");
        Box::new(ByHand::new(mcp::Tool::new("t", description, schema), |_, _| Output::value(0)))
    };
    let one = serve(vec![tool("One.", r#"{"b": {"type": "null", "title": "B"}, "a": {}}"#)]);
    let two = serve(vec![tool("Two.", r#"{"a": {"examples": [1]}, "b": {"type": "null"}}"#)]);
    assert_eq!(text(&one), text(&two));
    let lines = r#"{
  "contract": 1,
  "tools": {
    "t": {
      "arguments": {
        "properties": {
          "a": {},
          "b": {
            "type": "null"
          }
        },
        "required": [
          "a",
          "b"
        ],
        "type": "object"
      }
    }
  }
}
"#;
    assert_eq!(text(&one), lines);
}

#[test]
fn a_missing_or_invalid_file_is_an_error_that_says_what_to_do() {
    let file = File::new("missing");
    let error = contract::check(&serve(tools![another]), &file.0).expect_err("no file");
    assert_eq!(
        error.to_string(),
        format!("the contract `{}` does not exist; write it: MCP_TOOL_CONTRACT=write cargo test", file.0.display())
    );
    assert!(error.errors().is_empty() && !file.0.exists());
    for (text, expected) in [("[]", "is not a contract"), (r#"{"contract":2,"tools":{}}"#, "has the format 2")] {
        std::fs::write(&file.0, text).expect("a file");
        let error = contract::check(&serve(tools![another]), &file.0).expect_err("no contract");
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(format!("{error:?}"), error.to_string());
    }
}

/// Run only by the next test, in a process with the variable set.
#[test]
#[ignore = "run by another test"]
fn a_check_in_its_own_process() {
    let path = std::env::var_os("MCP_TOOL_TEST_CONTRACT").expect("a path");
    contract::check(&serve(tools![another]), Path::new(&path)).expect("a contract");
}

#[test]
fn the_file_is_written_only_on_request() {
    let file = File::new("request");
    // A relative path is relative to the package, not to the current directory.
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let up: PathBuf = here.components().skip(1).map(|_| "..").collect();
    let relative = up.join(file.0.strip_prefix("/").unwrap_or(&file.0));
    let run = |value: Option<&str>| {
        let mut command = Command::new(std::env::current_exe().expect("this test"));
        command.args(["--exact", "lint::contract::a_check_in_its_own_process", "--ignored"]);
        command
            .env("MCP_TOOL_TEST_CONTRACT", &relative)
            .env("CARGO_MANIFEST_DIR", here)
            .current_dir(std::env::temp_dir());
        command.env_remove("MCP_TOOL_CONTRACT").envs(value.map(|value| ("MCP_TOOL_CONTRACT", value)));
        command.output().expect("a process").status.success()
    };
    assert!(!run(None) && !run(Some("check")) && !file.0.exists());
    assert!(run(Some("write")) && file.0.exists());
    assert!(run(None));
}

#[test]
fn a_renamed_or_removed_tool_is_gone() {
    let other = || taking("other", json!({"type": "object"}));
    let tool = || taking("before", closed(json!({"a": {"type": "string"}}), &["a"]));
    let then = built(exact().tool(tool()).tool(other()));
    let renamed = built(exact().tool(tool().with_name("after")).tool(other()));
    let gone = ["tool `before`: it is gone; if it was renamed, put the old name into the tool's `formerly`"];
    assert_eq!(breaks("renamed", &then, &renamed), gone);
    assert_eq!(breaks("removed", &then, &built(exact().tool(other()))), gone);
}

#[test]
fn a_property_that_would_be_ignored_is_a_break_at_every_depth() {
    let open = |names: &[&str], inner: Value| {
        let mut properties: serde_json::Map<_, _> = names.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
        properties.insert("inner".to_owned(), inner);
        json!({ "type": "object", "properties": properties })
    };
    let then = open(&["a", "b"], open(&["c", "d"], json!({ "type": "string" })));
    let now = open(&["a"], open(&["c"], json!({ "type": "string" })));
    assert_eq!(
        breaks("ignored", &arguments(then.clone()), &arguments(now.clone())),
        [
            "tool `t`, argument `b`: it was taken, and would be ignored now",
            "tool `t`, argument `inner.d`: it was taken, and would be ignored now",
        ]
    );
    assert_eq!(
        breaks("undescribed", &result(then.clone()), &result(now.clone())),
        [
            "tool `t`, result `b`: it was described, and is not any more",
            "tool `t`, result `inner.d`: it was described, and is not any more",
        ]
    );
    // A new property is no break, and a map takes every property.
    assert_eq!(breaks("described", &arguments(now), &arguments(then.clone())), [""; 0]);
    let map = json!({ "type": "object", "additionalProperties": { "type": ["object", "string"] } });
    let strings = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    assert_eq!(
        breaks("undescribed", &arguments(strings), &arguments(map)).len(),
        1,
        "only undescribed properties are narrower"
    );
}

#[test]
fn the_same_schema_in_other_words_is_no_break() {
    for (index, [one, other]) in [
        [json!({ "minimum": 1, "const": 2 }), json!({ "minimum": 1.0, "const": 2.0 })],
        [
            json!({ "enum": ["a", "b"] }),
            json!({ "oneOf": [{ "const": "a", "description": "A." }, { "type": "string", "const": "b" }] }),
        ],
        [
            json!({ "type": "string", "enum": ["a", "b", "c"] }),
            json!({ "oneOf": [{ "enum": ["a", "b"] }, { "const": "c" }] }),
        ],
    ]
    .into_iter()
    .enumerate()
    {
        let of = |schema: &Value| arguments(json!({ "type": "object", "properties": { "x": schema } }));
        let name = format!("words-{index}");
        assert_eq!(breaks(&name, &of(&one), &of(&other)), [""; 0], "{one} became {other}");
        assert_eq!(breaks(&name, &of(&other), &of(&one)), [""; 0], "{other} became {one}");
    }
    let of = |encoding: &str| {
        arguments(json!({ "type": "object", "properties": { "x": { "type": "string", "contentEncoding": encoding } } }))
    };
    assert_eq!(breaks("encoding", &of("base64"), &of("base32")).len(), 1);
    assert_eq!(breaks("encoding", &of("base64"), &of("base64")), [""; 0]);
}

#[test]
fn the_file_may_have_a_byte_order_mark_and_windows_line_ends_but_no_tool_twice() {
    let file = File::new("mark");
    let dispatcher = serve(tools![another]);
    contract::write(&dispatcher, &file.0).expect("a file");
    let text = std::fs::read_to_string(&file.0).expect("a text");
    std::fs::write(&file.0, format!("\u{feff}{}", text.replace('\n', "\r\n"))).expect("a file");
    assert_eq!(contract::check(&dispatcher, &file.0), Ok(()));
    let published = r#"{"arguments":{"type":"object"}}"#;
    std::fs::write(&file.0, format!(r#"{{"contract":1,"tools":{{"a":{published},"a":{published}}}}}"#))
        .expect("a file");
    let error = contract::check(&dispatcher, &file.0).expect_err("a tool twice").to_string();
    assert!(error.contains("is not a contract: tools: the key `a` appears twice"), "{error}");
    // Nothing but the file is left in the folder.
    let name = file.0.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
    let folder = std::fs::read_dir(file.0.parent().expect("a folder")).expect("a folder");
    let beside =
        folder.flatten().filter(|entry| entry.file_name().to_str().is_some_and(|other| other.starts_with(&name)));
    assert_eq!(beside.count(), 1);
}
