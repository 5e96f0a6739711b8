//! What the presence of a property requires of an object: `dependentRequired`, `dependentSchemas`, and the older
//! `dependencies`.

use serde_json::Value;

use super::Keyword;
use super::object::names;
use crate::json::path::Path;
use crate::json::tape::View;
use crate::json::violation::quote_name;
use crate::validate::checker::{Checker, Node, NodeId};
use crate::validate::compile::{Compiler, Place};
use crate::validate::memo::Memo;
use crate::validate::search::{Kind, Search};

/// The name of a property, and the names of the properties that an object with this property must have.
pub(in crate::validate) type Dependency = (Box<str>, Box<[Box<str>]>);

impl<'s> Compiler<'s> {
    /// Compiles `dependentRequired`, `dependentSchemas`, or their older form `dependencies`.
    pub(in crate::validate) fn dependencies(
        &mut self,
        keyword: &str,
        value: &'s Value,
        place: &Place<'s>,
    ) -> [Keyword; 2] {
        let all = value.as_object().into_iter().flatten();
        let (lists, schemas): (Vec<_>, Vec<_>) = all.partition(|(_, value)| value.is_array());
        let required = lists.into_iter().map(|(name, list)| (name.as_str().into(), names(list)));
        let nodes = schemas.into_iter().map(|(property, schema)| {
            (property.as_str().into(), self.id(place.below(schema, keyword, Some(property))))
        });
        [Keyword::DependentRequired(required.collect()), Keyword::DependentSchemas(nodes.collect())]
    }
}

impl Checker {
    pub(super) fn has_dependent_schemas(&self, all: &[(Box<str>, NodeId)], view: View<'_>, memo: &mut Memo) -> bool {
        all.iter().all(|(name, node)| view.get(name).is_none() || self.accepts(*node, view, memo))
    }
}

/// Returns `true` if the value is not an object, or has all properties that its other properties require.
pub(super) fn has_dependent_names(all: &[Dependency], view: View<'_>) -> bool {
    let has = |name: &str| view.get(name).is_some();
    all.iter().all(|(name, required)| !has(name) || required.iter().all(|name| has(name)))
}

impl<'s> Search<'s> {
    #[inline(never)]
    pub(in crate::validate) fn dependent_names(
        &mut self,
        node: &Node,
        all: &[Dependency],
        view: View<'_>,
        path: &Path,
    ) {
        for (name, required) in all.iter().filter(|(name, _)| view.get(name).is_some()) {
            for missing in required.iter().filter(|name| view.get(name).is_none()) {
                let mut violation = self.missing_property(path, missing, node);
                violation.message += &because(name);
                self.push_violation(Kind::Other, violation);
            }
        }
    }

    pub(in crate::validate) fn dependent_schemas(
        &mut self,
        all: &'s [(Box<str>, NodeId)],
        view: View<'_>,
        path: &mut Path,
    ) {
        for (name, id) in all.iter().filter(|(name, _)| view.get(name).is_some()) {
            let before = self.found.len();
            self.visit(*id, view, path);
            self.found.iter_mut().skip(before).for_each(|found| {
                found.violation.message += &because(name);
            });
        }
    }
}

/// Says which property makes a requirement apply.
fn because(name: &str) -> String {
    format!(" (because {} is given)", quote_name(name))
}
