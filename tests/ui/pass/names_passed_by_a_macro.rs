//! Tools whose names are passed to a `macro_rules!` macro one by one: generated code with the span of such a name must
//! still find the variables of the generated code around it.

use std::collections::BTreeMap;

use mcp_tool_runtime::serde_json::Value;
use mcp_tool_runtime::{CallContext, Dispatcher, IntoToolError, ToolError, json, mcp_tool, mcp_tools, tools};

type Texts = Vec<String>;
type Found = Result<Texts, ToolError>;
type Counts = BTreeMap<String, u32>;

/// What there is.
#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Whole {
    /// The texts.
    texts: Texts,
}

#[derive(Clone, Default)]
struct Store(u32);

const MOST: usize = 3;

fn written(whole: &Whole) -> String {
    whole.texts.join(" ")
}

macro_rules! functions {
    (
        $plain:ident, $kept:ident, $fallible:ident, $spelt:ident, $written:ident, $other:ident, $nothing:ident, $blocking:ident;
        $text:ident, $argument:ident, $result:ident, $counts:ident, $whole:ident, $store:ident, $context:ident;
        $most:ident, $words:ident, $schema:ident
    ) => {
        /// A type for the argument and one for the value.
        #[mcp_tool]
        async fn $plain($argument: $text, list: Vec<$text>, some: Option<$counts>) -> $counts {
            drop((list, some));
            [($argument, 1)].into()
        }

        /// What the client does not send.
        #[mcp_tool]
        async fn $kept(
            #[mcp_tool(context)] context: &$context,
            #[mcp_tool(state)] store: &$store,
            #[mcp_tool(extension)] user: Option<&$text>,
        ) -> Option<$text> {
            context.progress(1.0, 1.0, None);
            (store.0 == 0).then(|| user.cloned())?
        }

        /// A result by another name.
        #[mcp_tool]
        async fn $fallible(#[mcp_tool(default = $most)] most: usize) -> $result {
            Ok(vec![String::new(); most])
        }

        /// A result that is spelt as one.
        #[mcp_tool(output = $whole)]
        async fn $spelt(#[mcp_tool(arguments)] $argument: $whole) -> Result<$whole, ToolError> {
            Ok($argument)
        }

        /// With a text of its own.
        #[mcp_tool(text = $words)]
        async fn $written($argument: &$text) -> Result<$whole, $text> {
            Ok($whole { texts: vec![$argument.clone()] })
        }

        /// Without a schema for the value, and with one by hand.
        #[mcp_tool(output = off, input_schema = $schema)]
        async fn $other($argument: $text) -> $counts {
            [($argument, 1)].into()
        }

        /// Nothing at all.
        #[mcp_tool]
        async fn $nothing() {}

        /// On a thread where waiting is allowed.
        #[mcp_tool(blocking)]
        fn $blocking(#[mcp_tool(state)] store: &$store, #[mcp_tool(extension)] user: &$text) -> $counts {
            [(user.clone(), store.0)].into()
        }
    };
}

functions! {
    plain, kept, fallible, spelt, with_text, other, nothing, waiting;
    String, argument, Found, Counts, Whole, Store, CallContext;
    MOST, written, closed
}

fn closed() -> Value {
    json!({"type": "object", "properties": {"argument": {"type": "string"}}})
}

macro_rules! service {
    ($ty:ident, $method:ident, $text:ident, $store:ident, $error:ident, $variant:ident, $other:ident, $inner:ident) => {
        struct $ty;

        #[mcp_tools]
        impl $ty {
            /// A method.
            #[mcp_tool]
            async fn $method(&self, text: $text, #[mcp_tool(state)] store: &$store) -> Result<$text, $error> {
                match store.0 {
                    0 => Ok(text),
                    1 => Err($error::$variant { text }),
                    _ => Err($error::$other($inner)),
                }
            }
        }

        #[derive(IntoToolError)]
        #[tool_error(can_retry = false)]
        enum $error {
            #[tool_error(additional_prompt_content = "{text}")]
            $variant { text: $text },
            #[tool_error(transparent)]
            $other($inner),
        }

        impl std::fmt::Display for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("no")
            }
        }

        #[derive(IntoToolError)]
        struct $inner;

        impl std::fmt::Display for $inner {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("never")
            }
        }
    };
}

service!(Service, method, String, Store, Refused, Now, Ever, Never);

macro_rules! dispatcher {
    ($service:ident: $($tool:ident),*) => {
        Dispatcher::builder().tools(tools![$($tool),*]).service($service)
    };
}

#[test]
fn runs() {
    let builder = dispatcher!(Service: plain, kept, fallible, spelt, with_text, other, nothing, waiting);
    let dispatcher = builder.state(Store::default()).build().unwrap();
    assert_eq!(dispatcher.list().len(), 9);
    assert_eq!(dispatcher.list()[2].input_schema["properties"]["most"]["default"], 3);
}
