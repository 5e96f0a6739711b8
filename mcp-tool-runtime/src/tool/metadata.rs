//! What a dispatcher knows about a tool, apart from its definition.

#![allow(
    missing_docs,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "called by generated code alone, and hidden"
)]

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use super::adapter::FixedArgument;
use crate::arguments::aliases::Alias;
use crate::arguments::parameters::DecodeCheck;
use crate::ask::question::QuestionSpec;
use crate::call::shared_state::{Need, States};
use crate::listing::info::Labels;
use crate::listing::rules::NamedRule;
use crate::{Extensions, Layer};

/// A parameter and the function that names its type.
type ArgumentType = (&'static str, fn() -> &'static str);

/// What the attribute knows about a tool, apart from its definition.
#[derive(Debug, Clone)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the attribute")]
pub struct ToolMetadata {
    pub(crate) type_name: &'static str,
    pub(crate) hand_written_input: bool,
    pub(crate) hand_written_output: bool,
    pub(crate) root_union: bool,
    pub(crate) aliases: Cow<'static, [Alias]>,
    pub(crate) states: &'static [Need<States>],
    pub(crate) extensions: &'static [Need<Extensions>],
    /// The constraints on parameters: the published name of the parameter, and the name of the constraint in schemars.
    pub(crate) constraints: Cow<'static, [(&'static str, &'static str)]>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) tags: Labels,
    pub(crate) scopes: Labels,
    /// The layers around this tool only, the outermost first.
    pub(crate) layers: Vec<Arc<dyn Layer>>,
    /// The rules that came with the tool from a merged builder.
    pub(crate) rules: Vec<NamedRule>,
    /// The arguments that a shape has fixed.
    pub(crate) fixed: Vec<FixedArgument>,
    /// What is wrong with the shape of the tool.
    pub(crate) shape_errors: Vec<String>,
    /// The structured value is sent without a text.
    pub(crate) text_off: bool,
    pub(crate) questions: Vec<QuestionSpec>,
    /// Reads arguments into the type and drops them. Only `lint` calls it.
    pub(crate) decode_check: Option<DecodeCheck>,
    /// The arguments whose types are not written as types of the standard library, with the names of the types.
    pub(crate) argument_types: &'static [ArgumentType],
    /// The type of a result that is sent as a structured value.
    pub(crate) result_type: Option<&'static str>,
    /// The type of an error whose text no model reads.
    pub(crate) masked_error_type: Option<&'static str>,
}

impl ToolMetadata {
    pub(crate) fn hand_written(type_name: &'static str) -> Self {
        Self {
            type_name,
            hand_written_input: true,
            hand_written_output: true,
            root_union: true,
            aliases: Cow::Borrowed(&[]),
            states: &[],
            extensions: &[],
            constraints: Cow::Borrowed(&[]),
            timeout: None,
            tags: Labels::default(),
            scopes: Labels::default(),
            layers: Vec::new(),
            rules: Vec::new(),
            fixed: Vec::new(),
            shape_errors: Vec::new(),
            text_off: false,
            questions: Vec::new(),
            decode_check: None,
            argument_types: &[],
            result_type: None,
            masked_error_type: None,
        }
    }

    pub fn derived(type_name: &'static str, root_union: bool, aliases: &'static [Alias]) -> Self {
        let metadata = Self::hand_written(type_name);
        let aliases = Cow::Borrowed(aliases);
        Self { hand_written_input: false, hand_written_output: false, root_union, aliases, ..metadata }
    }

    pub fn with_needs(mut self, states: &'static [Need<States>], extensions: &'static [Need<Extensions>]) -> Self {
        self.states = states;
        self.extensions = extensions;
        self
    }

    pub fn with_constraints(mut self, constraints: &'static [(&'static str, &'static str)]) -> Self {
        self.constraints = Cow::Borrowed(constraints);
        self
    }

    pub fn with_argument_types(mut self, types: &'static [ArgumentType]) -> Self {
        self.argument_types = types;
        self
    }

    pub fn with_result_types(mut self, (result, masked_error): (Option<&'static str>, Option<&'static str>)) -> Self {
        self.result_type = result;
        self.masked_error_type = masked_error;
        self
    }

    pub fn with_decode_check(mut self, decode_check: DecodeCheck) -> Self {
        self.decode_check = Some(decode_check);
        self
    }

    pub fn with_timeout(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }

    pub fn with_tags_and_scopes(mut self, tags: &[&str], scopes: &[&str]) -> Self {
        self.tags = tags.iter().copied().collect();
        self.scopes = scopes.iter().copied().collect();
        self
    }

    pub const fn with_text_off(mut self) -> Self {
        self.text_off = true;
        self
    }

    pub fn with_questions<const N: usize>(mut self, questions: [QuestionSpec; N]) -> Self {
        self.questions = Vec::from(questions);
        self
    }

    pub fn with_hand_written(mut self, input: bool, output: bool) -> Self {
        self.hand_written_input = input;
        self.hand_written_output = output;
        self
    }
}
