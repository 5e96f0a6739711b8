//! Structs: names, flattening, recursion, and custom serde functions.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{any_json, specimens, types};

types! {
    struct Point { x: i32, y: i32 }
    #[serde(rename_all = "camelCase")]
    struct Renamed {
        first_name: String,
        #[serde(rename = "type")]
        kind: u8,
        #[serde(rename = "$ref")]
        reference: String,
        title: Option<String>,
    }
    struct PerSide {
        #[serde(rename(serialize = "written", deserialize = "read"))]
        value: u8,
        #[serde(rename(deserialize = "in"))]
        input: Option<bool>,
        #[serde(skip_deserializing)]
        skipped: u8,
        #[serde(skip_serializing)]
        #[expect(dead_code, reason = "only serde reads it")]
        secret: String,
    }
    #[serde(deny_unknown_fields)]
    struct Strict { a: u8, inner: Option<StrictInner>, list: Vec<StrictInner> }
    #[serde(deny_unknown_fields)]
    struct StrictInner {
        b: bool,
        #[serde(alias = "see")]
        c: Option<u8>,
    }
    struct Flattened {
        id: u8,
        #[serde(flatten)]
        point: Point,
        #[serde(flatten)]
        maybe: Option<Other>,
    }
    struct Other { name: String }
    struct WithMap {
        id: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, i32>,
    }
    #[serde(tag = "kind")]
    enum TaggedMap { Map(WithMap), Point(Point) }
    struct WithAny {
        id: u8,
        #[serde(flatten)]
        #[arbitrary(default)]
        rest: BTreeMap<String, Value>,
    }
    struct WithEnum {
        id: u8,
        #[serde(flatten)]
        choice: Choice,
    }
    #[serde(tag = "kind")]
    enum Choice { Unit, Struct { a: bool, b: Option<u8> } }
    struct WithExternal {
        id: u8,
        #[serde(flatten)]
        choice: External,
    }
    enum External { Number(u8), Both { a: bool } }
    struct Node { label: String, next: Option<Box<Node>>, children: Vec<Node> }
    struct Expression { value: Term }
    #[serde(rename_all = "snake_case")]
    enum Term { Number(f64), Negative(Box<Term>), Sum(Vec<Term>) }
    struct Anything {
        #[arbitrary(with = any_json)]
        value: Value,
        #[arbitrary(default)]
        list: Vec<Value>,
        #[arbitrary(default)]
        object: serde_json::Map<String, Value>,
        #[serde(default)]
        #[arbitrary(with = any_json)]
        optional: Value,
    }
    struct With {
        #[serde(with = "hexadecimal")]
        #[schemars(with = "String", regex(pattern = "^[0-9a-f]{1,8}$"))]
        number: u32,
    }
    #[serde(try_from = "i64", into = "i64")]
    struct Even(#[arbitrary(with = even)] i64);
    struct Pairs { pairs: Vec<Even> }
    #[serde(transparent)]
    struct Transparent { inner: Point }
    struct Empty {}
    struct Tagged { #[serde(flatten)] tag: Kind }
    #[serde(tag = "type", rename = "thing")]
    struct Kind { size: u8 }
    struct Twice { from: Point, /** where it ends */ to: Point, more: Option<Point> }
}

#[derive(Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema, arbitrary::Arbitrary)]
pub(super) struct Unit;

mod hexadecimal {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(super) fn serialize<S: Serializer>(number: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{number:x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let text = String::deserialize(deserializer)?;
        u32::from_str_radix(&text, 16).map_err(D::Error::custom)
    }
}

fn even(source: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<i64> {
    Ok(source.arbitrary::<i64>()? & !1)
}

impl TryFrom<i64> for Even {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        if number % 2 == 0 { Ok(Self(number)) } else { Err("odd".to_owned()) }
    }
}

impl From<Even> for i64 {
    fn from(even: Even) -> Self {
        even.0
    }
}

fn has_odd(arguments: &Value) -> bool {
    let odd = |number: &Value| match (number.as_i64(), number.as_f64()) {
        (Some(number), _) => number % 2 != 0,
        (None, number) => number.is_some_and(|number| number % 2.0 != 0.0),
    };
    arguments["value"]["pairs"].as_array().is_some_and(|pairs| pairs.iter().any(odd))
}

specimens! {
    renamed_properties: Renamed;
    names_per_serde_direction: PerSide;
    strict_structs: Strict, unpublished(&["see"]);
    flattened_structs: Flattened;
    flattened_map: WithMap;
    flattened_map_arguments in WithMap;
    tagged_map: TaggedMap;
    flattened_values in WithAny;
    flattened_enum: WithEnum;
    flattened_enum_arguments in WithEnum;
    flattened_external: WithExternal;
    recursive_struct: Node;
    recursive_arguments in Node;
    recursive_enum: Expression;
    any_value: Anything;
    with_functions: With;
    try_from: Pairs, stricter("the `TryFrom` of the type refuses odd numbers", has_odd);
    transparent: Transparent;
    empty_struct: Empty;
    unit_struct: Unit;
    unit: ();
    tagged_struct: Tagged;
    used_twice: Twice;
}
