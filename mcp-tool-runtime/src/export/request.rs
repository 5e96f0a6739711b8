//! The tools of one request.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::Strict;
use super::translation::{Translation, finding, plain_limits};
use crate::Vendor;
use crate::lint::complexity::Complexity;
use crate::lint::limits::{Requirement, anthropic};
use crate::lint::{Effect, Finding};

/// The tools of one request, and what was changed or left out.
pub(super) struct Request {
    pub(super) tools: Vec<Value>,
    pub(super) findings: Vec<Finding>,
    /// The bytes of each definition, with the tool's own name.
    pub(super) bytes: Vec<(String, usize)>,
}

/// What an export is asked for.
pub(super) struct Options {
    pub(super) vendor: Vendor,
    pub(super) strict: Strict,
    /// The definitions are the end of a part of the request that the vendor caches.
    pub(super) is_cached: bool,
    /// The tools that a model finds by search.
    pub(super) deferred: HashSet<String>,
}

impl Request {
    /// Chooses the tools in the order of registration, so that the same tools give the same request.
    pub(super) fn new<'t>(tools: impl IntoIterator<Item = &'t Translation>, options: &Options) -> Self {
        let Options { vendor, strict, .. } = *options;
        let limits = plain_limits(vendor);
        let most = limits.iter().find_map(|limit| match limit.requirement {
            Requirement::Tools(most) => Some((most, *limit)),
            _ => None,
        });
        let mut budget = Budget::of(vendor);
        let (mut definitions, mut findings, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
        let mut last_loaded = None;
        for tool in tools {
            findings.extend_from_slice(&tool.findings);
            let Some(plain) = &tool.plain else { continue };
            if let Some((most, limit)) = most
                && definitions.len() == most
            {
                let problem = format!("a request has at most {most} tools");
                findings.push(finding(vendor, &tool.tool, limit, Effect::LeftOut, String::new(), problem));
                continue;
            }
            let strict = match (strict, &tool.strict) {
                (Strict::Off, _) => None,
                (Strict::WhereLossless, None) => {
                    findings.extend_from_slice(&tool.not_strict);
                    None
                }
                (Strict::WhereLossless, Some((schema, complexity))) => match budget.spend(*complexity) {
                    Ok(()) => Some(schema),
                    Err(problem) => {
                        let (limit, effect) = (anthropic::STRICT_REQUEST, Effect::NotStrict);
                        findings.push(finding(vendor, &tool.tool, limit, effect, String::new(), problem));
                        None
                    }
                },
            };
            let mut definition = definition(vendor, tool, strict.unwrap_or(plain), strict.is_some());
            if options.deferred.contains(&tool.tool) && matches!(vendor, Vendor::OpenAiResponses | Vendor::Anthropic) {
                definition["defer_loading"] = true.into();
            } else {
                last_loaded = Some(definitions.len());
            }
            bytes.push((tool.tool.clone(), definition.to_string().len()));
            definitions.push(definition);
        }
        match (vendor, last_loaded) {
            (Vendor::Anthropic, Some(last)) if options.is_cached => {
                definitions[last]["cache_control"] = json!({ "type": "ephemeral" });
            }
            (Vendor::Bedrock, Some(_)) if options.is_cached => {
                definitions.push(json!({ "cachePoint": { "type": "default" } }));
            }
            _ => {}
        }
        if vendor == Vendor::Gemini && !definitions.is_empty() {
            definitions = vec![json!({ "functionDeclarations": definitions })];
        }
        Self { tools: definitions, findings, bytes }
    }
}

/// Writes the definition of one tool.
fn definition(vendor: Vendor, tool: &Translation, schema: &Value, strict: bool) -> Value {
    let Translation { name, description, .. } = tool;
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
            if !tool.examples.is_empty() {
                definition["input_examples"] = Value::Array(tool.examples.clone());
            }
            if strict {
                definition["strict"] = true.into();
            }
            definition
        }
        Vendor::Gemini => json!({ "name": name, "description": description, "parametersJsonSchema": schema }),
        Vendor::Bedrock | Vendor::Nova => {
            let mut spec = json!({ "name": name, "description": description, "inputSchema": { "json": schema } });
            if strict {
                spec["strict"] = true.into();
            }
            json!({ "toolSpec": spec })
        }
    }
}

/// How many strict tools a request can still have, and how complex they can be.
struct Budget {
    /// `None` if the vendor has no such limit.
    left: Option<(usize, Complexity)>,
}

impl Budget {
    fn of(vendor: Vendor) -> Self {
        let left = match (vendor, &anthropic::STRICT_REQUEST.requirement) {
            (Vendor::Anthropic | Vendor::Bedrock, Requirement::StrictRequest { tools, optional, unions }) => {
                Some((*tools, Complexity { optional: *optional, unions: *unions }))
            }
            _ => None,
        };
        Self { left }
    }

    /// Counts one more strict tool. Fails with what is exceeded, and counts nothing then.
    fn spend(&mut self, tool: Complexity) -> Result<(), String> {
        let Some((tools, left)) = &mut self.left else { return Ok(()) };
        if *tools == 0 {
            return Err("the request has as many strict tools as it can have".to_owned());
        }
        for (needed, left, what) in
            [(tool.optional, left.optional, "optional properties"), (tool.unions, left.unions, "unions")]
        {
            if needed > left {
                return Err(format!("it has {needed} {what}, and {left} more are accepted in the request"));
            }
        }
        *tools -= 1;
        *left = Complexity { optional: left.optional - tool.optional, unions: left.unions - tool.unions };
        Ok(())
    }
}
