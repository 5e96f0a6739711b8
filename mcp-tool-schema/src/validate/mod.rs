//! Checks documents against schemas.
//!
//! - [`dialect`] checks that a schema is valid JSON Schema, and [`compile`] turns it into the nodes of a [`checker`].
//! - The checker decides whether a document is valid. A [`memo`] keeps the time linear in the size of the document
//!   times the size of the schema.
//! - [`search`] finds what is wrong with a document that is not valid.
//! - Each file of [`keywords`] compiles, checks and explains the keywords of one kind.
//!
//! With the feature `jsonschema`, [`external`] checks documents against the schemas that are not supported here.
//!
//! The crate `jsonschema` could check all schemas. But in a program that does nothing else, it costs 62 CPU seconds of
//! build time and 6.1 MiB of executable. This module needs only `regex`, which costs 6.5 CPU seconds and 0.8 MiB with
//! the features used here. To measure again, write one program for each of the two crates, with a single call to the
//! crate. For the time, run `cargo build` with an empty target directory. For the size, run `cargo build --release`
//! with `strip = true`. This module must reach the same verdicts as `jsonschema`: `tests/differential.rs` compares the
//! two.

use serde_json::Value;

use self::checker::{Checker, ROOT};
use self::memo::Memo;
use crate::SchemaError;
use crate::json::tape::{Tape, View};
use crate::json::violation::Violation;

mod checker;
mod compile;
mod dialect;
#[cfg(feature = "jsonschema")]
mod external;
mod keywords;
mod memo;
mod search;

/// A compiled schema without a copy of its source, for programs that keep the source anyway.
///
/// ```
/// use mcp_tool_schema::Validator;
/// use mcp_tool_schema::json::reader::read_text;
/// use serde_json::json;
///
/// let schema = json!({ "type": "object", "properties": { "id": { "type": "integer" } }, "required": ["id"] });
/// let validator = Validator::compile(&schema)?;
/// let document = read_text(r#"{ "id": "7" }"#)?;
/// assert!(!validator.accepts(document.root()));
/// let [violation] = &validator.violations(document.root(), &schema)[..] else { panic!("one mistake") };
/// assert_eq!(violation.to_string(), "id: expected an integer, got a string");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Validator(Engine);

#[derive(Debug)]
enum Engine {
    Own(Checker),
    /// A schema that only the crate `jsonschema` supports.
    #[cfg(feature = "jsonschema")]
    External(Box<external::Validator>),
}

impl Validator {
    /// Compiles a schema. With the feature `jsonschema`, the crate of that name checks documents against schemas that
    /// this crate does not support.
    ///
    /// # Errors
    ///
    /// The schema is not valid, or not supported.
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        #[cfg(feature = "jsonschema")]
        if Self::is_external(schema) {
            let validator = external::Validator::new(schema).map_err(SchemaError)?;
            return Ok(Self(Engine::External(Box::new(validator))));
        }
        Self::compile_linear(schema)
    }

    /// Compiles a schema without the crate `jsonschema`, even if the feature `jsonschema` is enabled, so that documents
    /// are checked in linear time.
    ///
    /// # Errors
    ///
    /// The schema is not valid, or not supported.
    pub fn compile_linear(schema: &Value) -> Result<Self, SchemaError> {
        compile::compile(schema).map(|checker| Self(Engine::Own(checker))).map_err(SchemaError)
    }

    /// Returns `true` if [`compile`](Self::compile) hands a schema over to the crate `jsonschema`.
    pub fn is_external(schema: &Value) -> bool {
        cfg!(feature = "jsonschema") && dialect::needs_external(schema)
    }

    /// Says which `$schema`, `$id` or reference only the feature `jsonschema` supports, and what to write instead.
    /// Returns `None` if there is none.
    pub fn unsupported(schema: &Value) -> Option<String> {
        dialect::unsupported(schema)
    }

    /// Returns `true` if the schema accepts the document.
    #[must_use]
    pub fn accepts(&self, document: View<'_>) -> bool {
        match &self.0 {
            Engine::Own(checker) => {
                let mut memo = Memo::new(document);
                checker.accepts(ROOT, document, &mut memo) && !memo.is_too_deep()
            }
            #[cfg(feature = "jsonschema")]
            Engine::External(validator) => validator.accepts(document),
        }
    }

    /// Returns `true` if the schema accepts the document, or would accept it without the refused `null`s of optional
    /// properties. In the latter case, removes these properties. Leaves alone a `null` whose removal could affect other
    /// keywords, such as any `null` inside a union. Leaves alone every `null` if the crate `jsonschema` checks the
    /// document.
    ///
    /// Models often write `null` for what they leave out. Looking for these `null`s in a second walk after the check
    /// would cost the benchmark `order` 7% more instructions.
    pub fn accepts_without_nulls(&self, document: &mut Tape<'_>) -> bool {
        let checker = match &self.0 {
            Engine::Own(checker) => checker,
            #[cfg(feature = "jsonschema")]
            Engine::External(validator) => return validator.accepts(document.root()),
        };
        let mut memo = Memo::new(document.root());
        memo.omits_null = true;
        memo.finds_null = true;
        let is_valid = checker.accepts(ROOT, document.root(), &mut memo) && !memo.is_too_deep();
        if is_valid {
            memo.omitted.into_iter().for_each(|(object, key)| document.remove_property(object, key));
        }
        is_valid
    }

    /// Returns what is wrong with a document, up to 33 violations.
    ///
    /// `schema` must be the schema that was compiled. Its property names serve as suggestions for misspelt ones.
    #[must_use]
    pub fn violations(&self, document: View<'_>, schema: &Value) -> Vec<Violation> {
        match &self.0 {
            Engine::Own(checker) => {
                let mut memo = Memo::new(document);
                match checker.accepts(ROOT, document, &mut memo) {
                    _ if memo.is_too_deep() => vec![too_deep()],
                    true => Vec::new(),
                    false => search::violations(checker, schema, document),
                }
            }
            #[cfg(feature = "jsonschema")]
            Engine::External(validator) => validator.violations(document),
        }
    }
}

