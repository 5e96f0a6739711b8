//! The tools of one request.

use serde_json::{Value, json};

use super::translation::{limit_of_names, plain_limits};
use super::{Export, SeenTool, Strict};
use crate::Vendor;
use crate::ask::CompiledQuestion;
use crate::dispatcher::ToolEntry;
use crate::lint::complexity::Complexity;
use crate::lint::limits::{Requirement, anthropic};
use crate::lint::{Effect, Finding, Reader, Severity};

/// The tools of one request, and what was changed or left out.
pub(super) struct Request {
    pub(super) tools: Vec<Value>,
    pub(super) findings: Vec<Finding>,
    /// The tool's own name and the exported name of each definition.
    pub(super) names: Vec<(String, String)>,
}

impl Request {
    /// Chooses the tools in the order of registration, so that the same tools give the same request.
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

/// Writes the definition of one tool.
fn definition(vendor: Vendor, tool: &SeenTool<'_>, schema: &Value, strict: bool) -> Value {
    let name = &tool.exported.name;
    let description = tool.definition.description.as_deref().unwrap_or_default();
    match vendor {
        // The Responses API makes a function strict unless it says otherwise.
        Vendor::OpenAiResponses => json!({
            "type": "function", "name": name, "description": description, "parameters": schema, "strict": strict,
        }),
        Vendor::OpenAiChat => json!({
            "type": "function",
            "function": { "name": name, "description": description, "parameters": schema, "strict": strict },
        }),
        Vendor::Anthropic => {
            let mut definition = json!({ "name": name, "description": description, "input_schema": schema });
            if let Some(examples) = &tool.translation.examples {
                definition["input_examples"] = examples.clone();
            }
            if strict {
                definition["strict"] = true.into();
            }
            definition
        }
        Vendor::Gemini => json!({ "name": name, "description": description, "parametersJsonSchema": schema }),
        Vendor::Bedrock => {
            let mut spec = json!({ "name": name, "description": description, "inputSchema": { "json": schema } });
            if strict {
                spec["strict"] = true.into();
            }
            json!({ "toolSpec": spec })
        }
    }
}

/// Returns a finding for each question of a tool that needs an answer, for an export without an asker.
fn unanswered(export: &Export, tool: &str) -> Vec<Finding> {
    let questions = export.dispatcher.entry(tool).into_iter().flat_map(ToolEntry::questions);
    let needed = questions.filter(|question| !question.spec.is_optional);
    let finding = |question: &CompiledQuestion| {
        let place = format!("/questions/{}", question.spec.key);
        let problem = "the tool needs an answer from the user, and this export has nobody to ask";
        let help = "call `with_asker` on the export, or take an `Answer<…>`";
        Finding::new(Reader::Vendor(export.vendor), tool, ("cannot-ask", Severity::Lost), place, problem, help)
    };
    needed.map(finding).collect()
}

/// How many strict tools a request can still have, and how complex they can be.
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

    /// Counts one more strict tool. Fails with what is exceeded, and counts nothing then.
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
