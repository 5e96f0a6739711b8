//! Resolves the serde aliases of a function's parameters (rule I3).
//!
//! An alias is accepted though it is not published. It is replaced by the published name before the schema is checked,
//! so the schema applies to the argument under each of its names. Aliases inside the author's own types are not
//! resolved: the schema decides whether it accepts a property of that name.

use serde_json::Value;

use super::published::is_published;
use crate::json::path::Path;
use crate::json::safe_text::quote_name;
use crate::json::tape::{Slot, Tape, property_positions};
use crate::json::violation::Violation;

/// An alias of a parameter, and the parameter's published name.
pub(crate) type Alias = (&'static str, &'static str);

/// The aliases of one tool's parameters.
#[derive(Debug)]
pub(crate) struct Aliases(Box<[Alias]>);

impl Aliases {
    /// Keeps each declared alias whose parameter is published, unless the alias is itself a published name.
    pub(crate) fn new(declared: &[Alias], schema: &Value) -> Self {
        let is_published = |name: &str| is_published(schema, &Path::default().property(name));
        let aliases = declared.iter().filter(|(alias, name)| is_published(name) && !is_published(alias));
        Self(aliases.copied().collect())
    }

    /// Replaces each alias among the arguments by the published name.
    ///
    /// An argument given under two names is a violation. The alias is removed, because the schema would report it again as
    /// an unknown property.
    pub(crate) fn resolve(&self, arguments: &mut Tape<'_>) -> Vec<Violation> {
        let mut violations = Vec::new();
        if self.0.is_empty() {
            return violations;
        }
        // Only names of parameters are remembered, so unknown arguments cost no more than this walk, however many there are.
        let slots = arguments.slots_from(0);
        let (mut given, mut aliased) = (Vec::new(), Vec::new());
        for (key, _) in property_positions(slots, 0) {
            let Slot::String(text) = &slots[key] else { continue };
            if let Some((alias, name)) = self.0.iter().find(|(alias, _)| **text == **alias) {
                aliased.push((key, *alias, *name));
            } else if let Some((_, name)) = self.0.iter().find(|(_, name)| **text == **name) {
                given.push(*name);
            }
        }
        for (key, alias, name) in aliased {
            if given.contains(&name) {
                let message = format!("the same argument as {}; give one of them", quote_name(name));
                violations.push(Violation::new(Path::default().property(alias), message));
                arguments.remove_property(0, key);
            } else {
                arguments.rename(key, name);
                given.push(name);
            }
        }
        violations
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::json::reader::read_value;

    #[test]
    fn only_an_alias_that_is_not_published_is_replaced_and_only_by_a_published_name() {
        let schema = json!({ "properties": { "a": {}, "b": {} } });
        for (alias, sent, expected) in [
            (("old", "a"), json!({ "old": 1 }), json!({ "a": 1 })),
            (("b", "a"), json!({ "b": 1 }), json!({ "b": 1 })),
            (("old", "hidden"), json!({ "old": 1 }), json!({ "old": 1 })),
        ] {
            let mut arguments = read_value(&sent).expect("a document");
            assert!(Aliases::new(&[alias], &schema).resolve(&mut arguments).is_empty());
            assert_eq!(arguments.root().to_value(), expected, "{alias:?}");
        }
    }
}
