//! The tools of one request, and their names.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::translation::{limit_of_names, plain_limits};
use super::{Export, SeenTool};
use crate::ask::CompiledQuestion;
use crate::call::add_property;
use crate::dispatcher::ToolEntry;
use crate::export::Vendor;
use crate::lint::complexity::Complexity;
use crate::lint::limits::{Alphabet, Requirement, anthropic};
use crate::lint::{Effect, Finding, Reader, Severity};

/// Which tools are exported with `strict: true`. For these tools, the vendor enforces the schema while the model writes
/// the arguments.
///
/// A vendor can enforce only a subset of JSON Schema.
///
/// ```
/// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, export::{Strict, Vendor}};
///
/// /// Greet somebody.
/// #[mcp_tool]
/// async fn greet(name: String) -> String {
///     format!("Hello, {name}!")
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![greet]).build()?;
/// let export = dispatcher.export(Vendor::Anthropic);
/// assert!(export.tools()[0].get("strict").is_none());
/// assert_eq!(export.strict(Strict::WhereLossless).tools()[0]["strict"], true);
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strict {
    /// No tools.
    Off,
    /// Tools whose schemas the vendor's subset of JSON Schema can express, up to the vendor's limits for one request.
    /// For every other tool, a [`Finding`] says why it is not strict. For Gemini, this variant has no effect.
    WhereLossless,
}

/// The tools of one request, with the findings about them.
pub(super) struct Request {
    pub(super) tools: Vec<Value>,
    pub(super) findings: Vec<Finding>,
    /// For each definition, the tool's own name and the exported name.
    pub(super) names: Vec<(String, String)>,
}

impl Request {
    /// Creates the request of an export. Goes through the tools in the order of registration, so that the same tools
    /// always give the same request.
    pub(super) fn new(export: &Export) -> Self {
        let vendor = export.vendor;
        let limits = plain_limits(vendor);
        let most = limits.iter().find_map(|limit| match limit.requirement {
            Requirement::Tools(most) => Some((most, *limit)),
            _ => None,
        });
        let mut budget = Budget::of(vendor);
        let (mut definitions, mut findings, mut names) = (Vec::new(), Vec::new(), Vec::new());
        let seen = export.seen();
        for seen in &seen {
            let tool = seen.translation;
            let finding = |limit, effect, problem| {
                let reader = Reader::Vendor(vendor);
                Finding::of_limit(limit, reader, &tool.tool, String::new(), problem).with_effect(effect)
            };
            findings.extend(seen.exported.problem.clone().map(|problem| {
                let place = "/name".to_owned();
                Finding { place, ..finding(limit_of_names(vendor).0, Effect::Renamed, problem) }
            }));
            findings.extend_from_slice(&tool.findings);
            let Some(plain) = &tool.plain else { continue };
            if let Some((most, limit)) = most
                && definitions.len() == most
            {
                let problem = format!("a request has at most {most} tools");
                findings.push(finding(limit, Effect::LeftOut, problem));
                continue;
            }
            let strict = match (export.strict, &tool.strict) {
                (Strict::Off, _) => None,
                (Strict::WhereLossless, None) => {
                    findings.extend_from_slice(&tool.not_strict);
                    None
                }
                (Strict::WhereLossless, Some((schema, complexity))) => match budget.spend(*complexity) {
                    Ok(()) => Some(schema),
                    Err(problem) => {
                        findings.push(finding(anthropic::STRICT_REQUEST, Effect::NotStrict, problem));
                        None
                    }
                },
            };
            names.push((tool.tool.clone(), seen.exported.name.clone()));
            definitions.push(definition(vendor, seen, strict.unwrap_or(plain), strict.is_some()));
        }
        if export.asker.is_none() {
            let sent = seen.iter().filter(|tool| tool.translation.plain.is_some());
            findings.extend(sent.flat_map(|tool| unanswered(export, &tool.definition.name)));
        }
        if vendor == Vendor::Gemini && !definitions.is_empty() {
            definitions = vec![json!({ "functionDeclarations": definitions })];
        }
        Self { tools: definitions, findings, names }
    }
}

