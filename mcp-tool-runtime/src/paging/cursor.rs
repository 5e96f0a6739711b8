//! `Cursor`: where a page starts, as a parameter of a tool and as the text that a client sends.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::ask::pages_consent;
use crate::schema::normalise::NullablePlace;

/// Where a page of a list starts: after the item whose key the cursor contains, or at the start of the list. A tool
/// that pages its list by key takes it as a parameter (see [`Paged::by`](crate::Paged::by)).
///
/// Clients see an optional string, the `next_cursor` of the last page. Without it, [`position`](Self::position) is
/// `None`, and the list starts with its first item. The key can have any type that serde writes and reads. Normally the
/// key comes from an earlier result of the same tool with the same other arguments. But a client could have made it up,
/// so treat it as you treat any other argument.
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
    /// Returns the key of the last item of the previous page, or `None` for the first page.
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

/// Creates the cursor that continues after the item with this key, for tests that call the tool's function directly.
impl<K> From<K> for Cursor<K> {
    fn from(key: K) -> Self {
        Self(Some(key))
    }
}

/// Reads the key from a string that contains its JSON. `PagedCall::run` puts this string in the place of the cursor
/// that the client sent, before the tool reads its arguments. Since the key is read from text, it can be an integer of
/// more than 64 bits.
impl<'de, K: DeserializeOwned> Deserialize<'de> for Cursor<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Option::<Cow<'_, str>>::deserialize(deserializer)?;
        json.map(|json| serde_json::from_str(&json).map_err(D::Error::custom)).transpose().map(Self)
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
        json_schema!({ "type": "string", crate::schema::CURSOR: true })
    }
}

/// Where a page starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Start {
    /// After this many items of a list, or bytes of a text.
    Position(u64),
    /// After the item with this key, as JSON.
    Key(Vec<u8>),
}

impl Start {
    /// Returns the maximum number of bytes that this start of a page takes in a cursor.
    pub(crate) fn max_bytes(&self) -> usize {
        match self {
            Self::Position(_) => MAX_POSITION_BYTES,
            Self::Key(key) => key.len(),
        }
    }
}

pub(crate) const MAX_POSITION_BYTES: usize = 8;

/// The maximum length of a key, in bytes of JSON. It is low, because a model has to copy the key.
pub(crate) const MAX_KEY_BYTES: usize = 512;

const POSITION: u8 = 0;
const KEY: u8 = 1;

/// Writes and reads cursors that are valid only for one tool and one set of arguments.
pub(crate) struct CursorCodec {
    tool: [u8; 4],
    arguments: [u8; 8],
    /// The user's signed consent, if the user has agreed. It is appended to each cursor that is written, and ignored
    /// when a cursor is read.
    pub(super) suffix: String,
}

impl CursorCodec {
    /// Creates the codec for a tool and the arguments of a call. `arguments` are in canonical form, without the cursor
    /// itself.
    pub(crate) fn new(tool: &str, arguments: &Value) -> Self {
        let [a, b, c, d, ..] = hash(tool.as_bytes()).to_be_bytes();
        let arguments = hash(arguments.to_string().as_bytes()).to_be_bytes();
        Self { tool: [a, b, c, d], arguments, suffix: String::new() }
    }

    pub(crate) fn write(&self, start: &Start) -> String {
        let mut bytes = [&self.tool[..], &self.arguments].concat();
        match start {
            Start::Position(position) => {
                bytes.push(POSITION);
                let position = position.to_be_bytes();
                let zeros = position.iter().take_while(|byte| **byte == 0).count();
                bytes.extend_from_slice(&position[zeros..]);
            }
            Start::Key(key) => {
                bytes.push(KEY);
                bytes.extend_from_slice(key);
            }
        }
        bytes.extend(hash(&bytes).to_be_bytes());
        URL_SAFE_NO_PAD.encode(bytes) + &self.suffix
    }

    /// Returns the length of a cursor in which the start of the next page takes this many bytes.
    pub(crate) fn length(&self, start: usize) -> usize {
        ((4 + 8 + 1 + start + 8) * 4).div_ceil(3) + self.suffix.len()
    }

    /// Reads a cursor, and returns where the page starts. Refuses a cursor of another tool, or of a call with other
    /// arguments. If `is_keyed` is `false`, also refuses a cursor with a key.
    ///
    /// # Errors
    ///
    /// What is wrong with the cursor, for a model.
    pub(crate) fn read(&self, text: &str, is_keyed: bool) -> Result<Start, &'static str> {
        let text = text.split_once(pages_consent::SEPARATOR).map_or(text, |(cursor, _)| cursor);
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| DAMAGED)?;
        let (bytes, sum) = bytes.split_last_chunk::<8>().ok_or(DAMAGED)?;
        if hash(bytes).to_be_bytes() != *sum {
            return Err(DAMAGED);
        }
        let (tool, bytes) = bytes.split_first_chunk::<4>().ok_or(DAMAGED)?;
        let (arguments, bytes) = bytes.split_first_chunk::<8>().ok_or(DAMAGED)?;
        if *tool != self.tool {
            return Err("a cursor of another tool; leave the argument out for the first page");
        }
        if *arguments != self.arguments {
            return Err(
                "a cursor of a call with other arguments; repeat the arguments of that call, or leave the cursor out for the \
                        first page",
            );
        }
        match bytes.split_first() {
            Some((&POSITION, position)) if position.len() <= 8 => {
                Ok(Start::Position(position.iter().fold(0, |all, byte| all << 8 | u64::from(*byte))))
            }
            // A tool that now pages by position may have paged by key in an earlier version, so refuse its old cursors.
            // Refuse the key `null` too: it would restart the list, and `set_start` never writes it.
            Some((&KEY, key)) if is_keyed && key != b"null" => Ok(Start::Key(key.to_vec())),
            _ => Err(DAMAGED),
        }
    }
}

/// The error for a string that is not a cursor, and for a cursor that the tool cannot use: it contains a position
/// although the tool pages by key, or a key although the tool pages by position, or a key of another type.
pub(crate) const DAMAGED: &str = "not a cursor, or damaged; copy `next_cursor` of the last page unchanged, or leave the argument out for the first page";

#[derive(Debug, Clone, Default)]
pub(crate) struct CursorArgument {
    pub(crate) name: String,
    /// Whether the tool reads the key in the cursor.
    pub(crate) is_keyed: bool,
    /// The nullable properties in the input schema.
    pub(super) nullable: Vec<NullablePlace>,
}

/// Returns the 64-bit FNV-1a hash.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn a_cursor_is_read_as_it_was_written_and_not_with_one_bit_changed() {
        let codec = CursorCodec::new("list", &json!({"a": 1}));
        for start in
            [Start::Position(0), Start::Position(300), Start::Position(u64::MAX), Start::Key(b"\"x\"".to_vec())]
        {
            let text = codec.write(&start);
            assert!((0..=11).contains(&(codec.length(start.max_bytes()) - text.len())), "{start:?}");
            assert_eq!(codec.read(&text, true), Ok(start));
            for (at, bit) in (0..text.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
                let mut damaged = text.clone().into_bytes();
                damaged[at] ^= 1 << bit;
                if let Ok(damaged) = String::from_utf8(damaged) {
                    assert!(codec.read(&damaged, true).is_err_and(|error| error.contains("damaged")), "{damaged}");
                }
            }
            for length in 0..text.len() {
                assert!(codec.read(&text[..length], true).is_err());
            }
        }
    }
}
