//! serde and the schema agree on one argument of each type.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr};
use std::num::{NonZeroI16, NonZeroU8, NonZeroU64};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::types::{
    Adjacent, Bare, Defaults, Documented, External, Internal, Metres, Mixed, Node, Often, Pair, Point, Strict, Twice,
    Unit, Untagged,
};
use super::{assert_agreement, assert_value_agreement, input};

#[test]
fn integers() {
    assert_value_agreement::<u8>(&json!([0, 255]), &json!([-1, 256, 1.5, "1", null, true]));
    assert_value_agreement::<i8>(&json!([-128, 127]), &json!([-129, 128]));
    assert_value_agreement::<u16>(&json!([0, 65535]), &json!([-1, 65536]));
    assert_value_agreement::<i16>(&json!([-32768, 32767]), &json!([-32769, 32768]));
    assert_value_agreement::<u32>(&json!([0, u32::MAX]), &json!([-1, 4_294_967_296_u64]));
    assert_value_agreement::<i32>(&json!([i32::MIN, i32::MAX]), &json!([-2_147_483_649_i64, 2_147_483_648_i64]));
    assert_value_agreement::<u64>(&json!([0, u64::MAX]), &json!([-1, 0.5]));
    assert_value_agreement::<i64>(&json!([i64::MIN, i64::MAX]), &json!([0.5, "1"]));
    assert_value_agreement::<u128>(&json!([0, u64::MAX]), &json!([-1]));
    assert_value_agreement::<i128>(&json!([i64::MIN, u64::MAX]), &json!(["1"]));
    assert_value_agreement::<usize>(&json!([0, 7]), &json!([-1]));
    assert_value_agreement::<isize>(&json!([-7, 7]), &json!([0.5]));
    assert_value_agreement::<NonZeroU8>(&json!([1, 255]), &json!([0, 256]));
    assert_value_agreement::<NonZeroU64>(&json!([1, u64::MAX]), &json!([0, -1]));
    assert_value_agreement::<NonZeroI16>(&json!([-1, 1]), &json!([0, 32768]));
}

#[test]
fn large_integers_have_no_upper_bound() {
    let value = |schema: Value| schema["properties"]["value"].clone();
    assert_eq!(value(input::<super::Holder<u64>>()), json!({ "type": "integer", "minimum": 0 }));
    assert_eq!(value(input::<super::Holder<NonZeroU64>>()), json!({ "type": "integer", "minimum": 1 }));
    assert_eq!(value(input::<super::Holder<i64>>()), json!({ "type": "integer" }));
}

#[test]
fn other_scalars() {
    assert_value_agreement::<f32>(&json!([1.5, 1, -0.0]), &json!(["1", null]));
    assert_value_agreement::<f64>(&json!([1e300]), &json!([true]));
    assert_value_agreement::<bool>(&json!([true]), &json!([1, "true"]));
    assert_value_agreement::<char>(&json!(["a", "é", "😀"]), &json!(["", "ab", 1]));
    assert_value_agreement::<String>(&json!(["", "text"]), &json!([1, null]));
    assert_value_agreement::<Metres>(&json!([1.5]), &json!(["1", [1]]));
    assert_value_agreement::<()>(&json!([null]), &json!([1, {}]));
    assert_value_agreement::<Unit>(&json!([null]), &json!([1]));
    assert_value_agreement::<Duration>(
        &json!([{ "secs": 1, "nanos": 5 }]),
        &json!([{ "secs": 1 }, { "secs": -1, "nanos": 0 }, 5]),
    );
}

#[test]
fn options() {
    assert_value_agreement::<Vec<Option<u8>>>(&json!([[1, null], []]), &json!([[256], ["1"], null]));
    assert_value_agreement::<Vec<Option<Point>>>(&json!([[null, { "x": 1, "y": 2 }]]), &json!([[1]]));
    assert_value_agreement::<Vec<Option<Documented>>>(&json!([[null, "green"]]), &json!([["blue"]]));
    assert_value_agreement::<HashMap<String, Option<bool>>>(&json!([{ "a": null, "b": true }]), &json!([{ "a": 1 }]));
    assert_value_agreement::<(Option<u8>, String)>(&json!([[null, "a"], [1, "a"]]), &json!([["a", "a"]]));
    assert_agreement::<super::Holder<Option<u8>>>(&json!([{}, { "value": 1 }]), &json!([{ "value": 256 }]));
    assert_agreement::<super::Holder<Option<Point>>>(
        &json!([{}, { "value": { "x": 1, "y": 2 } }]),
        &json!([{ "value": { "x": 1 } }]),
    );
    assert_agreement::<super::Holder<Option<Mixed>>>(&json!([{}, { "value": "Blue" }]), &json!([{ "value": "Pink" }]));
    assert_agreement::<super::Holder<Option<Untagged>>>(&json!([{}, { "value": "a" }]), &json!([{ "value": true }]));
    assert_agreement::<super::Holder<Option<Option<u8>>>>(&json!([{}, { "value": 1 }]), &json!([{ "value": "a" }]));
    assert_agreement::<super::Holder<Option<Node>>>(
        &json!([{}, { "value": { "label": "a", "children": [] } }]),
        &json!([{ "value": {} }]),
    );
}

