//! Translates one tool into the dialect of a vendor.

use std::collections::HashSet;
use std::sync::OnceLock;

use serde_json::Value;

use super::schema::{self, Renamed, Unstated};
use crate::dispatcher::ToolEntry;
use crate::json::path::{escape_token, unescape_token};
use crate::lint::check::{INPUT, describes_null, nodes, problems};
use crate::lint::complexity::Complexity;
use crate::lint::limits::{Alphabet, Limit, Requirement, anthropic, bedrock, gemini, limits_of, listed, openai};
use crate::lint::{Client, Effect, Finding, Reader, Severity};
use crate::schema::normalise::{NullablePlace, set_nullable};
use crate::schema::walk;
use crate::{Dispatcher, export::Vendor, mcp};

/// Returns the tools, translated for a vendor. The first export for that vendor translates them.
pub(super) fn translations(vendor: Vendor, dispatcher: &Dispatcher) -> &[Translation] {
    type Translations = [OnceLock<Vec<Translation>>; Vendor::ALL.len()];
    let all = || {
        let tools = dispatcher.entries().iter().zip(dispatcher.list_all());
        tools.map(|(entry, tool)| translate(vendor, tool, entry)).collect()
    };
    let translated = dispatcher.translated::<Translations>();
    translated.map_or(&[], |all_vendors| all_vendors[vendor as usize].get_or_init(all))
}

/// One tool in the dialect of a vendor, without the name, which depends on the other tools that a caller sees.
#[derive(Debug)]
pub(super) struct Translation {
    /// The tool's own name.
    pub(super) tool: String,
    /// Example calls, if there are any and the vendor has a field for them.
    pub(super) examples: Option<Value>,
    /// The input schema without `strict`, or `None` if the vendor refuses the tool.
    pub(super) plain: Option<Value>,
    /// The input schema with `strict`, and its complexity. `None` if the tool cannot be strict for this vendor.
    pub(super) strict: Option<(Value, Complexity)>,
    /// The findings that say what was changed, or why the tool is left out.
    pub(super) findings: Vec<Finding>,
    /// A finding for each limit of strict tools that this tool violates.
    pub(super) not_strict: Vec<Finding>,
}

/// Returns the limits for all tools, strict or not.
pub(super) fn plain_limits(vendor: Vendor) -> Vec<&'static Limit> {
    match vendor {
        Vendor::OpenAiResponses | Vendor::OpenAiChat => limits_of(Client::OpenAi).chain(openai::EXPORTED).collect(),
        Vendor::Anthropic => limits_of(Client::ClaudeApi).chain(anthropic::EXPORTED).collect(),
        Vendor::Gemini => limits_of(Client::Gemini).chain(gemini::EXPORTED).collect(),
        Vendor::Bedrock => bedrock::LIMITS.iter().collect(),
    }
}

/// Returns the limits for strict tools, or `None` if the vendor has no `strict`.
fn strict_limits(vendor: Vendor) -> Option<Vec<&'static Limit>> {
    match vendor {
        Vendor::OpenAiResponses | Vendor::OpenAiChat => {
            Some(limits_of(Client::OpenAiStrict).chain(openai::EXPORTED_STRICT).collect())
        }
        Vendor::Anthropic => Some(plain_limits(vendor).into_iter().chain(anthropic::STRICT).collect()),
        Vendor::Bedrock => Some(plain_limits(vendor).into_iter().chain(bedrock::STRICT).collect()),
        Vendor::Gemini => None,
    }
}

/// Returns the limit for names, and the alphabet of the accepted names. Every vendor has such a limit.
pub(super) fn limit_of_names(vendor: Vendor) -> (&'static Limit, Alphabet) {
    let mut limits = plain_limits(vendor).into_iter();
    let found = limits.find_map(|limit| match limit.requirement {
        Requirement::Name(alphabet) => Some((limit, alphabet)),
        _ => None,
    });
    found.unwrap_or((&bedrock::LIMITS[0], Alphabet::new("_-", 64)))
}

fn translate(vendor: Vendor, tool: &mcp::Tool, entry: &ToolEntry) -> Translation {
    let mut findings = Vec::new();
    let mut prepared = schema::prepare(with_nullable(tool, &entry.nullable), !entry.metadata.has_derived_input);
    if prepared.lost_examples {
        // Vendors may refuse invalid examples, and `build` checks only the examples of derived schemas.
        let problem = "its `examples` are not sent, because nothing checks the examples of a hand-written schema";
        let (rule, help) = (("unchecked-examples", Severity::Advice), "write them into the descriptions");
        let place = INPUT.to_owned();
        let finding = Finding::new(Reader::Vendor(vendor), &tool.name, rule, place, problem, help);
        findings.push(Finding { effect: Effect::Changed, ..finding });
    }
    let examples = match (vendor, prepared.schema.as_object_mut()) {
        (Vendor::Anthropic, Some(keywords)) => keywords.shift_remove("examples"),
        _ => None,
    };
    let schemas = nodes(&tool.input_schema, INPUT).into_iter().map(|node| node.pointer).collect();
    let reporter = Reporter { vendor, tool, renamed: &prepared.renamed, schemas };
    let mut unstated = Vec::new();
    let plain = schema::plain(vendor, &prepared, &mut unstated);
    findings.extend(reporter.said_elsewhere(&unstated));
    let refusals = reporter.refusals(&plain_limits(vendor), &plain, Effect::LeftOut);
    let is_refused = !refusals.is_empty();
    findings.extend(refusals);

    let (mut not_strict, mut strict) = (Vec::new(), None);
    if let (Some(limits), false) = (strict_limits(vendor), is_refused) {
        let schema = schema::strict(vendor, &prepared);
        not_strict = reporter.refusals(&limits, &schema, Effect::NotStrict);
        if not_strict.is_empty() {
            let complexity = Complexity::of(&schema);
            strict = Some((schema, complexity));
        }
    }
    Translation {
        tool: tool.name.clone(),
        examples: examples.filter(|examples| examples.get(0).is_some()),
        plain: (!is_refused).then_some(plain),
        strict,
        findings,
        not_strict,
    }
}

