//! A dispatcher accepts exactly what its input schemas accept, and sends only what its output schemas accept.

use std::env;
use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Instant;

use arbitrary::Unstructured;
use fastrand::Rng;
use jsonschema::Validator;
use mcp_tool_runtime::{CallToolRequest, Dispatcher, ProtocolVersion};
use mcp_tool_tests::oracle::{self, Oracle, validator};
use mcp_tool_tests::values::{self, Generator};
use mcp_tool_tests::zoo::{Alias, Specimen, zoo};
use serde_json::{Value, json};

use super::echoes::{MAX_NULLS, integers, nulls, same, with_nulls};
use super::{MAX_PRINTED, now, number, random};

#[test]
fn t17_dispatcher_and_published_schemas_agree() {
    let (values, seed) = (number("AGREEMENT_VALUES", 100), number("AGREEMENT_SEED", 1));
    let only = env::var("AGREEMENT_TOOL").ok();
    let mut other = env::var("AGREEMENT_VALIDATOR").ok().map(|command| start_validator(&command));

    let start = Instant::now();
    let (mut tools, mut total) = (0, Counts::default());
    let mut failures = String::new();
    for specimen in zoo().into_iter().filter(|specimen| only.as_deref().is_none_or(|name| name == specimen.name)) {
        let name = specimen.name;
        let mut subject = TestedTool::new(specimen);
        if let (Some((_, lines)), false) = (&mut other, subject.debatable) {
            subject.write_schemas(lines);
        }
        let mut rng = random(seed, name);
        let mut counts = Counts::default();
        for _ in 0..values {
            let (arguments, origin) = subject.arguments(&mut rng);
            let lines = other.as_mut().map(|(_, lines)| lines).filter(|_| !subject.debatable);
            let found = subject.examine(&arguments, origin, &mut counts, lines);
            if let Err(failure) = found {
                counts.disagreements += 1;
                if counts.disagreements <= MAX_PRINTED {
                    let _ = writeln!(failures, "{name} {arguments}\n    {failure}");
                }
            }
        }
        if counts.disagreements > 0 {
            let _ =
                writeln!(failures, "{name}: {} disagreements, published {}\n", counts.disagreements, subject.schema);
        }
        // A tool that accepts almost no value would not test anything.
        if values >= 200 && counts.accepted * 50 < values {
            let _ = writeln!(failures, "{name}: only {} of {values} values were accepted", counts.accepted);
        }
        println!("{name}: {counts}");
        total.add(&counts);
        tools += 1;
    }
    println!("{tools} tools, {} values: {total}, in {:.1?}", tools * values, start.elapsed());
    let replay = format!("AGREEMENT_SEED={seed} AGREEMENT_VALUES={values}");
    println!("to repeat: {replay} cargo test --release -p mcp-tool-tests --test agreement -- --nocapture");
    if let Some((mut child, lines)) = other {
        drop(lines);
        let ended = child.wait().expect("the second validator");
        if !ended.success() {
            let _ = writeln!(failures, "the second validator disagrees: {ended}");
        }
    }
    assert!(
        failures.is_empty(),
        "seed {seed}; to repeat: {replay} cargo test -p mcp-tool-tests --test agreement\n\n{failures}"
    );
    assert!(tools >= 40 || only.is_some(), "{tools}");
}

/// Starts the second validator. It prints to the output of the test.
fn start_validator(command: &str) -> (Child, BufWriter<ChildStdin>) {
    let mut words = command.split_whitespace();
    let mut command = Command::new(words.next().expect("a command"));
    let mut child = command.args(words).stdin(Stdio::piped()).spawn().expect("the second validator");
    let lines = BufWriter::new(child.stdin.take().expect("its input"));
    (child, lines)
}

#[derive(Default)]
struct Counts {
    accepted: u64,
    refused: u64,
    /// Accepted by a coercion, although the schema refuses it.
    coerced: u64,
    /// Refused by the type, although the schema accepts it.
    stricter: u64,
    disagreements: usize,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.coerced += other.coerced;
        self.stricter += other.stricter;
        self.disagreements += other.disagreements;
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { accepted, refused, coerced, stricter, disagreements } = self;
        write!(
            f,
            "{accepted} accepted ({coerced} by coercion), {refused} refused ({stricter} by a stricter type), {disagreements} disagreements"
        )
    }
}

