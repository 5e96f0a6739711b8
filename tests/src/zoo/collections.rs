//! Lists, tuples, sets, and maps with keys of every kind.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::str::FromStr;

use serde_json::Value;
use uuid::Uuid;

use super::{specimens, types};

types! {
    struct Point { x: i32, y: i32 }
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    #[serde(rename_all = "lowercase")]
    enum Side { Left, Right }
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    enum DocumentedSide {
        /// To the left.
        Left,
        /// To the right.
        Right,
    }
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    struct Name(String);
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    struct Number(i16);
    struct Lists { plain: Vec<u8>, array: [u8; 2], nested: Vec<Vec<bool>>, deque: VecDeque<String>, empty: [bool; 0] }
    struct Tuples { pair: (u8, String), triple: (bool, Option<u8>, Point), one: (u8,), nested: ((u8, u8), Vec<(u8, bool)>) }
    struct Pair(u8, String);
    struct Maps { texts: BTreeMap<String, u8>, newtype: BTreeMap<Name, bool>, nested: BTreeMap<String, BTreeMap<String, Point>> }
    struct IntegerKeys {
        a: BTreeMap<u8, bool>,
        b: BTreeMap<i8, bool>,
        c: BTreeMap<u16, bool>,
        d: BTreeMap<u32, bool>,
        e: BTreeMap<i32, bool>,
        f: BTreeMap<Number, bool>,
    }
    struct LongKeys { a: BTreeMap<u64, bool>, b: BTreeMap<i64, bool>, c: BTreeMap<u128, bool>, d: BTreeMap<i128, bool>, e: BTreeMap<usize, bool> }
    struct OtherKeys { flags: BTreeMap<bool, u8>, letters: BTreeMap<char, u8>, ids: BTreeMap<Uuid, u8> }
    struct EnumKeys { sides: BTreeMap<Side, u8>, documented: BTreeMap<DocumentedSide, Option<u8>> }
    struct Sets { bytes: BTreeSet<u8>, texts: BTreeSet<String>, sides: BTreeSet<Side> }
}

type IsKey = fn(&str) -> bool;

/// Returns `true` if a key of the map with this name is invalid.
fn has_invalid_key(arguments: &Value, name: &str, is_key: IsKey) -> bool {
    arguments["value"][name].as_object().is_some_and(|map| map.keys().any(|key| !is_key(key)))
}

fn is<K: FromStr>(key: &str) -> bool {
    key.parse::<K>().is_ok()
}

fn has_invalid_integer(arguments: &Value) -> bool {
    let widths: [(&str, IsKey); 6] =
        [("a", is::<u8>), ("b", is::<i8>), ("c", is::<u16>), ("d", is::<u32>), ("e", is::<i32>), ("f", is::<i16>)];
    widths.into_iter().any(|(name, is_key)| has_invalid_key(arguments, name, is_key))
}

fn has_invalid_long_integer(arguments: &Value) -> bool {
    let widths: [(&str, IsKey); 5] =
        [("a", is::<u64>), ("b", is::<i64>), ("c", is::<u128>), ("d", is::<i128>), ("e", is::<usize>)];
    widths.into_iter().any(|(name, is_key)| has_invalid_key(arguments, name, is_key))
}

fn has_invalid_byte(arguments: &Value) -> bool {
    arguments["value"].as_object().is_some_and(|map| map.keys().any(|key| !is::<u8>(key)))
}

fn has_other_invalid_key(arguments: &Value) -> bool {
    let kinds: [(&str, IsKey); 3] = [("flags", is::<bool>), ("letters", is::<char>), ("ids", is::<Uuid>)];
    kinds.into_iter().any(|(name, is_key)| has_invalid_key(arguments, name, is_key))
}

fn has_invalid_side(arguments: &Value) -> bool {
    has_invalid_key(arguments, "documented", |key| ["Left", "Right"].contains(&key))
}

const RANGE: &str = "the schemas of integer keys do not limit their range";
const KEYS: &str = "schemars describes only keys that are strings, integers or plain enums";

specimens! {
    lists: Lists;
    tuples: Tuples;
    tuple_struct: Pair;
    tuple_argument: (u8, Option<String>, bool);
    maps: Maps;
    map_arguments in BTreeMap<String, u8>;
    maps_of_integers: IntegerKeys, stricter(RANGE, has_invalid_integer);
    maps_of_long_integers: LongKeys, stricter(RANGE, has_invalid_long_integer);
    maps_of_other_keys: OtherKeys, stricter(KEYS, has_other_invalid_key);
    maps_of_enums: EnumKeys, stricter(KEYS, has_invalid_side);
    map_of_bytes: BTreeMap<u8, String>, stricter(RANGE, has_invalid_byte);
    sets: Sets;
    list_of_structs: Vec<Point>;
}
