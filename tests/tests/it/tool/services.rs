//! Services: objects whose methods are tools.

use std::fmt::Display;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use mcp_tool_runtime::{
    CallContext, CallToolRequest, Dispatcher, IntoToolError, ToolError, mcp_tool, mcp_tools, tools,
};
use serde_json::{Value, json};

use crate::run::{self, built, error, exact, faults, input, message, send, value};

#[derive(Default)]
struct Notes {
    list: Mutex<Vec<String>>,
}

#[mcp_tools]
impl Notes {
    /// Create a note.
    #[mcp_tool]
    async fn create(
        &self,
        /// Its text.
        #[schemars(length(min = 1))]
        body: String,
    ) -> Result<usize, String> {
        let mut list = self.list.lock().map_err(|_| "closed")?;
        list.push(body);
        Ok(list.len())
    }

    /// Count the notes.
    #[mcp_tool(name = "how-many", read_only_hint)]
    async fn count(self: Arc<Self>) -> usize {
        self.len()
    }

    /// Say how long a note may be.
    #[mcp_tool(title = "The most")]
    async fn most_letters() -> u32 {
        100
    }

    /// Join the notes, on the pool.
    #[mcp_tool(blocking, timeout = "1m")]
    fn join(&self, with: &str, #[mcp_tool(context)] cx: &CallContext) -> String {
        format!("{}: {}", cx.tool_name(), self.list.lock().map(|list| list.join(with)).unwrap_or_default())
    }

    fn len(&self) -> usize {
        self.list.lock().map_or(0, |list| list.len())
    }
}

/// A service of three impl blocks in two modules.
#[derive(Default)]
struct Library(AtomicU32);

#[mcp_tools(prefix = "library_", parts(lending, r#return))]
impl Library {
    /// Count the books that are out.
    #[mcp_tool]
    async fn out(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

mod desk {
    use std::sync::atomic::Ordering;

    // Only the methods use `mcp_tool`. rustc must not report the import as unused.
    use mcp_tool_runtime::{mcp_tool, mcp_tools};

    #[mcp_tools(part = lending, prefix = "desk_")]
    impl super::Library {
        /// Lend a book.
        #[mcp_tool]
        pub(super) async fn lend(&self) -> u32 {
            self.0.fetch_add(1, Ordering::Relaxed) + 1
        }
    }

    #[mcp_tools(part = r#return, prefix = "")]
    impl super::Library {
        /// Take a book back.
        #[mcp_tool]
        pub(super) async fn take_back(&self) -> u32 {
            self.0.fetch_sub(1, Ordering::Relaxed) - 1
        }
    }
}

#[test]
fn the_methods_of_several_impl_blocks_are_tools_of_one_service() {
    let dispatcher = built(Dispatcher::builder().service_with_prefix("city_", Library::default()));
    let names: Vec<_> = dispatcher.list().iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["city_library_out", "city_desk_lend", "city_take_back"]);
    for (name, count) in [("city_desk_lend", 1), ("city_desk_lend", 2), ("city_take_back", 1), ("city_library_out", 1)]
    {
        assert_eq!(value(&dispatcher, name, json!({})), count, "{name}");
    }
}

fn names(dispatcher: &Dispatcher) -> Vec<(String, String)> {
    let named = |tool: &mcp_tool_runtime::mcp::Tool| (tool.name.clone(), tool.title.clone().unwrap_or_default());
    dispatcher.list().iter().map(named).collect()
}

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(name, title)| ((*name).to_owned(), (*title).to_owned())).collect()
}

#[tokio::test]
async fn methods_are_registered_as_tools() {
    let dispatcher = built(exact().service(Notes::default()));
    assert_eq!(
        names(&dispatcher),
        pairs(&[("create", "Create"), ("how-many", "How Many"), ("most_letters", "The most"), ("join", "Join")])
    );
    assert_eq!(
        input(&dispatcher, "create")["properties"],
        json!({"body": {"description": "Its text.", "type": "string", "minLength": 1}})
    );
    assert_eq!(value(&dispatcher, "create", json!({"body": "a"})), json!(1));
    assert_eq!(value(&dispatcher, "create", json!({"body": "b"})), json!(2));
    assert_eq!(value(&dispatcher, "how-many", json!({})), json!(2));
    assert_eq!(value(&dispatcher, "most_letters", json!({})), json!(100));
    assert_eq!(
        message(&dispatcher, "create", json!({"body": ""})),
        "invalid arguments: body: expected at least 1 character"
    );
    let response = dispatcher.call(CallToolRequest::new("join", json!({"with": "+"}))).await.expect("a response");
    assert_eq!(response.deserialize::<String>().ok().as_deref(), Some("join: a+b"));
}

#[test]
fn a_service_in_an_arc_is_shared() {
    let notes = Arc::new(Notes::default());
    let dispatcher = built(exact().service(Arc::clone(&notes)).service_with_prefix("same_", notes.clone()));
    assert_eq!(value(&dispatcher, "create", json!({"body": "a"})), json!(1));
    assert_eq!(value(&dispatcher, "same_create", json!({"body": "b"})), json!(2));
    assert_eq!(notes.len(), 2);
    assert_eq!(run::now(notes.create("c".to_owned())), Ok(3), "a method stays a method");
}

