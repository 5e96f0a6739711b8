//! The values that a flag may have, if its schema names them.

use serde_json::Value;

use super::arg::shown;
use super::fields::choices;
use super::{Flag, Flags, Kind};
use crate::json::violation::suggest;
use crate::schema::reference;

/// The scalars that a value, or an element of a list, may be.
#[derive(Debug, Clone)]
pub(super) struct Choices {
    pub(super) texts: Vec<String>,
    /// Nothing else is accepted.
    pub(super) are_all: bool,
}

impl Choices {
    pub(super) fn of(schema: &Value, kind: &Kind, root: &Value) -> Self {
        let schema = reference::follow(schema, root);
        let schema = match kind {
            Kind::List(_) => schema.get("items").map_or(schema, |items| reference::follow(items, root)),
            _ => schema,
        };
        let branches = ["anyOf", "oneOf"].into_iter().filter_map(|keyword| schema[keyword].as_array()).flatten();
        let own = choices(schema);
        let branches: Vec<_> = branches.map(|branch| choices(reference::follow(branch, root))).collect();
        let are_all = own.is_some() || !branches.is_empty() && branches.iter().all(Option::is_some);
        let values = own.iter().chain(branches.iter().flatten()).flatten();
        let scalars = values.filter(|value| !value.is_object() && !value.is_array());
        Self { texts: scalars.map(shown).collect(), are_all }
    }

    pub(super) fn has(&self, text: &str) -> bool {
        self.texts.iter().any(|known| known == text)
    }
}

impl Flags {
    /// Returns the path of each text that is not among the choices of its flag, with the choice that was probably meant.
    pub(crate) fn meant(&self, arguments: &Value) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for flag in self.all.iter().filter(|flag| !flag.choices.texts.is_empty()) {
            let path = flag.path_of_property();
            let Some(value) = flag.path.iter().try_fold(arguments, |at, name| at.get(name)) else { continue };
            let elements = value.as_array().into_iter().flatten().enumerate();
            let elements = elements.map(|(at, element)| (format!("{path}[{at}]"), element));
            let texts = elements.chain([(path.clone(), value)]);
            all.extend(texts.filter_map(|(path, text)| Some((path, flag.near(text)?))));
        }
        all
    }
}

impl Flag {
    fn near(&self, value: &Value) -> Option<String> {
        let text = value.as_str().filter(|text| !self.choices.has(text))?;
        suggest(text, self.choices.texts.iter().map(String::as_str)).map(str::to_owned)
    }
}