fn definition(vendor: Vendor, tool: &SeenTool<'_>, schema: &Value, strict: bool) -> Value {
    let name = &tool.exported.name;
    let description = tool.definition.description.as_deref().unwrap_or_default();
    match vendor {
        // In the Responses API, a function is strict by default, so write `strict` even if it is `false`.
        Vendor::OpenAiResponses => json!({
            "type": "function", "name": name, "description": description, "parameters": schema, "strict": strict,
        }),
        Vendor::OpenAiChat => json!({
            "type": "function",
            "function": { "name": name, "description": description, "parameters": schema, "strict": strict },
        }),
        Vendor::Anthropic => {
            let mut definition = json!({ "name": name, "description": description, "input_schema": schema });
            add_property(&mut definition, "input_examples", tool.translation.examples.clone());
            add_property(&mut definition, "strict", strict.then_some(true));
            definition
        }
        Vendor::Gemini => json!({ "name": name, "description": description, "parametersJsonSchema": schema }),
        Vendor::Bedrock => {
            let mut spec = json!({ "name": name, "description": description, "inputSchema": { "json": schema } });
            add_property(&mut spec, "strict", strict.then_some(true));
            json!({ "toolSpec": spec })
        }
    }
}

/// Returns a finding for each question that must be answered before the tool can run. Only an export without an asker
/// has these findings.
fn unanswered(export: &Export, tool: &str) -> Vec<Finding> {
    let questions = export.dispatcher.entry(tool).into_iter().flat_map(ToolEntry::questions);
    let needed = questions.filter(|question| !question.spec.is_optional);
    let finding = |question: &CompiledQuestion| {
        let place = format!("/questions/{}", question.spec.key);
        let problem = "its calls fail, because they need an answer from the user, and this export has nobody to ask";
        let help = "call `with_asker` on the export, or take an `Answer<…>`";
        let rule = ("cannot-ask", Severity::Lost);
        let finding = Finding::new(Reader::Vendor(export.vendor), tool, rule, place, problem, help);
        Finding { effect: Effect::MayNotRun, ..finding }
    };
    needed.map(finding).collect()
}

/// How many more strict tools a request can have, and how many more optional properties and unions these tools can have
/// in total.
struct Budget {
    tools: usize,
    optional: usize,
    unions: usize,
}

impl Budget {
    fn of(vendor: Vendor) -> Self {
        match (vendor, &anthropic::STRICT_REQUEST.requirement) {
            (Vendor::Anthropic | Vendor::Bedrock, &Requirement::StrictRequest { tools, optional, unions }) => {
                Self { tools, optional, unions }
            }
            _ => Self { tools: usize::MAX, optional: usize::MAX, unions: usize::MAX },
        }
    }

    /// Counts one more strict tool. If the tool exceeds a limit, returns an error that names the limit, and does not
    /// count the tool.
    fn spend(&mut self, tool: Complexity) -> Result<(), String> {
        if self.tools == 0 {
            return Err("the request has as many strict tools as it can have".to_owned());
        }
        for (needed, left, what) in
            [(tool.optional, self.optional, "optional properties"), (tool.unions, self.unions, "unions")]
        {
            if needed > left {
                return Err(format!("it has {needed} {what}, and {left} more are accepted in the request"));
            }
        }
        self.tools -= 1;
        self.optional -= tool.optional;
        self.unions -= tool.unions;
        Ok(())
    }
}

/// The name under which a tool is exported. It has the length and the characters that the vendor allows.
pub(super) struct ExportedName {
    pub(super) name: String,
    /// The reason why the name differs from the tool's own name, if it does.
    pub(super) problem: Option<String>,
}

