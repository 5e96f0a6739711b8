//! A tool whose results fit a budget: the handler around it, and the argument `cursor` in its definition.

use serde_json::{Value, json};

use super::cursor::{CursorArgument, CursorCodec, Start};
use super::page::{Finish, Finished, Page, PagedCall};
use crate::ask::session::Session;
use crate::call::budget::{Budgets, PARTS, estimate};
use crate::json::tape::View;
use crate::output::error_kind::ToolErrorKind;
use crate::output::value::{Body, TextBlock};
use crate::schema::{self, reference, walk};
use crate::tool::metadata::ToolMetadata;
use crate::{Arguments, BoxFuture, CallContext, Content, Output, ToolError, ToolHandler, mcp};

pub(crate) struct FittedTool {
    handler: Box<dyn ToolHandler>,
    budget: Option<u32>,
    cursor: Option<CursorArgument>,
}

/// Wraps a tool if it returns pages, or if a budget is set for the tool or for the dispatcher. Returns any other tool
/// unchanged.
pub(crate) fn fitted(
    handler: Box<dyn ToolHandler>,
    cursor: Option<CursorArgument>,
    budget: Option<u32>,
    budgets: &Budgets,
) -> Box<dyn ToolHandler> {
    if cursor.is_none() && budget.is_none() && !budgets.is_set() {
        return handler;
    }
    Box::new(FittedTool { handler, budget, cursor })
}

impl FittedTool {
    /// Calls a tool that takes a cursor, and cuts its list or text to one page.
    async fn page(&self, call: PagedCall<'_>) -> Result<Output, ToolError> {
        let PagedCall { argument, cx, arguments, .. } = call;
        let settings = &cx.tool.format.settings;
        let mut others = arguments.canonical(&argument.nullable);
        if let Some(others) = others.as_object_mut() {
            others.shift_remove(&argument.name);
        }
        let mut cursors = CursorCodec::new(cx.tool_name(), &others);
        let given = arguments.root().get(&argument.name).and_then(View::text);
        let given = given.map(|text| cursors.read(&text, argument.is_keyed)).transpose();
        let given = given.map_err(|message| call.invalid(message))?;
        let output = call.run(given.as_ref()).await?;
        cursors.suffix = cx.asking.as_deref().and_then(Session::cursor_suffix).unwrap_or_default();
        let page = Page {
            budget: settings.budgets.of_page(self.budget, cx),
            max_bytes: settings.max_result_bytes,
            start: given.unwrap_or(Start::Position(0)),
            cursors,
            call: &call,
        };
        output.finish(&page).await
    }

    /// Calls a tool that takes no cursor. Returns an error if the result is over the budget that the author has set.
    async fn check(&self, cx: &CallContext, arguments: Arguments<'_>) -> Result<Output, ToolError> {
        let output = self.handler.call(cx, arguments).await?;
        let budgets = &cx.tool.format.settings.budgets;
        let Some(budget) = budgets.by_author(self.budget, cx) else { return Ok(output) };
        let tokens = output.tokens().div_ceil(PARTS);
        if tokens <= budget.into() {
            return Ok(output);
        }
        let names: Vec<_> = arguments.names().map(|name| format!("`{name}`")).collect();
        let help = match names.split_last() {
            None => "the tool has no argument that narrows it".to_owned(),
            Some((last, [])) => format!("narrow it with the argument {last}"),
            Some((last, others)) => format!("narrow it with the arguments {} or {last}", others.join(", ")),
        };
        let text = format!("the result has about {tokens} tokens, and at most {budget} are allowed; {help}");
        Err(ToolError::new(text).with_kind(ToolErrorKind::OverBudget(output.json_bytes())))
    }
}

impl ToolHandler for FittedTool {
    fn definition(&self) -> mcp::Tool {
        self.handler.definition()
    }

    fn metadata(&self) -> ToolMetadata {
        self.handler.metadata()
    }

    fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        match &self.cursor {
            Some(argument) => Box::pin(self.page(PagedCall { handler: &*self.handler, argument, cx, arguments })),
            None => Box::pin(self.check(cx, arguments)),
        }
    }
}

impl Output {
    /// Keeps as much of a list or text as fits on the page. Returns any other output unchanged.
    async fn finish(mut self, page: &Page<'_>) -> Result<Self, ToolError> {
        let Body::Unfinished(unfinished) = &self.body else { return Ok(self) };
        let Some(unfinished) = unfinished.take::<Box<dyn Finish>>() else {
            return Err(ToolError::masked("the output was sent before".to_owned()));
        };
        let Finished { body, content, next_cursor, text } = unfinished.finish(page).await?;
        self.body = body;
        self.prepend(content);
        if let Some(text) = text {
            // A model that reads the author's text never sees the value, so the text must say how to continue.
            let note = next_cursor.as_deref().map_or_else(String::new, |cursor| page.how_to_continue(cursor));
            self = self.with_text(format!("{text}{note}"));
        }
        if let Some(next_cursor) = next_cursor {
            self.set_next_cursor(next_cursor);
        }
        Ok(self)
    }

