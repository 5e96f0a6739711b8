//! Content blocks of every kind with all their fields, in every protocol version and in Open Tool Calling.

use mcp_tool_runtime::{
    Audio, Content, Dispatcher, EmbeddedResource, Image, ProtocolVersion, ResourceLink, Role, Structured, Text,
    ToolError, mcp_tool, tools,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::run::{self, LATEST, call, listed, message, now, serve, value};

/// Returns the result for one protocol version. Asserts that `call` and `call_json` agree on it.
fn result(dispatcher: &Dispatcher, name: &str, version: ProtocolVersion) -> Value {
    let result = run::mcp(&call(dispatcher, name, json!({})), version);
    let params = json!({"name": name}).to_string();
    let bytes = now(dispatcher.call_json(params.as_bytes(), version)).expect("a result");
    assert_eq!(serde_json::from_slice::<Value>(&bytes).expect("JSON"), result, "{name} {version}");
    result
}

/// Every kind of block with all its fields.
#[mcp_tool]
async fn all() -> Vec<Content> {
    vec![
        Text::new("a").with_audience([Role::User]).with_priority(0.0).with_meta("com.example/n", 1).into(),
        Image::new([1_u8, 2], "image/png")
            .with_audience([Role::Assistant, Role::User])
            .with_priority(1.0)
            .with_meta("com.example/n", 2)
            .into(),
        Audio::new("RIFF", "audio/wav")
            .with_audience([Role::Assistant])
            .with_priority(0.5)
            .with_meta("com.example/n", 3)
            .with_meta("com.example/m", json!({"a": [null]}))
            .into(),
        ResourceLink::new("file:///a.md", "a.md")
            .with_title("A")
            .with_description("The file.")
            .with_mime_type("text/markdown")
            .with_size(7)
            .with_audience([Role::User])
            .with_priority(0.25)
            .with_meta("com.example/n", 4)
            .into(),
        EmbeddedResource::text("memo://1", "milk")
            .with_mime_type("text/plain")
            .with_audience([Role::User])
            .with_priority(0.75)
            .with_meta("com.example/n", 5)
            .into(),
        EmbeddedResource::blob("memo://2", [255_u8])
            .with_mime_type("application/octet-stream")
            .with_priority(0.125)
            .with_meta("com.example/n", 6)
            .into(),
    ]
}

fn all_blocks() -> Value {
    json!([
        {
            "type": "text", "text": "a",
            "annotations": {"audience": ["user"], "priority": 0.0}, "_meta": {"com.example/n": 1}
        },
        {
            "type": "image", "data": "AQI=", "mimeType": "image/png",
            "annotations": {"audience": ["assistant", "user"], "priority": 1.0}, "_meta": {"com.example/n": 2}
        },
        {
            "type": "audio", "data": "UklGRg==", "mimeType": "audio/wav",
            "annotations": {"audience": ["assistant"], "priority": 0.5},
            "_meta": {"com.example/n": 3, "com.example/m": {"a": [null]}}
        },
        {
            "type": "resource_link", "uri": "file:///a.md", "name": "a.md", "title": "A", "description": "The file.",
            "mimeType": "text/markdown", "size": 7,
            "annotations": {"audience": ["user"], "priority": 0.25}, "_meta": {"com.example/n": 4}
        },
        {
            "type": "resource", "resource": {"uri": "memo://1", "mimeType": "text/plain", "text": "milk"},
            "annotations": {"audience": ["user"], "priority": 0.75}, "_meta": {"com.example/n": 5}
        },
        {
            "type": "resource",
            "resource": {"uri": "memo://2", "mimeType": "application/octet-stream", "blob": "/w=="},
            "annotations": {"priority": 0.125}, "_meta": {"com.example/n": 6}
        }
    ])
}

#[test]
fn every_kind_of_block_is_complete_in_every_protocol() {
    let dispatcher = serve(tools![all]);
    for version in ProtocolVersion::ALL {
        assert!(listed(&dispatcher, "all", version).get("outputSchema").is_none());
        let result = result(&dispatcher, "all", version);
        assert_eq!(result["content"], all_blocks(), "{version}");
        assert!(result.get("structuredContent").is_none(), "{version}");
    }
    let response = call(&dispatcher, "all", json!({}));
    assert_eq!(run::otc(&response)["value"], all_blocks());
    let read: Vec<Content> = response.deserialize().expect("blocks");
    assert_eq!(read, now(all()), "blocks survive a round trip");
}

#[test]
fn open_tool_callings_value_is_a_string_for_a_single_text_and_blocks_otherwise() {
    /// One text.
    #[mcp_tool]
    async fn one() -> Vec<Content> {
        vec![Text::new("a").with_priority(1.0).into()]
    }

    /// One block that is no text.
    #[mcp_tool]
    async fn link() -> Content {
        ResourceLink::new("file:///a", "a").into()
    }

    /// No block at all.
    #[mcp_tool]
    async fn none() -> Vec<Content> {
        Vec::new()
    }

    let dispatcher = serve(tools![one, link, none]);
    assert_eq!(value(&dispatcher, "one", json!({})), json!("a"));
    let link = json!([{"type": "resource_link", "uri": "file:///a", "name": "a"}]);
    assert_eq!(value(&dispatcher, "link", json!({})), link);
    assert_eq!(value(&dispatcher, "none", json!({})), json!([]));
    for version in ProtocolVersion::ALL {
        assert_eq!(result(&dispatcher, "none", version)["content"], json!([]));
    }
}

#[test]
fn the_media_types_of_images_and_audio_are_checked() {
    /// Give a block of this media type.
    #[mcp_tool]
    async fn block(sound: bool, mime_type: String) -> Content {
        if sound { Audio::new("x", mime_type).into() } else { Image::new("x", mime_type).into() }
    }

    let dispatcher = serve(tools![block]);
    let is_sent = |sound: bool, mime_type: &str| {
        call(&dispatcher, "block", json!({"sound": sound, "mime_type": mime_type})).is_success()
    };
    for mime_type in ["image/png", "IMAGE/PNG", "image/svg+xml", "image/vnd.x-y", "image/png; q=1"] {
        assert!(is_sent(false, mime_type) && !is_sent(true, mime_type), "{mime_type}");
    }
    for mime_type in ["audio/wav", "audio/ogg; codecs=opus"] {
        assert!(is_sent(true, mime_type) && !is_sent(false, mime_type), "{mime_type}");
    }
    for mime_type in ["", "/", "png", "image", "image/", " image/png", "image/p ng", "image/png/x", "text/plain", "*/*"]
    {
        assert!(!is_sent(false, mime_type) && !is_sent(true, mime_type), "{mime_type}");
    }
}

/// A report on sales.
#[derive(Serialize, JsonSchema)]
struct Sales {
    total: u32,
}

/// A value with blocks and metadata.
#[mcp_tool]
async fn full() -> Structured<Sales> {
    Structured::new(Sales { total: 3 })
        .with_content(Image::new("PNG", "image/png").with_audience([Role::User]))
        .with_content(Text::new("as of today"))
        .with_meta("com.example/currency", "EUR")
        .with_meta("com.example/rows", 12)
}

/// A value without its text.
#[mcp_tool]
async fn quiet() -> Structured<Vec<u8>> {
    Structured::new(vec![1, 2]).without_text().with_content(Text::new("two rows"))
}

/// A value, or none.
#[mcp_tool]
async fn fallible(fail: Option<bool>) -> Result<Structured<&'static str>, ToolError> {
    if fail == Some(true) {
        Err(ToolError::new("no"))
    } else {
        Ok(Structured::new("yes").with_meta("com.example/a", 1))
    }
}

