//! `Option<T>` with a schema, or a function that reads it, of the author's own.

use mcp_tool_runtime::{Dispatcher, mcp_tool, mcp_tools, tools};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::run::{built, input, message, property, serve, value};

/// A type without a schema.
#[derive(Debug, Deserialize)]
struct Date(String);

impl Date {
    const FIRST: &str = "1970-01-01";
}

type Maybe<T> = Option<T>;

fn date(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "format": "date"})
}

fn text(date: Option<Date>) -> Value {
    json!(date.map(|date| date.0))
}

/// Reads a date that is written backwards.
fn backwards<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Date>, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok(Some(Date(text.chars().rev().collect())))
}

#[test]
fn an_option_with_a_schema_of_its_own_is_optional() {
    /// List the notes.
    #[mcp_tool]
    async fn list(
        /// The first day.
        #[schemars(schema_with = "date")]
        from: Option<Date>,
        #[schemars(with = "String")] to: Maybe<Date>,
        #[schemars(with = "Option<String>")] on: Option<Date>,
        #[schemars(schema_with = "date")] near: Option<&Date>,
        #[schemars(schema_with = "date")] needed: Date,
    ) -> Value {
        json!([text(from), text(to), text(on), near.map(|date| &date.0), needed.0])
    }

    let dispatcher = serve(tools![list]);
    assert_eq!(input(&dispatcher, "list")["required"], json!(["needed"]));
    assert_eq!(
        property(&dispatcher, "list", "from"),
        json!({"description": "The first day.", "type": "string", "format": "date"})
    );
    assert_eq!(property(&dispatcher, "list", "to"), json!({"type": "string"}));
    assert_eq!(property(&dispatcher, "list", "on"), json!({"type": "string"}));
    let day = Date::FIRST;
    assert_eq!(value(&dispatcher, "list", json!({"needed": day})), json!([null, null, null, null, day]));
    let nulls = json!({"from": null, "to": null, "on": null, "near": null, "needed": day});
    assert_eq!(value(&dispatcher, "list", nulls), json!([null, null, null, null, day]));
    let all = json!({"from": day, "to": "b", "on": "c", "near": day, "needed": day});
    assert_eq!(value(&dispatcher, "list", all), json!([day, "b", "c", day, day]));
    assert_eq!(message(&dispatcher, "list", json!({})), "invalid arguments: needed: required, but missing");
}

#[test]
fn only_optional_arguments_leave_no_list_of_required_ones() {
    /// List the notes.
    #[mcp_tool]
    async fn list(#[schemars(schema_with = "date")] from: Option<Date>) -> Value {
        text(from)
    }

    assert!(input(&serve(tools![list]), "list").get("required").is_none());
}

#[test]
fn an_argument_with_a_default_and_a_schema_of_its_own_is_optional() {
    /// List the notes.
    #[mcp_tool]
    async fn list(
        #[schemars(schema_with = "date")]
        #[mcp_tool(default = Date(Date::FIRST.to_owned()))]
        from: Date,
        #[schemars(with = "String")]
        #[mcp_tool(default = "2000-01-01")]
        to: String,
    ) -> Value {
        json!([from.0, to])
    }

    let dispatcher = serve(tools![list]);
    assert!(input(&dispatcher, "list").get("required").is_none());
    assert_eq!(property(&dispatcher, "list", "to"), json!({"type": "string", "default": "2000-01-01"}));
    assert_eq!(value(&dispatcher, "list", json!({})), json!([Date::FIRST, "2000-01-01"]));
}

#[test]
fn an_option_that_a_function_reads_is_optional() {
    /// List the notes.
    #[mcp_tool]
    async fn list(
        #[serde(deserialize_with = "backwards")]
        #[schemars(with = "String")]
        from: Option<Date>,
        #[serde(default, deserialize_with = "backwards")]
        #[schemars(schema_with = "date")]
        to: Maybe<Date>,
    ) -> Value {
        json!([text(from), text(to)])
    }

    let dispatcher = serve(tools![list]);
    assert!(input(&dispatcher, "list").get("required").is_none());
    assert_eq!(property(&dispatcher, "list", "from"), json!({"type": "string"}));
    assert_eq!(value(&dispatcher, "list", json!({})), json!([null, null]));
    assert_eq!(value(&dispatcher, "list", json!({"from": null, "to": null})), json!([null, null]));
    assert_eq!(value(&dispatcher, "list", json!({"from": "cba"})), json!(["abc", null]));
}

#[test]
fn methods_of_a_generic_service_have_the_same_optional_arguments() {
    struct Notes<S>(S);

    #[mcp_tools]
    impl<S: Send + Sync + 'static> Notes<S> {
        /// List the notes.
        #[mcp_tool]
        async fn list(
            &self,
            #[schemars(schema_with = "date")] from: Option<Date>,
            #[serde(deserialize_with = "backwards")]
            #[schemars(with = "String")]
            to: Option<Date>,
        ) -> Value {
            let _ = &self.0;
            json!([text(from), text(to)])
        }
    }

    let dispatcher = built(Dispatcher::builder().service(Notes(1)));
    assert!(input(&dispatcher, "list").get("required").is_none());
    assert_eq!(value(&dispatcher, "list", json!({"to": "cba"})), json!([null, "abc"]));
}

#[test]
fn the_default_of_a_parameter_may_be_a_generic_function() {
    /// Sum numbers.
    #[mcp_tool]
    async fn sum(
        #[serde(default = "Vec::new")] numbers: Vec<u8>,
        #[serde(default = "Default::default")] start: u8,
        #[serde(default = "std::collections::BTreeMap::new")] named: std::collections::BTreeMap<String, u8>,
    ) -> u8 {
        numbers.iter().chain(named.values()).sum::<u8>() + start
    }

    let dispatcher = serve(tools![sum]);
    assert_eq!(property(&dispatcher, "sum", "numbers")["default"], json!([]));
    assert_eq!(property(&dispatcher, "sum", "start")["default"], json!(0));
    assert_eq!(value(&dispatcher, "sum", json!({})), json!(0));
    assert_eq!(value(&dispatcher, "sum", json!({"numbers": [1, 2], "named": {"a": 3}})), json!(6));
}
