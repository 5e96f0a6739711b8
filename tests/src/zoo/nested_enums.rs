//! Every representation of an enum inside every other one, and inside what serde buffers.

use super::enums::{UNITS, has_content_of_unit};
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
    enum AdjacentSkipping { Unit, #[serde(skip)] #[arbitrary(skip)] #[expect(dead_code, reason = "serde skips it")] Hidden, New(T), #[serde(other)] PlainHttp }
    #[serde(tag = "kind")]
    enum InternalSkipping { Unit, #[serde(skip)] #[arbitrary(skip)] #[expect(dead_code, reason = "serde skips it")] Hidden, Struct { of: T }, #[serde(other)] PlainHttp }
    struct Fields { of: T, more: Option<u8> }
    struct Flattened { id: u8, #[serde(flatten)] of: T }
    struct Places { one: T, maybe: Option<T>, many: Vec<T>, pair: (u8, T) }
}

specimens! {
    external_in_external: External<External<u8>>;
    internal_in_external: External<Internal<u8>>;
    adjacent_in_external: External<Adjacent<u8>>, stricter(UNITS, has_content_of_unit);
    untagged_in_external: External<Untagged<u8>>;
    external_in_internal: Internal<External<u8>>;
    internal_in_internal: Internal<Internal<u8>>;
    adjacent_in_internal: Places<Internal<Adjacent<u8>>>, stricter(UNITS, has_content_of_unit);
    untagged_in_internal: Internal<Untagged<u8>>;
    external_in_adjacent: Adjacent<External<u8>>, stricter(UNITS, has_content_of_unit);
    internal_in_adjacent: Adjacent<Internal<u8>>, stricter(UNITS, has_content_of_unit);
    adjacent_in_adjacent: Adjacent<Adjacent<u8>>, stricter(UNITS, has_content_of_unit);
    untagged_in_adjacent: Adjacent<Untagged<u8>>, stricter(UNITS, has_content_of_unit);
    external_in_untagged: Untagged<External<u8>>;
    internal_in_untagged: Places<Untagged<Internal<u8>>>;
    adjacent_in_untagged: Places<Untagged<Adjacent<u8>>>, stricter(UNITS, has_content_of_unit);
    untagged_in_untagged: Untagged<Untagged<u8>>;
    closed_external_in_untagged: UntaggedClosed<ExternalClosed<u8>>;
    closed_internal_in_untagged: UntaggedClosed<InternalClosed<u8>>;
    closed_adjacent_in_untagged: UntaggedClosed<AdjacentClosed<u8>>, stricter(UNITS, has_content_of_unit);
    closed_adjacent_in_internal: InternalClosed<AdjacentClosed<u8>>, stricter(UNITS, has_content_of_unit);
    closed_internal_in_adjacent: AdjacentClosed<InternalClosed<u8>>, stricter(UNITS, has_content_of_unit);
    closed_untagged_in_adjacent: AdjacentClosed<UntaggedClosed<u8>>, stricter(UNITS, has_content_of_unit);
    skipping_adjacent_in_untagged: Untagged<AdjacentSkipping<u8>>, stricter(UNITS, has_content_of_unit);
    skipping_internal_in_untagged: Untagged<InternalSkipping<u8>>;
    flattened_adjacent: Places<Flattened<Adjacent<u8>>>, stricter(UNITS, has_content_of_unit);
    flattened_internal: Flattened<Internal<u8>>;
    flattened_adjacent_in_untagged: Untagged<Flattened<Adjacent<u8>>>, stricter(UNITS, has_content_of_unit);
    adjacent_option_in_untagged: Untagged<Adjacent<Option<u8>>>, stricter(UNITS, has_content_of_unit);
    adjacent_arguments_in_untagged in UntaggedClosed<Adjacent<u8>>, stricter(UNITS, has_content_of_unit);
}
