//! Methods of generic types.

use std::fmt::Display;
use std::sync::Arc;

use mcp_tool_runtime::{CallToolRequest, Dispatcher, IntoToolError, json, mcp_tools};

trait Store: Send + Sync + 'static {
    type Error: Display + Send + 'static;

    fn get(&self, key: &str) -> Result<String, Self::Error>;
}

struct Strict;

#[derive(Debug, IntoToolError)]
struct Missing;

impl Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not there")
    }
}

impl Store for Strict {
    type Error = Missing;

    fn get(&self, _: &str) -> Result<String, Missing> {
        Err(Missing)
    }
}

struct Notes<S>(S);

/// The error is any: it is masked.
#[mcp_tools]
impl<S: Store> Notes<S> {
    /// Get a note.
    #[mcp_tool]
    async fn get(&self, key: &str, #[mcp_tool(default = 1)] times: usize) -> Result<String, S::Error> {
        self.0.get(key).map(|note| note.repeat(times))
    }

    /// Whose notes they are.
    #[mcp_tool(timeout = "1s")]
    async fn owner(self: Arc<Self>, names: Vec<String>) -> Vec<String> {
        let _ = &self.0;
        names
    }

    /// Nothing.
    #[mcp_tool]
    async fn nothing(&self) {}
}

struct Shown<S>(S);

/// The error is for models.
#[mcp_tools(prefix = "shown_")]
impl<S> Shown<S>
where
    S: Store,
    S::Error: IntoToolError,
{
    /// Get a note.
    #[mcp_tool]
    async fn get(&self, #[mcp_tool(state)] suffix: &String, key: String) -> Result<String, S::Error> {
        self.0.get(&format!("{key}{suffix}"))
    }
}

struct Exposed<S, const N: usize>(S);

#[mcp_tools(prefix = "exposed_")]
impl<S: Store, const N: usize> Exposed<S, N> {
    /// Get a note, and see any error.
    #[mcp_tool(expose_errors)]
    async fn get(&self, key: Option<&str>) -> Result<String, S::Error> {
        self.0.get(key.unwrap_or_default())
    }

    /// How many there are.
    #[mcp_tool(blocking)]
    fn count(&self) -> usize {
        N
    }

    /// Types of the block.
    #[mcp_tool]
    async fn array(#[mcp_tool(arguments)] arguments: Numbers) -> Vec<u8> {
        arguments.numbers
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Numbers {
    numbers: Vec<u8>,
}

/// A value of the type's parameter.
struct Echo<T>(std::marker::PhantomData<fn() -> T>);

#[mcp_tools(prefix = "echo_")]
impl<T> Echo<T>
where
    T: serde::Serialize + serde::de::DeserializeOwned + schemars::JsonSchema + Clone + Send + Sync + 'static,
{
    /// Give it back.
    #[mcp_tool]
    async fn back(&self, value: T, lent: &T, list: Option<Vec<T>>) -> Vec<T> {
        let mut all = list.unwrap_or_default();
        all.extend([value, lent.clone()]);
        all
    }
}

#[test]
fn runs() {
    let dispatcher = Dispatcher::builder()
        .service(Notes(Strict))
        .service(Shown(Strict))
        .service(Exposed::<_, 3>(Strict))
        .service(Echo::<u8>(std::marker::PhantomData))
        .state("?".to_owned())
        .build()
        .unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let call = |name: &str, arguments| {
        let response = runtime.block_on(dispatcher.call(CallToolRequest::new(name, arguments))).unwrap();
        match response.error() {
            Some(error) => error.message().to_owned(),
            None => response.value().unwrap().get().to_owned(),
        }
    };
    assert!(call("get", json!({"key": "a"})).starts_with("internal error in tool `get`"));
    assert_eq!(call("owner", json!({"names": ["a"]})), "[\"a\"]");
    assert_eq!(call("nothing", json!({})), "null");
    assert_eq!(call("shown_get", json!({"key": "a"})), "not there");
    assert_eq!(call("exposed_get", json!({})), "not there");
    assert_eq!(call("exposed_count", json!({})), "3");
    assert_eq!(call("exposed_array", json!({"numbers": [1]})), "[1]");
    assert_eq!(call("echo_back", json!({"value": 1, "lent": 2, "list": [3]})), "[3,1,2]");
}
