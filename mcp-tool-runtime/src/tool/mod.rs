//! Defines what a tool is, and changes tools when they are registered.
//!
//! [`ToolHandler`](crate::ToolHandler) and [`IntoService`](crate::IntoService) have the methods that change a tool, and
//! return the types of this module.

// `handler` has the trait of every tool, and `service` has the trait of objects with several tools. `metadata` holds
// what the attributes declare in addition to the definition, such as a timeout. `adapter` changes the name or the
// arguments of a tool: `argument_shape` changes one argument in the schema, and `argument_changes` in each call.
// `title` derives a title from a name, and `middleware` has the trait of code that runs around calls.

pub(crate) mod adapter;
pub(crate) mod argument_changes;
pub(crate) mod argument_shape;
pub(crate) mod handler;
pub(crate) mod metadata;
pub mod middleware;
pub(crate) mod service;
pub(crate) mod title;

pub use adapter::{ShapedService, ShapedTool};
pub use argument_shape::ArgumentShape;
pub use handler::IntoTools;
