//! A tool for each way in which serde and schemars can describe a value. Each tool returns its arguments.

use std::fmt;

use arbitrary::{Arbitrary, Unstructured};
use mcp_tool_runtime::ToolHandler;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

mod aliases;
mod collections;
mod constraints;
mod crates;
mod enums;
mod foreign;
mod made;
mod nested_enums;
mod numbers;
mod options;
mod parameters;
mod results;
mod structs;

pub use results::results;

/// A tool, and the facts about it that its schemas do not show.
pub struct Specimen {
    /// The name of the tool.
    pub name: &'static str,
    /// The tool.
    pub handler: Box<dyn ToolHandler>,
    /// Reads arguments and writes them again, with serde and `serde_json` only.
    pub echo: fn(&Value) -> Result<Value, String>,
    /// Creates arguments from an arbitrary value of the type.
    pub arbitrary: fn(&mut Unstructured<'_>) -> Option<Value>,
    /// Whether attributes constrain the type further, so that the schema refuses some values of the type.
    pub constrained: bool,
    /// Whether the type has a signed integer of more than 64 bits.
    pub wide: bool,
    /// The aliases of parameters, which a dispatcher accepts.
    pub aliases: &'static [Alias],
    /// Aliases inside the author's own types, in places where the schema admits no other name.
    pub unpublished: &'static [&'static str],
    /// Whether validators legitimately disagree about the schema.
    pub debatable: bool,
    /// Set if the type refuses values that its schema accepts.
    pub stricter: Option<Stricter>,
}

/// The alias of a parameter, and its published name.
pub type Alias = (&'static str, &'static str);

/// The reason why a type is stricter than its schema, and a function that returns `true` for arguments that it refuses.
pub type Stricter = (&'static str, fn(&Value) -> bool);

impl fmt::Debug for Specimen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Specimen {
    fn new(name: &'static str, handler: impl ToolHandler) -> Self {
        Self {
            name,
            handler: Box::new(handler),
            echo: |_| Err(String::new()),
            arbitrary: |_| None,
            constrained: false,
            wide: false,
            debatable: false,
            aliases: &[],
            unpublished: &[],
            stricter: None,
        }
    }

    /// Describes a tool whose only parameter is `value: T`.
    fn of<T: TestType>(self) -> Self {
        Self {
            echo: |arguments| match serde_json::from_value::<Arguments<T>>(arguments.clone()) {
                Ok(arguments) => written(&arguments.value),
                Err(error) => Err(error.to_string()),
            },
            arbitrary: |source| Some(json!({"value": written(&T::arbitrary(source).ok()?).ok()?})),
            ..self
        }
    }

    /// Describes a tool whose arguments are a `T`.
    fn whole<T: TestType>(self) -> Self {
        Self {
            echo: |arguments| match serde_json::from_value::<T>(arguments.clone()) {
                Ok(all) => written(&all),
                Err(error) => Err(error.to_string()),
            },
            arbitrary: |source| written(&T::arbitrary(source).ok()?).ok(),
            ..self
        }
    }

    fn constrained(self) -> Self {
        Self { constrained: true, ..self }
    }

    fn wide(self) -> Self {
        Self { wide: true, ..self }
    }

    fn debatable(self) -> Self {
        Self { debatable: true, ..self }
    }

    fn aliased(self, aliases: &'static [Alias]) -> Self {
        Self { aliases, ..self }
    }

    fn unpublished(self, unpublished: &'static [&'static str]) -> Self {
        Self { unpublished, ..self }
    }

    fn stricter(self, why: &'static str, refuses: fn(&Value) -> bool) -> Self {
        Self { stricter: Some((why, refuses)), ..self }
    }
}

/// The traits of every type in the zoo.
trait TestType: Serialize + DeserializeOwned + JsonSchema + for<'a> Arbitrary<'a> {}

impl<T: Serialize + DeserializeOwned + JsonSchema + for<'a> Arbitrary<'a>> TestType for T {}

/// Converts a value through JSON text, as clients see it. An `f32` of 0.1 is then `0.1`.
fn written(value: &impl Serialize) -> Result<Value, String> {
    let text = serde_json::to_string(value).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

#[derive(Deserialize)]
struct Arguments<T> {
    value: T,
}

/// Defines types with the derives of every type in the zoo.
macro_rules! types {
    ($($(#[$attribute:meta])* $kind:ident $name:ident $body:tt $(; $(@$end:tt)?)?)*) => {$(
        #[derive(Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema, arbitrary::Arbitrary)]
        $(#[$attribute])*
        pub(super) $kind $name $body $(; $(@$end)?)?
    )*};
}

/// Defines the tools of a module. `name: T` has one parameter `value: T`; the arguments of `name in T` are a `T`.
macro_rules! specimens {
    ($($name:ident $how:tt $type:ty $(, $more:ident ($($argument:expr),*))*;)*) => {
        pub(super) fn specimens() -> Vec<$crate::zoo::Specimen> {
            vec![$($crate::zoo::specimens!(@one $name $how $type) $(.$more($($argument),*))*),*]
        }
    };
    (@one $name:ident : $type:ty) => {{
        /// Returns the value.
        #[mcp_tool_runtime::mcp_tool]
        async fn $name(value: $type) -> $type {
            value
        }
        $crate::zoo::Specimen::new(stringify!($name), $name {}).of::<$type>()
    }};
    (@one $name:ident in $type:ty) => {{
        /// Returns the arguments.
        #[mcp_tool_runtime::mcp_tool(root_union)]
        async fn $name(#[mcp_tool(arguments)] all: $type) -> $type {
            all
        }
        $crate::zoo::Specimen::new(stringify!($name), $name {}).whole::<$type>()
    }};
}

use {specimens, types};

/// Returns all tools.
#[must_use]
pub fn zoo() -> Vec<Specimen> {
    [
        numbers::specimens(),
        constraints::specimens(),
        options::specimens(),
        enums::specimens(),
        nested_enums::specimens(),
        structs::specimens(),
        aliases::specimens(),
        collections::specimens(),
        foreign::specimens(),
        crates::specimens(),
        parameters::specimens(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Creates any JSON value.
fn any_json(source: &mut Unstructured<'_>) -> arbitrary::Result<Value> {
    Ok(match source.int_in_range(0..=6)? {
        0 => Value::Null,
        1 => bool::arbitrary(source)?.into(),
        2 => i64::arbitrary(source)?.into(),
        3 => i32::arbitrary(source)?.into(),
        4 => String::arbitrary(source)?.into(),
        5 => json!([any_json(source)?, 1.5]),
        _ => json!({String::arbitrary(source)?: any_json(source)?, "null": null}),
    })
}