#[test]
fn a_structured_result_has_its_text_then_its_blocks_and_its_meta() {
    let dispatcher = serve(tools![full]);
    assert_eq!(run::output(&dispatcher, "full")["required"], json!(["total"]));
    for version in ProtocolVersion::ALL {
        let result = result(&dispatcher, "full", version);
        assert_eq!(
            result["content"],
            json!([
                {"type": "text", "text": r#"{"total":3}"#},
                {"type": "image", "data": "UE5H", "mimeType": "image/png", "annotations": {"audience": ["user"]}},
                {"type": "text", "text": "as of today"}
            ]),
            "{version}"
        );
        assert_eq!(result["structuredContent"], json!({"total": 3}), "{version}");
        let meta = result["_meta"].as_object().expect("_meta");
        assert_eq!((&meta["com.example/currency"], &meta["com.example/rows"]), (&json!("EUR"), &json!(12)));
        assert_eq!((&meta["rs.mcp-tool/call_id"], meta.len()), (&json!("call-1"), 4), "{version}");
    }
    let otc = run::otc(&call(&dispatcher, "full", json!({})));
    assert_eq!(otc["value"], json!({"total": 3}));
}

#[test]
fn a_structured_result_without_text_keeps_its_blocks() {
    let dispatcher = serve(tools![quiet]);
    for version in ProtocolVersion::ALL {
        let result = result(&dispatcher, "quiet", version);
        assert_eq!(result["content"], json!([{"type": "text", "text": "two rows"}]), "{version}");
        let wrapped = json!({"result": [1, 2]});
        assert_eq!(result["structuredContent"], if version == LATEST { json!([1, 2]) } else { wrapped }, "{version}");
    }
    assert_eq!(value(&dispatcher, "quiet", json!({})), json!([1, 2]));
}

#[test]
fn structured_may_be_inside_a_result() {
    let dispatcher = serve(tools![fallible]);
    assert_eq!(run::output(&dispatcher, "fallible")["type"], "string");
    for version in ProtocolVersion::ALL {
        let result = result(&dispatcher, "fallible", version);
        let text = if version == LATEST { r#""yes""# } else { "yes" };
        assert_eq!(result["content"], json!([{"type": "text", "text": text}]), "{version}");
        assert_eq!(result["_meta"]["com.example/a"], 1);
    }
    assert_eq!(message(&dispatcher, "fallible", json!({"fail": true})), "no");
}

#[test]
fn the_size_limit_of_results_counts_blocks_and_custom_text() {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the function of `text` takes what the tool returns")]
    fn long(count: &u8) -> String {
        "x".repeat((*count).into())
    }

    /// A short value with a long text.
    #[mcp_tool(text = long)]
    async fn long_text(count: u8) -> u8 {
        count
    }

    /// A short value with a long block.
    #[mcp_tool]
    async fn long_block(count: u8) -> Structured<u8> {
        Structured::new(count).with_content(Text::new("x".repeat(count.into())))
    }

    let dispatcher = run::built(run::exact().tools(tools![long_text, long_block]).max_result_bytes(100));
    for name in ["long_text", "long_block"] {
        assert!(call(&dispatcher, name, json!({"count": 50})).is_success(), "{name}");
        let text = message(&dispatcher, name, json!({"count": 200}));
        assert!(text.contains("and at most 100 are sent"), "{name}: {text}");
    }
}
