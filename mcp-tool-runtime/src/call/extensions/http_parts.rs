//! The values of an HTTP request: its parts, its headers, and its extensions.

use std::any::Any;

use ::http::request::Parts;

pub(super) fn get<T: Send + Sync + 'static>(parts: &Parts) -> Option<&T> {
    let parts_and_headers: [&dyn Any; 2] = [parts, &parts.headers];
    parts_and_headers.into_iter().find_map(<dyn Any>::downcast_ref).or_else(|| parts.extensions.get())
}

pub(super) fn count(parts: &Parts) -> usize {
    2 + parts.extensions.len()
}
