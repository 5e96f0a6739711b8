//! Takes the place of what a transport attaches, without the feature of that transport.

#[derive(Clone, Default)]
pub(super) struct Carried;

#[expect(clippy::unused_self, reason = "the signatures are those of `http_request` and `sdk_context`")]
impl Carried {
    pub(super) const NONE: Self = Self;

    pub(super) fn get<T>(&self) -> Option<&T> {
        None
    }

    pub(super) fn count(&self) -> usize {
        0
    }
}
