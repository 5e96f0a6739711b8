//! Rewrites an input schema into the dialect of a vendor.
//!
//! No step accepts more values than the schema before it, except for the two constraints that [`gemini`] reports as lost. The limits
//! of the vendor are checked afterwards, in [`checks::lint`](crate::lint).
//!
//! - [`text`] moves keywords into descriptions, [`names`] renames definitions, [`objects`] closes objects.
//! - [`unions`] rewrites unions and types, [`optional`] makes optional properties nullable.
//! - [`gemini`] has the steps of one vendor alone.

mod gemini;
mod names;
mod objects;
mod optional;
mod text;
mod unions;

use serde_json::Value;

use crate::Vendor;

/// A constraint that the rewritten schema says only in words: a JSON pointer into the schema, and the keyword.
pub(super) type InWords = (String, &'static str);

/// Rewrites a schema for a tool that is not strict. Adds the constraints that are lost to `in_words`.
pub(super) fn plain(vendor: Vendor, schema: &Value, in_words: &mut Vec<InWords>) -> Value {
    let mut schema = schema.clone();
    text::drop_extensions(&mut schema);
    names::simplify(&mut schema);
    match vendor {
        Vendor::OpenAiResponses | Vendor::OpenAiChat => objects::add_items(&mut schema),
        Vendor::Gemini => gemini::rewrite(&mut schema, in_words),
        Vendor::Anthropic | Vendor::Bedrock => {}
    }
    schema
}

/// Rewrites a schema for a tool that may be strict. The result says the same, as far as the vendor's subset can say it.
pub(super) fn strict(vendor: Vendor, schema: &Value) -> Value {
    let mut schema = schema.clone();
    text::drop_extensions(&mut schema);
    text::drop_annotations(&mut schema);
    text::describe(&mut schema, "default");
    text::describe(&mut schema, "examples");
    names::simplify(&mut schema);
    objects::simplify_tuples(&mut schema);
    objects::add_items(&mut schema);
    unions::move_type_into_branches(&mut schema);
    unions::any_of(&mut schema);
    unions::add_types_of_values(&mut schema);
    objects::close(&mut schema);
    if vendor.is_open_ai() {
        optional::nullable(&mut schema);
        unions::wrap_references(&mut schema);
    } else {
        unions::split_types(&mut schema);
        unions::inline_references(&mut schema);
    }
    schema
}
