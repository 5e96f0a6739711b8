//! Methods, with every key and every parameter attribute.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mcp_tool_runtime::{CallContext, CallToolRequest, Dispatcher, json, mcp_tools};

#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Counter {
    #[serde(skip)]
    count: Arc<AtomicU64>,
    name: String,
}

#[mcp_tools(prefix = "counter_", crate = ::mcp_tool_runtime)]
impl Counter {
    const STEP: u64 = 1;

    fn text(count: &u64) -> String {
        format!("counted to {count}")
    }

    fn schema() -> mcp_tool_runtime::serde_json::Value {
        json!({"type": "object"})
    }

    /// No tool.
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Add to the counter.
    #[mcp_tool(
        name = "add",
        title = "Count on",
        idempotent_hint = false,
        icon(src = "https://example.com/add.png", mime_type = "image/png", sizes = "48x48 96x96", theme = "dark"),
        icon(src = "data:image/png;base64,AA=="),
        meta("com.example/step" = Self::STEP),
        meta("plain" = json!([1])),
        text = Self::text,
        timeout = "5s",
        expose_errors
    )]
    pub async fn add(
        &self,
        #[mcp_tool(default = Self::STEP, header = "Step")] step: u64,
    ) -> Result<u64, std::fmt::Error> {
        Ok(self.count.fetch_add(step, Ordering::Relaxed) + step)
    }

    /// The object behind its pointer.
    #[mcp_tool(read_only_hint)]
    #[must_use]
    async fn shared(self: Arc<Self>, #[mcp_tool(context)] cx: &CallContext) -> String {
        format!("{} {}", self.name, cx.tool_name())
    }

    /// Through a reference with its type.
    #[mcp_tool(input_schema = Self::schema, output = Self)]
    async fn lent(self: &Arc<Self>) -> Self {
        Self::clone(self)
    }

    /// Without the object.
    #[mcp_tool(description = "Without an object.")]
    async fn another(
        #[mcp_tool(state)] suffix: &String,
        other: Self,
        more: Option<&Self>,
        all: &[Self],
    ) -> Result<Self, String> {
        let more = more.map(|more| more.name.as_str()).unwrap_or_default();
        Ok(Self::new(&format!("{}{more}{}{suffix}", other.name, all.len())))
    }

    /// There only where it is.
    #[mcp_tool]
    #[cfg(any())]
    async fn absent(&self, missing: NoSuchType) {}

    /// One of two.
    #[mcp_tool]
    #[cfg(any())]
    async fn either(&self) -> u8 {
        1
    }

    /// The other of two.
    #[cfg(not(any()))]
    #[mcp_tool]
    async fn either(&self) -> u8 {
        2
    }

    /// Gone, but not quite.
    #[deprecated(note = "use `add`")]
    #[mcp_tool_runtime::mcp_tool]
    async fn old<'a>(&'a self, #[serde(default)] r#type: &'a str) -> &'a str {
        let _ = r#type;
        &self.name
    }
}

struct Pairs;

#[mcp_tools]
impl Pairs {
    const LENGTH: usize = 2;

    /// Swap two words.
    #[mcp_tool]
    async fn swap(&self, words: [String; Self::LENGTH]) -> [String; Self::LENGTH] {
        let [first, second] = words;
        [second, first]
    }
}

#[test]
fn runs() {
    let counter = Arc::new(Counter::new("one"));
    let dispatcher = Dispatcher::builder()
        .service(Arc::clone(&counter))
        .service_with_prefix("second.", Counter::new("two"))
        .service(Pairs)
        .state("!".to_owned())
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
    let names: Vec<_> = dispatcher.list().iter().map(|tool| tool.name.as_str()).collect();
    let [first, second] = ["counter_", "second.counter_"]
        .map(|prefix| ["add", "shared", "lent", "another", "either", "old"].map(|name| format!("{prefix}{name}")));
    assert_eq!(names, [&first[..], &second, &["swap".to_owned()]].concat());
    assert_eq!(call("counter_add", json!({})), "1");
    assert_eq!(call("counter_add", json!({"step": 2})), "3");
    assert_eq!(call("second.counter_add", json!({"step": 2})), "2");
    assert_eq!(counter.count.load(Ordering::Relaxed), 3);
    assert_eq!(call("counter_shared", json!({})), "\"one counter_shared\"");
    assert_eq!(call("second.counter_lent", json!({})), "{\"name\":\"two\"}");
    assert_eq!(
        call("counter_another", json!({"other": {"name": "a"}, "more": {"name": "b"}, "all": []})),
        "{\"name\":\"ab0!\"}"
    );
    assert_eq!(call("counter_either", json!({})), "2");
    assert_eq!(call("counter_old", json!({"type": "x"})), "\"one\"");
    assert_eq!(call("swap", json!({"words": ["a", "b"]})), "[\"b\",\"a\"]");
    let add = mcp_tool_runtime::serde_json::to_value(&dispatcher.list()[0]).unwrap();
    assert_eq!(add["title"], "Count on");
    assert_eq!(
        add["icons"],
        json!([
            {"src": "https://example.com/add.png", "mimeType": "image/png", "sizes": ["48x48", "96x96"], "theme": "dark"},
            {"src": "data:image/png;base64,AA=="},
        ])
    );
    assert_eq!(add["_meta"], json!({"com.example/step": 1, "plain": [1]}));
    assert_eq!(add["inputSchema"]["properties"]["step"]["default"], 1);
    assert_eq!(dispatcher.list()[5].description.as_deref(), Some("[DEPRECATED: use `add`] Gone, but not quite."));
}