    /// Estimates the tokens, in [`PARTS`], of what a model reads: the value or its text, whichever has more tokens, and
    /// the text in the blocks.
    fn tokens(&self) -> u64 {
        let value = match &self.body {
            Body::Value(value) => estimate(value.as_str().as_bytes()),
            _ => 0,
        };
        let text = match self.text() {
            TextBlock::Custom(text) => estimate(text.as_bytes()),
            TextBlock::Json | TextBlock::Absent => 0,
        };
        let blocks = self.blocks().iter().filter_map(Content::text_for_model);
        value.max(text) + blocks.map(|text| estimate(text.as_bytes())).sum::<u64>()
    }
}

const CURSOR: &str = "cursor";
const OF_CURSOR: &str = "Where to continue: the `next_cursor` of the last page, unchanged. Leave it out for the first page, and repeat the \
                         other arguments as they were.";

/// Returns the description of `next_cursor` for a tool whose cursor argument has this name.
pub(super) fn next_cursor(argument: &str) -> String {
    format!(
        "There may be more: call the tool again with the same arguments, and with this text as `{argument}`. Absent on the last page."
    )
}

/// Finishes the cursor argument of a tool that returns pages: makes the parameter of the type `Cursor` optional, or
/// adds the argument `cursor` if there is no such parameter. A hand-written tool must declare that argument itself.
///
/// # Errors
///
/// What is wrong with the tool.
pub(crate) fn publish(
    tool: &mut mcp::Tool,
    is_paged: bool,
    hand_written: bool,
) -> Result<Option<CursorArgument>, String> {
    let schema = &mut tool.input_schema;
    let mut names = Vec::new();
    for (name, property) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        if let Some(property) = property.as_object_mut()
            && property.shift_remove(schema::CURSOR).is_some()
        {
            property.entry("description").or_insert_with(|| OF_CURSOR.into());
            names.push(name.clone());
        }
    }
    let mut is_nested = false;
    walk::visit(schema, &mut |inner| is_nested |= walk::keyword(inner, schema::CURSOR).is_some());
    if is_nested {
        Err("it has a `Cursor<…>` inside an argument or a variant; move it to the root of the arguments")?;
    }
    if let Some(schema) = schema.as_object_mut() {
        for name in &names {
            schema::remove_required(schema, name);
        }
    }
    let has_cursor = schema["properties"].get(CURSOR).is_some();
    let keyed = match names.as_slice() {
        [] if !is_paged => return Ok(None),
        [] if hand_written && has_cursor => None,
        [] if hand_written => {
            Err("it returns pages, so its input schema needs an optional string `cursor`; add that property")?
        }
        [] if has_cursor => {
            Err("it returns pages, which add an argument `cursor`; rename its own, or give it the type `Cursor<…>`")?
        }
        [] if is_closed_union(schema) => Err(
            "it returns pages, which add an argument `cursor`, and the variants of its arguments refuse others; take the enum as \
             one argument, without `#[mcp_tool(arguments)]`",
        )?,
        [] => {
            let properties =
                schema.as_object_mut().map(|schema| schema.entry("properties").or_insert_with(|| json!({})));
            if let Some(properties) = properties.and_then(Value::as_object_mut) {
                properties.insert(CURSOR.to_owned(), json!({ "type": "string", "description": OF_CURSOR }));
            }
            None
        }
        _ if !is_paged => {
            Err("it has a `Cursor<…>`, and does not return a `Paged<…>`; return one, or remove the parameter")?
        }
        [name] if name != CURSOR && has_cursor => Err("it has an argument `cursor` beside its `Cursor<…>`; rename it")?,
        [name] => Some(name.clone()),
        _ => Err("it has two parameters of the type `Cursor<…>`; remove one of them")?,
    };
    let is_keyed = keyed.is_some();
    let name = keyed.unwrap_or_else(|| CURSOR.to_owned());
    let argument = CursorArgument { name, is_keyed, nullable: tool.nullable.clone() };
    if argument.name != CURSOR
        && let Some(description) =
            tool.output_schema.as_mut().and_then(|schema| schema.pointer_mut("/properties/next_cursor/description"))
    {
        *description = next_cursor(&argument.name).into();
    }
    Ok(Some(argument))
}

/// Returns `true` if a union at the root has a variant that refuses any argument that it does not name.
fn is_closed_union(schema: &Value) -> bool {
    let is_closed = |variant| {
        let variant = reference::follow(variant, schema);
        ["additionalProperties", "unevaluatedProperties"]
            .iter()
            .any(|keyword| variant.get(keyword) == Some(&Value::Bool(false)))
    };
    let unions = ["oneOf", "anyOf"].into_iter().filter_map(|keyword| schema.get(keyword)?.as_array());
    unions.flatten().any(is_closed)
}
