//! How does an agent loop offer the tools to a model, without a protocol in between?
//!
//! [`Dispatcher::export`] writes the definitions for the tool-calling interface of one model vendor, and [`Export::answer`] runs the
//! calls in the model's message. [`names`] maps names to a vendor's alphabet. [`schema`] rewrites input schemas. [`translation`]
//! does both for one tool, and [`request`] chooses what goes into one request. [`message`] reads calls, [`answer`] runs them with [`join`], and [`result`] writes results.
//!
//! The limits of the vendors are in [`checks::lint`](crate::lint), which also checks for them. This module may import all
//! modules but `serve`.

mod answer;
mod join;
mod message;
mod names;
mod request;
mod result;
mod schema;
mod translation;

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use request::Request;
use serde_json::Value;
use translation::Translation;

use crate::ask::BoundedAsker;
use crate::lint::{Finding, Reader, Severity};
use crate::{Dispatcher, Extensions, SeenBy, Vendor};

/// When a tool is exported with `strict: true`, which makes the vendor enforce the schema while the model writes the arguments.
///
/// A vendor can enforce only a subset of JSON Schema.
///
/// ```
/// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Strict, Vendor};
///
/// /// Greet somebody.
/// #[mcp_tool]
/// async fn greet(name: String) -> String {
///     format!("Hello, {name}!")
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![greet]).build()?;
/// let export = dispatcher.export(Vendor::Anthropic);
/// assert!(export.tools()[0].get("strict").is_none());
/// assert_eq!(export.strict(Strict::WhereLossless).tools()[0]["strict"], true);
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strict {
    /// Never.
    Off,
    /// If the vendor's subset of JSON Schema can express the tool's schema. Any other tool is exported without `strict`, and a
    /// [`Finding`] names the argument and the rule.
    WhereLossless,
}

impl Strict {
    /// Returns when tools are strict, unless [`Export::strict`] says otherwise.
    fn default_of(vendor: Vendor) -> Self {
        if vendor.is_open_ai() { Self::WhereLossless } else { Self::Off }
    }
}

/// The tools of a [`Dispatcher`] for the tool-calling interface of one model vendor.
///
/// [`tools`](Self::tools) are the definitions for a request, and [`answer`](Self::answer) runs the calls in the response. The HTTP
/// client is yours. Definitions are translated when an export first needs them, and kept in the dispatcher.
///
/// ```
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, tools, Dispatcher, Vendor};
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
pub struct Export {
    dispatcher: Dispatcher,
    vendor: Vendor,
    strict: Strict,
    extensions: Extensions,
    asker: Option<Arc<dyn crate::Asker>>,
    request: OnceLock<Arc<Request>>,
}

impl Dispatcher {
    /// Exports the tools for the tool-calling interface of a model vendor.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, mcp_tool, tools, Dispatcher, Vendor};
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
    #[must_use]
    pub fn export(&self, vendor: Vendor) -> Export {
        Export {
            dispatcher: self.clone(),
            vendor,
            strict: Strict::default_of(vendor),
            extensions: Extensions::new(),
            asker: None,
            request: OnceLock::new(),
        }
    }
}

impl SeenBy<'_> {
    /// Exports the tools to a model vendor, for this caller. See [`Dispatcher::export`].
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions, Vendor};
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
    #[must_use]
    pub fn export(&self, vendor: Vendor) -> Export {
        self.dispatcher.export(vendor).for_caller(self.extensions.clone())
    }
}

impl Export {
    /// Sets when tools are strict. The default is [`Strict::WhereLossless`] for `OpenAI`, and [`Strict::Off`] for all other vendors.
    ///
    /// All strict tools of one request to Anthropic or Bedrock share a limit of 20 tools, 24 optional properties and 16 unions. The
    /// export keeps it: the tools that are registered first get `strict`, and findings name the others. Tools that you add to the request
    /// yourself are not counted. Anthropic also limits the size of the compiled schemas without documenting that limit, so try the export
    /// before you rely on it. Gemini has no `strict`.
    #[must_use]
    pub fn strict(mut self, strict: Strict) -> Self {
        self.strict = strict;
        self.request = OnceLock::new();
        self
    }

