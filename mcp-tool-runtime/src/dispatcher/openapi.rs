//! An `OpenAPI` 3.1 document of the tools, as [`http::PlainHttp`](crate::http::PlainHttp) serves them.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{Dispatcher, SeenBy};
use crate::json::path::{escape_token, fragment};
use crate::listing::visibility::ToolInfo;
use crate::mcp::identity::Identity;
use crate::output::value::{CONTENT, NOTHING};
use crate::schema::reference::Reference;
use crate::schema::walk;
use crate::{Extensions, mcp};

impl Dispatcher {
    /// Returns an `OpenAPI` 3.1 document of the tools that [`list`](Self::list) lists, as
    /// [`http::PlainHttp`](crate::http::PlainHttp) serves them. It has one operation for each tool, with examples,
    /// errors, and the schemas of the arguments and the result.
    ///
    /// Definitions under `$defs` move to `components/schemas`, under the name `{tool}.{definition}`. If the arguments
    /// and the result have different definitions with the same name, that of the result ends in `.result`. Tools with
    /// scopes need the security scheme `bearer`; other tools may be called without a token, unless the document is read
    /// behind a [`Bearer`](crate::http::Bearer). The tags of a tool are the tags of its operation. The `info` contains
    /// the server's title or name, its version and its instructions. The document has no `servers`, because its paths
    /// are relative to where the service is mounted.
    ///
    /// ```
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher};
    ///
    /// /// Add two numbers.
    /// #[mcp_tool]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let document = Dispatcher::builder().tools(tools![add]).build()?.openapi();
    /// let operation = &document["paths"]["/add"]["post"];
    /// assert_eq!(operation["operationId"], "add");
    /// let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
    /// assert_eq!(schema["type"], "integer");
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn openapi(&self) -> Value {
        self.openapi_for(&Extensions::new(), Access::default())
    }

    /// Returns the document for one caller.
    pub(crate) fn openapi_for(&self, extensions: &Extensions, access: Access) -> Value {
        let tools = self.visible_tools(extensions, access.ignores_scopes);
        let mut document = document(tools, &self.inner.identity, access.needs_token, &|name| self.has_task(name));
        for entry in self.entries().iter().filter(|entry| entry.metadata.once.is_some()) {
            if let Some(path) = document["paths"].get_mut(format!("/{}", entry.name())) {
                let text = "Tells two equal calls apart. Without it, a call with the same arguments is the same act, and gets the first result.";
                let schema = json!({ "type": "string", "minLength": 1, "maxLength": 256 });
                path["post"]["parameters"] =
                    json!([{ "name": "Idempotency-Key", "in": "header", "description": text, "schema": schema }]);
            }
        }
        document
    }
}

impl SeenBy<'_> {
    /// Returns the `OpenAPI` document of the tools that this caller sees. See [`Dispatcher::openapi`].
    #[must_use]
    pub fn openapi(&self) -> Value {
        self.dispatcher.openapi_for(&self.extensions, Access::default())
    }
}

/// What a transport knows about access to the tools.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Access {
    /// The document includes tools that are hidden only for lack of scopes.
    pub(crate) ignores_scopes: bool,
    /// No caller without a token gets through.
    pub(crate) needs_token: bool,
}

