//! An `OpenAPI` 3.1 document of the tools, as [`http::Rest`](crate::http::Rest) serves them.

use serde_json::{Map, Value, json};

use super::Dispatcher;
use crate::document::json_pointer::escape_token;
use crate::schema::reference::Reference;
use crate::schema::walk;
use crate::tool::info::ToolInfo;
use crate::{Extensions, mcp};

impl Dispatcher {
    /// Returns an `OpenAPI` 3.1 document of all tools, as [`http::Rest`](crate::http::Rest) serves them: one operation for each tool, with
    /// the schemas of its arguments and its result, its examples, and its errors.
    ///
    /// Definitions under `$defs` are moved to `components/schemas`, under the names `{tool}.{definition}`. Tools with scopes need the
    /// security scheme `bearer`.
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
        document(self.inner.audience.tools().iter().zip(&self.inner.definitions), "tools", "1.0.0")
    }

    /// Returns the document for one caller.
    pub(crate) fn openapi_for(&self, extensions: &Extensions, name: &str, version: &str) -> Value {
        document(self.visible_tools(extensions), name, version)
    }
}

fn document<'t>(tools: impl Iterator<Item = (&'t ToolInfo, &'t mcp::Tool)>, name: &str, version: &str) -> Value {
    let mut paths = Map::new();
    let mut schemas = Map::new();
    schemas.insert("Problem".to_owned(), problem());
    let mut has_scopes = false;
    for (info, tool) in tools {
        let mut operation = operation(tool, &mut schemas);
        let scopes: Vec<&str> = info.scopes().iter().map(String::as_str).collect();
        if !scopes.is_empty() {
            has_scopes = true;
            operation["security"] = json!([{ "bearer": scopes }]);
        }
        paths.insert(format!("/{}", tool.name), json!({ "post": operation }));
    }
    let mut components = json!({ "schemas": schemas, "responses": responses() });
    if has_scopes {
        components["securitySchemes"] = json!({ "bearer": { "type": "http", "scheme": "bearer" } });
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": name, "version": version },
        "paths": paths,
        "components": components,
    })
}

fn operation(tool: &mcp::Tool, schemas: &mut Map<String, Value>) -> Value {
    let base = format!("/paths/~1{}/post", escape_token(&tool.name));
    let mut input = tool.input_schema.clone();
    let examples = input.as_object_mut().and_then(|schema| schema.shift_remove("examples"));
    move_definitions(&mut input, &tool.name, &format!("{base}/requestBody/content/application~1json/schema"), schemas);
    let mut request = json!({ "schema": input });
    if let Some(Value::Array(examples)) = examples {
        let named = examples
            .into_iter()
            .enumerate()
            .map(|(index, value)| (format!("example{}", index + 1), json!({ "value": value })));
        request["examples"] = Value::Object(named.collect());
    }
    // Without an output schema, the value is any JSON.
    let mut output = tool.output_schema.clone().unwrap_or_else(|| json!({}));
    move_definitions(
        &mut output,
        &tool.name,
        &format!("{base}/responses/200/content/application~1json/schema"),
        schemas,
    );
    let mut operation = json!({
        "operationId": tool.name,
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

/// The errors of every tool.
const ERRORS: [(&str, &str); 9] = [
    ("400", "The body is not JSON, or the tool failed."),
    ("403", "The host or the origin is not allowed."),
    ("404", "There is no such tool."),
    ("409", "The tool asks the user, and nobody can answer here."),
    ("413", "The body is too large."),
    ("422", "Arguments are invalid."),
    ("500", "An internal error."),
    ("503", "The tool can be called again later: see Retry-After."),
    ("504", "The call timed out."),
];

fn responses() -> Value {
    let response = |(status, text): (&str, &str)| {
        let schema = json!({ "$ref": "#/components/schemas/Problem" });
        let mut response =
            json!({ "description": text, "content": { "application/problem+json": { "schema": schema } } });
        if status == "503" {
            response["headers"] =
                json!({ "Retry-After": { "description": "Seconds.", "schema": { "type": "integer", "minimum": 0 } } });
        }
        (status.to_owned(), response)
    };
    Value::Object(ERRORS.into_iter().map(response).collect())
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
                        "pointer": { "description": "A JSON pointer into the body.", "type": "string" },
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

/// Moves the `$defs` of a schema to the components, and redirects all references. `at` is where the schema itself will be.
fn move_definitions(schema: &mut Value, tool: &str, at: &str, schemas: &mut Map<String, Value>) {
    let definitions = match schema.as_object_mut().and_then(|schema| schema.shift_remove("$defs")) {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    };
    // The result can have a definition of the same name as the arguments, in the form in which serde writes it.
    let name_in = |schemas: &Map<String, Value>, name: &str| {
        let component = component_name(tool, name);
        if schemas.contains_key(&component) { format!("{component}.result") } else { component }
    };
    let names: Map<String, Value> =
        definitions.keys().map(|name| (name.clone(), name_in(schemas, name).into())).collect();
    redirect(schema, at, &names);
    for (name, mut definition) in definitions {
        redirect(&mut definition, at, &names);
        if let Some(component) = names[&name].as_str() {
            schemas.insert(component.to_owned(), definition);
        }
    }
}

/// Returns the name of a definition among the components, which has letters, digits and `.-_` only.
fn component_name(tool: &str, name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    format!("{tool}.{name}")
}

fn redirect(schema: &mut Value, at: &str, names: &Map<String, Value>) {
    walk::visit_mut(schema, &mut |schema| {
        for keyword in ["$ref", "$dynamicRef"] {
            let Some(Value::String(target)) = walk::keyword_mut(schema, keyword) else { continue };
            let component = |name: &str| names.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            let redirected = match Reference::parse(target) {
                Reference::Definition(name) => Some(format!("#/components/schemas/{}", component(&name))),
                Reference::Within(name) => {
                    let rest = target["#/$defs/".len()..].split_once('/').map_or("", |(_, rest)| rest);
                    Some(format!("#/components/schemas/{}/{rest}", component(&name)))
                }
                Reference::Root => Some(format!("#{at}")),
                Reference::Pointer(pointer) => Some(format!("#{at}{pointer}")),
                Reference::Anchor(_) | Reference::Remote => None,
            };
            if let Some(redirected) = redirected {
                *target = redirected;
            }
        }
    });
}
