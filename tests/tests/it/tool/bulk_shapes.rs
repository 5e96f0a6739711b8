//! Shapes of all tools of a builder, and of one method of a service.

use std::sync::{Arc, Mutex};

use mcp_tool_runtime::{
    Dispatcher, DispatcherBuilder, Extensions, IntoService as _, Layer, ToolHandler as _, layer_fn, mcp_tool,
    mcp_tools, tools,
};
use serde_json::json;

use crate::listing::Caller;
use crate::listing::wrapped::Wrapper;
use crate::run::{built, call, exact, faults, names, value};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Tell the time.
#[mcp_tool(tags("time"))]
async fn clock() -> u8 {
    12
}

type Log = Arc<Mutex<Vec<String>>>;

fn log(name: &'static str, log: &Log) -> impl Layer + use<> {
    let log = Arc::clone(log);
    layer_fn(move |request, cx, next| {
        log.lock().expect("no panic").push(format!("{name} {}", cx.tool_name()));
        Box::pin(next.run(request, cx))
    })
}

fn called(dispatcher: &Dispatcher, log: &Log, name: &str) -> Vec<String> {
    call(dispatcher, name, json!({"a": 1, "b": 2}));
    std::mem::take(&mut *log.lock().expect("no panic"))
}

fn seen(dispatcher: &Dispatcher) -> Vec<String> {
    dispatcher.seen_by(&Extensions::new()).list().iter().map(|tool| tool.name.clone()).collect()
}

#[test]
fn a_merged_builder_changes_its_own_tools_only() {
    let seen = Log::default();
    let numbers = Dispatcher::builder()
        .tagged("numbers")
        .renamed(|name| format!("{name}_numbers"))
        .layered(log("inner", &seen))
        .tools(tools![add])
        .scoped("numbers:use");
    let builder = exact().layer(log("outer", &seen)).tools(tools![clock]).merge_as("n_", numbers);
    let dispatcher = built(builder.visible_by_scopes::<Caller>());
    assert_eq!(names(&dispatcher), ["clock", "n_add_numbers"]);
    assert_eq!(dispatcher.list()[0].meta["rs.mcp-tool/tags"], json!(["time"]));
    assert_eq!(dispatcher.list()[1].meta["rs.mcp-tool/tags"], json!(["numbers"]));
    assert_eq!(dispatcher.list()[1].title.as_deref(), Some("N Add Numbers"));
    assert_eq!(self::seen(&dispatcher), ["clock"], "the other one needs a scope");
    assert_eq!(called(&dispatcher, &seen, "clock"), ["outer clock"]);
    let mut extensions = Extensions::new();
    extensions.insert(Caller::with_scopes(&["numbers:use"]));
    assert_eq!(dispatcher.seen_by(&extensions).list().len(), 2);
}

#[test]
fn the_layers_of_a_merged_builder_run_under_the_new_name() {
    let seen = Log::default();
    let inner = Dispatcher::builder().tools(tools![add]).layered(log("inner", &seen)).renamed(str::to_uppercase);
    let dispatcher = built(exact().merge(inner).layered(log("outer", &seen)));
    assert_eq!(called(&dispatcher, &seen, "ADD"), ["outer ADD", "inner ADD"]);
}

#[test]
fn a_builder_that_is_not_merged_changes_all_its_tools() {
    let numbers = Dispatcher::builder().tools(tools![add]).tagged("inner").renamed(|name| format!("{name}_1"));
    let builder = exact().tools(tools![clock]).merge(numbers).tagged("outer").renamed(|name| format!("{name}_2"));
    let dispatcher = built(builder.renamed(|name| name.replace('_', "-")));
    assert_eq!(names(&dispatcher), ["clock-2", "add-1-2"]);
    assert_eq!(dispatcher.list()[0].meta["rs.mcp-tool/tags"], json!(["time", "outer"]));
    assert_eq!(dispatcher.list()[1].meta["rs.mcp-tool/tags"], json!(["inner", "outer"]));
    assert_eq!(value(&dispatcher, "add-1-2", json!({"a": 1, "b": 2})), 3);
}

