//! The tags or the scopes of a tool.

use std::ops::Deref;
use std::sync::Arc;

/// The tags or the scopes of a tool: a list of strings without duplicates, in the order in which they were written.
///
/// ```
/// # use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions};
/// # /// Place an order.
/// # #[mcp_tool(tags("trade", "beta"))]
/// # async fn place_order(share: String) -> String {
/// #     share
/// # }
/// # Dispatcher::builder().tools(tools![place_order]).visible(|tool, _| {
/// let tags = tool.tags();
/// assert!(tags.contains("beta"));
/// assert_eq!(tags.join(" "), "trade beta");
/// assert!(tags.iter().any(|tag| tag == "trade"));
/// # true
/// # }).build()?.seen_by(&Extensions::new());
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Labels(Arc<[String]>);

impl Labels {
    /// Returns `true` if this label is in the list.
    #[must_use]
    pub fn contains(&self, label: impl AsRef<str>) -> bool {
        self.0.iter().any(|known| known == label.as_ref())
    }

    /// Adds a label, unless it is in the list.
    pub(crate) fn add(&mut self, label: impl Into<String>) {
        let label = label.into();
        if !self.contains(&label) {
            self.0 = self.0.iter().cloned().chain([label]).collect();
        }
    }
}

impl Deref for Labels {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl<'l> IntoIterator for &'l Labels {
    type Item = &'l String;
    type IntoIter = std::slice::Iter<'l, String>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'l> FromIterator<&'l str> for Labels {
    fn from_iter<I: IntoIterator<Item = &'l str>>(labels: I) -> Self {
        let mut list = Self::default();
        labels.into_iter().for_each(|label| list.add(label));
        list
    }
}
