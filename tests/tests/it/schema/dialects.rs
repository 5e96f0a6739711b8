//! What a keyword means in each draft, and which values of a keyword `build` refuses.

use serde_json::json;

use crate::one_argument::{accepts, taking, taking_in};
use crate::run::{self, exact, faults};

const DRAFT_7: &str = "http://json-schema.org/draft-07/schema#";
const DRAFT_2020: &str = "https://json-schema.org/draft/2020-12/schema";

#[test]
fn t15_a_keyword_means_nothing_before_the_draft_that_has_it() {
    let required_later = json!({ "dependentRequired": { "a": ["b"] } });
    assert!(accepts(&taking_in(DRAFT_7, &required_later, &json!({})), &json!({ "a": 1 })));
    assert!(!accepts(&taking_in(DRAFT_2020, &required_later, &json!({})), &json!({ "a": 1 })));

    let dynamic = json!({ "$dynamicRef": "#/definitions/number" });
    let definitions = json!({ "definitions": { "number": { "type": "integer" } } });
    assert!(accepts(&taking_in(DRAFT_7, &dynamic, &definitions), &json!("text")));

    for (closed, value) in [("unevaluatedProperties", json!({ "a": 1 })), ("unevaluatedItems", json!([1]))] {
        let closed = json!({ closed: false });
        assert!(accepts(&taking_in(DRAFT_7, &closed, &json!({})), &value), "{closed}");
        assert!(!accepts(&taking_in(DRAFT_2020, &closed, &json!({})), &value), "{closed}");
    }

    let unique = json!({ "format": "uuid" });
    assert!(accepts(&taking_in(DRAFT_7, &unique, &json!({})), &json!("none")));
    assert!(!accepts(&taking_in(DRAFT_2020, &unique, &json!({})), &json!("none")));
}

#[test]
fn t15_the_value_of_a_keyword_is_checked_from_its_draft_on() {
    for keyword in ["deprecated", "dependentSchemas"] {
        let schema = |dialect: &str| {
            let schema = json!({ "$schema": dialect, "type": "object", "properties": { "v": { keyword: 5 } } });
            exact().tool(run::taking("t", schema))
        };
        assert!(schema(DRAFT_7).build().is_ok(), "{keyword}");
        let faults = faults(schema(DRAFT_2020));
        assert!(faults[0].contains(keyword), "{faults:?}");
    }
}

#[test]
fn t15_an_anchor_starts_with_a_letter_and_has_no_blanks() {
    for (anchor, is_accepted) in [("a1", true), ("_a", true), ("1a", false), ("a b", false)] {
        let schema = json!({ "type": "object", "properties": { "v": { "$anchor": anchor } } });
        assert_eq!(exact().tool(run::taking("t", schema)).build().is_ok(), is_accepted, "{anchor}");
    }
}

#[test]
fn t15_a_condition_on_the_rest_of_a_value_of_another_kind_leaves_its_own_rest_open() {
    let elements = json!({ "allOf": [{ "unevaluatedProperties": true }], "unevaluatedItems": false });
    assert!(accepts(&taking(&elements), &json!([])));
    assert!(!accepts(&taking(&elements), &json!([1])));
    let properties = json!({ "allOf": [{ "unevaluatedItems": true }], "unevaluatedProperties": false });
    assert!(accepts(&taking(&properties), &json!({})));
    assert!(!accepts(&taking(&properties), &json!({ "a": 1 })));
}

#[test]
fn t15_only_the_latest_draft_has_a_dynamic_reference() {
    for (dialect, is_known) in [(DRAFT_7, false), (DRAFT_2020, true)] {
        let dispatcher = taking_in(dialect, &json!({ "$dynamicRef": "#" }), &json!({}));
        assert!(accepts(&dispatcher, &json!({})), "{dialect}");
        assert_eq!(accepts(&dispatcher, &json!(1)), !is_known, "{dialect}");
    }
}
