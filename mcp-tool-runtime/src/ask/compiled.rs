//! A question that `build` has checked, and the code that reads its answers.

use std::sync::Arc;

use mcp_tool_schema::Validator;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::form::Form;
use super::question::QuestionSpec;
use super::state::Digest;
use crate::arguments::coerce;
use crate::json::reader;
use crate::json::tape::Tape;
use crate::json::violation::Violation;
use crate::schema::check::Constraint;
use crate::{Arguments, schema};

#[derive(Debug)]
pub(crate) struct CompiledQuestion {
    pub(crate) spec: QuestionSpec,
    pub(crate) form: Arc<Form>,
    /// The digest of the form. The digest of the question includes it.
    pub(super) form_digest: Digest,
    /// Whether strings in an answer are coerced.
    pub(super) lax: bool,
    pub(super) validator: Validator,
}

impl CompiledQuestion {
    /// Compiles a question. With `lax`, strings in its answers are coerced. `constraints` are the constraints on the
    /// tool's parameters.
    ///
    /// # Errors
    ///
    /// Everything that a form cannot express: in the schema of the answer, its constraints, or the title.
    pub(crate) fn new(spec: QuestionSpec, lax: bool, constraints: &[Constraint]) -> Result<Self, Vec<String>> {
        let mut natural = schema::form(spec.schema);
        let named = |errors: Vec<String>| {
            errors.into_iter().map(|error| format!("the question `{}`: {error}", spec.key)).collect::<Vec<_>>()
        };
        if let Some(title) = spec.title {
            set_title(&mut natural["properties"][spec.key], title).map_err(|error| named(vec![error.to_owned()]))?;
        }
        let form = Form::new(spec.key, &natural).map_err(named)?;
        let missing = schema::check::missing_constraints(&natural, constraints);
        if !missing.is_empty() {
            return Err(named(missing));
        }
        let validator =
            Validator::compile_linear(&form.validation_schema).map_err(|error| named(vec![error.to_string()]))?;
        Ok(Self { spec, form_digest: Digest::of_value("form", form.schema()), lax, validator, form: Arc::new(form) })
    }

    /// Turns the content of an answer into the document to read: an object with the question's key as its property.
    pub(super) fn wrapped(&self, content: &Value) -> Value {
        let key = self.spec.key;
        if content.is_object() {
            return if self.form.is_single { content.clone() } else { json!({ key: content }) };
        }
        let mut names = self.form.schema()["properties"].as_object().into_iter().flat_map(Map::keys);
        match (names.next(), names.next()) {
            (Some(only), None) if !self.form.is_single => json!({ key: { only: content } }),
            _ => json!({ key: content }),
        }
    }

    /// Reads the content of an accepted form into a `W`.
    ///
    /// # Errors
    ///
    /// Tells the user what is wrong with the answer, without repeating a value.
    pub(super) fn read<W: DeserializeOwned>(&self, content: &Value) -> Result<W, String> {
        let wrapped = self.wrapped(content);
        let mut tape = reader::read_value(&wrapped).map_err(|violation| self.describe(&[violation]))?;
        self.check(&mut tape).map_err(|violations| self.describe(&violations))?;
        Arguments::new(&tape, &self.form.validation_schema).deserialize().map_err(|error| {
            let errors = error.errors();
            let line =
                |error: &crate::output::error_kind::ParameterError| self.line(error.parameter(), error.message());
            if errors.is_empty() {
                error.message().to_owned()
            } else {
                errors.iter().map(line).collect::<Vec<_>>().join("\n")
            }
        })
    }

    fn check(&self, tape: &mut Tape<'_>) -> Result<(), Vec<Violation>> {
        let (schema, lax) = (&self.form.validation_schema, self.lax);
        if self.validator.accepts_without_nulls(tape) {
            return Ok(());
        }
        coerce::coerce_refused(schema, &[], tape, lax, |tape| self.validator.violations(tape.root(), schema))
    }

    fn describe(&self, violations: &[Violation]) -> String {
        let lines = violations.iter().take(MAX_LISTED);
        let lines = lines.map(|violation| self.line(&violation.path.to_string(), &violation.message));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn line(&self, path: &str, message: &str) -> String {
        // In the document, the fields of the form are inside a property that has the question's key as its name. Leave
        // that property out of the path.
        let inner = path.strip_prefix(self.spec.key).filter(|_| !self.form.is_single);
        let inner = inner.filter(|inner| inner.is_empty() || inner.starts_with('.'));
        let path = inner.map_or(path, |inner| inner.trim_start_matches('.'));
        if path.is_empty() || path == "arguments" { message.to_owned() } else { format!("{path}: {message}") }
    }
}

/// Sets the title of a property. If the property is an object, sets the title of the only property of that object
/// instead, and fails if the object does not have exactly one.
fn set_title(property: &mut Value, title: &str) -> Result<(), &'static str> {
    let only = match property.get_mut("properties").and_then(Value::as_object_mut) {
        None => Some(property),
        Some(properties) if properties.len() == 1 => properties.values_mut().next(),
        Some(_) => None,
    };
    let only = only.and_then(Value::as_object_mut);
    let only =
        only.ok_or("`title` is for a form with one property; write `#[schemars(title = \"…\")]` on the fields")?;
    only.insert("title".to_owned(), title.into());
    Ok(())
}

/// The maximum number of mistakes that are listed when a question is asked again.
const MAX_LISTED: usize = 8;

impl crate::ask::Question {
    /// Returns what is wrong with the value of one property, for an asker that shows one property at a time. `None` can
    /// also mean that the value cannot be checked by itself. The whole form is checked later.
    pub(crate) fn problem(&self, property: &str, value: &Value) -> Option<String> {
        let form = &self.form.validation_schema;
        let form = if self.form.is_single { form } else { &form["properties"][self.key] };
        let schema = &form["properties"][property];
        let validator = Validator::compile_linear(schema).ok()?;
        match reader::read_value(value) {
            Err(violation) => Some(violation.message),
            Ok(tape) => validator.violations(tape.root(), schema).first().map(ToString::to_string),
        }
    }
}
