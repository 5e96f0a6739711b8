//! An output of which the dispatcher sends as much as fits.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use super::page::Page;
use crate::output::value::Body;
use crate::{Content, ToolError};

/// Makes one page.
pub(crate) trait Finish: Send {
    fn finish<'a>(self: Box<Self>, page: &'a Page<'a>) -> Finishing<'a>;
}

pub(crate) type Finishing<'a> = Pin<Box<dyn Future<Output = Result<Finished, ToolError>> + Send + 'a>>;

/// A page.
pub(crate) struct Finished {
    pub(crate) body: Body,
    pub(crate) content: Vec<Content>,
    pub(crate) next_cursor: Option<String>,
    /// The text of the key `text`.
    pub(crate) text: Option<String>,
}

/// A list or a text before it is cut. Outputs can be cloned, and the first clone that is finished takes it.
#[derive(Clone)]
pub(crate) struct Unfinished(Arc<Mutex<Option<Box<dyn Finish>>>>);

impl Unfinished {
    pub(crate) fn new(finish: impl Finish + 'static) -> Self {
        Self(Arc::new(Mutex::new(Some(Box::new(finish)))))
    }

    pub(crate) fn take(&self) -> Option<Box<dyn Finish>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Debug for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unfinished")
    }
}
