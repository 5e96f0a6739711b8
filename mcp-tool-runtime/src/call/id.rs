//! The identifier of a call.

use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Serialize, Serializer};
use uuid::fmt::Hyphenated;

use crate::json::violation::is_printable;
use crate::json::writer::quote;

/// The identifier of a call, which the caller sends or the dispatcher generates. The result and the server's logs
/// contain it.
///
/// An id is a string of 1 to 256 bytes. All its characters are printable, and there is no space at either end, so an id
/// cannot forge a log line.
///
/// The dispatcher keeps the caller's id. If the id is missing or not valid, the dispatcher generates a version 7 UUID.
/// Generated ids sort by time. They are unique but not secret: do not use them as credentials.
///
/// ```
/// use mcp_tool_runtime::CallId;
///
/// let id = CallId::new("order-17")?;
/// assert_eq!(id.as_str(), "order-17");
/// assert!(CallId::new("").is_err());
/// assert!(CallId::new("17\nERROR forged").is_err());
/// # Ok::<(), mcp_tool_runtime::InvalidCallId>(())
/// ```
#[derive(Clone)]
pub struct CallId(Text);

/// The text of an id. A generated id is stored inline, without an allocation.
#[derive(Clone)]
enum Text {
    Uuid([u8; Hyphenated::LENGTH]),
    Given(Arc<str>),
}

/// The key by which a repeated call is recognized: the `Idempotency-Key` header in plain HTTP, or the id of the call in
/// Open Tool Calling. The argument `idempotency_key` serves the same purpose.
#[cfg(feature = "tasks")]
pub(crate) struct IdempotencyKey(pub(crate) String);

/// The maximum length of an id, in bytes.
const MAX_BYTES: usize = 256;

impl CallId {
    /// Creates an id from a string.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidCallId`] if the string is empty or longer than 256 bytes, has a space at either end, or has a
    /// character that is not printable.
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidCallId> {
        let text = text.into();
        if text.is_empty() || text.len() > MAX_BYTES {
            let length = text.len();
            return Err(InvalidCallId(format!("a call id has 1 to {MAX_BYTES} bytes, this one has {length}")));
        }
        if text.starts_with(' ') || text.ends_with(' ') || !text.chars().all(is_printable) {
            let error = "a call id has printable characters only, and no space at either end";
            return Err(InvalidCallId(error.to_owned()));
        }
        Ok(Self(Text::Given(text.into())))
    }

    /// Generates an id, which is a version 7 UUID.
    ///
    /// ```
    /// use mcp_tool_runtime::CallId;
    ///
    /// let id = CallId::generate();
    /// assert_eq!(id.as_str().len(), 36);
    /// assert_ne!(id, CallId::generate());
    /// ```
    pub fn generate() -> Self {
        let millis = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        // In a UUID of version 7, a counter may take the place of twelve random bits (RFC 9562, section 6.2).
        let (count, random) = counter_and_hash();
        let mut bits = [0; 10];
        bits[..2].copy_from_slice(&count.to_be_bytes()[6..]);
        bits[2..].copy_from_slice(&random.to_le_bytes());
        let millis = u64::try_from(millis).unwrap_or(u64::MAX);
        let uuid = uuid::Builder::from_unix_timestamp_millis(millis, &bits).into_uuid();
        let mut text = [0; Hyphenated::LENGTH];
        uuid.hyphenated().encode_lower(&mut text);
        Self(Text::Uuid(text))
    }

    /// Writes the id as a JSON string.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        let text = match &self.0 {
            Text::Given(text) if memchr::memchr2(b'"', b'\\', text.as_bytes()).is_some() => return quote(text, bytes),
            Text::Given(text) => text.as_bytes(),
            Text::Uuid(text) => text.as_slice(),
        };
        bytes.push(b'"');
        bytes.extend_from_slice(text);
        bytes.push(b'"');
    }

    /// Returns the id as a string.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            // The bytes are hexadecimal digits and hyphens, so they are valid UTF-8.
            Text::Uuid(text) => std::str::from_utf8(text).unwrap_or_default(),
            Text::Given(text) => text,
        }
    }
}

impl PartialEq for CallId {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for CallId {}

impl PartialOrd for CallId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CallId {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for CallId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CallId").field(&self.as_str()).finish()
    }
}

/// Increments this thread's counter, and returns the new count with its hash under this thread's random key.
///
/// Together, the two numbers make ids unique without a system call for each id: `Uuid::now_v7` would cost 0.26 µs more.
/// The hash is not meant for cryptography, so ids are not secret.
fn counter_and_hash() -> (u64, u64) {
    thread_local! {
        static KEY: RandomState = RandomState::new();
        static COUNT: Cell<u64> = const { Cell::new(0) };
    }
    let count = COUNT.with(|count| {
        count.set(count.get().wrapping_add(1));
        count.get()
    });
    (count, KEY.with(|key| key.hash_one(count)))
}

impl TryFrom<String> for CallId {
    type Error = InvalidCallId;

    fn try_from(text: String) -> Result<Self, InvalidCallId> {
        Self::new(text)
    }
}

impl TryFrom<&str> for CallId {
    type Error = InvalidCallId;

    fn try_from(text: &str) -> Result<Self, InvalidCallId> {
        Self::new(text)
    }
}

display!(CallId, it => it.as_str());

impl AsRef<str> for CallId {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Serialize for CallId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The error of [`CallId::new`]. A call id has 1 to 256 bytes, only printable characters, and no space at either end.
///
/// ```
/// use mcp_tool_runtime::CallId;
///
/// let error = CallId::new("x".repeat(300)).unwrap_err();
/// assert_eq!(error.to_string(), "a call id has 1 to 256 bytes, this one has 300");
/// let error = CallId::new("two\nlines").unwrap_err();
/// assert_eq!(error.to_string(), "a call id has printable characters only, and no space at either end");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidCallId(String);

display!(InvalidCallId, it => &it.0);

impl std::error::Error for InvalidCallId {}
