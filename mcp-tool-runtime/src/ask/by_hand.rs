//! Asks one question for a handler that was written by hand.

use std::fmt;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::answer::AskedParameter;
use super::asking::Asking;
use super::question::QuestionSpec;
use crate::{Ask, CallContext, Output, ToolError};

impl CallContext {
    /// Asks the user, for a [`ToolHandler`](crate::ToolHandler) that was written by hand (feature `ask`).
    ///
    /// The metadata of the handler declares the question with [`with_question`](crate::ToolMetadata::with_question), under the
    /// same key and for the same type: [`Consent`](crate::Consent), [`Answer`](crate::Answer) or a type that a form can ask for. The result
    /// is the answer, or an output to return at once: from protocol version 2026-07-28 on, the client asks its user and calls again.
    /// So everything before the question runs again in each round, and must have no side effects. Ask before you act.
    ///
    /// A function with `#[mcp_tool]` has the key `ask` instead, which keeps questions before its body.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use mcp_tool_runtime::{
    ///     mcp, json, Arguments, Ask, BoxFuture, CallContext, CallToolRequest, Consent, Dispatcher, Output, Reply, Scripted,
    ///     ToolError, ToolHandler, ToolMetadata,
    /// };
    ///
    /// struct Restart;
    ///
    /// impl ToolHandler for Restart {
    ///     fn definition(&self) -> mcp::Tool {
    ///         mcp::Tool::new("restart", "Restart the server.", json!({"type": "object"}))
    ///     }
    ///
    ///     fn metadata(&self) -> ToolMetadata {
    ///         ToolMetadata::new().with_question::<Consent>("sure")
    ///     }
    ///
    ///     fn call<'a>(&'a self, cx: &'a CallContext, _: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
    ///         Box::pin(async move {
    ///             match cx.ask("sure", Ask::new("Restart now?")).await? {
    ///                 ControlFlow::Continue(Consent) => Output::value("restarted"),
    ///                 ControlFlow::Break(needs_input) => Ok(needs_input),
    ///             }
    ///         })
    ///     }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let dispatcher = Dispatcher::builder().tool(Restart).build()?;
    /// let request = CallToolRequest::new("restart", json!({}));
    /// assert!(!dispatcher.call(request.clone()).await?.is_success(), "nobody is asked");
    /// let user = Scripted::new().reply("sure", Reply::yes());
    /// assert!(dispatcher.call(request.with_asker(user)).await?.is_success());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The error to return if the parameter needs an answer and there is none, as with the key `ask`. Also if the metadata does not
    /// declare the question.
    pub async fn ask<P: AskedParameter>(
        &self,
        key: &str,
        question: Ask<P::Inner>,
    ) -> Result<ControlFlow<Output, P>, ToolError>
    where
        Ask<P::Inner>: Clone,
    {
        let questions = self.asking.as_deref().map(|session| &*session.questions).unwrap_or_default();
        let declared = |asked: &super::CompiledQuestion| asked.spec.is_by_hand && asked.spec.key == key;
        let Some(index) = questions.iter().position(declared) else {
            let problem =
                format!("the metadata of the tool has no question `{key}`; add `.with_question::<…>(\"{key}\")`");
            return Err(ToolError::masked(problem));
        };
        ask_one(self, index, question).await
    }
}

/// Asks one question, whose answer stays known to those that follow.
pub(super) async fn ask_one<P: AskedParameter>(
    cx: &CallContext,
    index: usize,
    question: Ask<P::Inner>,
) -> Result<ControlFlow<Output, P>, ToolError>
where
    Ask<P::Inner>: Clone,
{
    let mut asking = Asking::new(cx);
    loop {
        if let Some(answer) = asking.ask(index, question.clone(), |Single(form)| form)? {
            asking.carry();
            cx.settle(Some(index));
            return Ok(ControlFlow::Continue(answer));
        }
        // Without an output, the user has been asked in place.
        if let Some(needs_input) = asking.finish().await? {
            return Ok(ControlFlow::Break(needs_input));
        }
    }
}

impl QuestionSpec {
    /// Creates the question of a handler that was written by hand.
    pub(crate) const fn by_hand<P: AskedParameter>(key: &'static str) -> Self {
        Self { is_by_hand: true, ..Self::of::<P>(key, Single::<P::Form>::schema) }
    }
}

/// An object with one property of any name.
struct Single<F>(F);

impl<F: JsonSchema> Single<F> {
    fn schema(generator: &mut SchemaGenerator, key: &str) -> Schema {
        let property = generator.subschema_for::<F>();
        json_schema!({ "type": "object", "properties": { key: property }, "required": [key] })
    }
}

impl<'de, F: Deserialize<'de>> Deserialize<'de> for Single<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SingleVisitor<F>(PhantomData<F>);

        impl<'de, F: Deserialize<'de>> Visitor<'de> for SingleVisitor<F> {
            type Value = Single<F>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with one property")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let (_, form) =
                    map.next_entry::<IgnoredAny, F>()?.ok_or_else(|| A::Error::custom("the form is empty"))?;
                Ok(Single(form))
            }
        }

        deserializer.deserialize_map(SingleVisitor(PhantomData))
    }
}
