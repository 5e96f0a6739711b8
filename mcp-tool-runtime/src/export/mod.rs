//! Offers the tools to a model in an agent loop, without the Model Context Protocol.
//!
//! [`Dispatcher::export`] writes the definitions for one model vendor's API, and [`Export::answer`] runs the calls in
//! the model's message. This module contains the types for a loop with approval or streaming.
//!
//! ```
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use mcp_tool_runtime::export::Approval;
//! use mcp_tool_runtime::{json, Dispatcher, export::Vendor};
//!
//! let export = Dispatcher::builder().build()?.export(Vendor::Gemini);
//! let mut stream = export.assemble();
//! stream.push_line(r#"data: {"candidates": [{"content": {"role": "model", "parts": [{"text": "Hello!"}]}, "finishReason": "STOP"}]}"#)?;
//! let response = stream.finish()?;
//! let answer = export.answer_with(&response, |_| Approval::Run).await?;
//! assert!(answer.messages.is_empty());
//! # Ok(())
//! # }
//! ```

// `schema` rewrites input schemas for a vendor. `translation` rewrites and checks one tool, and `request` chooses and
// names the tools of one request. `message` reads calls, `answer` runs them, `result` writes results, and `stream`
// assembles streamed messages. `calls` has the public types of a call and its outcome.
//
// The module `lint` has the limits of the vendors, and checks them too. Import neither `serve` nor `cli` here.

mod answer;
mod calls;
mod message;
mod request;
mod result;
mod schema;
mod stream;
mod translation;

use std::sync::{Arc, OnceLock};

pub use calls::{Answer, Approval, ExportedCall, Outcome, ToolChoice};
pub use request::Strict;
use request::{ExportedName, Request};
use serde_json::{Value, json};
pub use stream::Assembly;

pub use crate::lint::Vendor;
use translation::Translation;

use crate::ask::BoundedAsker;
use crate::dispatcher::SeenBy;
use crate::lint::Finding;
use crate::{Dispatcher, Extensions, mcp};

/// The tools of a [`Dispatcher`] for the tool-calling interface of one model vendor.
///
/// [`tools`](Self::tools) are the definitions for a request, and [`answer`](Self::answer) runs the calls in the
/// response. Your program sends the request to the vendor. The first export for a vendor translates the definitions,
/// and the dispatcher keeps the translations.
///
/// ```
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, tools, Dispatcher, export::Vendor};
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
/// let export = dispatcher.export(Vendor::Anthropic);
/// let mut messages = vec![json!({"role": "user", "content": "What is 2 + 3?"})];
/// let body = json!({"model": "…", "max_tokens": 1024, "tools": export.tools(), "messages": messages});
/// assert_eq!(body["tools"][0]["name"], "add");
///
/// // What the model may answer:
/// let message = json!({"role": "assistant", "content": [
///     {"type": "tool_use", "id": "toolu_1", "name": "add", "input": {"a": 2, "b": 3}},
/// ]});
/// let results = export.answer(&message).await?;
/// messages.push(message);
/// messages.extend(results); // empty if the model called no tool: the loop ends
/// assert_eq!(messages[2], json!({"role": "user", "content": [
///     {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "5"}], "is_error": false},
/// ]}));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use]
pub struct Export {
    dispatcher: Dispatcher,
    vendor: Vendor,
    strict: Strict,
    extensions: Extensions,
    asker: Option<Arc<dyn crate::ask::Asker>>,
    request: OnceLock<Arc<Request>>,
}

impl Dispatcher {
    /// Exports the tools for the tool-calling interface of a model vendor.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, mcp_tool, tools, Dispatcher, export::Vendor};
    ///
    /// /// Read a file.
    /// #[mcp_tool(name = "files.read")]
    /// async fn read(path: String) -> String {
    ///     path
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![read]).build()?;
    /// let export = dispatcher.export(Vendor::OpenAiResponses);
    /// assert_eq!(
    ///     export.tools(),
    ///     [json!({
    ///         "type": "function",
    ///         "name": "files_read",
    ///         "description": "Read a file.",
    ///         "parameters": {
    ///             "type": "object",
    ///             "properties": {"path": {"type": "string"}},
    ///             "required": ["path"],
    ///             "additionalProperties": false,
    ///         },
    ///         "strict": true,
    ///     })],
    /// );
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn export(&self, vendor: Vendor) -> Export {
        Export {
            dispatcher: self.clone(),
            vendor,
            strict: if vendor.is_open_ai() { Strict::WhereLossless } else { Strict::Off },
            extensions: Extensions::new(),
            asker: None,
            request: OnceLock::new(),
        }
    }
}

