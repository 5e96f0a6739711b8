//! A dispatcher accepts whatever an exported schema accepts, and an exported schema says what the published one says.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;

use arbitrary::Unstructured;
use fastrand::Rng;
use jsonschema::Validator;
use mcp_tool_runtime::lint::Severity;
use mcp_tool_runtime::{
    CallToolRequest, Dispatcher, ToolHandler,
    export::{Strict, Vendor},
};
use mcp_tool_tests::hand_written::{self, Echo};
use mcp_tool_tests::oracle::{Oracle, validator};
use mcp_tool_tests::values::{self, Generator, mutate};
use mcp_tool_tests::vendors::{definitions, parts};
use mcp_tool_tests::zoo::{Specimen, zoo};
use serde_json::{Map, Value, json};

use super::{now, number, random};

/// One tool in the form of one vendor.
struct Subject {
    dispatcher: Dispatcher,
    /// `None` for a hand-written schema.
    oracle: Option<Oracle>,
    published: Value,
    exported: Value,
    is_strict: bool,
    /// Some constraints are only in the descriptions, and a finding says so.
    is_loosened: bool,
    arbitrary: fn(&mut Unstructured<'_>) -> Option<Value>,
}

/// A tool that is exported in all forms.
struct Tool {
    name: &'static str,
    handler: Box<dyn ToolHandler>,
    oracle: Option<Oracle>,
    arbitrary: fn(&mut Unstructured<'_>) -> Option<Value>,
}

/// Returns the zoo, and the hand-written schemas.
fn all() -> Vec<Tool> {
    let of_zoo = |specimen: Specimen| {
        let oracle = Some(Oracle::new(&specimen, &specimen.handler.definition().input_schema));
        let Specimen { name, handler, arbitrary, .. } = specimen;
        Tool { name, handler, oracle, arbitrary }
    };
    let by_hand =
        |(name, schema)| Tool { name, handler: Box::new(Echo::new(name, schema)), oracle: None, arbitrary: |_| None };
    zoo().into_iter().map(of_zoo).chain(hand_written::schemas().into_iter().map(by_hand)).collect()
}

impl Subject {
    /// Returns `None` if the vendor refuses the tool.
    fn new(tool: Tool, vendor: Vendor, strict: Strict) -> Option<Self> {
        let Tool { handler, oracle, arbitrary, .. } = tool;
        let published = handler.definition().input_schema;
        let dispatcher = Dispatcher::builder().tools([handler]).build().unwrap_or_else(|error| panic!("{error}"));
        let export = dispatcher.export(vendor).strict(strict);
        let found = definitions(export.tools(), vendor);
        let Some(definition) = found.first() else {
            assert!(
                export.findings().iter().any(|finding| finding.severity == Severity::Refused),
                "left out in silence"
            );
            return None;
        };
        let (_, exported, is_strict) = parts(definition, vendor);
        let is_loosened = export.findings().iter().any(|one| one.problem.starts_with("only the descriptions"));
        Some(Self { dispatcher: dispatcher.clone(), oracle, published, exported, is_strict, is_loosened, arbitrary })
    }

    fn accepts(&self, arguments: &Value) -> bool {
        let name = self.dispatcher.list()[0].name.clone();
        now(self.dispatcher.call(CallToolRequest::new(name, arguments.clone()))).expect("a call").is_success()
    }

