//! The HTML document, and the policy that it is sent with.

use std::sync::LazyLock;

use ::http::HeaderValue;
use bytes::Bytes;

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
    include_str!("assets/history.js"),
    include_str!("assets/main.js"),
);

/// The hashes allow the style and the script of the page and nothing else, not even other files of the server.
pub(super) const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'sha256-fca/aFVC4prodoULc+O0DbkClB+bSCALm3VabDI95AM='; script-src 'sha256-SXZ9j8o4lM9MI1/GdgNYRyO+bTEMfDP5duuQ2mZqO14='; connect-src 'self'; img-src data:; \
     media-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
     trusted-types 'none'",
);

/// Returns the page. It is the same for every server and every caller.
pub(super) fn html() -> Bytes {
    static PAGE: LazyLock<Bytes> =
        LazyLock::new(|| HTML.replace("/* style */", STYLE).replace("/* script */", SCRIPT).into());
    PAGE.clone()
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest as _, Sha256};

    use super::*;

    #[test]
    fn the_policy_has_the_hashes_of_the_style_and_of_the_script() {
        let policy = POLICY.to_str().expect("text").to_owned();
        for (directive, source) in [("style-src", STYLE), ("script-src", SCRIPT)] {
            let expected = format!("{directive} 'sha256-{}'", STANDARD.encode(Sha256::digest(source)));
            assert!(policy.contains(&expected), "write `{expected}` into the policy: {policy}");
        }
    }

    #[test]
    fn style_and_script_are_one_element_each_and_never_parse_html() {
        let html = html();
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
