//! One tool in the dialect of one vendor.

use std::borrow::Cow;

use serde_json::Value;

use super::names::{ExportedName, names};
use super::schema::{self, InWords};
use crate::lint::check::problems;
use crate::lint::complexity::Complexity;
use crate::lint::limits::{Limit, Requirement, anthropic, bedrock, limits_of, openai};
use crate::lint::names::{listed, problem_of_name};
use crate::lint::{Client, Effect, ExportEffect, Finding, Reader, Severity};
use crate::{Vendor, mcp};

/// One tool in the dialect of a vendor.
#[derive(Debug, Clone)]
pub(super) struct Translation {
    /// The tool's own name.
    pub(super) tool: String,
    /// The name that the model uses.
    pub(super) name: String,
    /// The name of another tool that would have the same one.
    equal_to: Option<String>,
    pub(super) description: String,
    /// Example calls, for a vendor whose definitions have a field for them.
    pub(super) examples: Vec<Value>,
    /// The input schema without `strict`, or `None` if the vendor refuses the tool.
    pub(super) plain: Option<Value>,
    /// The input schema with `strict`, or `None` if the vendor's subset cannot express it.
    pub(super) strict: Option<(Value, Complexity)>,
    /// What is changed, and why the tool is left out.
    pub(super) findings: Vec<Finding>,
    /// Why the tool cannot be strict.
    pub(super) not_strict: Vec<Finding>,
}

/// Translates all tools.
pub(super) fn all(vendor: Vendor, tools: &[mcp::Tool]) -> Vec<Translation> {
    let limits = Limits::of(vendor);
    let names = names(&tools.iter().collect::<Vec<_>>(), &limits.plain);
    tools.iter().zip(names).map(|(tool, name)| translate(vendor, tool, name, &limits)).collect()
}

/// Selects the translations of the tools that a caller sees. A tool whose name depends on a hidden tool is translated anew.
pub(super) fn seen<'t>(
    vendor: Vendor,
    tools: &[&mcp::Tool],
    translations: Vec<&'t Translation>,
) -> Vec<Cow<'t, Translation>> {
    if translations.iter().all(|translation| translation.name == translation.tool) {
        return translations.into_iter().map(Cow::Borrowed).collect();
    }
    let limits = Limits::of(vendor);
    let names = names(tools, &limits.plain);
    let of_one = |((tool, name), known): ((&&mcp::Tool, ExportedName), &'t Translation)| {
        if name.name == known.name && name.equal_to == known.equal_to {
            Cow::Borrowed(known)
        } else {
            Cow::Owned(translate(vendor, tool, name, &limits))
        }
    };
    tools.iter().zip(names).zip(translations).map(of_one).collect()
}

struct Limits {
    plain: Vec<&'static Limit>,
    /// `None` if the vendor has no strict tools.
    strict: Option<Vec<&'static Limit>>,
}

impl Limits {
    fn of(vendor: Vendor) -> Self {
        Self { plain: plain_limits(vendor), strict: strict_limits(vendor) }
    }
}

/// Returns the limits of every tool.
pub(super) fn plain_limits(vendor: Vendor) -> Vec<&'static Limit> {
    match vendor {
        Vendor::OpenAiResponses | Vendor::OpenAiChat => limits_of(Client::OpenAi).collect(),
        Vendor::Anthropic => limits_of(Client::ClaudeApi).collect(),
        Vendor::Gemini => limits_of(Client::Gemini).collect(),
        Vendor::Bedrock => bedrock::LIMITS.iter().collect(),
    }
}

fn strict_limits(vendor: Vendor) -> Option<Vec<&'static Limit>> {
    let with = |more: &'static [Limit]| plain_limits(vendor).into_iter().chain(more).collect();
    match vendor {
        Vendor::OpenAiResponses | Vendor::OpenAiChat => {
            Some(limits_of(Client::OpenAiStrict).chain(openai::STRICT).collect())
        }
        Vendor::Anthropic => Some(with(anthropic::STRICT)),
        Vendor::Bedrock => Some(with(bedrock::STRICT)),
        Vendor::Gemini => None,
    }
}

