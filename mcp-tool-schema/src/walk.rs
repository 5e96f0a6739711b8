//! Visits the subschemas of a schema, and reads its keywords.
//!
//! Every walk uses the same list of keywords that hold subschemas. A property *named* `title` is therefore never
//! mistaken for the keyword, and the contents of `default` and `enum` are never mistaken for schemas.

use serde_json::{Map, Value};

use crate::json::path::escape_token;

/// The location of a subschema in its parent.
///
/// ```
/// use mcp_tool_schema::walk::visit_children;
///
/// let schema = serde_json::json!({ "properties": { "a/b": {} }, "anyOf": [{}] });
/// let mut pointers = Vec::new();
/// visit_children(&schema, |location, _| pointers.push(location.pointer()));
/// assert_eq!(pointers, ["properties/a~1b", "anyOf/0"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Location<'a> {
    /// The keyword that holds the subschema.
    pub keyword: &'a str,
    /// Which of the keyword's subschemas it is.
    pub position: Position<'a>,
}

/// The position of a subschema among those that a keyword holds.
///
/// ```
/// use mcp_tool_schema::walk::{Position, visit_children};
///
/// let schema = serde_json::json!({ "not": {} });
/// visit_children(&schema, |location, _| assert!(matches!(location.position, Position::Single)));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Position<'a> {
    /// The only subschema.
    Single,
    /// The subschema with this name, as in `properties`.
    Named(&'a str),
    /// The subschema at this index of a list, as in `anyOf`.
    Index(usize),
}

impl Location<'_> {
    /// Returns the last tokens of the JSON Pointer to the subschema: `properties/a`.
    pub fn pointer(&self) -> String {
        match self.position {
            Position::Single => self.keyword.to_owned(),
            Position::Named(name) => format!("{}/{}", self.keyword, escape_token(name)),
            Position::Index(index) => format!("{}/{index}", self.keyword),
        }
    }
}

/// The form in which a keyword holds subschemas.
enum Form {
    Single,
    Named,
    /// A list. `items` may also hold a single schema.
    Listed,
}

/// Returns the form of a keyword, or `None` if it holds no subschemas. The keywords of draft-07 are known too, because
/// hand-written schemas may use them.
fn form(keyword: &str) -> Option<Form> {
    Some(match keyword {
        "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "additionalItems"
        | "unevaluatedItems"
        | "contains"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contentSchema" => Form::Single,
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies" => {
            Form::Named
        }
        "allOf" | "anyOf" | "oneOf" | "prefixItems" | "items" => Form::Listed,
        _ => return None,
    })
}

/// Returns `true` for an object or a boolean, the two forms of a schema.
///
/// ```
/// use mcp_tool_schema::walk::is_schema;
///
/// assert!(is_schema(&serde_json::json!(true)) && !is_schema(&serde_json::json!([])));
/// ```
pub fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

/// The body of [`visit_children`] and of [`visit_children_mut`].
macro_rules! visit_children {
    ($schema:expr, $visit:expr, $child:ty, $as_object:ident, $iter:ident) => {
        for (keyword, held) in $schema.$as_object().into_iter().flatten() {
            let mut add = |position, child: $child| {
                if is_schema(child) {
                    $visit(Location { keyword, position }, child);
                }
            };
            match (form(keyword), held) {
                (Some(Form::Named), Value::Object(named)) => {
                    named.$iter().for_each(|(key, child)| add(Position::Named(key), child));
                }
                (Some(Form::Listed), Value::Array(list)) => {
                    list.$iter().enumerate().for_each(|(index, child)| add(Position::Index(index), child));
                }
                (Some(Form::Single | Form::Listed), child) => add(Position::Single, child),
                _ => {}
            }
        }
    };
}

/// Calls `visit` for each direct subschema, booleans included, in the order in which they are written.
///
/// ```
/// use mcp_tool_schema::walk::visit_children;
///
/// let schema = serde_json::json!({ "items": { "title": "inner" }, "default": { "items": {} } });
/// let mut count = 0;
/// visit_children(&schema, |_, _| count += 1);
/// assert_eq!(count, 1, "the content of `default` is no schema");
/// ```
pub fn visit_children<'a>(schema: &'a Value, mut visit: impl FnMut(Location<'a>, &'a Value)) {
    visit_children!(schema, visit, &'a Value, as_object, iter);
}

/// The mutable form of [`visit_children`].
///
/// ```
/// let mut schema = serde_json::json!({ "items": { "title": "a" } });
/// mcp_tool_schema::walk::visit_children_mut(&mut schema, |_, child| child["title"] = "b".into());
/// assert_eq!(schema["items"]["title"], "b");
/// ```
pub fn visit_children_mut<'a>(schema: &'a mut Value, mut visit: impl FnMut(Location<'a>, &'a mut Value)) {
    visit_children!(schema, visit, &'a mut Value, as_object_mut, iter_mut);
}

/// Returns the value of a keyword. A linear search is faster than hashing the name, since a schema has few keywords.
///
/// ```
/// let schema = serde_json::json!({ "title": "a" });
/// assert_eq!(mcp_tool_schema::walk::keyword(&schema, "title"), Some(&"a".into()));
/// ```
pub fn keyword<'a>(schema: &'a Value, name: &str) -> Option<&'a Value> {
    schema.as_object()?.iter().find(|(keyword, _)| *keyword == name).map(|(_, value)| value)
}

