//! Stands in for keys and digests without the feature `ask`. `build` then refuses every tool that asks, so no state is
//! ever signed or compared.

use std::time::Duration;

use serde_json::Value;

use super::{Binding, Progress, Ticket};

/// A digest that equals no digest, not even itself, so an answer that needs a digest never counts.
#[derive(Debug, Clone, Copy, serde::Serialize)]
pub(crate) struct Digest;

impl Digest {
    pub(crate) fn of_value(_: &str, _: &Value) -> Self {
        Self
    }

    pub(crate) fn of_parts(_: &str, _: &[&[u8]]) -> Self {
        Self
    }

    pub(crate) fn of_question(_: &str, _: &Self) -> Self {
        Self
    }
}

impl PartialEq for Digest {
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

/// A type without values, because nothing can be signed without the feature `ask`.
#[derive(Debug, Clone)]
pub(crate) enum Keys {}

impl Keys {
    pub(crate) fn random() -> Result<Self, String> {
        Err("a tool asks its user, which needs the feature `ask` of `mcp-tool-runtime`".to_owned())
    }

    pub(crate) fn issue(&self, _: Duration, _: &Digest) -> Ticket {
        match *self {}
    }

    pub(crate) fn accept(&self, _: &Ticket, _: &Digest) -> bool {
        match *self {}
    }
}

pub(crate) fn seal(keys: &Keys, _: Duration, _: &Binding, _: Progress) -> Option<String> {
    match *keys {}
}

pub(crate) fn open(keys: &Keys, _: &str, _: &Binding) -> Result<Progress, &'static str> {
    match *keys {}
}

#[cfg(test)]
mod tests {
    use crate::{Consent, Dispatcher, mcp_tool, tools};

    /// Delete a note.
    #[mcp_tool]
    async fn delete_note(id: u32, #[mcp_tool(ask = "Delete note {id}?")] _sure: Consent) -> u32 {
        id
    }

    #[test]
    fn build_refuses_a_tool_that_asks() {
        let error = Dispatcher::builder().tools(tools![delete_note]).build().expect_err("the feature is missing");
        let message = "a tool asks its user, which needs the feature `ask` of `mcp-tool-runtime`";
        assert!(error.to_string().contains(message), "{error}");
    }
}
