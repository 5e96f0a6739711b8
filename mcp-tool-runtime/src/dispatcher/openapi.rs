//! An `OpenAPI` 3.1 document of the tools, as [`http::PlainHttp`](crate::http::PlainHttp) serves them.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::{Dispatcher, SeenBy};
use crate::call::add_property;
use crate::json::path::{escape_token, fragment};
use crate::listing::visibility::ToolInfo;
use crate::schema::normalise::take_definitions;
use crate::schema::reference::Reference;
use crate::schema::walk;
use crate::{Extensions, mcp};

impl Dispatcher {
    /// Returns an `OpenAPI` 3.1 document of the tools that [`list`](Self::list) lists, as
    /// [`http::PlainHttp`](crate::http::PlainHttp) serves them. It has one operation for each tool, with examples,
    /// errors, and the schemas of the arguments and the result.
    ///
    /// Definitions under `$defs` move to `components/schemas`, under the name `{tool}.{definition}`. If the arguments
    /// and the result have definitions with the same name, the name of the result's definition ends in `.result`. Tools
    /// with scopes need the security scheme `bearer`; other tools may be called without a token, unless the document is
    /// read behind a [`Bearer`](crate::http::Bearer). The tags of a tool are the tags of its operation. The `info`
    /// contains the server's title or name, its version and its instructions. The document has no `servers`, because
    /// its paths are relative to where the service is mounted.
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
    pub fn openapi(&self) -> Value {
        self.openapi_for(&Extensions::new(), Access::default())
    }

    /// Returns the `OpenAPI` document of the tools that one caller sees.
    pub(crate) fn openapi_for(&self, extensions: &Extensions, access: Access) -> Value {
        let Access { ignores_scopes, needs_token } = access;
        let (mut paths, mut schemas) = (Map::new(), Components::default());
        let (mut has_scopes, mut has_tasks) = (false, false);
        let mut tags = BTreeSet::new();
        for (info, tool) in self.visible_tools(extensions, ignores_scopes) {
            let mut operation = operation(info, tool, &mut schemas);
            tags.extend(info.tags().iter().map(|tag| &**tag));
            if !info.scopes().is_empty() {
                has_scopes = true;
                operation["security"] = json!([{ "bearer": &info.scopes()[..] }]);
            }
            if needs_token || !info.scopes().is_empty() {
                add(&mut operation, &PARTS["token"]["operation"]);
            }
            if self.has_task(&tool.name) {
                has_tasks = true;
                add(&mut operation, &PARTS["task"]["operation"]);
            }
            if self.entry(&tool.name).is_some_and(|entry| entry.metadata.once.is_some()) {
                add(&mut operation, &PARTS["once"]["operation"]);
            }
            paths.insert(format!("/{}", tool.name), json!({ "post": operation }));
        }
        let server = &self.inner.identity;
        let mut info = json!({ "title": server.display_name(), "version": server.version });
        add_property(&mut info, "description", server.instructions.as_deref());
        let tags: Vec<_> = tags.into_iter().map(|tag| json!({ "name": tag })).collect();
        // The document's own `security` applies to the tools without scopes. They need a token only if the layer in
        // front of the service requires one.
        let security = match (needs_token, has_scopes) {
            (true, _) => json!([{ "bearer": [] }]),
            (false, true) => json!([{}, { "bearer": [] }]),
            (false, false) => json!([]),
        };
        let mut document = json!({
            "openapi": "3.1.0", "info": info, "tags": tags, "security": security, "paths": paths,
            "components": { "schemas": schemas.0 },
        });
        for (kind, is_needed) in [("every", true), ("task", has_tasks), ("token", needs_token || has_scopes)] {
            if is_needed {
                add(&mut document, &PARTS[kind]["document"]);
            }
        }
        document
    }
}

impl SeenBy<'_> {
    /// Returns the `OpenAPI` document of the tools that this caller sees. See [`Dispatcher::openapi`].
    pub fn openapi(&self) -> Value {
        self.dispatcher.openapi_for(&self.extensions, Access::default())
    }
}

/// What a transport knows about access to the tools.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Access {
    /// Whether the document includes tools that are hidden only because the caller lacks scopes.
    pub(crate) ignores_scopes: bool,
    /// Whether every request needs a token, even for a tool without scopes.
    pub(crate) needs_token: bool,
}

/// The parts of the document that are the same for all tools. `every` is added to the document and to each operation.
/// `task` is added to the operations of tools with tasks, and `token` to the operations of tools that need a token. If
/// there are such tools, `task` or `token` is also added to the document. `once` is added to the operation of a tool
/// with `once`. `results` contains schemas for results without an output schema.
///
/// Status 405 is not among the errors of an operation, because it is the answer to another method.
static PARTS: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("openapi.json")).unwrap_or_default());

/// Merges `part` into a value: objects property by property, at every depth. Anything else is replaced.
fn add(object: &mut Value, part: &Value) {
    match (object, part) {
        (Value::Object(object), Value::Object(part)) => {
            part.iter().for_each(|(key, value)| add(object.entry(key).or_insert(Value::Null), value));
        }
        (object, part) => *object = part.clone(),
    }
}

fn operation(info: &ToolInfo, tool: &mcp::Tool, schemas: &mut Components) -> Value {
    let base = format!("/paths/~1{}/post", escape_token(&tool.name));
    let mut input = tool.input_schema.clone();
    let examples = input.as_object_mut().and_then(|schema| schema.shift_remove("examples"));
    let at = format!("{base}/requestBody/content/application~1json/schema");
    schemas.move_definitions(&mut input, &tool.name, &at);
    let mut request = json!({ "schema": input });
    if let Some(Value::Array(examples)) = examples {
        let named = |(index, value)| (format!("example{}", index + 1), json!({ "value": value }));
        request["examples"] = Value::Object(examples.into_iter().enumerate().map(named).collect());
    }
    let results = &PARTS["results"];
    let without_schema = || results.get(info.result_type).unwrap_or(&results["any"]).clone();
    let mut output = tool.output_schema.clone().unwrap_or_else(without_schema);
    let at = format!("{base}/responses/200/content/application~1json/schema");
    schemas.move_definitions(&mut output, &tool.name, &at);
    let mut operation = json!({
        "operationId": tool.name,
        "tags": &info.tags()[..],
        "summary": tool.title.as_ref().unwrap_or(&tool.name),
        "description": tool.description,
        "requestBody": { "required": true, "content": { "application/json": request } },
    });
    add(&mut operation, &PARTS["every"]["operation"]);
    operation["responses"]["200"]["content"] = json!({ "application/json": { "schema": output } });
    let is_deprecated = tool.description.as_ref().is_some_and(|text| text.starts_with("[DEPRECATED"));
    add_property(&mut operation, "deprecated", is_deprecated.then_some(true));
    operation
}

/// The object `components.schemas` of the document.
#[derive(Default)]
struct Components(Map<String, Value>);

impl Components {
    /// Moves the `$defs` of a schema to the components, and redirects all references. `at` is the JSON Pointer to the
    /// schema in the document.
    fn move_definitions(&mut self, schema: &mut Value, tool: &str, at: &str) {
        let definitions = take_definitions(schema);
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
        // If a type occurs in both the arguments and the result, the schema of the arguments has already taken this
        // name, and the two definitions can differ. The names of other tools and definitions may contain dots too, so
        // any candidate may already be in use.
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
