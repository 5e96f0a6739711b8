//! Rewrites an input schema into the dialect of a vendor.
//!
//! No step accepts more values than the schema before it, except for the constraints that are reported as [`Unstated`]. The limits
//! of the vendor are checked afterwards, in [`checks::lint`](crate::lint).
//!
//! - [`text`] moves keywords into descriptions, [`names`] renames definitions, [`objects`] closes objects.
//! - [`unions`] rewrites unions and types, [`references`] wraps or inlines references, [`optional`] makes optional properties nullable.
//! - [`draft_7`] writes old keywords in the new way.
//! - [`gemini`] has the steps of one vendor alone.

mod draft_7;
mod gemini;
mod names;
mod objects;
mod optional;
mod references;
mod text;
mod unions;

pub(super) use names::Renamed;
use serde_json::Value;

use crate::Vendor;

/// A constraint that the rewritten schema does not state: a JSON pointer into the schema, and the keyword.
pub(super) type Unstated = (String, String);

/// A schema in the dialect 2020-12, without what no vendor reads.
pub(super) struct Prepared {
    pub(super) schema: Value,
    /// The names of definitions before they were renamed.
    pub(super) renamed: Renamed,
    /// The author wrote the schema. The handler then receives what an open object does not list.
    pub(super) is_hand_written: bool,
    /// There were examples that nothing has checked.
    pub(super) lost_examples: bool,
}

/// Prepares a schema for [`plain`] and [`strict`].
pub(super) fn prepare(schema: &Value, is_hand_written: bool) -> Prepared {
    let mut schema = schema.clone();
    // What no vendor reads: keywords for programs, and the dialect.
    let is_for_programs =
        |keyword: &str| keyword.starts_with("x-") || matches!(keyword, "$schema" | "$comment" | "discriminator");
    text::drop_keywords(&mut schema, is_for_programs);
    let lost_examples = is_hand_written && text::drop_keywords(&mut schema, |keyword| keyword == "examples");
    if is_hand_written {
        draft_7::upgrade(&mut schema);
    }
    let renamed = names::simplify(&mut schema);
    objects::replace_booleans(&mut schema);
    Prepared { schema, renamed, is_hand_written, lost_examples }
}

/// Rewrites a schema for a tool that is not strict. Adds the constraints that are lost to `unstated`.
pub(super) fn plain(vendor: Vendor, prepared: &Prepared, unstated: &mut Vec<Unstated>) -> Value {
    let mut schema = prepared.schema.clone();
    if vendor == Vendor::Gemini {
        gemini::say_in_words(&mut schema, "", unstated);
    }
    objects::add_required(&mut schema);
    objects::add_properties(&mut schema, vendor.is_open_ai());
    match vendor {
        Vendor::OpenAiResponses | Vendor::OpenAiChat => objects::add_items(&mut schema),
        Vendor::Gemini => gemini::rewrite(&mut schema),
        Vendor::Anthropic | Vendor::Bedrock => {}
    }
    schema
}

/// Rewrites a schema for a tool that may be strict. The result says the same, as far as the vendor's subset can say it.
pub(super) fn strict(vendor: Vendor, prepared: &Prepared) -> Value {
    let mut schema = prepared.schema.clone();
    text::drop_keywords(&mut schema, |keyword| text::ANNOTATIONS.contains(&keyword));
    text::describe(&mut schema, "default");
    text::describe(&mut schema, "examples");
    objects::simplify_tuples(&mut schema);
    objects::add_items(&mut schema);
    unions::move_type_into_branches(&mut schema);
    unions::any_of(&mut schema);
    unions::add_types_of_values(&mut schema);
    objects::close(&mut schema, prepared.is_hand_written);
    objects::add_properties(&mut schema, vendor.is_open_ai());
    if vendor.is_open_ai() {
        optional::nullable(&mut schema);
        references::wrap(&mut schema);
    } else {
        unions::split_types(&mut schema);
        references::inline_described(&mut schema);
    }
    schema
}