/// Returns `true` if the value has an integer that does not fit in 64 bits.
fn has_wide_integer(value: &Value) -> bool {
    match value {
        Value::Number(number) => !number.is_u64() && !number.is_i64() && !number.to_string().contains(['.', 'e', 'E']),
        Value::Array(elements) => elements.iter().any(has_wide_integer),
        Value::Object(properties) => properties.values().any(has_wide_integer),
        _ => false,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Origin {
    Schema,
    Mutation,
    Type,
}

struct TestedTool {
    name: &'static str,
    dispatcher: Dispatcher,
    schema: Value,
    oracle: Oracle,
    outputs: Vec<(ProtocolVersion, Validator)>,
    names: Vec<String>,
    aliases: &'static [Alias],
    echo: fn(&Value) -> Result<Value, String>,
    arbitrary: fn(&mut Unstructured<'_>) -> Option<Value>,
    constrained: bool,
    debatable: bool,
}

impl TestedTool {
    fn new(specimen: Specimen) -> Self {
        let schema = specimen.handler.definition().input_schema;
        let oracle = Oracle::new(&specimen, &schema);
        let Specimen { name, handler, echo, arbitrary, constrained, debatable, aliases, unpublished, .. } = specimen;
        let dispatcher = Dispatcher::builder().tools([handler]).build().unwrap_or_else(|error| panic!("{error}"));
        let outputs = ProtocolVersion::ALL.map(|version| {
            let schema = dispatcher.list_for(version)[0].output_schema.as_ref();
            schema.map(|schema| (version, validator(schema)))
        });
        assert_eq!(dispatcher.list()[0].input_schema, schema, "{name}: the definition is not published unchanged");
        let mut names: Vec<_> =
            aliases.iter().map(|(alias, _)| *alias).chain(unpublished.iter().copied()).map(str::to_owned).collect();
        collect_names(&schema, &mut names);
        Self {
            name,
            dispatcher,
            schema,
            oracle,
            outputs: outputs.into_iter().flatten().collect(),
            names,
            aliases,
            echo,
            arbitrary,
            constrained,
            debatable,
        }
    }

    fn write_schemas(&self, lines: &mut impl Write) {
        writeln!(lines, "{}", json!({"tool": self.name, "schema": self.schema})).expect("a line");
        for version in ProtocolVersion::ALL {
            let schema = &self.dispatcher.list_for(version)[0].output_schema;
            writeln!(lines, "{}", json!({"tool": format!("{} {version}", self.name), "schema": schema}))
                .expect("a line");
        }
    }

    fn arguments(&mut self, rng: &mut Rng) -> (Value, Origin) {
        let (mut arguments, origin) = match rng.u8(..8) {
            0..2 => {
                let bytes = values::bytes(rng);
                let made = (self.arbitrary)(&mut Unstructured::new(&bytes));
                (made.unwrap_or(Value::Null), Origin::Type)
            }
            _ => (Generator::new(&self.schema).value(rng), Origin::Schema),
        };
        if depth(&arguments) > MAX_DEPTH {
            arguments = json!({});
        }
        if rng.u8(..3) == 0 {
            for (alias, name) in self.aliases.iter().filter(|_| rng.bool()) {
                oracle::rename(&mut arguments, name, alias);
            }
        }
        if rng.u8(..8) < 5 {
            return (arguments, origin);
        }
        let names: Vec<_> = self.names.iter().map(String::as_str).collect();
        values::mutate(rng, &mut arguments, &names);
        (arguments, Origin::Mutation)
    }

    fn examine(
        &self,
        arguments: &Value,
        origin: Origin,
        counts: &mut Counts,
        lines: Option<&mut impl Write>,
    ) -> Result<(), String> {
        let verdict = self.oracle.verdict(arguments);
        let request = CallToolRequest::new(self.name, arguments.clone());
        let response = now(self.dispatcher.call(request)).map_err(|error| error.to_string())?;
        let accepted = response.is_success() || arguments.is_null() && verdict.accepted;
        *(if accepted { &mut counts.accepted } else { &mut counts.refused }) += 1;
        counts.coerced += u64::from(accepted && !verdict.schema_accepts);
        counts.stricter += u64::from(!accepted && verdict.schema_accepts);
        if let Some(lines) = lines {
            let line = json!({"tool": self.name, "value": arguments, "valid": verdict.schema_accepts});
            writeln!(lines, "{line}").map_err(|error| error.to_string())?;
            if response.is_success() && !self.outputs.is_empty() {
                let value = response.to_mcp(ProtocolVersion::LATEST);
                let value = json!(value)["structuredContent"].take();
                let tool = format!("{} {}", self.name, ProtocolVersion::LATEST);
                writeln!(lines, "{}", json!({"tool": tool, "value": value, "valid": true}))
                    .map_err(|error| error.to_string())?;
            }
        }
        if response.is_success() != verdict.accepted && !arguments.is_null() {
            let outcome = response.error().map_or("accepted", |error| error.message());
            return Err(format!(
                "accepted by the schema: {}, expected: {}, got: {outcome}",
                verdict.schema_accepts, verdict.accepted
            ));
        }
        // Only with serde_json's feature `arbitrary_precision` does a value have such an integer.
        let bounded = self.constrained || verdict.too_deep || has_wide_integer(arguments);
        if origin == Origin::Type && !bounded && !verdict.accepted && (self.echo)(arguments).is_ok() {
            return Err("a value of the type is refused, although serde reads it".to_owned());
        }
        let params = json!({"name": self.name, "arguments": arguments}).to_string();
        let bytes = now(self.dispatcher.call_json(params.as_bytes(), ProtocolVersion::LATEST));
        let sent: Value = serde_json::from_slice(&bytes.map_err(|error| error.to_string())?).expect("JSON");
        if (sent["isError"] != true) != response.is_success() {
            return Err(format!("call and call_json disagree: {sent}"));
        }
        if response.is_success() { self.check_echo(&verdict.canonical, &response) } else { Ok(()) }
    }

    fn check_echo(&self, arguments: &Value, response: &mcp_tool_runtime::CallToolResponse) -> Result<(), String> {
        let value: Value = response.deserialize().map_err(|error| error.to_string())?;
        for (version, output) in &self.outputs {
            let sent = json!(response.to_mcp(*version));
            if !output.is_valid(&sent["structuredContent"]) {
                return Err(format!("{version}: sends {}, which its schema refuses", sent["structuredContent"]));
            }
        }
        let arguments = if arguments.is_null() { json!({}) } else { arguments.clone() };
        // The tool may receive `3` for `3.0`, and no property where the client sent `null`.
        let nulls = nulls(&arguments).min(MAX_NULLS);
        for kept in (0..1_u32 << nulls).rev() {
            let received = with_nulls(&arguments, kept, &mut 0);
            let echoes = [(self.echo)(&received), (self.echo)(&integers(&received))];
            if echoes.iter().flatten().any(|echo| same(echo, &value)) {
                return Ok(());
            }
        }
        Err(format!("returns {value}, serde {:?}", (self.echo)(&arguments)))
    }
}

/// Generated arguments deeper than this are replaced, because the dispatcher refuses them whatever they are.
const MAX_DEPTH: usize = 100;

fn depth(value: &Value) -> usize {
    let below = match value {
        Value::Array(elements) => elements.iter().map(depth).max(),
        Value::Object(object) => object.values().map(depth).max(),
        _ => return 0,
    };
    1 + below.unwrap_or_default()
}

/// Collects the names of all properties.
fn collect_names(schema: &Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(object) => {
            for (keyword, value) in object {
                if let ("properties", Value::Object(properties)) = (keyword.as_str(), value) {
                    names.extend(properties.keys().cloned());
                }
                collect_names(value, names);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| collect_names(value, names)),
        _ => {}
    }
}
