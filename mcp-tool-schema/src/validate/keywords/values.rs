//! `const` and `enum`, and when values are equal: numbers are compared by value, and the order of properties does not
//! matter.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashSet;

use serde_json::Value;

use crate::accepted::Types;
use crate::json::number::Numeral;
use crate::json::reader;
use crate::json::tape::{Item, Slot, View};

/// The values of an `enum`, or the value of a `const`.
#[derive(Debug)]
pub(in crate::validate) struct ValueSet {
    pub(super) values: Box<[Value]>,
    types: Types,
    /// The strings among the values, sorted by length first. Most values are strings, and looking them up in `keys`
    /// would make the benchmark `order` 4% more expensive.
    strings: Box<[Box<str>]>,
    /// The sorted keys of the values. A value that no document can contain, such as one that nests too deeply, has
    /// none.
    keys: Box<[Key<'static>]>,
}

impl ValueSet {
    pub(super) fn new(values: Box<[Value]>) -> Self {
        let documents = values.iter().filter_map(|value| reader::read_value(value).ok());
        let keys = documents.map(|document| Key::new(document.root(), |text| Cow::Owned(text.into_owned())));
        let mut keys: Box<[_]> = keys.collect();
        keys.sort_unstable();
        let types = values.iter().map(Types::of_value).fold(Types::NONE, Types::or);
        let mut strings: Box<[Box<str>]> = values.iter().filter_map(Value::as_str).map(Box::from).collect();
        strings.sort_unstable_by(|left, right| by_length(left, right));
        Self { values, types, strings, keys }
    }

    pub(super) fn contains(&self, view: View<'_>) -> bool {
        if let Slot::String(text) = view.slot() {
            return self.strings.binary_search_by(|known| by_length(known, text)).is_ok();
        }
        // Compare the types first, so that a large object of the wrong type is not turned into a key.
        Types::of_view(view).intersects(self.types) && self.keys.binary_search(&Key::new(view, |text| text)).is_ok()
    }
}

fn by_length(left: &str, right: &str) -> Ordering {
    left.len().cmp(&right.len()).then_with(|| left.cmp(right))
}

/// A value in the form in which equal values are identical: a float that equals a 64-bit integer becomes that integer,
/// and properties are sorted by name.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Key<'t> {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    /// The bits of a float that equals no 64-bit integer.
    Float(u64),
    String(Cow<'t, str>),
    Array(Vec<Self>),
    Object(Vec<(Cow<'t, str>, Self)>),
}

impl<'t> Key<'t> {
    /// Creates the key of a value. `text` borrows or copies its strings.
    fn new<'v>(view: View<'v>, text: fn(Cow<'v, str>) -> Cow<'t, str>) -> Self {
        match view.item() {
            Item::Null => Self::Null,
            Item::Bool(flag) => Self::Bool(flag),
            Item::Number(number) => match number.unified() {
                Numeral::Unsigned(number) => Self::Unsigned(number),
                Numeral::Signed(number) => Self::Signed(number),
                Numeral::Float(number) => Self::Float(number.to_bits()),
            },
            Item::String(string) => Self::String(text(string)),
            Item::Array(elements) => Self::Array(elements.map(|element| Self::new(element, text)).collect()),
            Item::Object(properties) => {
                let properties = properties.map(|(name, value)| (text(name.into()), Self::new(value, text)));
                let mut properties: Vec<_> = properties.collect();
                properties.sort_unstable();
                Self::Object(properties)
            }
        }
    }
}

/// Returns `true` if the value is not an array, or no two of its elements are equal. Takes time linear in the size of
/// the array.
pub(super) fn are_unique(array: View<'_>) -> bool {
    let Some(mut elements) = array.elements() else { return true };
    let mut seen = HashSet::with_capacity(elements.len());
    elements.all(|element| seen.insert(Key::new(element, |text| text)))
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

/// Lists the values of an `enum`, but at most the first 20.
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
    fn elements_are_compared_by_value() {
        let differ = |pair: &str| unique(&format!("[{pair}]"));
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
            "18446744073709549568,18446744073709549568.0",
            "-9223372036854775808,-9223372036854775808.0",
        ] {
            assert!(!differ(pair), "{pair}");
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
            "-9223372036854775807,-9223372036854775808.0",
        ] {
            assert!(differ(pair), "{pair}");
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