#[test]
fn names_that_meet_or_are_not_allowed_are_errors() {
    let same = faults(exact().tools(tools![add, clock]).renamed(|_| "x"));
    assert!(same[0].contains("two tools are named `x`"), "{same:?}");
    let blank = faults(exact().tools(tools![add]).renamed(|name| format!("{name} x")));
    assert!(blank[0].contains("a name has 1 to 128 of the characters"), "{blank:?}");
    let scope = faults(exact().tools(tools![add]).scoped("numbers"));
    assert!(scope[0].contains("no rule checks scopes"), "{scope:?}");
}

#[test]
fn each_rule_sees_the_names_of_its_own_builder() {
    let seen = Log::default();
    let rule = |builder: DispatcherBuilder, of: &'static str| {
        let log = Arc::clone(&seen);
        builder.visible(move |tool, _| {
            log.lock().expect("no panic").push(format!("{of} {}", tool.name()));
            true
        })
    };
    let inner = rule(Dispatcher::builder().tools(tools![add]), "inner");
    let middle = rule(Dispatcher::builder().merge(inner).renamed(|name| format!("{name}_m")), "middle");
    let dispatcher = built(rule(exact().merge_as("p_", middle).renamed(str::to_uppercase), "outer"));
    assert_eq!(names(&dispatcher), ["P_ADD_M"]);
    assert_eq!(called(&dispatcher, &seen, "P_ADD_M"), ["outer P_ADD_M", "middle add_m", "inner add"]);
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
        .layered(log("service", &seen))
        .method("create", |t| t.renamed("new").hiding("draft").with_argument("body", |a| a.renamed("text")))
        .method("count", |t| t.tagged("numbers").layered(log("method", &seen)))
        .method("type", |t| t.described("Name the type."))
        .tagged("all");
    let dispatcher = built(exact().service_as("my_", service));
    assert_eq!(names(&dispatcher), ["my_new", "my_notes_how-many", "my_notes_type"]);
    assert_eq!(dispatcher.list()[0].title.as_deref(), Some("My New"));
    assert_eq!(dispatcher.list()[0].meta["rs.mcp-tool/tags"], json!(["notes", "all"]));
    assert_eq!(dispatcher.list()[1].meta["rs.mcp-tool/tags"], json!(["notes", "numbers", "all"]));
    assert_eq!(dispatcher.list()[2].description.as_deref(), Some("Name the type."));
    assert_eq!(value(&dispatcher, "my_new", json!({"text": "x"})), "x None");
    assert_eq!(seen.lock().expect("no panic").split_off(0), ["service my_new"]);
    call(&dispatcher, "my_notes_how-many", json!({}));
    assert_eq!(*seen.lock().expect("no panic"), ["service my_notes_how-many", "method my_notes_how-many"]);
}

#[test]
fn a_method_can_be_wrapped_and_shaped_twice() {
    let service = Notes.method("count", Wrapper).method("count", |t| t.renamed("number"));
    let dispatcher = built(exact().service(service.scoped("notes")).visible(|_, _| true).scopes_are_read());
    assert_eq!(names(&dispatcher), ["notes_create", "number", "notes_type"]);
    assert_eq!(value(&dispatcher, "number", json!({})), 2);
}

#[test]
fn a_method_of_another_name_is_an_error() {
    let found = faults(exact().service(Arc::new(Notes).method("creat", |t| t.tagged("x")).method("helper", |t| t)));
    assert_eq!(
        found,
        [
            "a service has no tool whose method is `creat`; did you mean `create`?",
            "a service has no tool whose method is `helper`",
        ]
    );
    // The name of a tool is not that of its method.
    assert_eq!(faults(exact().service(Notes.method("how-many", |t| t))).len(), 1);
    let merged = faults(exact().merge(Dispatcher::builder().service(Notes.method("creat", |t| t))));
    assert_eq!(merged, ["a service has no tool whose method is `creat`; did you mean `create`?"]);
}

#[test]
fn every_shape_of_a_tool_is_a_method_of_the_shape_as_well() {
    let shaped = add {}.renamed("sum").described("Sum.").tagged("a").scoped("b").fixing("a", 1);
    let shaped = shaped.with_argument("b", |a| a.renamed("c")).fixing("c", 2).renamed("three");
    let dispatcher = built(exact().tool(shaped).visible(|tool, _| tool.tags().contains("a")).scopes_are_read());
    assert_eq!((names(&dispatcher), seen(&dispatcher)), (vec!["three"], vec!["three".to_owned()]));
    assert_eq!(value(&dispatcher, "three", json!({})), 3);
}
