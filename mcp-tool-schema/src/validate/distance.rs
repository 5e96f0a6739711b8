//! Chooses the branch of a union that a refused value is most likely meant for.
//!
//! It excludes branches of another type or with another tag. Of the rest it chooses the nearest one, and none if several are equally
//! near. A union inside a branch counts as one error, so that unions that contain themselves do not multiply.

use super::node::{Keyword, NodeId};
use super::object::Additional;
use super::search::Search;
use crate::json::tape::View;

/// How far a value is from a branch. Properties are compared first, because they say more about the branch than an invalid value.
#[derive(Clone, Copy, Default, PartialEq, PartialOrd)]
struct Distance {
    /// Whether an error shows that the value is not meant for the branch.
    is_excluded: bool,
    /// The number of missing properties, and one more if others are unknown.
    names: usize,
    errors: usize,
}

impl Distance {
    fn add(&mut self, names: usize) {
        self.names += names;
        self.errors += names;
    }
}

impl Search<'_> {
    /// Returns the branch that the value is most likely meant for. There is none if a branch accepts the value.
    pub(super) fn likely_branch(&mut self, nodes: &[NodeId], view: View<'_>) -> Option<NodeId> {
        let mut nearest: Option<(Distance, Option<NodeId>)> = None;
        for id in nodes {
            if self.accepts(*id, view) {
                return None;
            }
            let mut distance = Distance::default();
            self.measure(*id, view, 0, &mut distance);
            match nearest {
                _ if distance.is_excluded => {}
                Some((least, _)) if least < distance => {}
                Some((least, _)) if least == distance => nearest = Some((least, None)),
                _ => nearest = Some((distance, Some(*id))),
            }
        }
        nearest?.1.filter(|_| self.trials > 0)
    }

    /// Adds the errors of a value that is `depth` steps below the one of the union.
    fn measure(&mut self, id: NodeId, view: View<'_>, depth: usize, distance: &mut Distance) {
        if distance.is_excluded || self.trials == 0 || self.accepts(id, view) || !self.memo.enter() {
            return;
        }
        self.trials -= 1;
        let node = self.checker.node(id);
        if !node.types.accepts(view) {
            distance.errors += 1;
            distance.is_excluded |= depth == 0;
        }
        for keyword in &node.keywords {
            if distance.is_excluded {
                break;
            }
            self.measure_keyword(keyword, view, depth, distance);
        }
        self.memo.leave();
    }

    fn measure_keyword(&mut self, keyword: &Keyword, view: View<'_>, depth: usize, distance: &mut Distance) {
        match keyword {
            Keyword::Object(shape) => {
                let Some(properties) = view.properties() else { return };
                distance.add(shape.required.iter().filter(|name| view.get(name).is_none()).count());
                let mut has_unknown = false;
                for (name, value) in properties {
                    let applied = shape.applied_to(name);
                    has_unknown |= applied.is_empty() && shape.additional == Additional::Closed;
                    for id in applied {
                        self.measure(id, value, depth + 1, distance);
                    }
                }
                distance.add(usize::from(has_unknown));
            }
            Keyword::Array(shape) => {
                for (index, element) in view.elements().into_iter().flatten().enumerate() {
                    if let Some(id) = shape.element(index) {
                        self.measure(id, element, depth + 1, distance);
                    }
                }
            }
            Keyword::AllOf(nodes) => nodes.iter().for_each(|id| self.measure(*id, view, depth, distance)),
            Keyword::Reference(id) => self.measure(*id, view, depth, distance),
            Keyword::If { condition, then, otherwise } => {
                let branch = if self.accepts(*condition, view) { then } else { otherwise };
                if let Some(id) = branch {
                    self.measure(*id, view, depth, distance);
                }
            }
            Keyword::DependentSchemas(all) => {
                let given = all.iter().filter(|(name, _)| view.get(name).is_some());
                given.for_each(|(_, id)| self.measure(*id, view, depth, distance));
            }
            Keyword::DependentRequired(all) => {
                for (_, required) in all.iter().filter(|(name, _)| view.get(name).is_some()) {
                    distance.add(required.iter().filter(|name| view.get(name).is_none()).count());
                }
            }
            Keyword::PropertyNames(id) => {
                let names = view.properties().into_iter().flatten();
                distance.errors += names.filter(|(name, _)| !self.checker.accepts_name(*id, name)).count();
            }
            _ if self.checker.holds(keyword, view, &mut self.memo) => {}
            _ => {
                distance.errors += 1;
                distance.is_excluded |= match keyword {
                    Keyword::Const(_) => depth <= 1,
                    Keyword::Enum(values) => depth == 0 || depth == 1 && values.all().len() == 1,
                    _ => false,
                };
            }
        }
    }
}
