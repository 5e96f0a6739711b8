//! Names that serde takes beside the published ones, wherever they stand.

use std::collections::BTreeMap;

use super::{Alias, specimens, types};

types! {
    struct Outer {
        #[serde(alias = "town", alias = "place")]
        city: String,
        #[serde(default, alias = "max")]
        #[schemars(range(max = 50))]
        limit: Option<u8>,
        #[serde(default, alias = "inside")]
        inner: Vec<Inner>,
        by_name: Option<BTreeMap<String, Inner>>,
        pair: Option<(u8, Inner)>,
    }
    struct Inner {
        #[serde(alias = "w")]
        width: u8,
        #[serde(alias = "h")]
        #[schemars(range(min = 2, max = 9))]
        height: Option<u8>,
    }
    #[serde(deny_unknown_fields)]
    struct Closed {
        #[serde(alias = "one")]
        a: u8,
        #[serde(alias = "two", default)]
        b: Option<Inner>,
        #[serde(default)]
        next: Option<Box<Closed>>,
    }
    #[serde(rename_all = "snake_case")]
    enum Shade {
        #[serde(alias = "ruby", alias = "cherry")]
        Red,
        #[serde(alias = "leaf")]
        Green,
    }
    struct Shades { one: Shade, some: Option<Vec<Shade>>, counts: BTreeMap<String, Shade> }
    enum Form {
        #[serde(alias = "Dot")]
        Point,
        #[serde(alias = "Ball")]
        Circle(Inner),
        #[serde(alias = "Square")]
        Box {
            #[serde(alias = "s")]
            side: u8,
            #[serde(alias = "d")]
            #[schemars(range(max = 9))]
            depth: Option<u8>,
        },
    }
    #[serde(tag = "kind")]
    enum Tagged {
        #[serde(alias = "Nil")]
        Nothing,
        #[serde(alias = "Square")]
        Box {
            #[serde(alias = "s")]
            side: u8,
            #[serde(alias = "d")]
            #[schemars(range(max = 9))]
            depth: Option<u8>,
            inner: Option<Inner>,
        },
        Held(Inner),
    }
    #[serde(tag = "t", content = "c")]
    enum Apart {
        Number(u8),
        Box {
            #[serde(alias = "s")]
            side: u8,
            #[serde(alias = "d")]
            #[schemars(range(max = 9))]
            depth: Option<u8>,
        },
    }
    struct Together {
        #[serde(alias = "number")]
        id: u8,
        #[serde(flatten)]
        inner: Inner,
    }
    struct WithRest {
        #[serde(alias = "number")]
        #[schemars(range(max = 9))]
        id: Option<u8>,
        #[serde(flatten)]
        rest: BTreeMap<String, i32>,
    }
    #[serde(untagged)]
    enum Either { Number(u8), Inner(Inner) }
}

const OUTER: &[Alias] = &[
    (&["value"], "town", "city"),
    (&["value"], "place", "city"),
    (&["value"], "max", "limit"),
    (&["value"], "inside", "inner"),
    (&["value", "inner", "*"], "w", "width"),
    (&["value", "inner", "*"], "h", "height"),
    (&["value", "by_name", "*"], "w", "width"),
    (&["value", "by_name", "*"], "h", "height"),
    (&["value", "pair", "1"], "w", "width"),
    (&["value", "pair", "1"], "h", "height"),
];

const WHOLE: &[Alias] = &[
    (&[], "town", "city"),
    (&[], "place", "city"),
    (&[], "max", "limit"),
    (&[], "inside", "inner"),
    (&["inner", "*"], "w", "width"),
    (&["inner", "*"], "h", "height"),
    (&["by_name", "*"], "w", "width"),
    (&["by_name", "*"], "h", "height"),
    (&["pair", "1"], "w", "width"),
    (&["pair", "1"], "h", "height"),
];

const CLOSED: &[Alias] = &[
    (&["value"], "one", "a"),
    (&["value"], "two", "b"),
    (&["value", "b"], "w", "width"),
    (&["value", "b"], "h", "height"),
    (&["value", "next"], "one", "a"),
    (&["value", "next"], "two", "b"),
    (&["value", "next", "b"], "w", "width"),
    (&["value", "next", "b"], "h", "height"),
    (&["value", "next", "next"], "one", "a"),
    (&["value", "next", "next"], "two", "b"),
    (&["value", "next", "next", "b"], "w", "width"),
    (&["value", "next", "next", "b"], "h", "height"),
    (&["value", "next", "next", "next"], "one", "a"),
    (&["value", "next", "next", "next"], "two", "b"),
];

const SHADES: &[Alias] = &[
    (&["value", "one"], "ruby", "red"),
    (&["value", "one"], "cherry", "red"),
    (&["value", "one"], "leaf", "green"),
    (&["value", "some", "*"], "ruby", "red"),
    (&["value", "some", "*"], "cherry", "red"),
    (&["value", "some", "*"], "leaf", "green"),
    (&["value", "counts", "*"], "ruby", "red"),
    (&["value", "counts", "*"], "cherry", "red"),
    (&["value", "counts", "*"], "leaf", "green"),
];

const FORM: &[Alias] = &[
    (&["value"], "Dot", "Point"),
    (&["value", "?1"], "Ball", "Circle"),
    (&["value", "?1"], "Square", "Box"),
    (&["value", "Circle"], "w", "width"),
    (&["value", "Circle"], "h", "height"),
    (&["value", "Box"], "s", "side"),
    (&["value", "Box"], "d", "depth"),
];

const TAGGED: &[Alias] = &[
    (&["value", "kind"], "Nil", "Nothing"),
    (&["value", "kind"], "Square", "Box"),
    (&["value", "?kind=Box"], "s", "side"),
    (&["value", "?kind=Box"], "d", "depth"),
    (&["value", "?kind=Box", "inner"], "w", "width"),
    (&["value", "?kind=Box", "inner"], "h", "height"),
    (&["value", "?kind=Held"], "w", "width"),
    (&["value", "?kind=Held"], "h", "height"),
];

const APART: &[Alias] = &[(&["value", "?t=Box", "c"], "s", "side"), (&["value", "?t=Box", "c"], "d", "depth")];

const TOGETHER: &[Alias] = &[(&["value"], "number", "id"), (&["value"], "w", "width"), (&["value"], "h", "height")];

const WITH_REST: &[Alias] = &[(&["value"], "number", "id")];

const EITHER: &[Alias] = &[(&["value"], "w", "width"), (&["value"], "h", "height")];

specimens! {
    aliases: Outer, constrained(), aliased(OUTER);
    aliased_arguments in Outer, constrained(), aliased(WHOLE);
    aliases_in_closed_objects: Closed, constrained(), aliased(CLOSED);
    aliased_variants: Shades, aliased(SHADES);
    aliases_in_external_variants: Form, constrained(), aliased(FORM);
    aliases_in_internal_variants: Tagged, constrained(), aliased(TAGGED);
    aliases_in_adjacent_variants: Apart, constrained(), aliased(APART);
    aliases_in_flattened: Together, constrained(), aliased(TOGETHER);
    aliases_beside_a_map: WithRest, constrained(), aliased(WITH_REST);
    aliases_in_untagged: Either, constrained(), aliased(EITHER);
}