#[test]
fn service_as_distinguishes_services_of_one_type() {
    let dispatcher =
        built(exact().service_with_prefix("work_", Notes::default()).service_with_prefix("home.", Notes::default()));
    assert_eq!(
        names(&dispatcher)[..4],
        pairs(&[
            ("work_create", "Work Create"),
            ("work_how-many", "Work How Many"),
            ("work_most_letters", "The most"),
            ("work_join", "Work Join")
        ])
    );
    assert_eq!(names(&dispatcher)[4], ("home.create".to_owned(), "Home Create".to_owned()));
    assert_eq!(value(&dispatcher, "work_create", json!({"body": "a"})), json!(1));
    assert_eq!(value(&dispatcher, "home.create", json!({"body": "a"})), json!(1));
}

struct Counter(AtomicU32);

#[mcp_tools(prefix = "counter_")]
impl Counter {
    /// Count one more.
    #[mcp_tool]
    async fn next(&self) -> u32 {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Start again.
    #[mcp_tool(name = "reset")]
    async fn zero(&self, #[mcp_tool(default = 0)] at: u32, #[mcp_tool(state)] log: &Mutex<Vec<u32>>) {
        self.0.store(at, Ordering::SeqCst);
        log.lock().expect("a log").push(at);
    }
}

#[test]
fn a_prefix_precedes_every_name_explicit_names_too() {
    let log = Arc::new(Mutex::new(Vec::<u32>::new()));
    let builder = exact().state(Arc::clone(&log));
    let dispatcher =
        built(builder.service(Counter(AtomicU32::new(0))).service_with_prefix("b_", Counter(AtomicU32::new(5))));
    assert_eq!(
        names(&dispatcher),
        pairs(&[
            ("counter_next", "Counter Next"),
            ("counter_reset", "Counter Reset"),
            ("b_counter_next", "B Counter Next"),
            ("b_counter_reset", "B Counter Reset"),
        ])
    );
    assert_eq!(value(&dispatcher, "counter_reset", json!({"at": 9})), Value::Null);
    assert_eq!(value(&dispatcher, "counter_next", json!({})), json!(10));
    assert_eq!(value(&dispatcher, "b_counter_next", json!({})), json!(6));
    assert_eq!(*log.lock().expect("a log"), [9]);
    let request = CallToolRequest::new("b_counter_next", json!({}));
    assert_eq!(run::otc(&send(&dispatcher, request))["value"], json!(7));
}

#[test]
fn build_reports_errors_in_services() {
    /// Create something else.
    #[mcp_tool]
    async fn create() {}

    let found = faults(Dispatcher::builder().service(Notes::default()).tools(tools![create]));
    let [only] = found.as_slice() else { panic!("{found:?}") };
    assert!(only.starts_with("two tools are named `create`: ") && only.contains("Notes"), "{only}");

    let found = faults(Dispatcher::builder().service(Notes::default()).service(Notes::default()));
    assert_eq!(found.len(), 4, "{found:?}");
    let expected = "two tools are named `create`: `it::tool::services::Notes::create` is registered twice; register one of the \
        objects with `.service_with_prefix(…)`, or rename its tool with `.method(…)`";
    assert_eq!(found[0], expected);

    let found = faults(Dispatcher::builder().service(Counter(AtomicU32::new(0))));
    let [only] = found.as_slice() else { panic!("{found:?}") };
    assert!(only.starts_with("tool `counter_reset`: no state of type `"), "{only}");

    let found = faults(Dispatcher::builder().service_with_prefix("a b ", Notes::default()));
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found[0].starts_with("tool `a b create`: a name has 1 to 128"), "{found:?}");
    assert_eq!(faults(Dispatcher::builder().service_with_prefix(&"x".repeat(128), Notes::default())).len(), 4);
}

trait Store: Send + Sync + 'static {
    type Error: Display + Send + 'static;

    fn get(&self, key: &str) -> Result<u32, Self::Error>;
}

struct Shelf<S>(S);

#[mcp_tools]
impl<S: Store> Shelf<S> {
    /// Get a value.
    #[mcp_tool]
    async fn get(&self, key: &str) -> Result<u32, S::Error> {
        self.0.get(key)
    }
}

struct Told<S>(S);

#[mcp_tools]
impl<S: Store> Told<S>
where
    S::Error: IntoToolError,
{
    /// Get a value.
    #[mcp_tool]
    async fn get(&self, key: &str) -> Result<u32, S::Error> {
        self.0.get(key)
    }
}

struct One;

impl Store for One {
    type Error = String;

    fn get(&self, key: &str) -> Result<u32, String> {
        if key == "one" { Ok(1) } else { Err("db-7 has no such key".to_owned()) }
    }
}

#[test]
fn a_generic_service_masks_its_errors_unless_bounded_by_into_tool_error() {
    let dispatcher = built(exact().service(Shelf(One)).service_with_prefix("told_", Told(One)));
    assert_eq!(value(&dispatcher, "get", json!({"key": "one"})), json!(1));
    let masked: ToolError = error(&dispatcher, "get", json!({"key": "two"}));
    assert_eq!(masked.message(), "internal error in tool `get` (call_id call-1)");
    assert_eq!(masked.developer_message(), Some("db-7 has no such key"));
    assert_eq!(value(&dispatcher, "told_get", json!({"key": "one"})), json!(1));
    assert_eq!(message(&dispatcher, "told_get", json!({"key": "two"})), "db-7 has no such key");
}
