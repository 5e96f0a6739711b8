//! What an export does about a problem of a tool.

use std::fmt;

/// What an export does. It becomes the beginning of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExportEffect {
    LeftOut,
    NotStrict,
    Renamed,
    /// The exported definition lacks a part of the tool's definition, or has that part only in a description.
    Changed,
}

impl ExportEffect {
    pub(crate) fn write(self, f: &mut fmt::Formatter<'_>, vendor: &str, tool: &str) -> fmt::Result {
        match self {
            Self::LeftOut => write!(f, "{tool} is not sent to {vendor}"),
            Self::NotStrict => write!(f, "{tool} is sent to {vendor} without `strict`"),
            Self::Renamed => write!(f, "{tool} is sent to {vendor} under another name"),
            Self::Changed => write!(f, "the definition of {tool} is changed for {vendor}"),
        }
    }
}
