//! Serde aliases: of a function's own parameters, which are accepted, and inside closed types, which are not.

use std::collections::BTreeMap;

use mcp_tool_runtime::mcp_tool;

use super::{Alias, Specimen, specimens as simple, types};

types! {
    /// The parameters of [`aliased_parameters`] and [`aliased_open_parameters`].
    struct Rooms {
        city: String,
        limit: Option<u8>,
        sizes: Option<Vec<Size>>,
    }
    /// The parameters of [`aliased_parameter_beside_a_map`].
    struct WithRest {
        id: Option<u8>,
        #[serde(flatten)]
        rest: BTreeMap<String, i32>,
    }
    #[serde(deny_unknown_fields)]
    struct Size {
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
        b: Option<Size>,
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
    #[serde(deny_unknown_fields)]
    enum Form {
        #[serde(alias = "Dot")]
        Point,
        #[serde(alias = "Ball")]
        Circle(Size),
        #[serde(alias = "Square")]
        Box {
            #[serde(alias = "s")]
            side: u8,
        },
    }
    #[serde(tag = "kind", deny_unknown_fields)]
    enum Tagged {
        #[serde(alias = "Nil")]
        Nothing,
        #[serde(alias = "Square")]
        Box {
            #[serde(alias = "s")]
            side: u8,
            size: Option<Size>,
        },
    }
}

/// Find rooms.
#[mcp_tool]
async fn aliased_parameters(
    #[serde(alias = "town", alias = "place")] city: String,
    #[serde(default, alias = "max")]
    #[schemars(range(max = 50))]
    limit: Option<u8>,
    #[serde(alias = "inside")] sizes: Option<Vec<Size>>,
) -> Rooms {
    Rooms { city, limit, sizes }
}

/// Find rooms, and ignore unknown arguments.
#[mcp_tool(allow_unknown)]
async fn aliased_open_parameters(
    #[serde(alias = "town", alias = "place")] city: String,
    #[serde(default, alias = "max")]
    #[schemars(range(max = 50))]
    limit: Option<u8>,
    #[serde(alias = "inside")] sizes: Option<Vec<Size>>,
) -> Rooms {
    Rooms { city, limit, sizes }
}

/// Take an id and any numbers.
#[mcp_tool]
async fn aliased_parameter_beside_a_map(
    #[serde(alias = "number")]
    #[schemars(range(max = 9))]
    id: Option<u8>,
    #[serde(flatten)] rest: BTreeMap<String, i32>,
) -> WithRest {
    WithRest { id, rest }
}

const ROOMS: &[Alias] = &[("town", "city"), ("place", "city"), ("max", "limit"), ("inside", "sizes")];

mod inside_types {
    use super::{Closed, Form, Shades, Tagged, simple};

    simple! {
        aliases_in_closed_objects: Closed, constrained(), unpublished(&["one", "two", "w", "h"]);
        aliases_in_whole_arguments in Closed, constrained(), unpublished(&["one", "two", "w", "h"]);
        aliased_variants: Shades, unpublished(&["ruby", "cherry", "leaf"]);
        aliases_in_external_variants: Form, constrained(), unpublished(&["Dot", "Ball", "Square", "s", "w", "h"]);
        aliases_in_internal_variants: Tagged, constrained(), unpublished(&["Nil", "Square", "s", "w", "h"]);
    }
}

pub(super) fn specimens() -> Vec<Specimen> {
    let mut all = inside_types::specimens();
    let parameters = Specimen::new("aliased_parameters", aliased_parameters {});
    all.push(parameters.whole::<Rooms>().constrained().aliased(ROOMS).unpublished(&["w", "h"]));
    let open = Specimen::new("aliased_open_parameters", aliased_open_parameters {});
    all.push(open.whole::<Rooms>().constrained().aliased(ROOMS).unpublished(&["w", "h"]));
    let beside_a_map = Specimen::new("aliased_parameter_beside_a_map", aliased_parameter_beside_a_map {});
    all.push(beside_a_map.whole::<WithRest>().constrained().aliased(&[("number", "id")]));
    all
}
