//! Random calls over every carrier: the records count what the clients saw, and say nothing of what was in a call.

use std::time::Duration;

use mcp_tool_runtime::operations::{CallRecord, Carrier, Outcome};
use mcp_tool_runtime::{
    CallContext, Consent, Dispatcher, ToolError, ToolInfo, Visibility, mcp_tool, middleware, tools,
};
use serde_json::{Value, json};

use super::{Records, whole};
use crate::listing::Caller;
use crate::listing::carriers::call_over_each;
use crate::run::{built, giving};

/// Part of every value that is sent and returned.
const CANARY: &str = "canary-value";

/// Echo a word.
#[mcp_tool]
async fn echo(#[serde(alias = "text")] word: String, times: Option<u8>) -> String {
    word.repeat(times.unwrap_or(1).into())
}

/// Fail with words for the model.
#[mcp_tool]
async fn fail(word: String) -> Result<(), ToolError> {
    Err(ToolError::new(format!("it failed: {word}")).with_code("E7"))
}

/// Fail with words for the log.
#[mcp_tool]
async fn break_down(word: String) -> Result<(), ToolError> {
    Err(ToolError::internal(word))
}

/// Panic.
#[mcp_tool]
async fn explode(word: String) {
    panic!("{word}");
}

/// Return more than is sent.
#[mcp_tool]
async fn flood(word: String) -> String {
    word.repeat(1_000)
}

/// Return more than the budget.
#[mcp_tool(budget = 10)]
async fn pour(word: String) -> String {
    word.repeat(20)
}

/// Take longer than allowed.
#[mcp_tool(timeout = "1s")]
async fn dawdle(word: String) -> String {
    tokio::time::sleep(Duration::from_secs(3600)).await;
    word
}

/// Need a user whom nobody attaches.
#[mcp_tool]
async fn need_user(#[mcp_tool(extension)] user: &std::net::Ipv4Addr) -> String {
    user.to_string()
}

/// Ask a user whom nobody can reach.
#[mcp_tool]
async fn need_consent(word: String, #[mcp_tool(ask = "Sure?")] _sure: Consent) -> String {
    word
}

/// Be refused.
#[mcp_tool(tags("refused"))]
async fn forbidden(word: String) -> String {
    word
}

/// Be hidden.
#[mcp_tool(tags("hidden"))]
async fn secret(word: String) -> String {
    word
}

/// Call another tool.
#[mcp_tool]
async fn relay(word: String, #[mcp_tool(context)] cx: &CallContext) -> Result<String, ToolError> {
    let response = cx.call("fail", json!({"word": word})).await?;
    Ok(response.error().map_or("no error", |error| error.message()).to_owned())
}

fn rule(tool: &ToolInfo, _: Option<&Caller>) -> Visibility {
    if tool.tags().contains("hidden") {
        return Visibility::Hidden;
    }
    if tool.tags().contains("refused") {
        Visibility::RefusedWith("not in this plan".to_owned())
    } else {
        Visibility::Shown
    }
}

fn dispatcher(records: &Records, with_middleware: bool) -> Dispatcher {
    let mut builder = Dispatcher::builder()
        .tools(tools![
            echo,
            fail,
            break_down,
            explode,
            flood,
            pour,
            dawdle,
            need_user,
            need_consent,
            forbidden,
            secret,
            relay
        ])
        .tool(giving("lie", json!({"type": "integer"})))
        .max_result_bytes(2_000)
        .visible_to::<Caller>(rule);
    if with_middleware {
        builder = builder.middleware(middleware::from_fn(|request, cx, next| Box::pin(next.run(request, cx))));
    }
    built(records.of(builder))
}

/// A call: the tool, its arguments, its outcome, and what every client reads of it.
fn random_call(rng: &mut fastrand::Rng) -> (&'static str, Value, Outcome, &'static str) {
    let word = json!({"word": CANARY});
    match rng.u8(..15) {
        0 => ("echo", json!({"word": CANARY, "times": 2}), Outcome::Success, "canary-valuecanary-value"),
        1 => ("echo", json!({"text": CANARY}), Outcome::Success, CANARY),
        2 => ("echo", json!({"word": CANARY, "times": CANARY}), Outcome::InvalidArguments, "times: expected"),
        3 => ("echo", json!({"word": CANARY, CANARY: 1}), Outcome::InvalidArguments, "not known"),
        4 => ("fail", word, Outcome::Failed, "it failed"),
        5 => ("break_down", word, Outcome::Masked, "internal error in tool"),
        6 => ("explode", word, Outcome::Panicked, "internal error in tool"),
        7 => ("flood", word, Outcome::TooLarge, "at most 2000 are sent"),
        8 => ("pour", word, Outcome::TooLarge, "at most 10 are allowed"),
        9 => ("dawdle", word, Outcome::TimedOut, "timed out after 1 s"),
        10 => ("need_consent", word, Outcome::Failed, "ask"),
        11 => ("lie", json!({"value": CANARY}), Outcome::InvalidResult, "produced an invalid result"),
        12 => ("forbidden", word, Outcome::Refused, "not in this plan"),
        13 => ("secret", word, Outcome::UnknownTool, "unknown tool"),
        _ => ("canary-value", word, Outcome::UnknownTool, "unknown tool"),
    }
}

/// The carriers of [`call_over_each`], in their order.
const CARRIERS: [Carrier; 17] = {
    use Carrier::{CommandLine, Export, Http, Page, PlainHttp, Protocol, Rmcp, Rust, Stdio};
    [
        Rust,
        Rust,
        Protocol,
        Protocol,
        Http,
        Http,
        Stdio,
        Stdio,
        Rmcp,
        Rmcp,
        Rmcp,
        Rmcp,
        Rmcp,
        PlainHttp,
        Page,
        Export,
        CommandLine,
    ]
};

