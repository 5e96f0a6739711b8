//! Collects everything that is wrong with a value, as [`messages`](super::messages) describes it.
//!
//! [`collector`] walks the value and the schema together, and [`kinds`] describes the keywords that a value does not meet.

use serde_json::Value;

use super::node::Node;
use crate::json::path::Path;
use crate::json::tape::View;
use crate::json::violation::MAX_FOUND;
use crate::schema::accepted::Types;

mod collector;
mod kinds;
#[cfg(test)]
mod tests;

pub(super) use collector::Collector;

/// One thing that is wrong.
#[derive(Debug)]
pub(super) struct Error<'c> {
    pub(super) path: Path,
    /// The type of the value, such as "an array".
    pub(super) actual: &'static str,
    pub(super) kind: ErrorKind<'c>,
}

#[derive(Debug)]
pub(super) enum ErrorKind<'c> {
    Type(Types),
    Const(&'c Value),
    Enum(&'c [Value]),
    /// A bound of a number, with its message.
    Bound(String),
    /// A property that the object of a node must have.
    Required {
        name: &'c str,
        object: &'c Node,
    },
    /// Properties that the object of a node must not have.
    Unknown {
        names: Vec<String>,
        object: &'c Node,
    },
    /// The same, from `unevaluatedProperties`.
    Unevaluated {
        names: Vec<String>,
        object: &'c Node,
    },
    /// One property that an object closed with `{"not": {}}` must not have. The path leads to the property.
    Excluded {
        object: &'c Node,
    },
    /// No branch of a union is met. The pointer leads to the list of branches.
    Union {
        /// The errors of the branch that the value is most likely meant for, if there is one.
        likely: Option<Vec<Error<'c>>>,
        /// The weight of these errors.
        weight: usize,
        pointer: String,
    },
    /// The name of a property is not valid.
    Name {
        name: String,
        error: Box<Error<'c>>,
    },
    /// Anything else, with its message.
    Other(String),
}

/// The number of errors of a value that are kept, with those inside them. Several errors can be one violation.
pub(super) const MAX_ERRORS: usize = 4 * MAX_FOUND;

/// The errors of a value: the first ones, and what the choice between the branches of a union needs to know about all.
#[derive(Debug)]
pub(super) struct Errors<'c> {
    pub(super) kept: Vec<Error<'c>>,
    /// The number of the kept errors, with those of the branches that they contain.
    pub(super) weight: usize,
    /// The number of all errors, if they are counted.
    pub(super) count: usize,
    /// The number of missing and unknown properties among them.
    pub(super) about_names: usize,
    /// Whether an error shows that the value is not meant for this branch of a union.
    pub(super) is_excluded: bool,
    /// The number of steps to the value.
    depth: usize,
    /// Whether all errors are counted. Otherwise the search ends when enough are kept.
    is_branch: bool,
}

impl<'c> Errors<'c> {
    fn new(path: &Path, is_branch: bool) -> Self {
        let depth = path.steps().len();
        Self { kept: Vec::new(), weight: 0, count: 0, about_names: 0, is_excluded: false, depth, is_branch }
    }

    fn push(&mut self, path: &Path, view: View<'_>, kind: ErrorKind<'c>) {
        self.count += 1;
        self.about_names += usize::from(matches!(kind, ErrorKind::Required { .. } | ErrorKind::Unknown { .. }));
        let inside = path.steps().len().saturating_sub(self.depth);
        self.is_excluded |= match kind {
            ErrorKind::Type(_) => inside == 0,
            ErrorKind::Const(_) => inside <= 1,
            ErrorKind::Enum(values) => inside == 0 || inside == 1 && values.len() == 1,
            _ => false,
        };
        if !self.is_full() {
            self.weight += 1;
            if let ErrorKind::Union { weight, .. } = kind {
                self.weight += weight;
            }
            self.kept.push(Error { path: path.clone(), actual: view.describe_type(), kind });
        }
    }

    /// Counts errors that are not kept.
    fn skip(&mut self, count: usize) {
        self.count += count;
    }

    fn is_full(&self) -> bool {
        self.weight >= MAX_ERRORS
    }

    /// Returns `true` if further errors change nothing. No error of an excluded branch is reported.
    fn is_over(&self) -> bool {
        if self.is_branch { self.is_excluded } else { self.is_full() }
    }
}
