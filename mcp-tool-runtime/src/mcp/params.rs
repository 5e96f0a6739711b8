//! Reads the whole `params` of a request in one pass, including the few entries of its `_meta` that the dispatcher and
//! the transports need.

use std::borrow::Cow;
use std::mem::replace;

use serde_json::{Map, Value};

use crate::call::Meta;
use crate::call::meta::CALL_ID;
use crate::call::settings::Settings;
use crate::json::reader;
use crate::json::scanner::{JsonString, Scanner, SyntaxError};
use crate::json::tape::Tape;
use crate::json::violation::Violation;

/// The fields of `params` that the supported methods use. A `&str` field is the JSON text of the value as it was sent,
/// and may be `null` unless its comment says otherwise.
#[derive(Debug, Default)]
pub(crate) struct RequestParams<'m> {
    pub(crate) name: Option<&'m str>,
    /// The parsed arguments, or the violation that kept them from being parsed, such as too great a depth or a
    /// duplicate key. `None` if they are absent or `null`.
    pub(crate) arguments: Option<Result<Tape<'m>, Box<Violation>>>,
    /// The length of the arguments in bytes, as they were sent.
    pub(crate) argument_bytes: usize,
    /// The `_meta`. `None` if it is absent or `null`.
    pub(crate) meta: Option<RequestMeta<'m>>,
    /// The cursor. `None` if it is absent or `null`.
    pub(crate) cursor: Option<&'m str>,
    pub(crate) protocol_version: Option<&'m str>,
    pub(crate) capabilities: Option<&'m str>,
    pub(crate) client_info: Option<&'m str>,
    pub(crate) input_responses: Option<&'m str>,
    pub(crate) request_state: Option<&'m str>,
    pub(crate) task_id: Option<&'m str>,
}

/// The error for `params` that are JSON, but are not an object, have a duplicate or invalid key, or have an invalid
/// `_meta`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InvalidParams;

/// The methods fill empty `params` in place. Moving the `params` from function to function cost the benchmark `add` 3%
/// more instructions and 4% more time.
impl<'m> RequestParams<'m> {
    /// Returns a copy of the `_meta`.
    pub(crate) fn meta(&self) -> Option<Meta> {
        self.meta.as_ref().map(|meta| Meta::of_text(meta.text))
    }

    /// Reads a JSON text that contains only the `params`.
    pub(crate) fn read_text(
        &mut self,
        text: &'m str,
        settings: &Settings,
    ) -> Result<Result<(), InvalidParams>, SyntaxError> {
        let mut scanner = Scanner::new(text);
        let read = self.read(&mut scanner, settings)?;
        scanner.end().map(|()| read)
    }

    /// Reads `params` that are part of a larger text. Unless there is a syntax error, the rest of that text can still
    /// be read.
    #[inline]
    pub(crate) fn read(
        &mut self,
        scanner: &mut Scanner<'m>,
        settings: &Settings,
    ) -> Result<Result<(), InvalidParams>, SyntaxError> {
        scanner.peek();
        let start = scanner.position();
        match self.read_fields(scanner, settings) {
            Ok(()) => Ok(Ok(())),
            Err(Stop::Syntax(error)) => Err(error),
            Err(Stop::Invalid) => {
                scanner.go_back_to(start);
                scanner.skip().map(|_| Err(InvalidParams))
            }
        }
    }

    fn read_fields(&mut self, scanner: &mut Scanner<'m>, settings: &Settings) -> Result<(), Stop> {
        if scanner.peek() != Some(b'{') {
            return Err(Stop::Invalid);
        }
        let (mut has_arguments, mut has_meta) = (false, false);
        let mut has_more = scanner.open(b'}');
        while has_more {
            let name = key(scanner.key()?)?;
            let is_repeated = match &*name {
                "arguments" => {
                    scanner.peek();
                    let start = scanner.position();
                    self.arguments = read_arguments(scanner, settings.max_argument_bytes)?;
                    self.argument_bytes = scanner.position() - start;
                    replace(&mut has_arguments, true)
                }
                "_meta" => {
                    self.meta = RequestMeta::read(scanner)?;
                    replace(&mut has_meta, true)
                }
                name => {
                    let value = scanner.skip()?;
                    self.field(name).is_some_and(|field| field.replace(value).is_some())
                }
            };
            if is_repeated {
                return Err(Stop::Invalid);
            }
            has_more = scanner.next(b'}')?;
        }
        self.cursor = self.cursor.filter(|text| *text != "null");
        Ok(())
    }

