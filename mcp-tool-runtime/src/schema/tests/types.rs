//! The types whose schemas are tested.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Defines types with the derives that the tests need.
macro_rules! types {
    ($($(#[$attribute:meta])* $kind:ident $name:ident $body:tt)*) => {$(
        #[derive(Serialize, Deserialize, JsonSchema)]
        $(#[$attribute])*
        pub(super) $kind $name $body
    )*};
}

types! {
    enum Bare { Red, Green }

    /// A documented colour.
    #[serde(rename_all = "snake_case")]
    enum Documented {
        /// like a tomato
        DarkRed,
        /// like a leaf
        Green,
    }

    enum Mixed {
        Red,
        /// like a leaf
        Green,
        Blue,
    }

    enum External {
        Unit,
        Newtype(u8),
        Tuple(u8, String),
        Struct { a: bool },
    }

    #[serde(tag = "kind")]
    enum Internal {
        Unit,
        Newtype(Point),
        Struct { a: bool, b: Option<u8> },
    }

    #[serde(tag = "t", content = "c")]
    enum Adjacent { Unit, Newtype(u8), Struct { a: bool } }

    #[serde(untagged)]
    enum Untagged { Number(i64), Text(String), Point(Point) }

    /// A place on the screen.
    struct Point { x: i32, y: i32 }

    struct Twice {
        from: Point,
        /// where it ends
        to: Point,
    }

    /// Long enough that four copies would more than double the schema.
    struct Large {
        /// a description that goes on for quite some time, so that it weighs something
        first: String,
        /// another description that goes on for quite some time, so that it weighs something
        second: String,
    }

    struct Often { a: Large, b: Large, c: Large, d: Large }

    struct Node { label: String, next: Option<Box<Node>>, children: Vec<Node> }

    struct Left { right: Option<Box<Right>> }
    struct Right { left: Option<Box<Left>> }

    struct WithStruct {
        id: u8,
        #[serde(flatten)]
        point: Point,
    }

    struct WithMap {
        id: u8,
        #[serde(flatten)]
        rest: HashMap<String, i32>,
    }

    struct WithEnum {
        id: u8,
        #[serde(flatten)]
        choice: Internal,
    }

    struct OnlyEnum {
        #[serde(flatten)]
        choice: External,
    }

    struct Defaults {
        #[serde(default)]
        plain: u8,
        #[serde(default = "three")]
        three: u8,
        #[serde(default)]
        maybe: Option<u8>,
        #[serde(default)]
        nested: Inner,
    }

    #[derive(Default)]
    struct Inner { text: Option<String>, flag: Option<bool> }

    #[serde(rename_all = "camelCase")]
    struct Renamed {
        first_name: String,
        #[serde(rename = "type")]
        kind: u8,
        #[serde(rename = "$ref")]
        reference: String,
        title: String,
    }

    #[serde(deny_unknown_fields)]
    struct Strict { a: u8 }

    struct MaybeNumber { number: Nullable }

    struct Ranged {
        #[schemars(range(min = 3, max = 1000))]
        small: u8,
        #[schemars(regex(pattern = "^[a-z]+$"))]
        word: String,
    }

    struct Empty {}
}

fn three() -> u8 {
    3
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct Unit;

/// A nullable number that is not an `Option`.
#[derive(Serialize, Deserialize, JsonSchema, Default)]
pub(super) struct Nullable(Option<u8>);

#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct Metres(f64);

#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct Pair(u8, String);

#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct DefaultedNewtype {
    #[serde(default)]
    pub(super) number: Nullable,
}

/// # A thing
///
/// with a heading.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct Headed {
    pub(super) id: u8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct Titles {
    pub(super) headed: Headed,
    #[schemars(schema_with = "embedded")]
    pub(super) embedded: Value,
}

/// A root schema that is embedded in another schema.
fn embedded(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::schema_for!(Headless)
}

#[derive(JsonSchema)]
struct Headless {
    #[allow(dead_code, reason = "only its schema is used")]
    id: u8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct AnyRest {
    #[serde(flatten)]
    pub(super) rest: HashMap<String, Value>,
}
