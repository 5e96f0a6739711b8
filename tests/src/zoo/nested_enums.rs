//! Every representation of an enum inside every other one, and inside what serde buffers.

use serde_json::Value;

use super::specimens;

/// Defines types as `types` does, with one parameter for the type inside.
macro_rules! generic_types {
    ($($(#[$attribute:meta])* $kind:ident $name:ident $body:tt)*) => {$(
        #[derive(Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema, arbitrary::Arbitrary)]
        $(#[$attribute])*
        // Two words in a name are renamed.
        #[allow(clippy::enum_variant_names)]
        pub(super) $kind $name<T> $body
    )*};
}

generic_types! {
    enum External { Unit, New(T), Tuple(u8, T), Struct { of: T, more: Option<u8> } }
    #[serde(tag = "kind")]
    enum Internal { Unit, Nothing {}, New(Fields<T>), Struct { of: T, more: Option<u8> } }
    #[serde(tag = "t", content = "c")]
    enum Adjacent { Unit, Nothing {}, New(T), Tuple(u8, T), Struct { of: T, more: Option<u8> } }
    #[serde(untagged)]
    enum Untagged { New(T), Tuple(u8, T), Struct { inside: T, more: Option<u8> }, Other(bool) }
    #[serde(deny_unknown_fields, rename_all = "snake_case", rename_all_fields = "camelCase")]
    enum ExternalClosed { TheUnit, TheStruct { of_it: T, #[serde(default)] no_more: u8 } }
    #[serde(tag = "kind", deny_unknown_fields, rename_all = "snake_case", rename_all_fields = "camelCase")]
    enum InternalClosed { TheUnit, TheStruct { of_it: T, #[serde(default)] no_more: u8 } }
    #[serde(tag = "t", content = "c", deny_unknown_fields, rename_all = "snake_case", rename_all_fields = "camelCase")]
    enum AdjacentClosed { TheUnit, TheNew(T), TheStruct { of_it: T, #[serde(default)] no_more: u8 } }
    #[serde(untagged, deny_unknown_fields, rename_all_fields = "camelCase")]
    enum UntaggedClosed { Struct { of_it: T, #[serde(default)] no_more: u8 }, Other { some_other: bool } }
    #[serde(tag = "t", content = "c")]
    enum AdjacentSkipping { Unit, #[serde(skip)] #[arbitrary(skip)] #[expect(dead_code, reason = "serde skips it")] Hidden, New(T), #[serde(other)] Rest }
    #[serde(tag = "kind")]
    enum InternalSkipping { Unit, #[serde(skip)] #[arbitrary(skip)] #[expect(dead_code, reason = "serde skips it")] Hidden, Struct { of: T }, #[serde(other)] Rest }
    struct Fields { of: T, more: Option<u8> }
    struct Flattened { id: u8, #[serde(flatten)] of: T }
    struct Places { one: T, maybe: Option<T>, many: Vec<T>, pair: (u8, T) }
}

/// The schema of a unit variant is open, so a content beside its tag is an unknown property.
fn contents_of_units(value: &mut Value) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(contents_of_units),
        Value::Object(properties) => {
            if properties.get("t").is_some_and(|tag| tag == "Unit" || tag == "Rest") {
                properties.shift_remove("c");
            }
            properties.values_mut().for_each(contents_of_units);
        }
        _ => {}
    }
}

specimens! {
    external_in_external: External<External<u8>>;
    internal_in_external: External<Internal<u8>>;
    adjacent_in_external: External<Adjacent<u8>>, ignoring(contents_of_units);
    untagged_in_external: External<Untagged<u8>>;
    external_in_internal: Internal<External<u8>>;
    internal_in_internal: Internal<Internal<u8>>;
    adjacent_in_internal: Places<Internal<Adjacent<u8>>>, ignoring(contents_of_units);
    untagged_in_internal: Internal<Untagged<u8>>;
    external_in_adjacent: Adjacent<External<u8>>, ignoring(contents_of_units);
    internal_in_adjacent: Adjacent<Internal<u8>>, ignoring(contents_of_units);
    adjacent_in_adjacent: Adjacent<Adjacent<u8>>, ignoring(contents_of_units);
    untagged_in_adjacent: Adjacent<Untagged<u8>>, ignoring(contents_of_units);
    external_in_untagged: Untagged<External<u8>>;
    internal_in_untagged: Places<Untagged<Internal<u8>>>;
    adjacent_in_untagged: Places<Untagged<Adjacent<u8>>>, ignoring(contents_of_units);
    untagged_in_untagged: Untagged<Untagged<u8>>;
    closed_external_in_untagged: UntaggedClosed<ExternalClosed<u8>>;
    closed_internal_in_untagged: UntaggedClosed<InternalClosed<u8>>;
    closed_adjacent_in_untagged: UntaggedClosed<AdjacentClosed<u8>>, ignoring(contents_of_units);
    closed_adjacent_in_internal: InternalClosed<AdjacentClosed<u8>>, ignoring(contents_of_units);
    closed_internal_in_adjacent: AdjacentClosed<InternalClosed<u8>>, ignoring(contents_of_units);
    closed_untagged_in_adjacent: AdjacentClosed<UntaggedClosed<u8>>, ignoring(contents_of_units);
    skipping_adjacent_in_untagged: Untagged<AdjacentSkipping<u8>>, ignoring(contents_of_units);
    skipping_internal_in_untagged: Untagged<InternalSkipping<u8>>;
    flattened_adjacent: Places<Flattened<Adjacent<u8>>>, ignoring(contents_of_units);
    flattened_internal: Flattened<Internal<u8>>;
    flattened_adjacent_in_untagged: Untagged<Flattened<Adjacent<u8>>>, ignoring(contents_of_units);
    adjacent_option_in_untagged: Untagged<Adjacent<Option<u8>>>, ignoring(contents_of_units);
    adjacent_arguments_in_untagged in UntaggedClosed<Adjacent<u8>>, ignoring(contents_of_units);
}
