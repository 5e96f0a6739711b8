//! Every shape of arguments has a spelling, and help.

use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use arbitrary::Unstructured;
use fastrand::Rng;
use mcp_tool_runtime::cli::{Cli, Io};
use mcp_tool_runtime::{CallContext, CallToolRequest, Dispatcher, Next, middleware};
use mcp_tool_tests::values::{self, Generator};
use mcp_tool_tests::zoo::{Specimen, zoo};
use serde_json::Value;

/// A specimen behind a command line, and the arguments of its last call.
struct Caged {
    specimen: Specimen,
    dispatcher: Dispatcher,
    cli: Cli,
    seen: Arc<Mutex<Option<Value>>>,
}

fn cage(mut specimen: Specimen) -> Caged {
    let seen = Arc::new(Mutex::new(None));
    let last = Arc::clone(&seen);
    let record = middleware::from_fn(move |request: &mut CallToolRequest, cx: &CallContext, next: Next<'_>| {
        last.lock().expect("not poisoned").clone_from(&request.arguments);
        next.run(request, cx)
    });
    let handler = std::mem::replace(&mut specimen.handler, Box::new(nothing {}));
    let dispatcher =
        Dispatcher::builder().tool(handler).middleware(record).info("zoo", "1.0.0").build().expect("a valid tool");
    let cli = Cli::new(dispatcher.clone());
    Caged { specimen, dispatcher, cli, seen }
}

/// Takes the place of a handler that was moved.
#[mcp_tool_runtime::mcp_tool]
async fn nothing() {}

impl Caged {
    fn seen(&self) -> Option<Value> {
        self.seen.lock().expect("not poisoned").take()
    }

    /// Returns random arguments that the tool accepts.
    async fn arguments(&self, rng: &mut Rng) -> Option<Value> {
        let arguments = if rng.bool() {
            (self.specimen.arbitrary)(&mut Unstructured::new(&values::bytes(rng)))?
        } else {
            Generator::new(&self.dispatcher.list()[0].input_schema).value(rng)
        };
        let request = CallToolRequest::new(self.specimen.name, arguments.clone());
        let accepted = self.dispatcher.call(request).await.expect("a known tool").is_success();
        (accepted && arguments.is_object()).then_some(arguments)
    }
}

/// Spells arguments as flags: a list once for each element, an object with a flag for each property, and texts as they
/// are or in quotes.
fn spell(arguments: &Value, in_quotes: bool) -> Vec<String> {
    fn write(flag: &str, value: &Value, in_quotes: bool, words: &mut Vec<String>) {
        match value {
            Value::Bool(true) => words.push(format!("--{flag}")),
            Value::Bool(false) => words.push(match flag.rsplit_once('.') {
                Some((object, name)) => format!("--{object}.no-{name}"),
                None => format!("--no-{flag}"),
            }),
            Value::Object(all) if !all.is_empty() && !in_quotes => {
                all.iter().for_each(|(name, value)| write(&format!("{flag}.{name}"), value, in_quotes, words));
            }
            Value::Array(elements) if !elements.is_empty() && !in_quotes => {
                words.extend(elements.iter().map(|element| format!("--{flag}={}", text(element, in_quotes))));
            }
            value => words.push(format!("--{flag}={}", text(value, in_quotes))),
        }
    }
    fn text(value: &Value, in_quotes: bool) -> String {
        match value.as_str().filter(|_| !in_quotes) {
            Some(text) if text.starts_with('@') => format!("@{text}"),
            Some(text) => text.to_owned(),
            None => value.to_string(),
        }
    }
    let mut words = Vec::new();
    for (name, value) in arguments.as_object().expect("an object") {
        write(name, value, in_quotes, &mut words);
    }
    words
}

#[tokio::test]
async fn flags_made_from_arguments_call_the_tool_with_exactly_these_arguments() {
    // In a debug build, a hundred calls of each tool take as long as half of all other tests.
    let wanted: usize = std::env::var("FLAG_CALLS").map_or(25, |count| count.parse().expect("a number"));
    let (mut calls, mut with_json) = (0, 0);
    for (index, specimen) in zoo().into_iter().enumerate() {
        let caged = cage(specimen);
        let mut rng = Rng::with_seed(index as u64);
        let mut made = 0;
        for _ in 0..50 * wanted {
            let Some(arguments) = caged.arguments(&mut rng).await else { continue };
            let name = caged.specimen.name.to_owned();
            let as_flags = [false, true]
                .map(|in_quotes| [vec!["call".to_owned(), name.clone()], spell(&arguments, in_quotes)].concat());
            // Not every text can be a flag: `5` for a union of texts and numbers is the number.
            let as_json = vec!["call".to_owned(), format!("--json={arguments}"), name];
            let mut ran = None;
            for words in as_flags.into_iter().chain([as_json]) {
                let io = Io::captured("");
                let code = caged.cli.run_with(&words, &io).await;
                let is_spelled = caged.seen().as_ref() == Some(&arguments) && code == ExitCode::SUCCESS;
                ran = Some((is_spelled, words, io.errors()));
                if is_spelled {
                    break;
                }
            }
            let (is_spelled, words, errors) = ran.expect("three spellings");
            assert!(is_spelled, "{words:?}\n{errors}");
            with_json += usize::from(words[1].starts_with("--json="));
            made += 1;
            if made == wanted {
                break;
            }
        }
        assert_eq!(made, wanted, "{}: too few valid arguments", caged.specimen.name);
        calls += made;
    }
    assert!(calls >= 40 * wanted, "{calls}");
    assert!(with_json * 10 < calls, "{with_json} of {calls} with --json");
}

#[tokio::test]
async fn the_help_of_every_tool_explains_every_parameter() {
    for specimen in zoo() {
        let caged = cage(specimen);
        let io = Io::captured("");
        let code = caged.cli.run_with(["call", caged.specimen.name, "--help"], &io).await;
        let help = io.output();
        assert_eq!((code, io.errors().as_str()), (ExitCode::SUCCESS, ""), "{help}");
        assert!(help.contains(&format!("Usage: zoo call {}", caged.specimen.name)), "{help}");
        let schema = &caged.dispatcher.list()[0].input_schema;
        for name in schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name) {
            assert!(help.contains(&format!("--{}", name.replace('_', "-"))), "{name}\n{help}");
        }
    }
}