/// Without names, the router of the SDK and the command line answer a call themselves.
fn is_a_call(carrier: &str, outcome: Outcome) -> bool {
    outcome != Outcome::UnknownTool || !["rmcp_routes", "cli"].contains(&carrier)
}

/// `RECORD_CALLS` sets how many calls are made, and `RECORD_SEED` which.
#[tokio::test(start_paused = true)]
async fn there_is_one_record_of_each_call_over_every_carrier() {
    let read = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let mut rng = fastrand::Rng::with_seed(read("RECORD_SEED", 53));
    let records = Records::default();
    let dispatchers = [false, true].map(|with_middleware| dispatcher(&records, with_middleware));
    let mut count = 0;
    while count < read("RECORD_CALLS", 1_000) {
        let dispatcher = &dispatchers[usize::from(rng.bool())];
        let (tool, arguments, outcome, words) = random_call(&mut rng);
        let answers = call_over_each(dispatcher, Some(&Caller::default()), tool, &arguments).await;
        assert_eq!(answers.len(), CARRIERS.len());
        let mut expected = Vec::new();
        for ((carrier, answer), arrived) in answers.iter().zip(CARRIERS) {
            if is_a_call(carrier, outcome) {
                assert!(answer.contains(words) || answer.contains("UnknownTool"), "{carrier}: {answer}");
                // A client of 2026-07-28 that declares no forms.
                let lacks_forms = tool == "need_consent" && answer.contains("-32021");
                expected.push((arrived, if lacks_forms { Outcome::InvalidRequest } else { outcome }));
            }
        }
        let found = records.take();
        let ends: Vec<_> = found.iter().map(|record| (record.carrier(), record.outcome())).collect();
        assert_eq!(ends, expected, "{tool} {arguments}");
        for record in &found {
            check(record, tool, &arguments);
        }
        count += CARRIERS.len() as u64;
    }
}

fn check(record: &CallRecord, tool: &str, arguments: &Value) {
    let said = whole(record);
    assert!(!said.contains(CANARY), "{said}");
    if tool != CANARY && record.carrier() != Carrier::Export {
        assert_eq!(record.tool(), Some(tool), "{said}");
    }
    if record.outcome() == Outcome::UnknownTool {
        return;
    }
    let reads_arguments = record.outcome() != Outcome::Refused;
    if reads_arguments {
        let names =
            arguments.as_object().expect("an object").keys().map(|name| if name == "text" { "word" } else { name });
        // `lie` publishes no argument.
        let published = names.filter(|name| *name != CANARY && tool != "lie");
        assert!(record.argument_names().eq(published), "{said}");
        assert_eq!(record.argument_bytes(), arguments.to_string().len(), "{said}");
    }
    assert_eq!(
        record.code(),
        match tool {
            "fail" => Some("E7"),
            "forbidden" => Some("refused"),
            "need_consent" if record.outcome() == Outcome::Failed => Some("unavailable"),
            _ => None,
        }
    );
    let result_bytes = match (tool, record.outcome()) {
        ("echo", Outcome::Success) => CANARY.len() * if arguments.get("times").is_some() { 2 } else { 1 } + 2,
        ("flood", _) => CANARY.len() * 1_000 + 2,
        ("pour", _) => CANARY.len() * 20 + 2,
        _ => 0,
    };
    assert_eq!(record.result_bytes(), result_bytes, "{said}");
    let speaks_mcp = matches!(record.carrier(), Carrier::Protocol | Carrier::Stdio | Carrier::Http | Carrier::Rmcp);
    assert_eq!(record.version().is_some(), speaks_mcp, "{said}");
}

#[tokio::test]
async fn a_call_of_another_tool_has_a_record_of_its_own() {
    let records = Records::default();
    let dispatcher = dispatcher(&records, false);
    let request = mcp_tool_runtime::CallToolRequest::new("relay", json!({"word": "x"})).with_call_id("outer");
    dispatcher.call(request).await.expect("a response");
    let [inner, outer] = &records.take()[..] else { panic!("two records") };
    assert_eq!((inner.tool(), inner.carrier(), inner.outcome()), (Some("fail"), Carrier::Tool, Outcome::Failed));
    assert_eq!((outer.tool(), outer.carrier(), outer.outcome()), (Some("relay"), Carrier::Rust, Outcome::Success));
    assert_eq!(inner.parent(), outer.call_id());
    assert_eq!(outer.parent(), None);
}

#[test]
fn a_panic_of_one_function_does_not_keep_the_record_from_the_next() {
    let (first, last) = (Records::default(), Records::default());
    let builder = first.of(Dispatcher::builder().tools(tools![echo])).on_call(|_: &CallRecord| panic!("a bug"));
    let dispatcher = built(last.of(builder));
    let response = crate::run::call(&dispatcher, "echo", json!({"word": "x"}));
    assert!(response.is_success());
    assert_eq!((first.outcomes(), last.outcomes()), (vec![Outcome::Success], vec![Outcome::Success]));
}

#[test]
fn a_merged_builder_sets_no_observer() {
    let merged = Records::default().of(Dispatcher::builder());
    let errors = crate::run::faults(Dispatcher::builder().merge(merged));
    assert_eq!(errors, ["a merged builder sets `on_call`; set it on the builder that it is merged into"]);
}