impl SeenBy<'_> {
    /// Exports the tools that this caller sees, for the tool-calling interface of a model vendor. See
    /// [`Dispatcher::export`].
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions, export::Vendor};
    ///
    /// /// Reset the server.
    /// #[mcp_tool(tags("admin"))]
    /// async fn reset() {}
    ///
    /// let dispatcher = Dispatcher::builder()
    ///     .tools(tools![reset])
    ///     .visible(|tool, _| !tool.tags().contains("admin"))
    ///     .build()?;
    /// assert!(dispatcher.seen_by(&Extensions::new()).export(Vendor::Gemini).tools().is_empty());
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn export(&self, vendor: Vendor) -> Export {
        self.dispatcher.export(vendor).for_caller(self.extensions.clone())
    }
}

impl Export {
    /// Sets which tools are strict. The default is [`Strict::WhereLossless`] for `OpenAI`, and [`Strict::Off`] for all
    /// other vendors.
    ///
    /// All strict tools of one request to Anthropic or Bedrock share a limit of 20 tools, 24 optional properties and 16
    /// unions. In the order of registration, each tool that still fits gets `strict`, and findings name the other
    /// tools. Tools that you add to the request yourself are not counted. Anthropic also has an undocumented limit on
    /// the size of the compiled schemas, so try the export before you rely on it. Gemini has no `strict`.
    pub fn strict(self, strict: Strict) -> Self {
        Self { strict, ..self.changed() }
    }

