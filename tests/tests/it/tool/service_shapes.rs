//! Shapes of all tools of a service, and of one method.

use std::sync::{Arc, Mutex};

use mcp_tool_runtime::{
    Dispatcher, Extensions, IntoService as _, Middleware, ToolHandler as _, ToolInfo, mcp_tool, mcp_tools, middleware,
};
use serde_json::json;

use crate::listing::wrapped::Wrapper;
use crate::run::{built, call, exact, faults, names, value};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

type Log = Arc<Mutex<Vec<String>>>;

fn log(name: &'static str, log: &Log) -> impl Middleware + use<> {
    let log = Arc::clone(log);
    middleware::from_fn(move |request, cx, next| {
        log.lock().expect("no panic").push(format!("{name} {}", cx.tool_name()));
        Box::pin(next.run(request, cx))
    })
}

fn seen(dispatcher: &Dispatcher) -> Vec<String> {
    dispatcher.seen_by(&Extensions::new()).list().iter().map(|tool| tool.name.clone()).collect()
}

struct Notes;

#[mcp_tools(prefix = "notes_", tags("notes"))]
impl Notes {
    /// Create a note.
    #[mcp_tool]
    async fn create(&self, body: String, draft: Option<bool>) -> String {
        format!("{body} {draft:?}")
    }

    /// Count the notes.
    #[mcp_tool(name = "how-many")]
    async fn count(&self) -> u8 {
        2
    }

    /// Say which type this is.
    #[mcp_tool]
    async fn r#type(&self) -> &'static str {
        "notes"
    }

    /// Is not a tool.
    fn helper() {}
}

#[test]
fn one_method_has_another_shape() {
    let seen = Log::default();
    Notes::helper();
    let service = Notes
        .with_middleware(log("service", &seen))
        .method("create", |t| t.with_name("new").without("draft").with_argument("body", |a| a.with_name("text")))
        .method("count", |t| t.with_tags(["numbers"]).with_middleware(log("method", &seen)))
        .method("type", |t| t.with_description("Name the type."))
        .with_tags(["all"]);
    let tags = Log::default();
    let rule = {
        let tags = Arc::clone(&tags);
        move |tool: &ToolInfo, _: &Extensions| {
            tags.lock().expect("no panic").push(tool.tags().join(" "));
            true
        }
    };
    let dispatcher = built(exact().service_with_prefix("my_", service).visible(rule));
    assert_eq!(self::seen(&dispatcher).len(), 3);
    assert_eq!(names(&dispatcher), ["my_new", "my_notes_how-many", "my_notes_type"]);
    assert_eq!(dispatcher.list_all()[0].title.as_deref(), Some("My New"));
    assert_eq!(*tags.lock().expect("no panic"), ["notes all", "notes numbers all", "notes all"]);
    assert_eq!(dispatcher.list_all()[2].description.as_deref(), Some("Name the type."));
    assert_eq!(value(&dispatcher, "my_new", json!({"text": "x"})), "x None");
    assert_eq!(seen.lock().expect("no panic").split_off(0), ["service my_new"]);
    call(&dispatcher, "my_notes_how-many", json!({}));
    assert_eq!(*seen.lock().expect("no panic"), ["service my_notes_how-many", "method my_notes_how-many"]);
}

#[test]
fn a_method_can_be_wrapped_and_shaped_twice() {
    let service = Notes.method("count", Wrapper).method("count", |t| t.with_name("number"));
    let dispatcher = built(exact().service(service.with_scopes(["notes"])).visible(|_, _| true).scopes_are_read());
    assert_eq!(names(&dispatcher), ["notes_create", "number", "notes_type"]);
    assert_eq!(value(&dispatcher, "number", json!({})), 2);
}

#[test]
fn a_method_of_another_name_is_an_error() {
    let found =
        faults(exact().service(Arc::new(Notes).method("creat", |t| t.with_tags(["x"])).method("helper", |t| t)));
    assert_eq!(
        found,
        [
            "a service has no tool whose method is `creat`; did you mean `create`?",
            "a service has no tool whose method is `helper`",
        ]
    );
    // The name of a tool is not that of its method.
    let found = faults(exact().service(Notes.method("notes_how-many", |t| t)));
    let [only] = found.as_slice() else { panic!("{found:?}") };
    assert!(only.contains("`notes_how-many`; the method of the tool with this name is `"), "{only}");
    let merged = faults(exact().merge(Dispatcher::builder().service(Notes.method("creat", |t| t))));
    assert_eq!(merged, ["a service has no tool whose method is `creat`; did you mean `create`?"]);
}

#[test]
fn every_shape_of_a_tool_is_a_method_of_the_shape_as_well() {
    let shaped =
        add {}.with_name("sum").with_description("Sum.").with_tags(["a"]).with_scopes(["b"]).with_fixed("a", 1);
    let shaped = shaped.with_argument("b", |a| a.with_name("c")).with_fixed("c", 2).with_name("three");
    let dispatcher = built(exact().tool(shaped).visible(|tool, _| tool.tags().contains("a")).scopes_are_read());
    assert_eq!((names(&dispatcher), seen(&dispatcher)), (vec!["three"], vec!["three".to_owned()]));
    assert_eq!(value(&dispatcher, "three", json!({})), 3);
}