/// Returns `true` if the keyword `type` names this type.
///
/// ```
/// let schema = serde_json::json!({ "type": ["string", "null"] });
/// assert!(mcp_tool_schema::walk::has_type(&schema, "null"));
/// ```
pub fn has_type(schema: &Value, name: &str) -> bool {
    match keyword(schema, "type") {
        Some(Value::Array(names)) => names.iter().any(|one| one == name),
        only => only.is_some_and(|only| only == name),
    }
}

/// The mutable form of [`keyword`].
///
/// ```
/// let mut schema = serde_json::json!({ "title": "a" });
/// *mcp_tool_schema::walk::keyword_mut(&mut schema, "title").expect("a title") = "b".into();
/// assert_eq!(schema["title"], "b");
/// ```
pub fn keyword_mut<'a>(schema: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    schema.as_object_mut()?.iter_mut().find(|(keyword, _)| *keyword == name).map(|(_, value)| value)
}

/// Returns the value of a keyword, or `null` if the schema does not have it.
///
/// ```
/// assert!(mcp_tool_schema::walk::keyword_or_null(&true.into(), "title").is_null());
/// ```
pub fn keyword_or_null<'a>(schema: &'a Value, name: &str) -> &'a Value {
    keyword(schema, name).unwrap_or(&Value::Null)
}

/// Returns the strings in an array, such as the value of `required`. Any other value has none.
///
/// ```
/// let schema = serde_json::json!({ "required": ["a", "b"] });
/// assert!(mcp_tool_schema::walk::strings(schema.get("required")).eq(["a", "b"]));
/// ```
pub fn strings(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Visits the schema and all subschemas below it, parents first. The walk is not recursive, because a schema can have
/// any depth.
///
/// ```
/// let schema = serde_json::json!({ "items": { "anyOf": [{}, {}] } });
/// let mut count = 0;
/// mcp_tool_schema::walk::visit(&schema, &mut |_| count += 1);
/// assert_eq!(count, 4);
/// ```
pub fn visit<'a>(root: &'a Value, visit: &mut dyn FnMut(&'a Value)) {
    let mut pending = vec![root];
    while let Some(schema) = pending.pop() {
        visit(schema);
        visit_children(schema, |_, child| pending.push(child));
    }
}

/// Returns `true` if the closure accepts the schema or a subschema below it.
///
/// ```
/// let schema = serde_json::json!({ "items": { "title": "a" } });
/// assert!(mcp_tool_schema::walk::any(&schema, |schema| schema["title"] == "a"));
/// ```
pub fn any(root: &Value, accept: impl Fn(&Value) -> bool) -> bool {
    let mut found = false;
    visit(root, &mut |schema| found = found || accept(schema));
    found
}

/// The mutable form of [`visit`]. Subschemas that the closure adds are visited too.
///
/// ```
/// let mut schema = serde_json::json!({ "items": true });
/// mcp_tool_schema::walk::visit_mut(&mut schema, &mut |schema| {
///     if *schema == true {
///         *schema = serde_json::json!({});
///     }
/// });
/// assert_eq!(schema["items"], serde_json::json!({}));
/// ```
pub fn visit_mut(root: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    let mut pending = vec![root];
    while let Some(schema) = pending.pop() {
        visit(schema);
        visit_children_mut(schema, |_, child| pending.push(child));
    }
}

/// Like [`visit_mut`], but passes the keywords of each schema to `visit`, and skips booleans.
///
/// ```
/// let mut schema = serde_json::json!({ "title": "A", "items": { "title": "B" } });
/// mcp_tool_schema::walk::visit_keywords_mut(&mut schema, &mut |keywords| _ = keywords.remove("title"));
/// assert_eq!(schema, serde_json::json!({ "items": {} }));
/// ```
pub fn visit_keywords_mut(root: &mut Value, visit: &mut dyn FnMut(&mut Map<String, Value>)) {
    visit_mut(root, &mut |schema| {
        if let Some(keywords) = schema.as_object_mut() {
            visit(keywords);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn properties_named_like_keywords_are_not_keywords() {
        let schema = json!({
            "properties": { "properties": { "title": "a" }, "$ref": { "title": "b" }, "items": true },
            "default": { "items": { "title": "no" } },
            "enum": [{ "not": { "title": "no" } }],
            "title": "root"
        });
        let mut titles = Vec::new();
        visit(&schema, &mut |schema| {
            titles.push(schema.get("title").and_then(Value::as_str));
        });
        titles.sort_unstable();
        assert_eq!(titles, [None, Some("a"), Some("b"), Some("root")]);
    }

    #[test]
    fn both_forms_visit_the_same_children() {
        let mut schema = json!({
            "items": [{ "a": 1 }, true], "dependencies": { "x": ["y"], "z": {} }, "then": {}, "anyOf": [{}, 3]
        });
        let mut read = Vec::new();
        visit_children(&schema, |location, child| read.push(format!("{:?}", (location, child))));
        assert_eq!(read.len(), 5);
        let mut written = Vec::new();
        visit_children_mut(&mut schema, |location, child| written.push(format!("{:?}", (location, child))));
        assert_eq!(read, written);
    }

    #[test]
    fn deep_schemas_do_not_overflow_the_stack() {
        let mut schema = json!({});
        for _ in 0..100_000 {
            let mut outer = Map::new();
            outer.insert("not".to_owned(), schema);
            schema = Value::Object(outer);
        }
        let mut seen = 0;
        visit(&schema, &mut |_| seen += 1);
        assert_eq!(seen, 100_001);
        // Dropping a value this deep is recursive, and would overflow the stack.
        std::mem::forget(schema);
    }
}
