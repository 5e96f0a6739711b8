//! What a type lets see of itself where it asks for a value.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;
use std::sync::{Mutex, PoisonError};

/// Stands in a document in place of a value, and notes what the type does with it: the names that it knows there, and
/// which of them is the same as which.
#[derive(Debug, Default)]
pub(crate) struct Question {
    /// A text that stands there; without one nothing does.
    text: Option<String>,
    answer: Mutex<Answer>,
}

#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Answer {
    /// The members of a struct, or the variants of an enum: all their names, aliases among them.
    pub(super) names: Option<&'static [&'static str]>,
    /// Equal for two names of the same member or variant.
    pub(super) key: Option<u64>,
}

impl Question {
    pub(super) fn of_text(text: &str) -> Self {
        Self { text: Some(text.to_owned()), ..Self::default() }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    pub(super) fn answer(&self) -> Answer {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cold]
    pub(crate) fn note_names(&self, names: &'static [&'static str]) {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).names = Some(names);
    }

    /// Notes what a name was read as. Generated code reads it as an enum with a variant for each member.
    #[cold]
    pub(crate) fn note_key<K>(&self, key: &K) {
        let mut hasher = DefaultHasher::new();
        mem::discriminant(key).hash(&mut hasher);
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).key = Some(hasher.finish());
    }
}

/// Two questions are never the same.
impl PartialEq for Question {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}
