//! A question that `build` has checked: its form, and what checks its answers.

use std::sync::Arc;

use serde_json::Value;

use super::form::Form;
use super::question::QuestionSpec;
use super::state::Digest;
use crate::schema;
use mcp_tool_schema::Validator;

#[derive(Debug)]
pub(crate) struct CompiledQuestion {
    pub(crate) spec: QuestionSpec,
    pub(crate) form: Arc<Form>,
    /// The digest of the form, which is a part of the digest of the question.
    pub(super) form_digest: Digest,
    /// Strings in an answer may be coerced.
    pub(super) lax: bool,
    pub(super) validator: Validator,
}

impl CompiledQuestion {
    /// Compiles a question. With `lax`, strings in its answers are coerced. `constraints` are those on the parameters of the tool.
    ///
    /// # Errors
    ///
    /// Everything in the schema of the answer that a form cannot express.
    pub(crate) fn new(spec: QuestionSpec, lax: bool, constraints: &[(&str, &str)]) -> Result<Self, Vec<String>> {
        let mut natural = schema::generate::form(spec.schema);
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

    /// Returns the document that is read: an object with the key of the question as its property.
    pub(super) fn wrapped(&self, content: &Value) -> Value {
        let is_wrapped = self.form.is_single && content.is_object();
        if is_wrapped {
            return content.clone();
        }
        let properties = self.form.schema()["properties"].as_object();
        let only =
            properties.filter(|properties| properties.len() == 1).and_then(|properties| properties.keys().next());
        match only.filter(|_| !self.form.is_single && !content.is_object()) {
            Some(only) => serde_json::json!({ self.spec.key: { only: content } }),
            None => serde_json::json!({ self.spec.key: content }),
        }
    }
}

/// Sets the title of a property, or of the only property of an object.
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
