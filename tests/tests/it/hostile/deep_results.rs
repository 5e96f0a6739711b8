//! Results that nest deeper than a stack can hold. An overflow would end the whole process, so each test runs on a thread with a small
//! stack and ends with a call that works.

use mcp_tool_runtime::{
    Arguments, BoxFuture, CallContext, Dispatcher, Output, Paged, Structured, Text, ToolError, ToolHandler,
    ToolMetadata, mcp, mcp_tool, tools,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::run;

/// More levels than a thread of 2 MiB can serialize or drop.
const LEVELS: usize = 20_000;

fn deep(levels: usize, of_objects: bool) -> Value {
    // `json!` would serialize the inner value again on each level.
    (0..levels).fold(json!(1), |inner, _| {
        if of_objects {
            Value::Object([("a".to_owned(), inner)].into_iter().collect())
        } else {
            Value::Array(vec![inner])
        }
    })
}

/// Runs a test on a thread with the stack of a tokio worker.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 * 1_024 * 1_024).spawn(test).expect("a thread");
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

/// Expects an error result that names the nesting, and then another call to succeed.
fn refused(dispatcher: &Dispatcher, name: &str, arguments: Value) {
    let message = run::message(dispatcher, name, arguments);
    assert!(message.starts_with(&format!("tool `{name}` produced an invalid result: ")), "{message}");
    assert!(message.ends_with("has more than 120 levels of nesting"), "{message}");
    assert_eq!(run::value(dispatcher, "alive", json!({})), true);
}

/// Return `true`.
#[mcp_tool]
async fn alive() -> bool {
    true
}

#[test]
fn i4_a_value_of_twenty_thousand_levels_is_an_error_result() {
    /// Return a deep value.
    #[mcp_tool]
    async fn nest(levels: usize, of_objects: bool) -> Value {
        deep(levels, of_objects)
    }
    on_a_small_stack(|| {
        let dispatcher = run::serve(tools![nest, alive]);
        for of_objects in [false, true] {
            for levels in [122, 1_000, 2_000, LEVELS, 10 * LEVELS] {
                refused(&dispatcher, "nest", json!({"levels": levels, "of_objects": of_objects}));
            }
            assert!(run::call(&dispatcher, "nest", json!({"levels": 120, "of_objects": of_objects})).is_success());
        }
    });
}

#[test]
fn i4_a_type_that_contains_itself_is_an_error_result() {
    #[derive(Serialize, JsonSchema)]
    struct Link {
        next: Option<Box<Link>>,
    }
    #[derive(Serialize, JsonSchema)]
    enum Tree {
        Leaf,
        Branch(Box<Tree>, Box<Tree>),
    }
    /// Return a chain.
    #[mcp_tool]
    async fn chain(levels: usize) -> Link {
        (0..levels).fold(Link { next: None }, |inner, _| Link { next: Some(Box::new(inner)) })
    }
    /// Return a tree.
    #[mcp_tool]
    async fn tree(levels: usize) -> Result<Option<Tree>, ToolError> {
        Ok(Some((0..levels).fold(Tree::Leaf, |inner, _| Tree::Branch(Box::new(Tree::Leaf), Box::new(inner)))))
    }
    on_a_small_stack(|| {
        let dispatcher = run::serve(tools![chain, tree, alive]);
        for name in ["chain", "tree"] {
            refused(&dispatcher, name, json!({"levels": LEVELS}));
        }
    });
}

#[test]
fn i4_a_serialize_that_ignores_the_limit_is_an_error_result() {
    /// Writes `null` if its content cannot be written.
    struct Lenient(Value);

    impl Serialize for Lenient {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            use serde::ser::SerializeSeq;
            let mut elements = serializer.serialize_seq(None)?;
            let _ = elements.serialize_element(&self.0);
            elements.end()
        }
    }
    let tool = run::ByHand::any("ignore", |_, _| Output::value(Lenient(deep(LEVELS, false))));
    on_a_small_stack(move || {
        let value = tool;
        let dispatcher = run::built(run::exact().tool(value).tools(tools![alive]));
        refused(&dispatcher, "ignore", json!({}));
    });
}

#[test]
fn i4_meta_of_twenty_thousand_levels_is_an_error_result() {
    /// Return a value with deep `_meta`.
    #[mcp_tool]
    async fn of_result() -> Structured<bool> {
        Structured::new(true).with_meta("com.example/deep", deep(LEVELS, true))
    }
    /// Return a block with deep `_meta`.
    #[mcp_tool]
    async fn of_block() -> Text {
        Text::new("text").with_meta("com.example/deep", deep(LEVELS, false))
    }
    on_a_small_stack(|| {
        let dispatcher = run::serve(tools![of_result, of_block, alive]);
        for name in ["of_result", "of_block"] {
            refused(&dispatcher, name, json!({}));
        }
    });
}

#[test]
fn i4_deep_meta_beside_pages_is_an_error_result() {
    /// List numbers.
    #[mcp_tool(budget = 100)]
    async fn numbers() -> Paged<u32> {
        Paged::new(0..10)
    }
    /// Calls a tool with pages, and lacks its metadata.
    struct Forgetful<H>(H);
    impl<H: ToolHandler> ToolHandler for Forgetful<H> {
        fn definition(&self) -> mcp::Tool {
            mcp::Tool::new("forgetful", "List numbers.", json!({"type": "object"}))
        }

        fn metadata(&self) -> ToolMetadata {
            ToolMetadata::new()
        }

        fn call<'a>(
            &'a self,
            cx: &'a CallContext,
            arguments: Arguments<'a>,
        ) -> BoxFuture<'a, Result<Output, ToolError>> {
            Box::pin(async move {
                let output = self.0.call(cx, arguments).await?;
                Ok(output.with_meta("com.example/deep", deep(LEVELS, true)))
            })
        }
    }
    on_a_small_stack(|| {
        let dispatcher = run::built(run::exact().tool(Forgetful(numbers {})).tools(tools![alive]));
        refused(&dispatcher, "forgetful", json!({}));
    });
}
