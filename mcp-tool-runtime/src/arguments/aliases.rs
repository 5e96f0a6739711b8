//! Serde aliases, which no schema publishes (rule I3).
//!
//! The macro sees the aliases of a function's parameters. The published names replace these aliases before the
//! arguments are checked, so the schema applies to an argument under each of its names.
//!
//! Only serde knows the aliases inside the author's types. A tool with `accept_aliases` has one rule for them: if the
//! schema complains only about unknown and missing properties, and the type reads the arguments, the call is accepted.

use std::borrow::Cow;

use serde_json::Value;

use super::published_names;
use crate::json::path::{Path, Step};
use crate::json::tape::{Tape, property_positions};
use crate::json::violation::{Violation, quote_name};

/// An alias of a parameter, and the name under which the schema publishes this parameter.
pub(crate) type Alias = (&'static str, Cow<'static, str>);

/// Returns the declared aliases whose parameter is published. Leaves out an alias that is itself a published name.
pub(crate) fn of_published(declared: &[Alias], schema: &Value) -> Box<[Alias]> {
    let published = published_names(schema);
    declared.iter().filter(|(alias, name)| published.contains(&**name) && !published.contains(alias)).cloned().collect()
}

/// Replaces each alias among the names of the arguments with the published name of its parameter.
///
/// Giving an argument under two names is a violation. The argument under the alias is then removed, so that the schema
/// does not report it too.
pub(crate) fn resolve(aliases: &[Alias], document: &mut Tape<'_>) -> Vec<Violation> {
    let sent = || property_positions(document.slots_from(0), 0);
    // In `given`, keep only parameters with aliases: the list is searched for each alias, and a call may have thousands
    // of unknown arguments.
    let of_name =
        |name: &str| aliases.iter().find(|(_, published)| *published == name).map(|(_, published)| &**published);
    let mut given: Vec<_> = sent().filter_map(|(_, name, _)| of_name(name)).collect();
    let of_alias = |name: &str| aliases.iter().find(|(alias, _)| *alias == name);
    let found: Vec<_> = sent().filter_map(|(key, name, _)| Some((key, of_alias(name)?))).collect();
    let mut violations = Vec::new();
    for (key, (alias, name)) in found {
        if given.contains(&&**name) {
            let message = format!("the same argument as {}; give one of them", quote_name(name));
            violations.push(Violation::new(Path::default().property(alias), message));
            document.remove_property(0, key);
        } else {
            document.rename(key, name.clone().into_owned());
            given.push(name);
        }
    }
    violations
}

/// Returns `true` if aliases of fields inside the author's types may be the reason for all of `violations`.
///
/// The schema of the arguments is closed, but serde ignores unknown fields of most types. So an unknown argument is
/// excused only if the type reads an argument of that name. Otherwise a misspelt argument would be dropped without an
/// error.
pub(crate) fn may_explain(violations: &[Violation], argument_names: &[&str]) -> bool {
    !violations.is_empty()
        && violations.iter().all(|violation| {
            let is_known = match violation.path.steps() {
                [Step::Key(name)] => !violation.is_unknown_property || argument_names.contains(&&**name),
                _ => true,
            };
            violation.may_be_alias && is_known
        })
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
            (("old", "a".into()), json!({ "old": 1 }), json!({ "a": 1 })),
            (("b", "a".into()), json!({ "b": 1 }), json!({ "b": 1 })),
            (("old", "hidden".into()), json!({ "old": 1 }), json!({ "old": 1 })),
        ] {
            let mut arguments = read_value(&sent).expect("a document");
            assert!(resolve(&of_published(std::slice::from_ref(&alias), &schema), &mut arguments).is_empty());
            assert_eq!(arguments.root().to_value(), expected, "{alias:?}");
        }
    }
}
