//! Calls all tools, on a ten-line executor.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use mcp_tool_runtime::serde_json::Value;
use mcp_tool_runtime::{CallToolRequest, Dispatcher, DispatcherBuilder, ToolHandler, json};

use crate::types::Place;

fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

fn dispatcher(tools: Vec<Box<dyn ToolHandler>>) -> impl Fn(&str, Value) -> Result<Value, String> {
    built(Dispatcher::builder().tools(tools))
}

fn built(builder: DispatcherBuilder) -> impl Fn(&str, Value) -> Result<Value, String> {
    let state = Place { name: "state".to_owned() };
    let dispatcher = builder.state(state).build().expect("a dispatcher");
    move |name, arguments| {
        let response = block_on(dispatcher.call(CallToolRequest::new(name, arguments))).expect("a known tool");
        if let Some(error) = response.error() {
            return Err(error.message().to_owned());
        }
        Ok(response.deserialize().unwrap_or_default())
    }
}

#[test]
fn tools_in_a_module_with_shadowed_names() {
    let call = dispatcher(crate::shadowed::tools());
    let arguments = json!({"text": "a", "place": {"name": "b"}, "all": [], "more": 5});
    assert_eq!(call("everything", arguments.clone()), Err("no such place".to_owned()));
    let mut found = arguments;
    found["maybe"] = json!("c");
    assert_eq!(call("everything", found), Ok(json!({"name": "a"})));
    assert_eq!(call("nothing", json!({})), Ok(Value::Null));
    assert_eq!(call("whole", json!({"name": "x"})), Ok(json!("x")));
    assert_eq!(call("marked", json!({})), Ok(json!("marked state false there Some(5) lent")));
}

#[test]
fn services_in_all_modules() {
    use crate::{courtesy, hijacked, shadowed};

    let builder = Dispatcher::builder().service(shadowed::Service { value: 1 }).service(shadowed::Generic("any"));
    let call = built(builder.service(hijacked::Finder).service(courtesy::Idle));
    assert_eq!(call("service_method", json!({"list": []})), Ok(json!(4)));
    assert_eq!(call("service_method", json!({"list": [{"name": "a"}]})), Err("no such place".to_owned()));
    assert_eq!(call("service_shared", json!({})), Ok(json!(1)));
    assert_eq!(call("service_alone", json!({})), Ok(json!(0)));
    assert_eq!(call("generic_shown", json!({})), Ok(json!("any!")));
    assert_eq!(call("found", json!({})), Ok(json!({"name": "here"})));
    assert_eq!(call("idle", json!({})), Ok(json!(1)));
    assert_eq!(call("many", json!({"text": "a", "one": 1, "two": 2})), Ok(json!(3)));
}

#[test]
fn tools_beside_a_trait_for_every_type() {
    let call = dispatcher(crate::hijacked::handlers());
    assert_eq!(call("find", json!({"name": "Paris", "exact": true})), Ok(json!({"name": "Paris"})));
    assert_eq!(call("find", json!({})), Err("no such place".to_owned()));
}

#[test]
fn tools_in_function_bodies() {
    let call = dispatcher(crate::bodies::tools());
    assert_eq!(call("match", json!({"type": "x", "fn": 5})), Ok(json!("x 6")));
    assert_eq!(call("echo", json!({"echo": "x"})), Ok(json!("x")));
    assert_eq!(call("local", json!({"place": {"a": 1}})), Ok(json!({"a": 1})));
    let call = dispatcher(crate::bodies::crates::tools());
    assert_eq!(call("serde", json!({})), Ok(json!(0)));
    assert_eq!(call("core", json!({})), Ok(Value::Null));
}

/// Nothing subscribes to events, so the reason goes to standard error. It is read from another process, because the harness captures what
/// a test prints.
#[test]
fn the_reason_of_a_masked_error_is_printed_once() {
    /// Open a door.
    #[mcp_tool_runtime::mcp_tool]
    async fn open(code: String) -> Result<(), std::num::ParseIntError> {
        code.parse::<u8>().map(drop)
    }

    if std::env::var_os("HYGIENE_PRINTS").is_some() {
        let call = dispatcher(mcp_tool_runtime::tools![open]);
        let error = call("open", json!({"code": "s3cret"})).expect_err("a failed call");
        assert!(error.starts_with("internal error in tool `open` (call_id "), "{error}");
        assert!(call("open", json!({"code": 5})).is_err_and(|error| error.starts_with("invalid arguments")));
        return;
    }
    let program = std::env::current_exe().expect("a program");
    let name = "calls::the_reason_of_a_masked_error_is_printed_once";
    let run =
        std::process::Command::new(program).args(["--exact", name, "--nocapture"]).env("HYGIENE_PRINTS", "1").output();
    let errors = String::from_utf8(run.expect("a process").stderr).expect("UTF-8");
    let printed: Vec<_> = errors.lines().filter(|line| line.starts_with("tool ")).collect();
    let [only] = printed.as_slice() else { panic!("{errors}") };
    assert!(only.starts_with("tool open failed (call_id "), "{only}");
    assert!(only.ends_with("): invalid digit found in string") && !errors.contains("s3cret"), "{errors}");
}

#[test]
fn tools_under_restriction_lints() {
    use crate::restrictions::{Shelf, handlers};

    let books = vec![Place { name: "a".to_owned() }, Place { name: "b".to_owned() }];
    let call = built(Dispatcher::builder().tools(handlers()).service(Shelf::from(books)));
    assert_eq!(call("everything", json!({"text": "a"})), Ok(json!([])));
    assert_eq!(call("shelf_show", json!({"first": "b"})), Ok(json!([{"name": "b"}])));
    assert_eq!(call("count", json!({})), Ok(json!(2)));
}

#[test]
fn tools_under_pedantic_lints() {
    let call = dispatcher(crate::courtesy::handlers());
    assert_eq!(call("old", json!({"a": 1})), Ok(json!(1)));
    assert_eq!(call("longest", json!({"a": "xx", "b": "y"})), Ok(json!("xx")));
}