    /// Generates a value that one of the schemas usually accepts.
    fn value(&self, rng: &mut Rng) -> Value {
        let mut value = match rng.u8(..4) {
            0 => {
                let bytes = values::bytes(rng);
                (self.arbitrary)(&mut Unstructured::new(&bytes)).unwrap_or_else(|| json!({}))
            }
            1 => Generator::new(&self.published).value(rng),
            _ => Generator::new(&self.exported).value(rng),
        };
        if rng.u8(..3) == 0 {
            mutate(rng, &mut value, &["value", "kind", "id"]);
        }
        value
    }
}

#[derive(Default)]
struct Counts {
    tools: usize,
    strict: usize,
    admitted: u64,
    explained: u64,
    said: u64,
}

#[test]
fn t17_whatever_an_exported_schema_accepts_the_dispatcher_accepts() {
    let (values, seed) = (number("EXPORT_VALUES", 20), number("AGREEMENT_SEED", 1));
    let mut failures = String::new();
    for vendor in Vendor::ALL {
        for strict in [Strict::Off, Strict::WhereLossless] {
            let mut counts = Counts::default();
            for tool in all() {
                let name = tool.name;
                let Some(subject) = Subject::new(tool, *vendor, strict) else { continue };
                counts.tools += 1;
                counts.strict += usize::from(subject.is_strict);
                let mut rng = random(seed, name);
                if let Err(failure) = compare(&subject, values, &mut rng, &mut counts) {
                    let _ = writeln!(
                        failures,
                        "{vendor} {strict:?} {name}: {failure}\n    exported {}\n",
                        subject.exported
                    );
                }
            }
            let Counts { tools, strict: strict_tools, admitted, explained, said } = counts;
            println!(
                "{vendor} {strict:?}: {tools} tools, {strict_tools} strict, {admitted} values admitted ({explained} refused because \
                 of a constraint in words), {said} values of the published schema said strictly"
            );
            assert!(tools >= 40 && admitted > 1_000, "{vendor}: {tools} {admitted}");
            if strict == Strict::WhereLossless && *vendor != Vendor::Gemini {
                assert!(strict_tools >= 15 && said > 100, "{vendor}: {strict_tools} {said}");
            }
        }
    }
    assert!(failures.is_empty(), "seed {seed}\n\n{failures}");
}

/// A hand-written schema may name draft 7.
fn published_validator(schema: &Value) -> Validator {
    if schema["$schema"].as_str().is_some_and(|dialect| dialect.contains("draft-07")) {
        return jsonschema::draft7::options().should_validate_formats(true).build(schema).expect("a schema of draft 7");
    }
    validator(schema)
}

fn compare(subject: &Subject, values: u64, rng: &mut Rng, counts: &mut Counts) -> Result<(), String> {
    let exported = validator(&subject.exported);
    let published = published_validator(&subject.published);
    let completion = Completion { root: &subject.exported, validators: RefCell::default() };
    for _ in 0..values {
        let value = subject.value(rng);
        if exported.is_valid(&value) {
            counts.admitted += 1;
            // The published schema accepts values that the dispatcher has to refuse, such as integers beyond 64 bits.
            let is_exception = || {
                let verdict = subject.oracle.as_ref().map(|oracle| oracle.verdict(&value));
                verdict.is_some_and(|verdict| verdict.too_deep || verdict.schema_accepts)
                    || published.is_valid(&value)
                    || is_refused_without_nulls(subject, &published, &value)
            };
            if !subject.accepts(&value) && !is_exception() {
                if !subject.is_loosened || subject.is_strict {
                    return Err(format!("admits {value}, which the dispatcher refuses"));
                }
                counts.explained += 1;
            }
        }
        if !subject.is_strict && published.is_valid(&value) && !exported.is_valid(&value) {
            return Err(format!("refuses {value}, which the dispatcher accepts"));
        }
        if subject.is_strict && published.is_valid(&value) {
            let complete = completion.of(&subject.exported, &value);
            if !exported.is_valid(&complete) {
                return Err(format!("cannot say {value}, not even as {complete}"));
            }
            counts.said += 1;
        }
    }
    Ok(())
}

/// Returns `true` if the type refuses what its schema accepts, so that the `null`s of a strict schema are not the reason.
fn is_refused_without_nulls(subject: &Subject, published: &Validator, value: &Value) -> bool {
    let value = without_nulls(value);
    published.is_valid(&value) && !subject.accepts(&value)
}

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(without_nulls).collect(),
        Value::Object(object) => {
            let kept = object.iter().filter(|(_, value)| !value.is_null());
            kept.map(|(name, value)| (name.clone(), without_nulls(value))).collect()
        }
        _ => value.clone(),
    }
}

/// Writes a value in the way of a strict schema: `null` for what is absent, and nothing that the tool ignores.
struct Completion<'s> {
    root: &'s Value,
    validators: RefCell<HashMap<*const Value, Validator>>,
}

impl Completion<'_> {
    fn of(&self, schema: &Value, value: &Value) -> Value {
        if let Some(target) = schema["$ref"].as_str().and_then(|target| self.root.pointer(target.strip_prefix('#')?)) {
            return self.of(target, value);
        }
        if let Some(branches) = schema["anyOf"].as_array() {
            let mut complete = branches.iter().map(|branch| (branch, self.of(branch, value)));
            return complete
                .find(|(branch, value)| self.accepts(branch, value))
                .map_or_else(|| value.clone(), |(_, value)| value);
        }
        match value {
            Value::Array(elements) => elements.iter().map(|element| self.of(&schema["items"], element)).collect(),
            Value::Object(object) => {
                let Some(properties) = schema["properties"].as_object() else { return value.clone() };
                let required = schema["required"].as_array();
                let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|one| one == name));
                let mut complete = Map::new();
                for (name, property) in properties {
                    match object.get(name) {
                        Some(value) => complete.insert(name.clone(), self.of(property, value)),
                        None if is_required(name) => complete.insert(name.clone(), Value::Null),
                        None => None,
                    };
                }
                complete.into()
            }
            _ => value.clone(),
        }
    }

    fn accepts(&self, branch: &Value, value: &Value) -> bool {
        let mut validators = self.validators.borrow_mut();
        let validator = validators.entry(std::ptr::from_ref(branch)).or_insert_with(|| {
            let mut schema = branch.clone();
            if let (Some(definitions), Some(schema)) = (self.root.get("$defs"), schema.as_object_mut()) {
                schema.insert("$defs".to_owned(), definitions.clone());
            }
            validator(&schema)
        });
        validator.is_valid(value)
    }
}
