//! Reads the content of an accepted form: the same checks and coercions as those of arguments.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::CompiledQuestion;
use crate::Arguments;
use crate::arguments::coerce;
use crate::json::path::{Path, Step};
use crate::json::reader;
use crate::json::tape::Tape;
use crate::json::violation::Violation;

/// The most mistakes that are listed when a question is asked again.
const MAX_LISTED: usize = 8;

impl crate::Question {
    /// Returns what is wrong with the value of one property, for an asker that shows one property after the other. `None`
    /// may also mean that this check cannot tell: the whole form is checked later.
    pub(crate) fn problem(&self, property: &str, value: &Value) -> Option<String> {
        let form = &self.form.validation_schema;
        let form = if self.form.is_single { form } else { &form["properties"][self.key] };
        let schema = &form["properties"][property];
        let validator = mcp_tool_schema::Validator::compile_linear(schema).ok()?;
        match reader::read_value(value) {
            Err(violation) => Some(violation.message),
            Ok(tape) => validator.violations(tape.root(), schema).first().map(ToString::to_string),
        }
    }
}

impl CompiledQuestion {
    /// Reads an answer.
    ///
    /// # Errors
    ///
    /// A text for the user: what is wrong with the answer. It never repeats a value.
    pub(super) fn read<W: DeserializeOwned>(&self, content: &Value) -> Result<W, String> {
        let wrapped = self.wrapped(content);
        let mut tape = reader::read_value(&wrapped).map_err(|violation| self.describe(&[violation]))?;
        self.check(&mut tape).map_err(|violations| self.describe(&violations))?;
        Arguments::new(&tape, &self.form.validation_schema).deserialize().map_err(|error| {
            let errors = error.errors();
            let line =
                |error: &crate::output::parameter_error::ParameterError| self.line(error.parameter(), error.message());
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
        coerce::coerce_refused(schema, tape, lax, |tape| self.validator.violations(tape.root(), schema))
    }

    fn describe(&self, violations: &[Violation]) -> String {
        let lines = violations.iter().take(MAX_LISTED).map(|violation| {
            let steps = violation.path.steps();
            let is_key =
                !self.form.is_single && matches!(steps.first(), Some(Step::Key(key)) if **key == *self.spec.key);
            let mut path = Path::default();
            steps.iter().skip(usize::from(is_key)).for_each(|step| path.push(step.clone()));
            self.line(&path.to_string(), &violation.message)
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn line(&self, path: &str, message: &str) -> String {
        let prefix = format!("{}.", self.spec.key);
        let path = if self.form.is_single { path } else { path.strip_prefix(&prefix).unwrap_or(path) };
        if path.is_empty() || path == "arguments" { message.to_owned() } else { format!("{path}: {message}") }
    }
}
