//! The subschemas of a schema, each with the JSON pointer to it.

use serde_json::Value;

use crate::schema::walk;

pub(crate) struct Node<'a> {
    pub(crate) schema: &'a Value,
    pub(crate) pointer: String,
    /// The keyword that contains it; empty at the root.
    pub(crate) keyword: &'a str,
    /// How many objects with properties are nested here, from the root to this schema.
    pub(crate) nesting: usize,
}

/// Returns every subschema, parents first. The dispatcher limits the size of schemas (rule T16), so the list is short.
pub(crate) fn nodes<'a>(root: &'a Value, pointer: &str) -> Vec<Node<'a>> {
    let mut found = Vec::new();
    let nesting = usize::from(root.get("properties").is_some());
    let mut pending = vec![Node { schema: root, pointer: pointer.to_owned(), keyword: "", nesting }];
    while let Some(node) = pending.pop() {
        let children = walk::children(node.schema).into_iter().rev();
        pending.extend(children.map(|(place, schema)| {
            let keyword = place.keyword;
            let pointer = format!("{}/{}", node.pointer, place.pointer());
            let outer = if matches!(keyword, "$defs" | "definitions") { 0 } else { node.nesting };
            let nesting = outer + usize::from(schema.get("properties").is_some());
            Node { schema, pointer, keyword, nesting }
        }));
        found.push(node);
    }
    found
}