fn too_deep() -> Violation {
    Violation::root("nested too deeply for the published schema")
}

#[cfg(test)]
mod tests {
    mod boundaries;
    mod messages;
    mod steps;

    use serde_json::{Map, json};

    use super::*;
    use crate::json::reader::read_text;

    /// Returns a schema in which a chain of `length` links ends at an integer or a non-empty array. The elements of the
    /// array go through the whole chain again.
    fn recursive_chain(length: usize, link: impl Fn(Value) -> Value) -> Value {
        let mut definitions = Map::new();
        for at in 0..length {
            definitions.insert(format!("d{at}"), link(json!({"$ref": format!("#/$defs/d{}", at + 1)})));
        }
        let last = json!({"type": ["array", "integer"], "minItems": 1, "items": {"$ref": "#/$defs/d0"}});
        definitions.insert(format!("d{length}"), last);
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions})
    }

    /// Returns the violations, found with 1.5 MiB of stack: three quarters of what a thread has by default.
    fn violations(schema: Value, document: String) -> Vec<String> {
        let check = move || {
            let compiled = Validator::compile_linear(&schema).expect("it compiles");
            let document = read_text(&document).expect("JSON");
            let found = compiled.violations(document.root(), &schema);
            found.into_iter().map(|violation| violation.message).collect()
        };
        let thread = std::thread::Builder::new().stack_size(3 << 19).spawn(check);
        thread.expect("a thread").join().expect("no panic")
    }

    fn nested(depth: usize, innermost: &str, beside: &str) -> String {
        format!("{{\"a\":{}{innermost}{}{beside}}}", "[".repeat(depth), "]".repeat(depth))
    }

    type Link = fn(Value) -> Value;
    const LINKS: [Link; 6] = [
        |next| json!({"allOf": [next]}),
        |next| json!({"anyOf": [next]}),
        |next| json!({"oneOf": [{"const": 7}, next]}),
        |next| json!({"not": {"not": next}}),
        |next| json!({"if": next, "then": next, "else": false}),
        |next| json!({"allOf": [next], "unevaluatedItems": false}),
    ];

    #[test]
    fn deep_values_and_long_chains_do_not_overflow_the_stack() {
        let large = format!(",\"b\":[{}0]", "0,".repeat(512));
        for (at, link) in LINKS.into_iter().enumerate() {
            for innermost in ["1", "\"no\"", "[]"] {
                for beside in ["", &large] {
                    let found = violations(recursive_chain(30, link), nested(117, innermost, beside));
                    assert_eq!(found.len(), 1, "{at} {innermost}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn a_document_that_is_too_deep_for_the_check_is_refused_whatever_excludes_it() {
        // Vary the length so that the depth limit is hit under 0, 1, 2… `not`s.
        for length in 20..28 {
            let found = violations(recursive_chain(length, |next| json!({"not": next})), nested(117, "1", ""));
            assert_eq!(found, ["nested too deeply for the published schema"], "{length}");
        }
    }

    #[test]
    fn the_search_for_errors_does_not_overflow_the_stack() {
        let large = format!(",\"b\":[{}0]", "0,".repeat(512));
        for link in LINKS {
            let mut schema = recursive_chain(30, link);
            schema["minProperties"] = json!(3);
            // The check fails before it reaches the elements, but the search for errors goes on into them.
            schema["$defs"]["d30"]["minItems"] = json!(2);
            for beside in ["", &large] {
                assert!(!violations(schema.clone(), nested(117, "1", beside)).is_empty());
            }
        }
    }

    #[test]
    fn a_float_beyond_2_to_the_53_is_not_an_integer() {
        let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
        let found = |text: &str| violations(schema.clone(), format!("{{\"a\":{text}}}"));
        assert_eq!(found("1e20"), ["expected an integer, got an integer that does not fit in 64 bits"]);
        assert_eq!(found("9007199254740992.0"), [""; 0]);
        assert_eq!(found("9007199254740994.0"), ["expected an integer, got a number"]);
    }

    #[test]
    fn a_null_of_an_optional_property_is_removed_unless_another_keyword_may_see_it() {
        let item =
            json!({"properties": {"a": {"type": "integer"}, "b": {"type": ["string", "null"]}}, "required": ["b"]});
        let list = json!({"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/item"}});
        let schema = |list: Value| json!({"properties": {"list": list}, "$defs": {"item": item}});
        let cases = [
            (
                schema(list.clone()),
                r#"{"list":[{"a":null,"b":null},{"b":"x","a":1}]}"#,
                Some(r#"{"list":[{"b":null},{"b":"x","a":1}]}"#),
            ),
            (schema(list.clone()), r#"{"list":null}"#, Some("{}")),
            (schema(list.clone()), r#"{"list":[{"a":null,"b":1}]}"#, None),
            (
                schema(list.clone()),
                r#"{"list":[{"a":null,"b":null}],"list2":[]}"#,
                Some(r#"{"list":[{"b":null}],"list2":[]}"#),
            ),
            (json!({"properties": {"a": {"type": "integer"}}, "required": ["a"]}), r#"{"a":null}"#, None),
            (json!({"additionalProperties": {"type": "integer"}}), r#"{"a":null}"#, None),
            (json!({"properties": {"a": {"type": "integer"}}, "minProperties": 1}), r#"{"a":null}"#, None),
            (
                schema(json!({"uniqueItems": true, "items": {"$ref": "#/$defs/item"}})),
                r#"{"list":[{"b":"","a":null},{"b":""}]}"#,
                None,
            ),
            (schema(json!({"anyOf": [list]})), r#"{"list":[{"a":null,"b":null}]}"#, None),
            (
                json!({"$ref": "#/$defs/item", "properties": {"a": {"type": "null"}}, "$defs": {"item": item}}),
                r#"{"a":null,"b":""}"#,
                None,
            ),
        ];
        for (schema, text, expected) in cases {
            let compiled = Validator::compile_linear(&schema).expect("it compiles");
            let mut document = read_text(text).expect("JSON");
            let is_valid = compiled.accepts_without_nulls(&mut document);
            assert_eq!(is_valid, expected.is_some(), "{text} for {schema}");
            let expected = read_text(expected.unwrap_or(text)).expect("JSON");
            assert_eq!(document.root().to_value(), expected.root().to_value(), "{text} for {schema}");
        }
    }

    #[test]
    fn deep_values_of_recursive_types_are_accepted() {
        for link in [LINKS[0], LINKS[1], LINKS[2]] {
            assert_eq!(violations(recursive_chain(2, link), nested(117, "1", "")), [""; 0]);
        }
        let found = violations(recursive_chain(2, LINKS[0]), nested(117, "\"no\"", ""));
        assert!(matches!(found.as_slice(), [only] if !only.contains("too deeply")), "{found:?}");
    }
}