fn translate(vendor: Vendor, tool: &mcp::Tool, exported: ExportedName, limits: &Limits) -> Translation {
    let ExportedName { name, equal_to } = exported;
    let mut findings = Vec::new();
    let finding = |limit: &Limit, effect: ExportEffect, place: String, problem: String| {
        finding(vendor, tool, limit, effect, place, problem)
    };
    let limit_of = |is_it: fn(&Requirement) -> bool| limits.plain.iter().find(move |limit| is_it(&limit.requirement));
    if let Some(limit) = limit_of(|requirement| matches!(requirement, Requirement::Name { .. }))
        && name != tool.name
    {
        let problem = match (&equal_to, &limit.requirement) {
            (Some(other), _) => format!("it would be the name of `{other}` too"),
            (None, Requirement::Name { also, most, .. }) => problem_of_name(&tool.name, also, *most)
                .unwrap_or_else(|| "it does not start with a letter or `_`".to_owned()),
            (None, _) => String::new(),
        };
        findings.push(finding(
            limit,
            ExportEffect::Renamed,
            "/name".to_owned(),
            format!("{problem}; it is `{name}` there"),
        ));
    }
    let mut description = tool.description.clone().unwrap_or_default();
    if let Some(limit) = limit_of(|requirement| matches!(requirement, Requirement::Description(_)))
        && let Requirement::Description(most) = limit.requirement
        && description.chars().count() > most
    {
        let length = description.chars().count();
        description = cut(&description, most);
        let problem = format!("it has {length} characters, and {most} are sent");
        findings.push(finding(limit, ExportEffect::Changed, "/description".to_owned(), problem));
    }

    let mut input = tool.input_schema.clone();
    let examples = match (vendor, input.as_object_mut()) {
        (Vendor::Anthropic, Some(keywords)) => keywords.shift_remove("examples"),
        _ => None,
    };
    let mut in_words = Vec::new();
    let plain = schema::plain(vendor, &input, &mut in_words);
    findings.extend(said_in_words(vendor, tool, &in_words, limits));
    let refused = refusals(&limits.plain, &name, &plain);
    let is_refused = !refused.is_empty();
    findings.extend(
        refused.into_iter().map(|(limit, place, problem)| finding(limit, ExportEffect::LeftOut, place, problem)),
    );

    let mut not_strict = Vec::new();
    let mut strict = None;
    if let (Some(limits), false) = (&limits.strict, is_refused) {
        let schema = schema::strict(vendor, &input);
        let refused = refusals(limits, &name, &schema);
        if refused.is_empty() {
            let complexity = Complexity::of(&schema);
            strict = Some((schema, complexity));
        }
        not_strict.extend(refused.into_iter().map(|(limit, place, problem)| Finding {
            help: "change the arguments if the tool should be strict",
            ..finding(limit, ExportEffect::NotStrict, place, problem)
        }));
    }
    Translation {
        tool: tool.name.clone(),
        name,
        equal_to,
        description,
        examples: match examples {
            Some(Value::Array(examples)) => examples,
            _ => Vec::new(),
        },
        plain: (!is_refused).then_some(plain),
        strict,
        findings,
        not_strict,
    }
}

/// Returns the first problem for each limit that the vendor enforces. Further places are named in the text.
fn refusals(limits: &[&'static Limit], name: &str, schema: &Value) -> Vec<(&'static Limit, String, String)> {
    let definition = mcp::Tool::new(name, "", schema.clone());
    let mut refusals: Vec<(&'static Limit, String, String)> = Vec::new();
    for limit in limits.iter().filter(|limit| limit.severity >= Severity::Refused) {
        let mut found = problems(limit, &definition).into_iter();
        let Some((place, mut problem)) = found.next() else { continue };
        let others: Vec<_> = found.map(|(place, _)| place).collect();
        if !others.is_empty() {
            let places: Vec<_> = others.iter().map(String::as_str).collect();
            problem = format!("{problem}, and the same at {}", listed(&places));
        }
        refusals.push((limit, place, problem));
    }
    refusals
}

pub(super) fn finding(
    vendor: Vendor,
    tool: &mcp::Tool,
    limit: &Limit,
    effect: ExportEffect,
    place: String,
    problem: String,
) -> Finding {
    Finding {
        reader: Reader::Vendor(vendor),
        tool: Some(tool.name.clone()),
        effect: Effect::Exported(effect),
        rule: limit.rule,
        severity: match effect {
            ExportEffect::LeftOut => Severity::Refused,
            ExportEffect::NotStrict | ExportEffect::Changed => Severity::Lost,
            ExportEffect::Renamed => Severity::Advice,
        },
        place,
        problem,
        help: limit.help,
        source: limit.source,
        date: limit.date,
    }
}

/// Reports the constraints that only the descriptions mention.
fn said_in_words(vendor: Vendor, tool: &mcp::Tool, in_words: &[InWords], limits: &Limits) -> Option<Finding> {
    let (first, _) = in_words.first()?;
    let places: Vec<_> = in_words.iter().map(|(place, keyword)| format!("{keyword} of {place}")).collect();
    let places: Vec<_> = places.iter().map(String::as_str).collect();
    let limit = limits.plain.iter().find(|limit| matches!(limit.requirement, Requirement::WithoutKeywords(_)))?;
    let problem = format!("only the descriptions mention {}", listed(&places));
    let finding = finding(vendor, tool, limit, ExportEffect::Changed, format!("/inputSchema{first}"), problem);
    Some(Finding { help: "the dispatcher still enforces it; say in the description what is expected", ..finding })
}

/// Cuts a text at the end of a word, if there is one near the limit.
fn cut(text: &str, most: usize) -> String {
    let kept: String = text.chars().take(most - 1).collect();
    let at = kept.rfind(char::is_whitespace).filter(|at| *at > kept.len() / 2).unwrap_or(kept.len());
    format!("{}…", kept[..at].trim_end())
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_text_is_cut_between_words() {
        assert_eq!(cut("one two three", 10), "one two…");
        assert_eq!(cut(&"x".repeat(20), 10), format!("{}…", "x".repeat(9)));
        assert_eq!(cut("ääääääääääää", 5).chars().count(), 5);
    }
}
