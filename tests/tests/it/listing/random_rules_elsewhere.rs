//! What [`random_rules`](super::random_rules) says of the servers, for everything else that lists or calls: model vendors, Open Tool
//! Calling, calls of tools, plain HTTP, the command line.

use axum::body::Body;
use fastrand::Rng;
use http::Request;
use http_body_util::BodyExt as _;
use mcp_tool_runtime::cli::{Cli, Io};
use mcp_tool_runtime::http::{Page, PlainHttp};
use mcp_tool_runtime::{
    CallToolRequest, Dispatcher, ProtocolVersion,
    export::{Strict, Vendor},
};
use mcp_tool_tests::size;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::listing::Caller;
use crate::listing::random_servers::{NAMES, World, extensions};

/// Names of tools, and similar ones.
fn names() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().chain(["relay", "note_c", "note_a_", "order-b", "nothing_like_it"])
}

/// Compares what a caller gets from a random dispatcher with what one gives that has just the visible tools.
async fn compare(seed: u64, worlds: usize, answers: impl AsyncFn(&Dispatcher, Option<&Caller>) -> Vec<String>) {
    let mut rng = Rng::with_seed(seed);
    let mut hidden = 0;
    for _ in 0..worlds {
        let world = World::random(&mut rng);
        for caller in &world.callers {
            let caller = caller.as_ref();
            hidden += world.tools.iter().filter(|tool| !world.is_visible(tool, caller)).count();
            let real = answers(&world.dispatcher, caller).await;
            let twin = answers(&world.twin(caller), caller).await;
            assert_eq!(real.len(), twin.len(), "{caller:?} {world:?}");
            for (real, twin) in real.iter().zip(&twin) {
                assert_eq!(real, twin, "{caller:?} {world:?}");
            }
        }
    }
    assert!(hidden > worlds, "{hidden} hidden");
}

#[tokio::test]
async fn exports_are_those_of_a_server_with_the_visible_tools_alone() {
    compare(17, size(20, 100), async |dispatcher, caller| {
        let seen = dispatcher.seen_by(&extensions(caller));
        let mut answers = vec![
            format!("{:?}", seen.list_otc("1.0.0").map_err(|error| error.to_string())),
            format!("{:?} {:?}", seen.list(), seen.list_for(ProtocolVersion::LATEST)),
        ];
        for vendor in Vendor::ALL {
            for strict in [Strict::Off, Strict::WhereLossless] {
                let export = seen.export(*vendor).strict(strict);
                let findings: Vec<_> = export.findings().iter().map(ToString::to_string).collect();
                answers.push(format!("{} {findings:#?}", Value::from(export.tools().to_vec())));
            }
        }
        let export = seen.export(Vendor::OpenAiChat);
        let calls: Vec<_> = names()
            .flat_map(|name| [name.to_owned(), name.replace('.', "_")])
            .map(|name| json!({"id": "1", "type": "function", "function": {"name": name, "arguments": "{\"a\": 1}"}}))
            .collect();
        let message = json!({"role": "assistant", "content": null, "tool_calls": calls});
        answers.push(format!("{:#?}", export.answer(&message).await));
        answers
    })
    .await;
}

#[tokio::test]
async fn a_tool_calls_what_its_caller_could_call() {
    compare(19, size(40, 200), async |dispatcher, caller| {
        let mut answers = Vec::new();
        for name in names() {
            let mut request = CallToolRequest::new("relay", json!({"name": name}));
            request.extensions = extensions(caller);
            answers.push(match dispatcher.call(request).await {
                Ok(response) => serde_json::to_string(&response.to_otc()).expect("a response"),
                Err(error) => format!("{error:?}"),
            });
        }
        answers
    })
    .await;
}

#[tokio::test]
async fn plain_http_and_the_page_are_those_of_a_server_with_the_visible_tools_alone() {
    compare(23, size(20, 100), async |dispatcher, caller| {
        let (rest, page) = (PlainHttp::new(dispatcher.clone()), Page::new(dispatcher.clone()));
        let mut requests = vec![("GET", String::new(), ""), ("GET", "openapi.json".to_owned(), "")];
        for name in names() {
            for body in [r#"{"a": 1, "b": 2}"#, r#"{"region": "eu"}"#, "{}", "5", "not JSON"] {
                requests.push(("POST", name.to_owned(), body));
            }
            requests.push(("GET", name.to_owned(), ""));
        }
        let of_rest = requests.len();
        requests.push(("POST", "?tools".to_owned(), ""));
        let calls: Vec<_> = names().map(|name| json!({"name": name, "arguments": {"a": 1}}).to_string()).collect();
        requests.extend(calls.iter().map(|call| ("POST", "?call".to_owned(), call.as_str())));
        let mut answers = Vec::new();
        for (index, (method, path, body)) in requests.into_iter().enumerate() {
            let request = Request::builder().method(method).uri(format!("http://localhost/{path}"));
            let request = request.header("content-type", "application/json");
            let mut request = request.body(Body::from(body.to_owned())).expect("a request");
            if let Some(caller) = caller {
                request.extensions_mut().insert(caller.clone());
            }
            let response =
                if index < of_rest { rest.clone().oneshot(request).await } else { page.clone().oneshot(request).await };
            let response = response.unwrap_or_else(|never| match never {});
            let (mut parts, body) = response.into_parts();
            // A server without any tool has no rules either, so it says something else about caches.
            parts.headers.remove("cache-control");
            let body = body.collect().await.expect("a body").to_bytes();
            answers.push(format!(
                "{method} {path}: {} {:?} {}",
                parts.status,
                parts.headers,
                String::from_utf8_lossy(&body)
            ));
        }
        answers
    })
    .await;
}

#[tokio::test]
async fn the_command_line_is_that_of_a_server_with_the_visible_tools_alone() {
    compare(29, size(4, 20), async |dispatcher, caller| {
        let mut cli = Cli::new(dispatcher.clone());
        if let Some(caller) = caller {
            cli = cli.with_extension(caller.clone());
        }
        let mut lines: Vec<Vec<&str>> = [
            "--help",
            "list",
            "list --json",
            "list --bytes",
            "list --tag beta",
            "call --help",
            "openapi",
            "export gemini",
            "export openai-chat",
            "completions bash",
            "completions zsh",
        ]
        .map(|line| line.split(' ').collect())
        .to_vec();
        for name in names() {
            lines.push(vec!["list", "--schema", name]);
            lines.push(vec!["call", name, "--help"]);
            lines.push(vec!["call", name, "--a", "1", "--b", "2"]);
            lines.push(vec!["call", "--json", r#"{"region": "eu"}"#, name]);
            lines.push(vec!["call", name, "--region=eu", "--wrong"]);
        }
        let mut answers = Vec::new();
        for line in lines {
            let io = Io::captured("");
            let code = cli.run_with(line.clone(), &io).await;
            answers.push(format!("{line:?}: {code:?}\n{}\n{}", io.output(), io.errors()));
        }
        answers
    })
    .await;
}