fn document<'t>(
    tools: impl Iterator<Item = (&'t ToolInfo, &'t mcp::Tool)>,
    server: &Identity,
    needs_token: bool,
    has_task: &dyn Fn(&str) -> bool,
) -> Value {
    let mut paths = Map::new();
    let mut schemas = Components::default();
    schemas.0.insert("Problem".to_owned(), problem());
    let (mut has_scopes, mut has_tasks) = (false, false);
    let mut tags: Vec<&str> = Vec::new();
    for (info, tool) in tools {
        let mut operation = operation(info, tool, &mut schemas);
        tags.extend(info.tags().iter().map(String::as_str));
        let scopes: Vec<&str> = info.scopes().iter().map(String::as_str).collect();
        if !scopes.is_empty() {
            has_scopes = true;
            operation["security"] = json!([{ "bearer": scopes }]);
        }
        if needs_token || !scopes.is_empty() {
            operation["responses"]["401"] = json!({ "$ref": "#/components/responses/401" });
        }
        if has_task(&tool.name) {
            has_tasks = true;
            operation["parameters"] = json!([{ "$ref": "#/components/parameters/Prefer" }]);
            operation["responses"]["202"] = json!({ "$ref": "#/components/responses/202" });
        }
        paths.insert(format!("/{}", tool.name), json!({ "post": operation }));
    }
    let mut components = json!({ "schemas": schemas.0, "responses": responses() });
    if has_tasks {
        add_task_paths(&mut paths, &mut components);
    }
    let has_scheme = needs_token || has_scopes;
    if has_scheme {
        components["responses"]["401"] = unauthorized();
        components["securitySchemes"] = json!({ "bearer": { "type": "http", "scheme": "bearer" } });
    }
    let mut info = json!({ "title": server.display_name(), "version": server.version });
    if let Some(instructions) = &server.instructions {
        info["description"] = instructions.as_str().into();
    }
    tags.sort_unstable();
    tags.dedup();
    let tags: Vec<_> = tags.into_iter().map(|tag| json!({ "name": tag })).collect();
    // A tool without scopes needs a token only if the layer in front of the service requires one.
    let security = match (needs_token, has_scopes) {
        (true, _) => json!([{ "bearer": [] }]),
        (false, true) => json!([{}, { "bearer": [] }]),
        (false, false) => json!([]),
    };
    json!({
        "openapi": "3.1.0", "info": info, "tags": tags, "security": security, "paths": paths, "components": components,
    })
}

fn operation(info: &ToolInfo, tool: &mcp::Tool, schemas: &mut Components) -> Value {
    let base = format!("/paths/~1{}/post", escape_token(&tool.name));
    let mut input = tool.input_schema.clone();
    let examples = input.as_object_mut().and_then(|schema| schema.shift_remove("examples"));
    let at = format!("{base}/requestBody/content/application~1json/schema");
    schemas.move_definitions(&mut input, &tool.name, &at);
    let mut request = json!({ "schema": input });
    if let Some(Value::Array(examples)) = examples {
        let named = examples
            .into_iter()
            .enumerate()
            .map(|(index, value)| (format!("example{}", index + 1), json!({ "value": value })));
        request["examples"] = Value::Object(named.collect());
    }
    let mut output = tool.output_schema.clone().unwrap_or_else(|| without_schema(info.result_type));
    let at = format!("{base}/responses/200/content/application~1json/schema");
    schemas.move_definitions(&mut output, &tool.name, &at);
    let mut operation = json!({
        "operationId": tool.name,
        "tags": &info.tags()[..],
        "summary": tool.title.as_ref().unwrap_or(&tool.name),
        "description": tool.description,
        "requestBody": { "required": true, "content": { "application/json": request } },
        "responses": {
            "200": {
                "description": "The result.",
                "headers": {
                    "MCP-Tool-Call-Id": { "description": "The id of the call.", "schema": { "type": "string" } },
                    "Server-Timing": { "description": "The duration of the call.", "schema": { "type": "string" } },
                },
                "content": { "application/json": { "schema": output } },
            },
        },
    });
    for (status, _) in ERRORS {
        operation["responses"][status] = json!({ "$ref": format!("#/components/responses/{status}") });
    }
    if tool.description.as_ref().is_some_and(|text| text.starts_with("[DEPRECATED")) {
        operation["deprecated"] = true.into();
    }
    operation
}