    /// Returns the field for the JSON text of the property `name`, if there is such a field.
    fn field(&mut self, name: &str) -> Option<&mut Option<&'m str>> {
        Some(match name {
            "name" => &mut self.name,
            "cursor" => &mut self.cursor,
            "protocolVersion" => &mut self.protocol_version,
            "capabilities" => &mut self.capabilities,
            "clientInfo" => &mut self.client_info,
            "inputResponses" => &mut self.input_responses,
            "requestState" => &mut self.request_state,
            "taskId" => &mut self.task_id,
            _ => return None,
        })
    }
}

fn read_arguments<'m>(
    scanner: &mut Scanner<'m>,
    max_bytes: usize,
) -> Result<Option<Result<Tape<'m>, Box<Violation>>>, SyntaxError> {
    if scanner.peek() == Some(b'n') {
        return scanner.literal("null").map(|()| None);
    }
    if scanner.remaining() > max_bytes {
        // The rest of the message exceeds the limit, so the arguments may exceed it too. Measure them before parsing
        // them.
        let start = scanner.position();
        if let Err(violation) = check_length(scanner.skip()?.len(), max_bytes) {
            return Ok(Some(Err(Box::new(violation))));
        }
        scanner.go_back_to(start);
    }
    Ok(Some(reader::read(scanner, 0)?.map_err(Box::new)))
}

/// Returns a violation if arguments are longer than `max_bytes`.
pub(crate) fn check_length(length: usize, max_bytes: usize) -> Result<(), Violation> {
    if length > max_bytes {
        return Err(Violation::root(format!("expected at most {max_bytes} bytes of JSON, got {length}")));
    }
    Ok(())
}

/// Returns the value of a JSON string that a scanner has already accepted. Returns `None` for other JSON, and for a
/// string that cannot be decoded.
#[inline]
pub(crate) fn string(json: &str) -> Option<Cow<'_, str>> {
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    if !inner.contains('\\') {
        return Some(Cow::Borrowed(inner));
    }
    Scanner::new(json).string().ok()?.decode()
}

/// Why reading stopped.
pub(super) enum Stop {
    Syntax(SyntaxError),
    /// The text is JSON so far, but not what is expected: for example, it is not an object, or it has a duplicate key.
    Invalid,
}

impl From<SyntaxError> for Stop {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax(error)
    }
}

/// The `_meta` of a request. The fields are JSON text as it was sent.
#[derive(Debug, Default)]
pub(crate) struct RequestMeta<'m> {
    /// The whole object.
    pub(crate) text: &'m str,
    pub(crate) call_id: Option<&'m str>,
    pub(crate) progress_token: Option<&'m str>,
    pub(crate) protocol_version: Option<&'m str>,
    pub(crate) client_capabilities: Option<&'m str>,
}

/// The key in `_meta` for the protocol version of a request.
pub(crate) const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

impl<'m> RequestMeta<'m> {
    /// Reads `_meta`. `null` means absent. If several entries have the same key, the last one counts.
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
        // A tool reads `_meta` with `serde_json`, so refuse JSON that `serde_json` cannot read.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Result<RequestParams<'_>, InvalidParams>, SyntaxError> {
        let mut params = RequestParams::default();
        let read = params.read_text(text, &Settings { max_argument_bytes: 20, ..Settings::default() })?;
        Ok(read.map(|()| params))
    }

    #[test]
    fn a_wrong_field_does_not_hide_a_syntax_error_behind_it() {
        for text in
            [r#"{"name":1,"name":2}"#, "[]", "1", r#"{"_meta":[]}"#, r#"{"_meta":{},"_meta":{}}"#, r#"{"\ud800":1}"#]
        {
            assert_eq!(read(text).map(|params| params.is_ok()), Ok(false), "{text}");
            assert!(read(&format!("{text},")).is_err(), "{text}");
        }
    }

    #[test]
    fn arguments_that_are_too_long_are_skipped() {
        let text = r#"{"arguments":{"text":"0123456789"},"name":"n"}"#;
        let params = read(text).expect("JSON").expect("an object");
        let arguments = params.arguments.expect("arguments");
        assert_eq!(arguments.expect_err("too long").message, "expected at most 20 bytes of JSON, got 21");
        assert_eq!(params.name, Some(r#""n""#));
    }

    #[test]
    fn null_means_absent_where_the_protocol_says_so() {
        let text = r#"{"arguments":null,"_meta":null,"cursor":null,"protocolVersion":null,"name":null}"#;
        let params = read(text).expect("JSON").expect("an object");
        assert!(params.arguments.is_none() && params.meta.is_none() && params.cursor.is_none());
        assert_eq!((params.protocol_version, params.name), (Some("null"), Some("null")));
    }

    #[test]
    fn a_string_is_decoded() {
        assert_eq!(string(r#""tools\/list""#).as_deref(), Some("tools/list"));
        assert_eq!(string("1"), None);
        assert_eq!(string(r#""\ud800""#), None);
    }
}
