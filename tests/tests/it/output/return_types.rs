//! Return types of tools, and the results that clients receive.

use mcp_tool_runtime::schemars::{Schema, SchemaGenerator};
use mcp_tool_runtime::{
    Audio, Content, Dispatcher, EmbeddedResource, Image, Output, ResourceLink, Role, Text, ToolError, ToolOutput,
    mcp_tool, tools,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{self, LATEST, LEGACY, call, listed, message, serve, value};

/// Returns the content of one call. Asserts that it is the same in every version.
fn content(dispatcher: &Dispatcher, name: &str) -> Value {
    assert!(listed(dispatcher, name, LATEST).get("outputSchema").is_none());
    let response = call(dispatcher, name, json!({}));
    let result = run::mcp(&response, LATEST);
    assert!(result.get("structuredContent").is_none(), "{result}");
    for version in LEGACY {
        assert_eq!(run::mcp(&response, version)["content"], result["content"]);
    }
    assert_eq!(run::json(&response.content()), result["content"]);
    result["content"].clone()
}

#[test]
fn a_unit_result_is_done_and_null() {
    /// Do it.
    #[mcp_tool]
    async fn act() {}

    /// Do it, perhaps.
    #[mcp_tool]
    async fn attempt() -> Result<(), String> {
        Ok(())
    }

    let dispatcher = serve(tools![act, attempt]);
    for name in ["act", "attempt"] {
        assert_eq!(content(&dispatcher, name), json!([{"type": "text", "text": "Done"}]));
        let response = call(&dispatcher, name, json!({}));
        assert_eq!(run::otc(&response)["value"], Value::Null);
        assert!(run::otc(&response).as_object().is_some_and(|document| document.contains_key("value")));
        assert_eq!(response.deserialize::<()>().ok(), Some(()));
    }
}

#[test]
fn a_result_is_recognised_by_its_type_not_by_its_name() {
    type Answer<T> = Result<T, String>;
    type Number = Answer<u8>;

    mod misleading {
        #[derive(serde::Serialize, schemars::JsonSchema)]
        pub(super) struct Result<T> {
            pub(super) value: T,
        }
    }

    /// Through an alias.
    #[mcp_tool]
    async fn aliased(fail: bool) -> Number {
        if fail { Err("as asked".to_owned()) } else { Ok(1) }
    }

    /// No result at all.
    #[mcp_tool]
    async fn named() -> misleading::Result<u8> {
        misleading::Result { value: 1 }
    }

    let dispatcher = serve(tools![aliased, named]);
    assert_eq!(run::output(&dispatcher, "aliased"), json!({"type": "integer", "minimum": 0, "maximum": 255}));
    assert_eq!(value(&dispatcher, "aliased", json!({"fail": false})), json!(1));
    assert_eq!(message(&dispatcher, "aliased", json!({"fail": true})), "as asked");
    assert_eq!(value(&dispatcher, "named", json!({})), json!({"value": 1}));
}

#[test]
fn open_tool_callings_value_of_a_single_text_is_its_string() {
    /// Say.
    #[mcp_tool]
    async fn say() -> Text {
        Text::new("hello").with_audience([Role::User, Role::Assistant]).with_priority(0.5)
    }

    let dispatcher = serve(tools![say]);
    let annotations = json!({"audience": ["user", "assistant"], "priority": 0.5});
    assert_eq!(content(&dispatcher, "say"), json!([{"type": "text", "text": "hello", "annotations": annotations}]));
    assert_eq!(run::otc(&call(&dispatcher, "say", json!({})))["value"], "hello");
}

#[test]
fn each_block_is_sent_unchanged() {
    /// Picture.
    #[mcp_tool]
    async fn image() -> Image {
        Image::new([0_u8, 255], "image/png").with_meta("com.example/a", 1)
    }

    /// Sound.
    #[mcp_tool]
    async fn audio() -> Result<Audio, ToolError> {
        Ok(Audio::new(b"RIFF", "audio/wav"))
    }

    /// Link.
    #[mcp_tool]
    async fn link() -> ResourceLink {
        ResourceLink::new("file:///a", "a").with_mime_type("text/plain").with_size(3)
    }

    /// Resource.
    #[mcp_tool]
    async fn resource() -> EmbeddedResource {
        EmbeddedResource::blob("memo://1", "abc").with_mime_type("application/x").with_priority(1.0)
    }

    /// Any.
    #[mcp_tool]
    async fn any() -> Content {
        Text::new("a").into()
    }

    /// Several.
    #[mcp_tool]
    async fn several() -> Vec<Content> {
        vec![Text::new("a").into(), Text::new("b").into()]
    }

    let dispatcher = serve(tools![image, audio, link, resource, any, several]);
    let resource = json!({"uri": "memo://1", "mimeType": "application/x", "blob": "YWJj"});
    for (name, blocks) in [
        ("image", json!([{"type": "image", "data": "AP8=", "mimeType": "image/png", "_meta": {"com.example/a": 1}}])),
        ("audio", json!([{"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}])),
        (
            "link",
            json!([{"type": "resource_link", "uri": "file:///a", "name": "a", "mimeType": "text/plain", "size": 3}]),
        ),
        ("resource", json!([{"type": "resource", "resource": resource, "annotations": {"priority": 1.0}}])),
        ("several", json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])),
    ] {
        assert_eq!(content(&dispatcher, name), blocks, "{name}");
        assert_eq!(run::otc(&call(&dispatcher, name, json!({})))["value"], blocks, "{name}");
        let read: Vec<Content> = serde_json::from_value(blocks.clone()).expect("blocks");
        assert_eq!(run::json(&read), blocks, "{name}");
    }
    assert_eq!(content(&dispatcher, "any"), json!([{"type": "text", "text": "a"}]));
    assert_eq!(run::otc(&call(&dispatcher, "any", json!({})))["value"], "a");
}

#[test]
fn an_invalid_block_is_not_sent() {
    /// Wrong.
    #[mcp_tool]
    async fn wrong(case: u8) -> Content {
        match case {
            0 => Image::new("GIF89a", "png").into(),
            1 => Audio::new("RIFF", "image/png").into(),
            2 => Text::new("a").with_priority(1.5).into(),
            _ => Text::new("a").with_priority(f64::NAN).into(),
        }
    }

    let dispatcher = serve(tools![wrong]);
    for (case, expected) in [(0, "image/…"), (1, "audio/…"), (2, "from 0 to 1"), (3, "from 0 to 1")] {
        let text = message(&dispatcher, "wrong", json!({"case": case}));
        assert!(text.starts_with("tool `wrong` produced an invalid result: ") && text.contains(expected), "{text}");
    }
}

/// A chart: a value, and a picture of it.
struct Chart {
    sales: Vec<f64>,
}

impl ToolOutput for Chart {
    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(Vec::<f64>::json_schema(generator))
    }

    fn into_output(self) -> Result<Output, ToolError> {
        if self.sales.is_empty() {
            return Err(ToolError::new("nothing was sold"));
        }
        let output = Output::value(&self.sales)?.with_text("sales by month");
        Ok(output.with_content(Image::new("PNG", "image/png")).with_meta("com.example/unit", "EUR"))
    }
}

#[test]
fn a_hand_written_tool_output_decides_what_is_sent() {
    /// Draw.
    #[mcp_tool]
    async fn draw(sales: Vec<f64>) -> Chart {
        Chart { sales }
    }

    let dispatcher = serve(tools![draw]);
    assert_eq!(run::output(&dispatcher, "draw"), json!({"type": "array", "items": {"type": "number"}}));
    let response = call(&dispatcher, "draw", json!({"sales": [1, 2.5]}));
    let result = run::mcp(&response, LATEST);
    assert_eq!(result["structuredContent"], json!([1.0, 2.5]));
    assert_eq!(
        result["content"],
        json!([
            {"type": "text", "text": "sales by month"},
            {"type": "image", "data": "UE5H", "mimeType": "image/png"}
        ])
    );
    assert_eq!(result["_meta"]["com.example/unit"], "EUR");
    assert_eq!(run::otc(&response)["value"], json!([1.0, 2.5]));
    assert_eq!(message(&dispatcher, "draw", json!({"sales": []})), "nothing was sold");
}

#[test]
fn without_text_keeps_the_structured_value() {
    /// Quiet.
    #[derive(Deserialize, Serialize, JsonSchema)]
    struct Quiet(u8);

    impl ToolOutput for Quiet {
        fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
            Some(u8::json_schema(generator))
        }

        fn into_output(self) -> Result<Output, ToolError> {
            Ok(Output::value(self.0)?.without_text())
        }
    }

    /// Quiet.
    #[mcp_tool]
    async fn quiet() -> Quiet {
        Quiet(1)
    }

    let result = run::mcp(&call(&serve(tools![quiet]), "quiet", json!({})), LATEST);
    assert_eq!((&result["content"], &result["structuredContent"]), (&json!([]), &json!(1)));
}
