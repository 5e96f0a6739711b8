//! The HTML document, and the policy that it is sent with.

use ::http::HeaderValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use sha2::{Digest as _, Sha256};

const HTML: &str = include_str!("assets/page.html");
const STYLE: &str = include_str!("assets/page.css");
/// One script. The parts are files of their own for their readers.
const SCRIPT: &str = concat!(
    include_str!("assets/dom.js"),
    include_str!("assets/json.js"),
    include_str!("assets/access.js"),
    include_str!("assets/schema.js"),
    include_str!("assets/fields.js"),
    include_str!("assets/composites.js"),
    include_str!("assets/call.js"),
    include_str!("assets/result.js"),
    include_str!("assets/questions.js"),
    include_str!("assets/tool.js"),
    include_str!("assets/main.js"),
);

/// The page. It is the same for every server and every caller.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) html: Bytes,
    pub(super) policy: HeaderValue,
}

impl Document {
    pub(super) fn new() -> Self {
        let html = HTML.replace("/* style */", STYLE).replace("/* script */", SCRIPT);
        let policy = format!(
            // The hashes admit this style and this script and nothing else, not even other files of the server.
            "default-src 'none'; style-src '{}'; script-src '{}'; connect-src 'self'; img-src data:; media-src data:; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
             require-trusted-types-for 'script'; trusted-types 'none'",
            source_hash(STYLE),
            source_hash(SCRIPT),
        );
        // Base64 and the text above are visible ASCII.
        let policy = HeaderValue::from_str(&policy).unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"));
        Self { html: html.into(), policy }
    }
}

/// Returns the hash of an inline style or script, as a policy writes it.
fn source_hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_and_script_are_one_element_each_and_never_parse_html() {
        let html = Document::new().html;
        let html = std::str::from_utf8(&html).expect("text");
        for end in ["</script", "</style"] {
            assert_eq!(html.matches(end).count(), 1, "{end}");
        }
        for sink in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "srcdoc", "style="] {
            assert!(!html.contains(sink), "{sink}");
        }
        // Nothing is loaded.
        for load in [" src=", "@import", "import(", "importScripts", "new Worker"] {
            assert!(!html.contains(load), "{load}");
        }
        assert!(!STYLE.contains("url("));
    }
}
