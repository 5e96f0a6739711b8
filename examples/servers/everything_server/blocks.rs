//! One tool for each kind of content block. The official conformance suite calls the tools named `test_…`.

use mcp_tool_runtime::{
    Audio, Content, EmbeddedResource, Image, ResourceLink, Role, Text, ToolHandler, mcp_tool, tools,
};

pub(crate) fn all() -> Vec<Box<dyn ToolHandler>> {
    tools![
        test_simple_text,
        test_image_content,
        test_audio_content,
        test_embedded_resource,
        test_multiple_content_types,
        block_blob,
        block_link,
        block_annotated,
    ]
}

/// An image of one red pixel.
const PNG: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\x9cc\xf8\xcf\xc0\
    \0\0\x03\x01\x01\0\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82";

/// Ten milliseconds of silence: 8,000 samples a second, one byte each.
fn wav() -> Vec<u8> {
    const SAMPLES: u32 = 80;
    let mut file = Vec::new();
    file.extend_from_slice(b"RIFF");
    file.extend_from_slice(&(36 + SAMPLES).to_le_bytes());
    file.extend_from_slice(b"WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data");
    file.extend_from_slice(&SAMPLES.to_le_bytes());
    file.resize(file.len() + SAMPLES as usize, 0x80);
    file
}

/// Return a text.
#[mcp_tool(read_only_hint)]
async fn test_simple_text() -> Text {
    Text::new("This is a simple text response for testing.")
}

/// Return an image.
#[mcp_tool(read_only_hint)]
async fn test_image_content() -> Image {
    Image::new(PNG, "image/png")
}

/// Return a sound.
#[mcp_tool(read_only_hint)]
async fn test_audio_content() -> Audio {
    Audio::new(wav(), "audio/wav")
}

/// Return an embedded resource with text.
#[mcp_tool(read_only_hint)]
async fn test_embedded_resource() -> EmbeddedResource {
    EmbeddedResource::text("test://embedded-resource", "This is an embedded resource content.")
        .with_mime_type("text/plain")
}

/// Return a text, an image and an embedded resource.
#[mcp_tool(read_only_hint)]
async fn test_multiple_content_types() -> Vec<Content> {
    let resource = EmbeddedResource::text("test://mixed-content-resource", r#"{"test":"data","value":123}"#);
    vec![
        Text::new("Multiple content types test:").into(),
        Image::new(PNG, "image/png").into(),
        resource.with_mime_type("application/json").into(),
    ]
}

/// Return an embedded resource with bytes.
#[mcp_tool(read_only_hint)]
async fn block_blob() -> EmbeddedResource {
    EmbeddedResource::blob("test://blob", [0, 1, 2, 253, 254, 255]).with_mime_type("application/octet-stream")
}

/// Return a link to a resource.
#[mcp_tool(read_only_hint)]
async fn block_link() -> ResourceLink {
    ResourceLink::new("file:///var/log/app.log", "app.log").with_mime_type("text/plain")
}

/// Return a text that only the user should see.
#[mcp_tool(read_only_hint)]
async fn block_annotated() -> Text {
    Text::new("Only the user sees this.").with_audience([Role::User]).with_priority(0.5)
}
