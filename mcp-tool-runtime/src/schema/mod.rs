//! The JSON Schemas that a tool publishes.
//!
//! What comes in is a type's schema as schemars writes it, or one that the author wrote by hand; what goes out is what
//! a client reads and what the dispatcher enforces, which must be the same thing (rule T17).
//!
//! A derived schema passes [`generate`] and, within it, [`normalise`]; a hand-written one is never changed (rule T15).
//! Either is looked over by [`check`] once, while the dispatcher is built, and an output schema is fitted to a protocol
//! version by [`project`].
//!
//! # The order of the steps
//!
//! [`normalise::run`] keeps this order. Each step may rely on the ones before it.
//!
//! 1. **hoist** – first, because every other step looks for definitions under the `$defs` of the root alone.
//! 2. **titles** – early, because a type's name is known only as long as its definition stands under `$defs`.
//! 3. **standard** – for the same reason.
//! 4. **formats** – while each definition is there once, so that it is worked on once.
//! 5. **inline** – the remaining steps look at the schema of a property, and would otherwise see a `$ref`.
//! 6. **optional** (input) – after inlining, so that `anyOf: [$ref, null]` has become the schema it stands for; a
//!    definition that stayed under `$defs` because it is recursive or large is looked up.
//! 7. **defaults** (input) – right after *optional*: a default is held against schemas that have lost their `null`.
//! 8. **enums** – after inlining, because a description beside a `$ref` replaces the definition's: had the variants been
//!    folded into that one, a documented property would lose them. After *optional*, which has removed the
//!    `anyOf` around an optional enum.
//! 9. **tuples** – after everything that changes element schemas, since it copies them.
//! 10. **closing** – needs the whole root: whether there is a union, and whose properties stand beside it.
//! 11. **booleans** – after *closing*, so that one place alone decides which booleans stay.
//! 12. **prune** – *optional* may have copied the last use of a definition.
//! 13. **order** – only arranges what is there.

pub(crate) mod branch;
pub(crate) mod check;
pub(crate) mod generate;
pub(crate) mod normalise;
pub(crate) mod project;
pub(crate) mod reference;
#[cfg(feature = "validate")]
pub(crate) mod validate;
pub(crate) mod walk;

#[cfg(all(test, feature = "validate"))]
mod tests;

/// Which way the values of a schema travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Arguments: read by serde, so the schema has the deserialise contract.
    Input,
    /// Results: written by serde, so the schema has the serialise contract.
    Output,
}
