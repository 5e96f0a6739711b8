//! What a tool publishes: schemas of types, what `build` accepts in them, and that they are enforced.

mod build_checks;
#[rustfmt::skip]
mod comments;
mod definitions;
mod dialects;
mod edge_values;
mod formats;
mod hand_written;
mod optional;
mod published_forms;
mod published_is_enforced;
mod table_of_types;
mod unions;
mod values;
mod violation_messages;
