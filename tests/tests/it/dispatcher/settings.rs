//! Settings of a builder: caching of lists, limits. And the keys of `_meta`.

use std::time::Duration;

use mcp_tool_runtime::{
    Dispatcher, Output, ProtocolVersion, Text,
    mcp::{self, CacheScope},
    mcp_tool, tools,
};
use serde_json::{Value, json};

use crate::run::{self, ByHand, LATEST, LEGACY, built, call, exact, faults, message, now, value};

/// Repeat a word.
#[mcp_tool]
async fn repeat(word: String, times: usize) -> String {
    word.repeat(times)
}

fn list(dispatcher: &Dispatcher, version: ProtocolVersion) -> Value {
    serde_json::from_slice(dispatcher.list_json(version)).expect("a list")
}

#[test]
fn a_reserved_or_malformed_meta_key_of_a_tool_is_refused() {
    let with_key = |key: &str| {
        let tool = mcp::Tool::new("tool", "Do nothing.", json!({"type": "object"})).with_meta(key, 1);
        exact().tool(ByHand::new(tool, |_, _| unreachable!()))
    };
    for prefix in [
        "io.modelcontextprotocol",
        "dev.mcp",
        "com.mcp.tools",
        "com.modelcontextprotocol.api",
        "",
        ".",
        "a..b",
        "1a",
        "-a",
        "a-",
        "a b",
        "a/b",
        "é",
    ] {
        let found = faults(with_key(&format!("{prefix}/a")));
        assert!(matches!(found.as_slice(), [only] if only.contains(&format!("`{prefix}`"))), "{prefix}: {found:?}");
    }
    for key in ["com.example/a b", "com.example/-a", "é"] {
        let found = faults(with_key(key));
        assert_eq!(found.len(), 1, "{key}: {found:?}");
    }
    for key in ["plain", "a/a", "com.example/a.b_c-d", "com.example/", "com.example.mcp/a", "x-y.z9/a"] {
        assert!(with_key(key).build().is_ok(), "{key}");
    }
}

#[test]
fn section_3_a_list_has_a_ttl_and_a_cache_scope() {
    let dispatcher = built(exact().tools(tools![repeat]));
    let modern = list(&dispatcher, LATEST);
    assert_eq!(
        (&modern["ttlMs"], &modern["cacheScope"], &modern["resultType"]),
        (&json!(300_000), &json!("private"), &json!("complete"))
    );
    for version in LEGACY {
        let keys: Vec<_> = list(&dispatcher, version).as_object().expect("a list").keys().cloned().collect();
        assert_eq!(keys, ["tools"], "{version}");
    }
    let set = exact().list_ttl(Duration::from_millis(1)).list_scope(CacheScope::Public);
    let set = list(&built(set), LATEST);
    assert_eq!(set, json!({"resultType": "complete", "tools": [], "ttlMs": 1, "cacheScope": "public"}));
}

#[test]
fn list_json_equals_the_serialized_list() {
    let dispatcher = crate::sample_tools::dispatcher();
    for version in ProtocolVersion::ALL {
        assert_eq!(list(&dispatcher, version)["tools"], run::json(&dispatcher.list_for(version)), "{version}");
    }
}

#[test]
fn i4_arguments_that_are_too_long_are_refused_and_the_next_call_works() {
    let dispatcher = built(exact().tools(tools![repeat]).max_argument_bytes(40));
    // {"word":"…","times":1} has 21 bytes without the word.
    for (length, fits) in [(19, true), (20, false)] {
        let arguments = json!({"word": "x".repeat(length), "times": 1});
        let bytes = arguments.to_string().len();
        let raw = format!(r#"{{"name": "repeat", "arguments": {arguments}}}"#);
        let raw = now(dispatcher.call_json(raw.as_bytes(), LATEST)).expect("a result");
        let raw: Value = serde_json::from_slice(&raw).expect("JSON");
        let response = call(&dispatcher, "repeat", arguments);
        assert_eq!(response.is_success(), fits, "{bytes}");
        assert_eq!(raw["isError"], !fits, "{bytes}");
        if let Some(error) = response.error() {
            let text = "invalid arguments: expected at most 40 bytes of JSON, got 41";
            assert_eq!(error.message(), text);
            assert_eq!(raw["content"][0]["text"], text);
        }
    }
    assert_eq!(value(&dispatcher, "repeat", json!({"word": "a", "times": 2})), json!("aa"));
}

#[test]
fn i4_the_default_limits_are_1_and_4_mib() {
    let dispatcher = built(exact().tools(tools![repeat]));
    let word = |bytes: usize| json!({"word": "x".repeat(bytes - 21), "times": 1});
    assert!(call(&dispatcher, "repeat", word(1 << 20)).is_success());
    assert!(!call(&dispatcher, "repeat", word((1 << 20) + 1)).is_success());
    let fits = (4 << 20) - 2;
    assert!(call(&dispatcher, "repeat", json!({"word": "x", "times": fits})).is_success());
    assert_eq!(
        message(&dispatcher, "repeat", json!({"word": "x", "times": fits + 1})),
        "tool `repeat` produced an invalid result: it has 4194305 bytes, and at most 4194304 are sent"
    );
}

#[test]
fn a_result_over_the_limit_is_an_error() {
    let blocks = ByHand::any("blocks", |_, arguments| {
        let text = "x".repeat(usize::try_from(arguments["length"].as_u64().unwrap_or_default()).unwrap_or_default());
        Ok(Output::content(vec![Text::new(text).into()]))
    });
    let dispatcher = built(exact().tools(tools![repeat]).tool(blocks).max_result_bytes(100));
    assert_eq!(value(&dispatcher, "repeat", json!({"word": "x", "times": 98})).as_str().map(str::len), Some(98));
    assert!(!call(&dispatcher, "repeat", json!({"word": "x", "times": 99})).is_success());
    assert!(call(&dispatcher, "blocks", json!({"length": 50})).is_success());
    assert!(!call(&dispatcher, "blocks", json!({"length": 99})).is_success());
    assert!(call(&dispatcher, "repeat", json!({"word": "x", "times": 1})).is_success());
}

#[test]
fn i3_lax_parses_a_string_only_where_it_does_not_match_as_it_is() {
    /// Take one of each.
    #[mcp_tool]
    async fn take(
        number: Option<i64>,
        ratio: Option<f64>,
        flag: Option<bool>,
        list: Option<Vec<u8>>,
        map: Option<std::collections::BTreeMap<String, u8>>,
        text: Option<String>,
        any: Option<Value>,
    ) -> Value {
        json!([number, ratio, flag, list, map, text, any])
    }

    let (strict, lax) = (built(exact().tools(tools![take])), built(exact().tools(tools![take]).lax(true)));
    let spelled = json!({"number": "-3", "ratio": "0.5", "flag": "true", "list": "[1, 2]", "map": "{\"a\": 1}"});
    assert_eq!(value(&lax, "take", spelled.clone()), json!([-3, 0.5, true, [1, 2], {"a": 1}, null, null]));
    assert_eq!(message(&strict, "take", spelled).lines().count(), 6, "each of the five is refused");
    // A value that already matches is not parsed.
    let exactly = json!({"number": 3, "text": "3", "any": "true"});
    for dispatcher in [&strict, &lax] {
        assert_eq!(value(dispatcher, "take", exactly.clone()), json!([3, null, null, null, null, "3", "true"]));
    }
    for wrong in [json!({"number": "three"}), json!({"flag": "yes"}), json!({"list": "1"}), json!({"list": "[256]"})] {
        assert!(!call(&lax, "take", wrong.clone()).is_success(), "{wrong}");
    }
}