/// Returns the schema for the result of a tool that publishes no output schema.
fn without_schema(result_type: &str) -> Value {
    match result_type {
        NOTHING => json!({ "description": "Nothing.", "type": "null" }),
        CONTENT => json!({
            "description": "The text of a single text block, or else the content blocks.",
            "anyOf": [
                { "type": "string" },
                {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": { "type": { "enum": ["text", "image", "audio", "resource_link", "resource"] } },
                        "required": ["type"],
                    },
                },
            ],
        }),
        _ => json!({ "description": "Any JSON." }),
    }
}

/// The errors of every tool. Status 405 is not among them, because it is the answer to a method other than the
/// operation's.
const ERRORS: [(&str, &str); 11] = [
    ("400", "The body is not JSON, or the tool failed."),
    ("403", "The host or the origin is not allowed, the token lacks a scope, or a rule refuses the tool."),
    ("404", "There is no such path or tool."),
    ("409", "The tool asks the user, and nobody can answer here."),
    ("413", "The body is too large."),
    ("415", "The Content-Type is not application/json, or there is a Content-Encoding."),
    ("422", "Arguments are invalid."),
    ("429", "The caller has made too many calls: see Retry-After."),
    ("500", "An internal error."),
    ("503", "The tool can be called again later: see Retry-After."),
    ("504", "The call timed out."),
];

fn responses() -> Value {
    let response = |(status, text): (&str, &str)| {
        let schema = json!({ "$ref": "#/components/schemas/Problem" });
        let mut response =
            json!({ "description": text, "content": { "application/problem+json": { "schema": schema } } });
        if matches!(status, "429" | "503") {
            response["headers"] =
                json!({ "Retry-After": { "description": "Seconds.", "schema": { "type": "integer", "minimum": 0 } } });
        }
        (status.to_owned(), response)
    };
    Value::Object(ERRORS.into_iter().map(response).collect())
}

/// Describes the answer of the layer that checks tokens, whose body is not known.
fn unauthorized() -> Value {
    let challenge = json!({ "description": "How to get a token.", "schema": { "type": "string" } });
    json!({ "description": "The token is missing or not valid.", "headers": { "WWW-Authenticate": challenge } })
}

fn problem() -> Value {
    json!({
        "description": "An error (RFC 9457).",
        "type": "object",
        "properties": {
            "type": { "type": "string" },
            "title": { "type": "string" },
            "status": { "type": "integer" },
            "detail": { "description": "What is wrong.", "type": "string" },
            "errors": {
                "description": "The invalid arguments.",
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "pointer": { "description": "A JSON pointer into the body, as a URI fragment.", "type": "string" },
                        "detail": { "type": "string" },
                    },
                    "required": ["pointer", "detail"],
                },
            },
            "can_retry": { "description": "The same call may succeed later.", "type": "boolean" },
            "additional_prompt_content": { "description": "Advice for a model.", "type": "string" },
            "code": { "type": "string" },
            "data": { "description": "Anything." },
        },
        "required": ["type", "title", "status", "detail"],
    })
}

/// The schemas under `components`.
#[derive(Default)]
struct Components(Map<String, Value>);

impl Components {
    /// Moves the `$defs` of a schema to the components, and redirects all references. `at` is where the schema itself
    /// will be.
    fn move_definitions(&mut self, schema: &mut Value, tool: &str, at: &str) {
        let definitions = match schema.as_object_mut().and_then(|schema| schema.shift_remove("$defs")) {
            Some(Value::Object(definitions)) => definitions,
            _ => Map::new(),
        };
        let names: HashMap<String, String> =
            definitions.keys().map(|name| (name.clone(), self.reserve(tool, name))).collect();
        redirect(schema, at, &names);
        for (name, mut definition) in definitions {
            redirect(&mut definition, at, &names);
            self.0.insert(names[&name].clone(), definition);
        }
    }

