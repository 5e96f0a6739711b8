//! The four representations of enums, with and without documentation.

use super::{specimens, types};

types! {
    enum Bare { Red, Green }
    /// A colour.
    #[serde(rename_all = "snake_case")]
    enum Documented {
        /// Like a tomato.
        DarkRed,
        /// Like a leaf.
        Green,
    }
    enum PartlyDocumented {
        Red,
        /// Like a leaf.
        Green,
        Blue,
    }
    struct Point { x: i32, y: i32 }
    enum External {
        Unit,
        Newtype(u8),
        Tuple(u8, String),
        Struct { a: bool, b: Option<u8> },
        Option(Option<Point>),
        Nothing(()),
    }
    /// One of several.
    #[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
    enum ExternalDocumented {
        /// None of it.
        NoneOfIt,
        /// None either.
        Neither,
        /// A number.
        TheNumber(u8),
        /// Two.
        Both {
            /// The first.
            first_one: u8,
            second_one: Option<String>,
        },
    }
    #[serde(tag = "kind")]
    enum Internal {
        Unit,
        Newtype(Point),
        Struct { a: bool, b: Option<u8>, c: f64 },
        Defaulted { #[serde(default)] list: Vec<u8> },
    }
    #[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
    enum InternalClosed {
        /// Nothing.
        Unit,
        /// Something.
        Struct { a: u8 },
    }
    #[serde(tag = "t", content = "c")]
    enum Adjacent { Unit, Newtype(u8), Tuple(u8, bool), Struct { a: bool }, Option(Option<u8>) }
    #[serde(tag = "t", content = "c", deny_unknown_fields)]
    enum AdjacentClosed { Unit, Newtype(u8), Struct { a: bool } }
    #[serde(untagged)]
    enum Untagged { Number(u8), Text(String), Point(Point), List(Vec<u8>), Flag { flag: bool } }
    #[serde(untagged)]
    enum Overlapping { Narrow { a: u8 }, Wide { a: u8, b: u8 }, Number(i64), Float(f64) }
    enum Skipped {
        Known,
        #[serde(skip)]
        Hidden,
        #[serde(rename = "other name")]
        Renamed(u8),
    }
    enum Lenient {
        One,
        #[serde(other)]
        Other,
    }
    struct Several {
        bare: Bare,
        documented: Documented,
        partly: PartlyDocumented,
        maybe: Option<Documented>,
        list: Vec<PartlyDocumented>,
    }
    /// Accepts `null`, and contains itself in an optional property.
    #[serde(untagged)]
    enum Chain { End(()), Link { next: Option<Box<Chain>>, size: u8 } }
    struct Chains { one: Chain, maybe: Option<Chain>, many: Vec<Chain> }
    struct MaybeUnion { external: Option<External>, internal: Option<Internal>, untagged: Option<Untagged> }
}

/// Why a type is stricter than its schema: serde refuses the content of other variants beside the tag of a unit variant, and the schema of
/// the variant is open.
pub(super) const UNITS: &str = "a unit variant has no content";

pub(super) fn has_content_of_unit(value: &serde_json::Value) -> bool {
    let is_unit = value["t"] == "Unit" || value["t"] == "PlainHttp";
    is_unit && !value["c"].is_null()
        || value.as_array().into_iter().flatten().any(has_content_of_unit)
        || value.as_object().into_iter().flatten().any(|(_, value)| has_content_of_unit(value))
}

specimens! {
    bare_enum: Bare;
    enums_of_texts: Several;
    external_enum: External;
    external_arguments in OnlyObjects;
    documented_external_enum: ExternalDocumented;
    internal_enum: Internal;
    internal_arguments in Internal;
    closed_internal_enum: InternalClosed;
    adjacent_enum: Adjacent, stricter(UNITS, has_content_of_unit);
    adjacent_arguments in AdjacentClosed;
    closed_adjacent_enum: AdjacentClosed;
    untagged_enum: Untagged;
    overlapping_enum: Overlapping;
    skipped_variant: Skipped;
    optional_unions: MaybeUnion;
    chains_that_end_in_null: Chains;
    other_variant: Catching;
}

types! {
    #[serde(rename_all = "snake_case")]
    enum OnlyObjects { Id(u64), Name { first: String, last: Option<String> }, Pair(u8, u8) }
    struct Catching { lenient: Lenient }
}
