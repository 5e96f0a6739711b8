//! `required`, `properties`, `patternProperties` and `additionalProperties`: everything that a schema says about the properties of
//! an object, checked in one pass over them.

use super::node::NodeId;
use super::pattern::Pattern;

/// What an object may have.
#[derive(Debug)]
pub(super) struct ObjectShape {
    pub(super) properties: Box<[Property]>,
    /// The indices of `properties`, sorted by name. Empty if there are too few to search.
    sorted: Box<[u32]>,
    pub(super) patterns: Box<[(Pattern, NodeId)]>,
    pub(super) additional: Additional,
    /// The names of `required`, as written.
    pub(super) required: Box<[Box<str>]>,
    /// The number of required names that `properties` lists.
    pub(super) required_properties: usize,
    /// The required names that `properties` does not list.
    pub(super) other_required: Box<[Box<str>]>,
}

/// A name that `properties` lists.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: Box<str>,
    pub(super) node: NodeId,
    pub(super) is_required: bool,
}

/// The properties that neither `properties` nor `patternProperties` lists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Additional {
    Any,
    /// The same, but `unevaluatedProperties` does not see them.
    Open,
    /// None are allowed: `false`, or `{"not": {}}` (rule T4).
    Closed,
    Schema(NodeId),
}

/// The number of properties from which a binary search is faster than comparing one after the other.
const MANY: usize = 12;

impl ObjectShape {
    pub(super) fn new(
        mut properties: Box<[Property]>,
        patterns: Box<[(Pattern, NodeId)]>,
        additional: Additional,
        required: Box<[Box<str>]>,
    ) -> Self {
        let mut sorted: Vec<u32> = (0_u32..).zip(&properties).map(|(index, _)| index).collect();
        sorted.sort_unstable_by(|left, right| properties[*left as usize].name.cmp(&properties[*right as usize].name));
        let mut other_required = Vec::new();
        for name in &required {
            match sorted.binary_search_by(|at| properties[*at as usize].name.cmp(name)) {
                Ok(at) => properties[sorted[at] as usize].is_required = true,
                Err(_) => other_required.push(name.clone()),
            }
        }
        if properties.len() < MANY {
            sorted.clear();
        }
        Self {
            required_properties: properties.iter().filter(|property| property.is_required).count(),
            properties,
            sorted: sorted.into(),
            patterns,
            additional,
            required,
            other_required: other_required.into(),
        }
    }

    /// Returns a property, and those after it. The first of `expected` is tried first: documents often have the order of their schema.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "otherwise a call of the benchmark `order` takes 2.3 % more instructions")]
    pub(super) fn find<'s>(&'s self, name: &str, expected: &'s [Property]) -> Option<(&'s Property, &'s [Property])> {
        match expected {
            [property, after @ ..] if *property.name == *name => Some((property, after)),
            _ => self.properties[self.search(name)?..].split_first(),
        }
    }

    fn search(&self, name: &str) -> Option<usize> {
        if self.sorted.is_empty() {
            return self.properties.iter().position(|property| *property.name == *name);
        }
        let at = self.sorted.binary_search_by(|at| (*self.properties[*at as usize].name).cmp(name)).ok()?;
        Some(self.sorted[at] as usize)
    }

    /// Returns the schemas of a name and of the patterns that it matches, or else the one of all other properties.
    pub(super) fn applied_to(&self, name: &str) -> Vec<NodeId> {
        let listed = self.find(name, &[]).map(|(property, _)| property.node).into_iter().chain(self.matching(name));
        match (listed.collect::<Vec<_>>(), self.additional) {
            (listed, Additional::Schema(node)) if listed.is_empty() => vec![node],
            (listed, _) => listed,
        }
    }

    /// Returns the schemas of the patterns that a name matches.
    pub(super) fn matching(&self, name: &str) -> impl Iterator<Item = NodeId> {
        self.patterns.iter().filter(move |(pattern, _)| pattern.matches(name)).map(|(_, node)| *node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_property_is_found_however_many_there_are() {
        for count in [0, 1, MANY - 1, MANY, MANY + 1, 100] {
            let names: Vec<_> = (0..count).rev().map(|at| format!("p{at}")).collect();
            let property = |name: &String| Property { name: name.as_str().into(), node: NodeId(0), is_required: false };
            let properties = names.iter().map(property).collect();
            let shape = ObjectShape::new(properties, Box::default(), Additional::Any, Box::default());
            for (at, name) in names.iter().enumerate() {
                for expected in [&shape.properties[at..], &[]] {
                    let (property, after) = shape.find(name, expected).expect("a property");
                    assert_eq!((&*property.name, after.len()), (&**name, count - at - 1), "{name} of {count}");
                }
            }
            assert!(shape.find("p", &shape.properties).is_none());
            assert!(count < 100 || !shape.sorted.is_empty(), "many are found without a look at each");
        }
    }
}
