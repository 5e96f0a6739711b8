//! `const` and `enum`, and when values are equal: numbers are compared by value, and the order of properties does not
//! matter.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

use serde_json::Value;

use crate::accepted::Types;
use crate::json::number::{Numeral, compare};
use crate::json::reader;
use crate::json::tape::{Item, Properties, Slot, Tape, View};

/// The values of an `enum`, or the value of a `const`.
#[derive(Debug)]
pub(in crate::validate) struct ValueSet {
    pub(super) values: Box<[Value]>,
    /// The values as documents, except those that nest deeper than any document.
    documents: Box<[Tape<'static>]>,
    build: RandomState,
    /// The indices of `documents`, by hash. Empty if there are too few to search.
    indices: HashMap<u64, Vec<usize>>,
}

impl ValueSet {
    pub(super) fn new(values: Box<[Value]>) -> Self {
        let documents = values.iter().filter_map(|value| reader::read_value(value).ok()).map(Tape::into_owned);
        let documents: Box<[_]> = documents.collect();
        let (build, mut indices) = (RandomState::default(), HashMap::new());
        if documents.len() > PAIRWISE {
            for (index, document) in documents.iter().enumerate() {
                indices.entry(hash(document.root(), &build)).or_insert_with(Vec::new).push(index);
            }
        }
        Self { values, documents, build, indices }
    }

