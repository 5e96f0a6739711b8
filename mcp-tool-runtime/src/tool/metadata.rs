//! What a dispatcher knows about a tool, apart from its definition.

#![allow(
    missing_docs,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "called by generated code alone, and hidden"
)]

use std::time::Duration;

use super::state::{Need, States};
use crate::Extensions;
use crate::arguments::aliases::Alias;

/// What the attribute knows about a tool, apart from its definition.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ToolMetadata {
    pub(crate) type_name: &'static str,
    pub(crate) hand_written_input: bool,
    pub(crate) hand_written_output: bool,
    pub(crate) root_union: bool,
    pub(crate) aliases: &'static [Alias],
    pub(crate) states: &'static [Need<States>],
    pub(crate) extensions: &'static [Need<Extensions>],
    /// The constraints on parameters: the published name of the parameter, and the name of the constraint in schemars.
    pub(crate) constraints: &'static [(&'static str, &'static str)],
    pub(crate) timeout: Option<Duration>,
}

impl ToolMetadata {
    pub(crate) const fn hand_written(type_name: &'static str) -> Self {
        Self {
            type_name,
            hand_written_input: true,
            hand_written_output: true,
            root_union: true,
            aliases: &[],
            states: &[],
            extensions: &[],
            constraints: &[],
            timeout: None,
        }
    }

    pub const fn derived(type_name: &'static str, root_union: bool, aliases: &'static [Alias]) -> Self {
        let metadata = Self::hand_written(type_name);
        Self { hand_written_input: false, hand_written_output: false, root_union, aliases, ..metadata }
    }

    pub const fn with_needs(
        mut self,
        states: &'static [Need<States>],
        extensions: &'static [Need<Extensions>],
    ) -> Self {
        self.states = states;
        self.extensions = extensions;
        self
    }

    pub const fn with_constraints(mut self, constraints: &'static [(&'static str, &'static str)]) -> Self {
        self.constraints = constraints;
        self
    }

    pub const fn with_timeout(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }

    pub const fn with_hand_written(mut self, input: bool, output: bool) -> Self {
        self.hand_written_input = input;
        self.hand_written_output = output;
        self
    }
}
