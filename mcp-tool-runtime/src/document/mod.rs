//! JSON as it arrives and leaves: a document read from bytes, the positions in it, and the writer of results.

pub(crate) mod fault;
pub(crate) mod json_text;
pub(crate) mod kept;
pub(crate) mod nearest;
pub(crate) mod number;
pub(crate) mod path;
pub(crate) mod quick_hash;
pub(crate) mod read;
pub(crate) mod tape;