    pub(super) fn contains(&self, view: View<'_>) -> bool {
        if self.documents.len() <= PAIRWISE {
            return self.documents.iter().any(|expected| are_equal(view, expected.root()));
        }
        let indices = self.indices.get(&hash(view, &self.build));
        indices.is_some_and(|indices| indices.iter().any(|index| are_equal(view, self.documents[*index].root())))
    }
}

#[cfg(test)]
thread_local! {
    /// The number of pairs of values that were compared on this thread.
    static COMPARISONS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[inline]
fn are_equal(left: View<'_>, right: View<'_>) -> bool {
    #[cfg(test)]
    COMPARISONS.set(COMPARISONS.get() + 1);
    match (left.slot(), right.slot()) {
        // Most are strings, which can be compared without unpacking.
        (Slot::String(left), Slot::String(right)) => **left == **right,
        _ => are_equal_unpacked(left.item(), right.item()),
    }
}

fn are_equal_unpacked(left: Item<'_>, right: Item<'_>) -> bool {
    match (left, right) {
        (Item::Null, Item::Null) => true,
        (Item::Bool(left), Item::Bool(right)) => left == right,
        (Item::Number(left), Item::Number(right)) => compare(left, right) == Ordering::Equal,
        (Item::String(left), Item::String(right)) => left == right,
        (Item::Array(left), Item::Array(right)) => {
            left.len() == right.len() && left.zip(right).all(|(left, right)| are_equal(left, right))
        }
        (Item::Object(properties), Item::Object(others)) => {
            properties.len() == others.len() && have_equal_properties(properties, others)
        }
        _ => false,
    }
}

/// Returns `true` if two objects of the same size have the same properties. Sorts them by name first, since searching
/// for each name would be quadratic.
fn have_equal_properties(left: Properties<'_>, right: Properties<'_>) -> bool {
    let (mut ours, mut theirs): (Vec<_>, Vec<_>) = (left.collect(), right.collect());
    ours.sort_by_key(|(name, _)| *name);
    theirs.sort_by_key(|(name, _)| *name);
    ours.iter().zip(&theirs).all(|((name, _), (other, _))| name == other)
        && ours.iter().zip(&theirs).all(|((_, value), (_, other))| are_equal(*value, *other))
}

/// Up to this many elements, comparing all pairs is faster than hashing.
const PAIRWISE: usize = 8;

/// Returns `true` if no two elements of an array are equal. Takes time linear in the document.
pub(super) fn are_unique(array: View<'_>) -> bool {
    let Some(elements) = array.elements() else { return true };
    if elements.len() <= PAIRWISE {
        let mut rest = elements;
        while let Some(element) = rest.next() {
            if rest.clone().any(|other| are_equal(element, other)) {
                return false;
            }
        }
        return true;
    }
    let build = RandomState::default();
    let mut seen: HashMap<u64, Vec<View<'_>>> = HashMap::with_capacity(elements.len());
    for element in elements {
        let same = seen.entry(hash(element, &build)).or_default();
        if same.iter().any(|other| are_equal(element, *other)) {
            return false;
        }
        same.push(element);
    }
    true
}

/// Hashes a value so that equal values have equal hashes.
fn hash(view: View<'_>, build: &RandomState) -> u64 {
    match view.item() {
        Item::Null => 0,
        Item::Bool(flag) => build.hash_one(flag),
        Item::Number(number) => match number {
            Numeral::Unsigned(number) => build.hash_one(i128::from(number)),
            Numeral::Signed(number) => build.hash_one(i128::from(number)),
            #[expect(clippy::cast_possible_truncation, reason = "such a float fits into 128 bits")]
            Numeral::Float(number) if number.fract() == 0.0 && number.abs() < 1e30 => build.hash_one(number as i128),
            Numeral::Float(number) => build.hash_one(number.to_bits()),
        },
        Item::String(text) => build.hash_one(text),
        Item::Array(elements) => elements.fold(1, |sum, element| build.hash_one((sum, hash(element, build)))),
        // The order of properties does not matter, so add up their hashes.
        Item::Object(properties) => {
            properties.fold(2, |sum: u64, (name, value)| sum.wrapping_add(build.hash_one((name, hash(value, build)))))
        }
    }
}

/// Says which values are expected. `actual` is the type of the value.
pub(super) fn message(values: &[Value], actual: &str) -> String {
    format!("expected {}, got {}", one_of(values), another(actual, values))
}

/// Describes a value that is not one of those expected: "another string", or "a string" if no string is expected.
fn another(actual: &str, expected: &[Value]) -> String {
    let has_same_type = expected.iter().any(|value| match value {
        Value::Null => false,
        Value::Number(_) => actual.starts_with("an integer") || actual == "a number",
        other => actual == Types::of_value(other).describe(),
    });
    match actual.strip_prefix("an ").or_else(|| actual.strip_prefix("a ")) {
        Some(kind) if has_same_type => format!("another {kind}"),
        _ => actual.to_owned(),
    }
}

/// Lists the first values of an `enum`.
pub(super) fn one_of(values: &[Value]) -> String {
    const MAX_VALUES: usize = 20;
    let mut text = values.iter().take(MAX_VALUES).map(Value::to_string).collect::<Vec<_>>().join(", ");
    if values.len() > MAX_VALUES {
        text.push_str(", …");
    }
    if values.len() == 1 { text } else { format!("one of {text}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::json::reader::read_text;

    fn unique(text: &str) -> bool {
        are_unique(read_text(text).expect("JSON").root())
    }

    #[test]
    fn the_order_of_properties_does_not_matter() {
        assert!(!unique(r#"[{"a":1,"b":2,"c":[3]},{"a":1,"c":[3.0],"b":2}]"#));
        assert!(unique(r#"[{"a":1,"b":2,"c":3},{"a":1,"c":2,"b":3}]"#));
        assert!(unique(r#"[{"a":1,"b":2},{"a":1,"c":2}]"#));
        assert!(unique(r#"[{"a":1},{"a":1,"b":2},{}]"#));
    }

    #[test]
    fn few_and_many_elements_are_compared_by_value() {
        // Two elements are compared directly, and more than eight by their hashes.
        let both = |pair: &str| {
            let few = unique(&format!("[{pair}]"));
            let many = unique(&format!(r#"["f1","f2","f3","f4","f5","f6","f7",{pair}]"#));
            assert_eq!(few, many, "{pair}");
            assert_eq!(unique(&format!(r#"["f1","f2","f3","f4","f5","f6","f7","f8","f9",{pair}]"#)), many, "{pair}");
            few
        };
        for pair in [
            "1,1.0",
            "-1,-1.0",
            "0,-0.0",
            "0.5,5e-1",
            "100000000000000000000,1e20",
            "18446744073709551615,18446744073709551615",
            r#""a","\u0061""#,
            "null,null",
            "true,true",
            "[1,[2]],[1.0,[2.0]]",
            r#"{"a":1,"b":[2]},{"b":[2.0],"a":1}"#,
            "{},{}",
            "[],[]",
        ] {
            assert!(!both(pair), "{pair}");
        }
        for pair in [
            "1,2",
            "1,-1",
            "1,1.5",
            "1,true",
            "0,false",
            "null,false",
            "true,false",
            r#""1",1"#,
            r#""a","b""#,
            "[1,2],[2,1]",
            "[1],[1,1]",
            "[],[[]]",
            "[],{}",
            r#"{"a":1},{"a":2}"#,
            r#"{"a":1},{"b":1}"#,
            r#"{"a":1,"b":2},{"b":1,"a":2}"#,
            r#"{"a":1,"b":2},{"b":2,"c":1}"#,
            "9007199254740993,9007199254740992.0",
            "18446744073709551615,18446744073709551616.0",
        ] {
            assert!(both(pair), "{pair}");
        }
    }

    #[test]
    fn few_and_many_values_of_an_enum_are_compared_by_value() {
        let given = r#"[1.0,-3,0.5,"a",true,null,[1,{"b":2,"a":1.0}],{"a":[],"b":1}]"#;
        let expected = [json!(1), json!(-3.0), json!(0.5), json!("a"), json!(true), json!(null)];
        let nested = [json!([1.0, {"a": 1, "b": 2}]), json!({"b": 1.0, "a": []})];
        let more = (0..50).map(|at| json!(format!("more {at}")));
        let many = ValueSet::new(expected.iter().chain(&nested).cloned().chain(more).collect());
        for view in read_text(given).expect("JSON").root().elements().expect("an array") {
            assert!(many.contains(view), "{:?}", view.to_value());
            let few = ValueSet::new([view.to_value()].into());
            assert!(few.contains(view) && few.values.len() == 1);
        }
        for other in ["2", "\"b\"", "false", "[]", "[1]", "{}", "{\"a\":[]}", "1e300"] {
            assert!(!many.contains(read_text(other).expect("JSON").root()), "{other}");
        }
    }

    /// Creates the text of an element from its index.
    type Element = fn(usize) -> String;

    #[test]
    fn many_different_elements_are_not_compared_in_pairs() {
        const COUNT: usize = 1_000;
        let kinds: [(&str, Element); 7] = [
            ("integers", |n| n.to_string()),
            ("negative integers", |n| format!("-{}", n + 1)),
            ("fractions", |n| format!("0.{}", 1_000 + n)),
            ("large floats", |n| format!("{}e200", 1_000 + n)),
            ("strings", |n| format!("\"{n}\"")),
            ("arrays", |n| format!("[[{n}]]")),
            ("objects", |n| format!("{{\"a\":{n}}}")),
        ];
        for (name, element) in kinds {
            let all: Vec<_> = (0..COUNT).map(element).collect();
            COMPARISONS.set(0);
            assert!(unique(&format!("[{}]", all.join(","))), "{name}");
            let comparisons = COMPARISONS.get();
            assert!(comparisons < COUNT, "{name}: {comparisons} comparisons");
        }
    }

    #[test]
    fn objects_of_many_properties_are_compared() {
        let object = |names: &mut dyn Iterator<Item = u32>| {
            let all: Vec<_> = names.map(|name| format!("\"n{name}\":1")).collect();
            format!("{{{}}}", all.join(","))
        };
        let (up, down) = (object(&mut (0..50_000)), object(&mut (0..50_000).rev()));
        assert!(!unique(&format!("[{up},{down}]")));
        assert!(unique(&format!("[{up},{}]", object(&mut (1..50_001)))));
    }
}
