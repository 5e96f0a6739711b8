//! `Cursor`: the parameter of a tool that continues a list by itself.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

/// The keyword that marks a cursor in a derived schema. It is removed before the schema is published.
pub(crate) const MARK: &str = "x-mcp-tool-cursor";

/// Where a list continues: after the item with this key. A parameter of a tool that returns [`Paged::by`](crate::Paged::by).
///
/// Clients see an optional string, the `next_cursor` of the last page. Without it, [`position`](Self::position) is `None`, and the list
/// starts with its first item. The key is any type that serde writes and reads. It comes from an earlier result of the same tool and the same other
/// arguments, but a client could have made it up, so treat it as you treat any other argument.
///
/// ```
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::collections::BTreeMap;
/// use std::ops::Bound;
/// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Cursor, Dispatcher, Paged};
///
/// /// List the names of all users.
/// #[mcp_tool(read_only_hint, budget = 1_000)]
/// async fn list_names(after: Cursor<u32>, #[mcp_tool(state)] users: &BTreeMap<u32, String>) -> Paged<(u32, String)> {
///     let start = after.position().map_or(Bound::Unbounded, |id| Bound::Excluded(*id));
///     let rows = users.range((start, Bound::Unbounded)).take(500);
///     Paged::by(rows.map(|(id, name)| (*id, name.clone())), |(id, _)| *id)
/// }
///
/// let users: BTreeMap<u32, String> = (0..3_000).map(|id| (id, format!("user {id}"))).collect();
/// let dispatcher = Dispatcher::builder().tools(tools![list_names]).state(users).build()?;
/// assert_eq!(dispatcher.list()[0].input_schema["properties"]["after"]["type"], "string");
///
/// let first = dispatcher.call(CallToolRequest::new("list_names", json!({}))).await?;
/// let second = json!({"after": first.next_cursor()});
/// let second = dispatcher.call(CallToolRequest::new("list_names", second)).await?;
/// assert!(second.is_success() && second.next_cursor() != first.next_cursor());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cursor<K>(Option<K>);

impl<K> Cursor<K> {
    /// Returns the key of the last item of the page before, or `None` for the first page.
    #[must_use]
    pub fn position(&self) -> Option<&K> {
        self.0.as_ref()
    }
}

/// The start of the list.
impl<K> Default for Cursor<K> {
    fn default() -> Self {
        Self(None)
    }
}

/// After the item with this key, for tests that call the function itself.
impl<K> From<K> for Cursor<K> {
    fn from(key: K) -> Self {
        Self(Some(key))
    }
}

/// Reads the key: before a tool reads its arguments, the text of the cursor is replaced by the key in it.
impl<'de, K: Deserialize<'de>> Deserialize<'de> for Cursor<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(Self)
    }
}

impl<K> JsonSchema for Cursor<K> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Cursor".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", MARK: true })
    }
}
