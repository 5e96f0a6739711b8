//! The subschemas of a schema, each with the JSON pointer to it.

use serde_json::Value;

use crate::json::json_pointer::escape_token;
use crate::schema::walk::{self, Position};

pub(super) struct Node<'a> {
    pub(super) schema: &'a Value,
    pub(super) pointer: String,
    /// The keyword that contains it; empty at the root.
    pub(super) keyword: &'a str,
    /// How many objects with properties are nested here, from the root to this schema.
    pub(super) nesting: usize,
}

/// Returns every subschema, parents first. The dispatcher limits the size of schemas (rule T16), so the list is short.
pub(super) fn nodes<'a>(root: &'a Value, pointer: &str) -> Vec<Node<'a>> {
    let mut found = Vec::new();
    let nesting = usize::from(root.get("properties").is_some());
    let mut pending = vec![Node { schema: root, pointer: pointer.to_owned(), keyword: "", nesting }];
    while let Some(node) = pending.pop() {
        let children = walk::children(node.schema).into_iter().rev();
        pending.extend(children.map(|(place, schema)| {
            let keyword = place.keyword;
            let pointer = match place.position {
                Position::Single => format!("{}/{keyword}", node.pointer),
                Position::Named(key) => format!("{}/{keyword}/{}", node.pointer, escape_token(key)),
                Position::Index(index) => format!("{}/{keyword}/{index}", node.pointer),
            };
            let outer = if matches!(keyword, "$defs" | "definitions") { 0 } else { node.nesting };
            let nesting = outer + usize::from(schema.get("properties").is_some());
            Node { schema, pointer, keyword, nesting }
        }));
        found.push(node);
    }
    found
}