/// Returns an exported name for each tool. No two tools get the same name.
///
/// A name that fits the alphabet stays as it is. In any other name, each character that does not fit becomes `_`. A
/// name that is too long or would equal another name ends with a hash of the tool's own name. The names do not depend
/// on the order of the tools, so that calls in an old conversation still find their tools. `tools` must have only the
/// tools that the caller sees. Otherwise, a hash in a name could reveal that a hidden tool has a similar name.
pub(super) fn names(tools: &[&str], alphabet: Alphabet) -> Vec<ExportedName> {
    let fitted: Vec<_> = tools.iter().map(|tool| alphabet.fit(tool)).collect();
    let mut owners: HashMap<&str, Vec<&str>> = HashMap::new();
    for (tool, name) in tools.iter().zip(&fitted) {
        owners.entry(name).or_default().push(tool);
    }
    let is_kept = |(tool, fitted): &(&&str, &String)| {
        fitted.len() <= alphabet.most && (fitted == *tool || owners[fitted.as_str()].len() == 1)
    };
    let kept = tools.iter().zip(&fitted).filter(is_kept);
    let mut taken: HashSet<String> = kept.map(|(_, fitted)| fitted.clone()).collect();
    let export = |(tool, fitted): (&&str, &String)| {
        let (mut name, mut problem) = (fitted.clone(), alphabet.problem(tool));
        if !is_kept(&(tool, fitted)) {
            let other = owners[fitted.as_str()].iter().find(|owner| *owner != tool);
            problem = other.map(|other| format!("it would be the name of `{other}` too")).or(problem);
            name = with_hash(tool, fitted, alphabet.most, &mut taken);
        }
        let problem = problem.map(|problem| format!("{problem}; it is `{name}` there"));
        ExportedName { name, problem }
    };
    tools.iter().zip(&fitted).map(export).collect()
}

/// Returns a name that is not in `taken`, and adds it to `taken`. The name is the fitted name, truncated if necessary,
/// and a hash of the tool's own name.
fn with_hash(tool: &str, fitted: &str, most: usize, taken: &mut HashSet<String>) -> String {
    let mut hashed = tool.to_owned();
    loop {
        let hash = format!("_{:08x}", hash(&hashed));
        // A fitted name is ASCII, so it can be cut anywhere.
        let kept = fitted.len().min(most.saturating_sub(hash.len()));
        let name = format!("{}{hash}", &fitted[..kept]);
        if taken.insert(name.clone()) {
            return name;
        }
        hashed.push('_');
    }
}

/// Hashes with FNV-1a, which gives the same result on every machine and in every version.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use crate::export::Vendor;
    use crate::export::translation::limit_of_names;

    fn exported(vendor: Vendor, names: &[&str]) -> Vec<String> {
        let (_, alphabet) = limit_of_names(vendor);
        super::names(names, alphabet).into_iter().map(|exported| exported.name).collect()
    }

    #[test]
    fn a_name_that_fits_is_kept_and_others_differ_from_it() {
        assert_eq!(exported(Vendor::OpenAiChat, &["add", "files.read"]), ["add", "files_read"]);
        let [first, second] = [["a_b", "a.b"], ["a.b", "a_b"]].map(|names| exported(Vendor::OpenAiChat, &names));
        assert_eq!(first[0], "a_b");
        assert_eq!((&first[0], &first[1]), (&second[1], &second[0]), "the order does not matter");
        assert!(first[1].starts_with("a_b_") && first[1].len() == 12);
        let both = exported(Vendor::OpenAiChat, &["a.b_c", "a_b.c"]);
        assert!(both[0] != both[1] && both.iter().all(|name| name.starts_with("a_b_c_")), "{both:?}");
    }

    #[test]
    fn a_long_name_is_cut_and_stays_different() {
        let [one, other] = ["x".repeat(100), format!("{}y", "x".repeat(99))];
        let names = exported(Vendor::OpenAiChat, &[&one, &other]);
        assert!(names[0] != names[1] && names.iter().all(|name| name.len() == 64), "{names:?}");
        assert_eq!(exported(Vendor::Anthropic, &[&one])[0], one);
    }

    #[test]
    fn a_name_for_gemini_starts_with_a_letter() {
        assert_eq!(exported(Vendor::Gemini, &["2fa", "-x", "a.b", "_c"]), ["_2fa", "_-x", "a.b", "_c"]);
    }
}