    /// Reserves a name for a definition of a tool. The name consists only of letters, digits and `.-_`.
    fn reserve(&mut self, tool: &str, definition: &str) -> String {
        let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let definition: String = definition.chars().map(|c| if fits(c) { c } else { '_' }).collect();
        let name = format!("{tool}.{definition}");
        // The arguments may already have a definition of this name, in the form that serde reads. Other tools and
        // definitions may also have dots in their names, so any of these names may be taken.
        let others = [format!("{name}.result")].into_iter().chain((2_u32..).map(|n| format!("{name}.{n}")));
        let is_free = |name: &String| !self.0.contains_key(name);
        let name = [name.clone()].into_iter().chain(others).find(is_free).unwrap_or_default();
        self.0.insert(name.clone(), Value::Null);
        name
    }
}

fn redirect(schema: &mut Value, at: &str, names: &HashMap<String, String>) {
    walk::visit_mut(schema, &mut |schema| {
        for keyword in ["$ref", "$dynamicRef"] {
            let Some(Value::String(target)) = walk::keyword_mut(schema, keyword) else { continue };
            let component = |name: &str, rest: &str| Some(format!("/components/schemas/{}{rest}", names.get(name)?));
            let pointer = match Reference::parse(target) {
                Reference::Definition(name) => component(&name, ""),
                Reference::Within(name, rest) => component(&name, &rest),
                Reference::Root => Some(at.to_owned()),
                Reference::Pointer(pointer) => Some(format!("{at}{pointer}")),
                Reference::Anchor(_) | Reference::Remote => None,
            };
            if let Some(pointer) = pointer {
                *target = fragment(&pointer);
            }
        }
    });
}

/// Adds the paths of tasks, and what their operations share with those of tools.
fn add_task_paths(paths: &mut Map<String, Value>, components: &mut Value) {
    let document = json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Task" } } });
    let retry_after = json!({ "description": "Seconds until the next request. Absent if the task has ended.", "schema": { "type": "integer", "minimum": 0 } });
    components["parameters"] = json!({
        "Prefer": {
            "name": "Prefer",
            "in": "header",
            "description": "`respond-async`: the response may be a task.",
            "schema": { "type": "string", "examples": ["respond-async"] },
        },
    });
    components["responses"]["202"] = json!({
        "description": "The call goes on as a task. `Location` is its URL.",
        "headers": {
            "Location": { "description": "The URL of the task.", "schema": { "type": "string", "format": "uri-reference" } },
            "Retry-After": retry_after,
        },
        "content": document,
    });
    components["schemas"]["Task"] = task_schema();
    let id = json!({ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } });
    let not_found = json!({ "$ref": "#/components/responses/404" });
    let task = json!({
        "parameters": [id],
        "get": {
            "operationId": "tasks/get",
            "summary": "Get a task",
            "responses": {
                "200": { "description": "The task.", "headers": { "Retry-After": retry_after }, "content": document },
                "404": not_found,
            },
        },
        "delete": {
            "operationId": "tasks/cancel",
            "summary": "Cancel a task",
            "responses": { "204": { "description": "The task is cancelled, unless it has ended." }, "404": not_found },
        },
    });
    paths.insert("/tasks/{id}".to_owned(), task);
}

fn task_schema() -> Value {
    json!({
        "description": "A call that goes on after its response.",
        "type": "object",
        "properties": {
            "taskId": { "type": "string" },
            "status": { "enum": ["working", "completed", "failed", "cancelled"] },
            "statusMessage": { "description": "The last progress of a task that works, or why there is no result.", "type": "string" },
            "createdAt": { "type": "string", "format": "date-time" },
            "lastUpdatedAt": { "type": "string", "format": "date-time" },
            "ttlMs": { "description": "Milliseconds from the creation after which the task is dropped. `null` until it ends.", "type": ["integer", "null"] },
            "pollIntervalMs": { "type": "integer" },
            "result": { "description": "The result of a task that is `completed`, as of `tools/call` in the Model Context Protocol.", "type": "object" },
            "error": { "description": "The JSON-RPC error of a task that has `failed`.", "type": "object" },
        },
        "required": ["taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs"],
    })
}