    /// Sets the [extensions](crate::CallContext::extensions) of the calls, for example the authenticated user. The export has only the
    /// tools that a caller with these values sees; see [`DispatcherBuilder::visible`](crate::DispatcherBuilder::visible).
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions, Vendor};
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
    #[must_use]
    pub fn for_caller(mut self, extensions: Extensions) -> Self {
        self.extensions = extensions;
        self.request = OnceLock::new();
        self
    }

    /// Sets the [`Asker`](crate::Asker) that answers the questions of the tools. Without it, a call that needs an answer fails with the
    /// code `unavailable`. While 500 questions of this asker are open, a further one gets [`Reply::Unavailable`](crate::Reply::Unavailable).
    ///
    /// ```
    /// use mcp_tool_runtime::{Dispatcher, Scripted, Vendor};
    ///
    /// let dispatcher = Dispatcher::builder().build()?;
    /// let export = dispatcher.export(Vendor::Anthropic).with_asker(Scripted::new());
    /// # let _ = export;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn with_asker(mut self, asker: impl crate::Asker) -> Self {
        self.asker = Some(Arc::new(BoundedAsker::new(asker)));
        self.request = OnceLock::new();
        self
    }

    /// Returns the definitions for the field `tools` of a request. For Bedrock, this is the field `toolConfig.tools`.
    ///
    /// For Gemini, the definitions are the `functionDeclarations` of one element. Without tools, the list is empty.
    #[must_use]
    pub fn tools(&self) -> &[Value] {
        &self.request().tools
    }

    /// Returns the findings of the export. They name what was changed or left out, the tools that cannot be strict although
    /// [`strict`](Self::strict) asks for it, and the tools that need an answer from a user while nobody can be asked.
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Vendor};
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
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.request().findings
    }

    fn request(&self) -> &Request {
        self.request.get_or_init(|| {
            let seen = self.translations();
            let translations = seen.iter().map(|translation| &**translation);
            let mut request = Request::new(translations, self.vendor, self.strict);
            if self.asker.is_none() {
                let sent = seen.iter().filter(|tool| tool.plain.is_some());
                request.findings.extend(sent.flat_map(|tool| self.unanswered(&tool.tool)));
            }
            Arc::new(request)
        })
    }

    /// Returns a finding for each question of a tool that needs an answer, for an export without an asker.
    fn unanswered(&self, tool: &str) -> Vec<Finding> {
        let entry = self.dispatcher.entry(tool);
        let questions = entry.and_then(|entry| entry.questions.as_deref()).unwrap_or_default();
        let finding = |key: &str| {
            let problem = "the tool needs an answer from the user, and this export has nobody to ask".to_owned();
            let help = "call `with_asker` on the export, or take an `Answer<…>`";
            let rule = ("cannot-ask", Severity::Lost);
            Finding::of_question(Reader::Vendor(self.vendor), (tool, key), rule, problem, help)
        };
        let needed = questions.iter().filter(|question| !question.spec.is_optional);
        needed.map(|question| finding(question.spec.key)).collect()
    }

    /// Returns the translation of each tool that the caller sees, in the order of the tools.
    fn translations(&self) -> Vec<Cow<'_, Translation>> {
        let all = self.dispatcher.exports().translations(self.vendor, self.dispatcher.list());
        let seen = self.dispatcher.seen_by(&self.extensions);
        translation::seen(self.vendor, &seen.list(), seen.select(all))
    }
}

/// Does not show the extensions: they may be secret.
impl fmt::Debug for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Export")
            .field("dispatcher", &self.dispatcher)
            .field("vendor", &self.vendor)
            .field("strict", &self.strict)
            .finish_non_exhaustive()
    }
}

/// The translations of a dispatcher's tools for each vendor, made when an export first needs them.
#[derive(Default)]
pub(crate) struct Exports([OnceLock<Vec<Translation>>; Vendor::ALL.len()]);

impl Exports {
    fn translations(&self, vendor: Vendor, tools: &[crate::mcp::Tool]) -> &[Translation] {
        self.0[vendor as usize].get_or_init(|| translation::all(vendor, tools))
    }
}