#[test]
fn enums() {
    assert_value_agreement::<Bare>(&json!(["Red", "Green"]), &json!(["red", 1, null]));
    assert_value_agreement::<Documented>(&json!(["dark_red", "green"]), &json!(["DarkRed"]));
    assert_value_agreement::<Mixed>(&json!(["Red", "Green", "Blue"]), &json!(["Pink"]));
    assert_value_agreement::<External>(
        &json!(["Unit", { "Newtype": 1 }, { "Tuple": [1, "a"] }, { "Struct": { "a": true } }]),
        &json!(["Newtype", { "Newtype": 256 }, { "Tuple": [1] }, { "Struct": {} }, { "Newtype": 1, "Struct": { "a": true } }]),
    );
    assert_value_agreement::<Internal>(
        &json!([{ "kind": "Unit" }, { "kind": "Newtype", "x": 1, "y": 2 }, { "kind": "Struct", "a": true }]),
        &json!([{ "kind": "Newtype", "x": 1 }, { "kind": "Struct" }, { "kind": "Other" }, {}, "Unit"]),
    );
    assert_value_agreement::<Adjacent>(
        &json!([{ "t": "Unit" }, { "t": "Newtype", "c": 1 }, { "t": "Struct", "c": { "a": true } }]),
        &json!([{ "t": "Newtype" }, { "t": "Struct", "c": {} }, { "c": 1 }]),
    );
    assert_value_agreement::<Untagged>(&json!([1, "a", { "x": 1, "y": 2 }]), &json!([true, { "x": 1 }, null]));
}

#[test]
fn a_documented_enum_lists_its_variants() {
    let schema = input::<super::Holder<Documented>>();
    assert_eq!(
        schema["properties"]["value"].to_string(),
        concat!(
            r#"{"description":"A documented colour.\n\n- `dark_red`: like a tomato\n- `green`: like a leaf","#,
            r#""type":"string","enum":["dark_red","green"]}"#
        )
    );
}

#[test]
fn collections() {
    assert_value_agreement::<Vec<u8>>(&json!([[], [1, 2]]), &json!([[256], {}]));
    assert_value_agreement::<[u8; 2]>(&json!([[1, 2]]), &json!([[1], [1, 2, 3]]));
    assert_value_agreement::<(u8, String)>(&json!([[1, "a"]]), &json!([[1], [1, "a", 2], ["a", 1]]));
    assert_value_agreement::<Pair>(&json!([[1, "a"]]), &json!([["a", 1]]));
    assert_value_agreement::<HashSet<u8>>(&json!([[1, 2]]), &json!([["a"]]));
    assert_value_agreement::<HashMap<String, u8>>(&json!([{}, { "a": 1 }]), &json!([{ "a": 256 }, []]));
    assert_value_agreement::<HashMap<u8, String>>(
        &json!([{ "1": "a" }]),
        &json!([{ "a": "a" }, { "-1": "a" }, { "1": 1 }]),
    );
    assert_value_agreement::<BTreeMap<String, Value>>(&json!([{ "a": null, "b": [1] }]), &json!([[1]]));
    assert_value_agreement::<Map<String, Value>>(&json!([{ "a": {} }]), &json!(["a"]));
    assert_value_agreement::<Vec<Value>>(&json!([[null, 1, {}]]), &json!([{}]));
    assert_value_agreement::<(Value, u8)>(&json!([[null, 1]]), &json!([[null, "a"]]));
}

#[test]
fn structs() {
    assert_value_agreement::<Point>(
        &json!([{ "x": 1, "y": 2 }, { "x": 1, "y": 2, "z": 3 }]),
        &json!([{ "x": 1 }, { "x": 1, "y": "2" }]),
    );
    assert_value_agreement::<Twice>(
        &json!([{ "from": { "x": 1, "y": 2 }, "to": { "x": 3, "y": 4 } }]),
        &json!([{ "from": { "x": 1, "y": 2 } }, { "from": { "x": 1, "y": 2 }, "to": {} }]),
    );
    assert_value_agreement::<Strict>(&json!([{ "a": 1 }]), &json!([{ "a": 1, "b": 2 }]));
    assert_value_agreement::<Defaults>(
        &json!([{}, { "plain": 1, "nested": { "text": "a" } }]),
        &json!([{ "plain": 256 }, { "nested": 1 }]),
    );
    let large = json!({ "first": "a", "second": "b" });
    assert_value_agreement::<Often>(
        &json!([{ "a": large, "b": large, "c": large, "d": large }]),
        &json!([{ "a": large, "b": large, "c": large, "d": { "first": "a" } }]),
    );
    assert_value_agreement::<Node>(
        &json!([{ "label": "a", "next": { "label": "b", "children": [] }, "children": [{ "label": "c", "children": [] }] }]),
        &json!([{ "label": "a", "next": { "label": 1, "children": [] }, "children": [] }]),
    );
}

#[test]
fn other_crates_and_addresses() {
    assert_value_agreement::<IpAddr>(&json!(["127.0.0.1", "::1"]), &json!(["localhost", 1]));
    assert_value_agreement::<Ipv4Addr>(&json!(["127.0.0.1"]), &json!(["::1"]));
}
