//! Reads the `_meta` of a request. The dispatcher and the transports need a few of its entries, which are found while the request is read.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::call::meta::CALL_ID;
use crate::json::scanner::{JsonString, Scanner, SyntaxError};

/// Why reading stopped.
pub(super) enum Stop {
    Syntax(SyntaxError),
    /// The text is JSON so far, but not an object, or it has a duplicate key.
    Invalid,
}

impl From<SyntaxError> for Stop {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax(error)
    }
}

/// The `_meta` of a request while it is read. The entries are JSON text as it was sent.
#[derive(Debug, Default)]
pub(crate) struct RequestMeta<'m> {
    /// The whole object.
    pub(crate) text: &'m str,
    pub(crate) call_id: Option<&'m str>,
    pub(crate) progress_token: Option<&'m str>,
    pub(crate) protocol_version: Option<&'m str>,
    pub(crate) client_capabilities: Option<&'m str>,
}

/// The key with the protocol version of a request.
pub(crate) const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

impl<'m> RequestMeta<'m> {
    /// Reads `_meta`. `null` means absent. Of entries with the same key, the last one counts.
    pub(super) fn read(scanner: &mut Scanner<'m>) -> Result<Option<Self>, Stop> {
        match scanner.peek() {
            Some(b'{') => {}
            Some(b'n') => return Ok(scanner.literal("null").map(|()| None)?),
            _ => return Err(Stop::Invalid),
        }
        let start = scanner.position();
        let mut meta = Self::default();
        scanner.is_unusual = false;
        let mut has_more = scanner.open(b'}');
        while has_more {
            let key = key(scanner.key()?)?;
            let value = scanner.skip()?;
            match &*key {
                "progressToken" => meta.progress_token = Some(value),
                VERSION_KEY => meta.protocol_version = Some(value),
                CAPABILITIES_KEY => meta.client_capabilities = Some(value),
                CALL_ID => meta.call_id = Some(value),
                _ => {}
            }
            has_more = scanner.next(b'}')?;
        }
        meta.text = scanner.text_from(start);
        // Refuse `_meta` that a tool could not read completely.
        if scanner.is_unusual && serde_json::from_str::<Map<String, Value>>(meta.text).is_err() {
            return Err(Stop::Invalid);
        }
        Ok(Some(meta))
    }
}

/// Decodes the key of a property.
#[inline]
pub(super) fn key(key: JsonString<'_>) -> Result<Cow<'_, str>, Stop> {
    key.decode().ok_or(Stop::Invalid)
}
