//! Which callers see which tools of a dispatcher: the rules of each tool, prepared for lists.
//!
//! A list asks the rules about every tool. So what rules know about the tools is one array, apart from the entries.

use std::ops::Range;
use std::sync::Arc;

use std::collections::HashSet;

use crate::tool::info::{Labels, ToolInfo};
use crate::tool::metadata::ToolMetadata;
use crate::tool::selection::Selection;
use crate::tool::visibility::{NamedRule, Rule, scope_error};
use crate::{Extensions, mcp};

pub(super) struct VisibilityRules {
    /// An element for each tool, in the order of registration.
    tools: Box<[ToolInfo]>,
    /// In the order of their tools; together they have all tools.
    groups: Box<[Group]>,
    has_rules: bool,
}

/// Neighbouring tools with the same rules.
struct Group {
    tools: Range<usize>,
    /// A tool is visible to a caller if all rules hold.
    rules: Box<[GroupRule]>,
}

/// A rule of a group.
struct GroupRule {
    rule: Arc<Rule>,
    /// The tools of the group with the names that the rule sees. `None` if those are the names that clients see.
    known: Option<Box<[ToolInfo]>>,
}

impl VisibilityRules {
    pub(super) fn new(definitions: &[mcp::Tool], metadata: &[ToolMetadata]) -> Self {
        let mut known = HashSet::new();
        let tools = definitions.iter().zip(metadata).map(|(tool, metadata)| ToolInfo {
            name: tool.name.as_str().into(),
            tags: share(&metadata.tags, &mut known),
            scopes: share(&metadata.scopes, &mut known),
            annotations: tool.annotations.clone().unwrap_or_default(),
        });
        let tools: Box<[_]> = tools.collect();
        let have_same_rules = |one: &ToolMetadata, other: &ToolMetadata| {
            one.rules.len() == other.rules.len() && one.rules.iter().zip(&other.rules).all(|(a, b)| a.is_same(b))
        };
        let mut start = 0;
        let groups = metadata.chunk_by(have_same_rules).map(|group| {
            let range = start..start + group.len();
            start = range.end;
            let with_tools = |rule: &NamedRule| GroupRule {
                rule: Arc::clone(&rule.rule),
                known: rule.known_tools(&tools[range.clone()]),
            };
            let rules = group[0].rules.iter().map(with_tools).collect();
            Group { tools: range, rules }
        });
        let groups: Box<[_]> = groups.collect();
        let has_rules = groups.iter().any(|group| !group.rules.is_empty());
        Self { tools, groups, has_rules }
    }

    /// Returns what rules know about each tool.
    pub(super) fn tools(&self) -> &[ToolInfo] {
        &self.tools
    }

    /// Returns `true` if a tool has a rule, so that lists differ between callers.
    pub(super) fn has_rules(&self) -> bool {
        self.has_rules
    }

    /// Returns the rules of a tool, each with what it knows about the tool.
    fn rules_of(&self, tool: usize) -> impl Iterator<Item = (&Rule, &ToolInfo)> {
        let Group { tools, rules } = &self.groups[self.groups.partition_point(|group| group.tools.end <= tool)];
        rules.iter().map(move |GroupRule { rule, known }| {
            (&**rule, known.as_ref().map_or(&self.tools[tool], |known| &known[tool - tools.start]))
        })
    }

    /// Returns `true` if a rule of the tool checks scopes, and the number of its other rules.
    pub(super) fn count_rules(&self, tool: usize) -> (bool, usize) {
        let (about_scopes, others): (Vec<_>, Vec<_>) =
            self.rules_of(tool).partition(|(rule, _)| rule.is_about_scopes());
        (!about_scopes.is_empty(), others.len())
    }

    /// Returns `true` if a caller with these extensions sees the tool.
    #[inline]
    pub(super) fn shows(&self, tool: usize, extensions: &Extensions) -> bool {
        !self.has_rules || self.rules_of(tool).all(|(rule, known)| rule.holds(known, extensions))
    }

    /// Returns `true` if nothing but scopes hides the tool from a caller with these extensions.
    #[cfg(feature = "http")]
    pub(super) fn lacks_only_scopes(&self, tool: usize, extensions: &Extensions) -> bool {
        let mut lacks_scopes = false;
        for (rule, _) in self.rules_of(tool).filter(|(rule, known)| !rule.holds(known, extensions)) {
            if !rule.is_about_scopes() {
                return false;
            }
            lacks_scopes = true;
        }
        lacks_scopes
    }

    /// Returns the tools that a caller with these extensions sees.
    pub(super) fn visible(&self, extensions: &Extensions) -> Selection {
        self.visible_but(None, extensions)
    }

    /// Does the same, but calls no rule for one tool that is known to be hidden.
    pub(super) fn visible_but(&self, hidden: Option<usize>, extensions: &Extensions) -> Selection {
        let mut visible = Selection::all(self.tools.len());
        if let Some(hidden) = hidden {
            visible.remove(hidden);
        }
        self.select(extensions, &mut visible, |_| true);
        visible
    }

    /// Returns the tools that a caller with these extensions would see with all their scopes.
    pub(super) fn visible_with_scopes(&self, extensions: &Extensions) -> Selection {
        let mut visible = Selection::all(self.tools.len());
        self.select(extensions, &mut visible, |rule| !rule.is_about_scopes());
        visible
    }

    fn select(&self, extensions: &Extensions, visible: &mut Selection, counts: impl Fn(&Rule) -> bool) {
        for Group { tools, rules } in &self.groups {
            for GroupRule { rule, known } in rules.iter().filter(|rule| counts(&rule.rule)) {
                let known = known.as_deref().unwrap_or(&self.tools[tools.clone()]);
                rule.select(known, extensions, visible, tools.start);
            }
        }
    }
}

/// Returns a clone of the first list that is equal, so that equal lists are in one place in memory.
fn share(labels: &Labels, known: &mut HashSet<Labels>) -> Labels {
    if let Some(first) = known.get(labels) {
        return first.clone();
    }
    known.insert(labels.clone());
    labels.clone()
}

/// Returns what is wrong with the scopes of a tool.
pub(super) fn errors(metadata: &ToolMetadata) -> Vec<String> {
    let ToolMetadata { scopes, rules, .. } = metadata;
    let mut errors: Vec<_> = scopes.iter().filter_map(|scope| scope_error(scope)).collect();
    if let (Some(scope), []) = (scopes.first(), rules.as_slice()) {
        errors.push(format!(
            "it has the scope `{scope}`, and no rule checks scopes: add `.visible_by_scopes::<…>()` to the builder, or a rule of \
             your own with `.visible(…)`"
        ));
    }
    errors
}
