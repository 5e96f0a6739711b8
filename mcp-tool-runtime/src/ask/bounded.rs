//! An asker for many calls: it limits the number of open questions.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Asker, Question, Reply};
use crate::BoxFuture;

/// The number of questions that can be open at once. A further one is [`Reply::Unavailable`]: nobody reads so many.
const MAX_OPEN: usize = 500;

pub(crate) struct BoundedAsker<A> {
    asker: A,
    open: AtomicUsize,
}

impl<A> BoundedAsker<A> {
    pub(crate) fn new(asker: A) -> Self {
        Self { asker, open: AtomicUsize::new(0) }
    }
}

impl<A: Asker> Asker for BoundedAsker<A> {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply> {
        /// Closes a question when it is dropped.
        struct Open<'a>(&'a AtomicUsize);
        impl Drop for Open<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::AcqRel);
            }
        }
        Box::pin(async {
            let before = self.open.fetch_add(1, Ordering::AcqRel);
            let _open = Open(&self.open);
            if before < MAX_OPEN { self.asker.ask(question).await } else { Reply::Unavailable }
        })
    }

    fn is_scripted(&self) -> bool {
        self.asker.is_scripted()
    }
}
