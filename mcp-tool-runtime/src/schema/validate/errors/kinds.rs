//! Describes the keywords that a value does not meet.

use super::{Collector, ErrorKind, Errors};
use crate::json::path::Path;
use crate::json::tape::View;
use crate::json::violation::MAX_FOUND;
use crate::schema::validate::branches::LikelyBranch;
use crate::schema::validate::node::{Keyword, Node, NodeId, Side, Size};

impl<'c> Collector<'c> {
    /// Returns the error of a keyword that the value does not meet.
    pub(super) fn kind(&mut self, node: &'c Node, keyword: &'c Keyword, view: View<'_>, path: &Path) -> ErrorKind<'c> {
        ErrorKind::Other(match keyword {
            Keyword::Const(value) => return ErrorKind::Const(value),
            Keyword::Enum(values) => return ErrorKind::Enum(values),
            Keyword::Bound { side, written, .. } => {
                return ErrorKind::Bound(match side {
                    Side::Minimum => format!("expected {written} or more"),
                    Side::Maximum => format!("expected {written} or less"),
                    Side::ExclusiveMinimum => format!("expected more than {written}"),
                    Side::ExclusiveMaximum => format!("expected less than {written}"),
                });
            }
            Keyword::MultipleOf(divisor) => return ErrorKind::Bound(format!("expected a multiple of {divisor}")),
            Keyword::AnyOf(nodes) => return self.union("anyOf", nodes, node, view, path),
            Keyword::OneOf(nodes) => {
                if nodes.iter().any(|id| self.accepts(*id, view)) {
                    "expected exactly one of the published forms, but several match".to_owned()
                } else {
                    return self.union("oneOf", nodes, node, view, path);
                }
            }
            Keyword::UnevaluatedProperties { .. } => {
                let names = self.checker.unevaluated_properties(keyword, view, &mut self.memo);
                let names = names.into_iter().take(MAX_FOUND).map(str::to_owned).collect();
                return ErrorKind::Unevaluated { names, object: node };
            }
            Keyword::AtLeast(size, least) => format!("expected at least {}", count(*least, size.noun())),
            Keyword::AtMost(size, most) => format!("expected at most {}", count(*most, size.noun())),
            Keyword::UniqueItems => "expected no duplicate elements".to_owned(),
            Keyword::Pattern(pattern) => format!("expected a string that matches {}", pattern.text()),
            Keyword::Format(format) => format!("expected a string of format {}", format.name()),
            Keyword::Contains { .. } => "expected at least one element that matches `contains`".to_owned(),
            Keyword::Not(_) => "expected a value that the schema does not exclude".to_owned(),
            Keyword::UnevaluatedItems { .. } => "too many elements".to_owned(),
            _ => "no value is allowed here".to_owned(),
        })
    }

    fn union(&mut self, name: &str, nodes: &'c [NodeId], node: &Node, view: View<'_>, path: &Path) -> ErrorKind<'c> {
        let mut likely = LikelyBranch::default();
        for id in nodes {
            likely.consider(self.collect_into(Errors::new(path, true), *id, view, path));
        }
        let (likely, weight) = likely.into_errors();
        ErrorKind::Union { likely, weight, pointer: format!("{}/{name}", node.pointer) }
    }
}

impl Size {
    fn noun(self) -> &'static str {
        match self {
            Self::Characters => "character",
            Self::Elements => "element",
            Self::Properties => "property",
        }
    }
}

pub(super) fn count(number: u64, noun: &str) -> String {
    match (number, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "property") => format!("{number} properties"),
        _ => format!("{number} {noun}s"),
    }
}