    /// Sets the [extensions](crate::CallContext::extensions) of the calls, for example the authenticated user. The
    /// export contains only the tools that a caller with these values sees. See
    /// [`DispatcherBuilder::visible`](crate::DispatcherBuilder::visible).
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions, export::Vendor};
    ///
    /// struct User(&'static str);
    ///
    /// /// Say who is asking.
    /// #[mcp_tool]
    /// async fn whoami(#[mcp_tool(extension)] user: &User) -> String {
    ///     user.0.to_owned()
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![whoami]).build()?;
    /// let mut extensions = Extensions::new();
    /// extensions.insert(User("ann"));
    /// let export = dispatcher.export(Vendor::Gemini).for_caller(extensions);
    /// # let _ = export;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn for_caller(self, extensions: Extensions) -> Self {
        Self { extensions, ..self.changed() }
    }

    /// Sets the [`Asker`](crate::ask::Asker) that answers the questions of the tools. Without an asker, a call that
    /// needs an answer fails with the code `unavailable`. The calls of one turn run at the same time, so they may ask at
    /// the same time. If 500 questions of this asker are open, the next question gets
    /// [`Reply::Unavailable`](crate::ask::Reply::Unavailable).
    ///
    /// ```
    /// use mcp_tool_runtime::{Dispatcher, ask::Scripted, export::Vendor};
    ///
    /// let dispatcher = Dispatcher::builder().build()?;
    /// let export = dispatcher.export(Vendor::Anthropic).with_asker(Scripted::new());
    /// # let _ = export;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn with_asker(self, asker: impl crate::ask::Asker) -> Self {
        Self { asker: Some(Arc::new(BoundedAsker::new(asker))), ..self.changed() }
    }

    /// Drops the cached request after a change of the settings.
    fn changed(self) -> Self {
        Self { request: OnceLock::new(), ..self }
    }

    /// Returns the name that the vendor gets for a tool, or `None` if the tool is not exported.
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, export::Vendor};
    ///
    /// /// Read a file.
    /// #[mcp_tool(name = "files.read")]
    /// async fn read() {}
    ///
    /// let export = Dispatcher::builder().tools(tools![read]).build()?.export(Vendor::Anthropic);
    /// assert_eq!(export.exported_name("files.read").as_deref(), Some("files_read"));
    /// assert_eq!(export.tool_name("files_read").as_deref(), Some("files.read"));
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn exported_name(&self, tool: &str) -> Option<String> {
        self.request().names.iter().find(|(known, _)| known == tool).map(|(_, name)| name.clone())
    }

    /// Returns the tool's own name for an exported name, or `None` if no tool is exported under that name. See
    /// [`exported_name`](Self::exported_name).
    pub fn tool_name(&self, exported: &str) -> Option<String> {
        self.request().names.iter().find(|(_, name)| name == exported).map(|(tool, _)| tool.clone())
    }

    /// Returns the value for the field `tool_choice` of a request. For Gemini, this is the field `toolConfig`, and for
    /// Bedrock, `toolConfig.toolChoice`.
    ///
    /// Returns `None` if the tool is not exported, or for [`ToolChoice::None`] with Bedrock, which has no such choice.
    ///
    /// ```
    /// use mcp_tool_runtime::export::ToolChoice;
    /// use mcp_tool_runtime::{json, mcp_tool, tools, Dispatcher, export::Vendor};
    ///
    /// /// Read a file.
    /// #[mcp_tool(name = "files.read")]
    /// async fn read() {}
    ///
    /// let export = Dispatcher::builder().tools(tools![read]).build()?.export(Vendor::Anthropic);
    /// let choice = export.tool_choice(ToolChoice::Tool("files.read"));
    /// assert_eq!(choice, Some(json!({"type": "tool", "name": "files_read"})));
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn tool_choice(&self, choice: ToolChoice<'_>) -> Option<Value> {
        let name = if let ToolChoice::Tool(tool) = choice { Some(self.exported_name(tool)?) } else { None };
        let word = |auto, any, none| match choice {
            ToolChoice::Auto => auto,
            ToolChoice::Any | ToolChoice::Tool(_) => any,
            ToolChoice::None => none,
        };
        Some(match (self.vendor, choice) {
            (Vendor::OpenAiResponses, ToolChoice::Tool(_)) => json!({ "type": "function", "name": name }),
            (Vendor::OpenAiChat, ToolChoice::Tool(_)) => json!({ "type": "function", "function": { "name": name } }),
            (Vendor::OpenAiResponses | Vendor::OpenAiChat, _) => word("auto", "required", "none").into(),
            (Vendor::Anthropic, ToolChoice::Tool(_)) => json!({ "type": "tool", "name": name }),
            (Vendor::Anthropic, _) => json!({ "type": word("auto", "any", "none") }),
            (Vendor::Gemini, ToolChoice::Tool(_)) => {
                json!({ "functionCallingConfig": { "mode": "ANY", "allowedFunctionNames": [name] } })
            }
            (Vendor::Gemini, _) => json!({ "functionCallingConfig": { "mode": word("AUTO", "ANY", "NONE") } }),
            (Vendor::Bedrock, ToolChoice::None) => return None,
            (Vendor::Bedrock, ToolChoice::Tool(_)) => json!({ "tool": { "name": name } }),
            (Vendor::Bedrock, _) => json!({ word("auto", "any", ""): {} }),
        })
    }

    /// Returns an [`Assembly`], which combines the events of a streamed response.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, Dispatcher, export::Vendor};
    ///
    /// let mut stream = Dispatcher::builder().build()?.export(Vendor::OpenAiChat).assemble();
    /// stream.push(&json!({"choices": [{"delta": {"role": "assistant", "content": "Hel"}}]}))?;
    /// stream.push_line(r#"data: {"choices": [{"delta": {"content": "lo!"}, "finish_reason": "stop"}]}"#)?;
    /// stream.push_line("data: [DONE]")?;
    /// let response = stream.finish()?;
    /// assert_eq!(response["choices"][0]["message"], json!({"role": "assistant", "content": "Hello!"}));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn assemble(&self) -> Assembly {
        Assembly::new(self.vendor)
    }

    /// Returns the definitions for the field `tools` of a request. For Bedrock, this is the field `toolConfig.tools`.
    ///
    /// For Gemini, a single element contains all definitions as `functionDeclarations`. Without tools, the list is
    /// empty.
    pub fn tools(&self) -> &[Value] {
        &self.request().tools
    }

    /// Returns the findings of the export: what was changed or left out, which tools cannot be strict although
    /// [`strict`](Self::strict) asks for it, and which tools need an answer from a user although nobody can be asked.
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, export::Vendor};
    ///
    /// /// Tag a note.
    /// #[mcp_tool]
    /// async fn tag(id: u32, tags: std::collections::BTreeMap<String, String>) {
    ///     drop((id, tags));
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![tag]).build()?;
    /// let export = dispatcher.export(Vendor::OpenAiChat);
    /// assert!(export.findings()[0].to_string().starts_with(
    ///     "`tag` is sent to OpenAI Chat without `strict` because of /inputSchema/properties/tags: it accepts additional properties;"
    /// ));
    /// assert_eq!(export.tools()[0]["function"]["strict"], false);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn findings(&self) -> &[Finding] {
        &self.request().findings
    }

    fn request(&self) -> &Request {
        self.request.get_or_init(|| Arc::new(Request::new(self)))
    }

    /// Returns the tools that the caller sees.
    fn seen(&self) -> Vec<SeenTool<'_>> {
        let tools: Vec<_> = self.dispatcher.visible_tools(&self.extensions, false).collect();
        let own_names: Vec<_> = tools.iter().map(|(info, _)| info.name()).collect();
        let names = request::names(&own_names, translation::limit_of_names(self.vendor).1);
        let mut all = translation::translations(self.vendor, &self.dispatcher).iter();
        let mut seen = Vec::with_capacity(names.len());
        for ((_, definition), exported) in tools.into_iter().zip(names) {
            let known = all.find(|known| known.tool == definition.name);
            seen.extend(known.map(|translation| SeenTool { definition, exported, translation }));
        }
        seen
    }
}

/// A tool that the caller sees, with its exported name and its schemas for the vendor.
struct SeenTool<'e> {
    definition: &'e mcp::Tool,
    exported: ExportedName,
    translation: &'e Translation,
}

debug_struct!(
    /// Does not show the extensions, which may be secret.
    Export, export => dispatcher: export.dispatcher, vendor: export.vendor, strict: export.strict
);