/// Returns the input schema with marks for the nullable properties. A mark says whether the property's `null` certainly
/// means absence. If any description in the schema mentions `null`, every mark says that this is not certain.
fn with_nullable(tool: &mcp::Tool, nullable: &[NullablePlace]) -> Value {
    let mut schema = tool.input_schema.clone();
    let is_described = walk::any(&schema, describes_null);
    let nullable: Vec<_> = nullable.iter().cloned().map(|(at, is_absence)| (at, is_absence && !is_described)).collect();
    set_nullable(&mut schema, &nullable, true);
    schema
}

/// Writes the findings about one tool.
struct Reporter<'t> {
    vendor: Vendor,
    tool: &'t mcp::Tool,
    renamed: &'t Renamed,
    /// The pointers of all subschemas of the author's schema. A place in the rewritten schema is traced back to one of
    /// them.
    schemas: HashSet<String>,
}

impl Reporter<'_> {
    fn finding(&self, limit: &Limit, effect: Effect, place: String, problem: String) -> Finding {
        Finding::of_limit(limit, Reader::Vendor(self.vendor), &self.tool.name, place, problem).with_effect(effect)
    }

    /// Returns a finding for each violated limit that the vendor enforces. Each finding is about the first place that
    /// violates the limit, and lists the others.
    fn refusals(&self, limits: &[&'static Limit], schema: &Value, effect: Effect) -> Vec<Finding> {
        let definition = mcp::Tool::new("name", "", schema.clone());
        let mut refusals = Vec::new();
        for limit in limits.iter().filter(|limit| limit.severity >= Severity::Refused) {
            let found = problems(limit, &definition);
            let Some((_, mut problem)) = found.first().cloned() else { continue };
            let mut found: Vec<_> = found.iter().map(|(place, _)| self.place_of(place)).collect();
            let place = found.remove(0);
            found.retain(|other| *other != place);
            found.dedup();
            if !found.is_empty() {
                problem = format!("{problem}, and the same at {}", listed(&found));
            }
            let help = match (effect, &limit.requirement) {
                (Effect::NotStrict, Requirement::AllPropertiesRequired) => {
                    "a strict call sends `null` for what it leaves out, and here `null` may have a meaning of its own: \
                     if it clears a field, keep it so; for a plain `Option`, remove `#[serde(default)]` from the field or its \
                     struct, and speak of no `null` in the descriptions"
                }
                (Effect::NotStrict, _) => "change the arguments if the tool should be strict",
                _ => limit.help,
            };
            refusals.push(Finding { help, ..self.finding(limit, effect, place, problem) });
        }
        refusals
    }

    /// Returns one finding about all constraints that only the descriptions mention, or `None` if there are no such
    /// constraints.
    fn said_elsewhere(&self, unstated: &[Unstated]) -> Option<Finding> {
        let (first, _) = unstated.first()?;
        let named = |(place, keyword): &Unstated| match place.as_str() {
            "" => keyword.clone(),
            place => format!("{keyword} of {place}"),
        };
        let all: Vec<_> = unstated.iter().map(named).collect();
        let place = self.place_of(&format!("{INPUT}{first}"));
        let problem = format!("only the descriptions mention {}", listed(&all));
        let help = "the dispatcher still enforces limits; say in the description what is expected";
        Some(Finding { help, ..self.finding(&gemini::SUBSET, Effect::Changed, place, problem) })
    }

    /// Shortens a pointer into the rewritten schema until it leads to a subschema of the author's schema. Before that,
    /// gives a renamed definition its old name again.
    fn place_of(&self, place: &str) -> String {
        let Some(rest) = place.strip_prefix(INPUT) else { return place.to_owned() };
        let mut tokens: Vec<_> = rest.split('/').collect();
        let own_name = match tokens.as_slice() {
            [_, "$defs", name, ..] => self.renamed.get(&*unescape_token(name)).map(|name| escape_token(name)),
            _ => None,
        };
        if let Some(name) = &own_name {
            tokens[2] = name;
        }
        let mut starts = (1..=tokens.len()).rev().map(|count| format!("{INPUT}{}", tokens[..count].join("/")));
        starts.find(|start| self.schemas.contains(start)).unwrap_or_else(|| INPUT.to_owned())
    }
}
