//! Reads JSON text token by token.
//!
//! This module does not use `serde_json`, which cannot continue after an error. A message with a duplicate key in its
//! arguments must still be read to its end, so it would have to be read by different code than a valid message. The
//! features of `serde_json`, which any crate of a program may enable, also change what it returns: with
//! `arbitrary_precision`, a float is an object.
//!
//! With `serde_json`, and separate passes over the message, its `params` and its arguments, the benchmark `http-order`
//! took 29% more instructions than it does now. To measure it again, run
//! `python3 tests/bench/bench.py count --only checked http-order`.

pub use super::string::JsonString;
use super::string::find_special;

/// The error for text that is not JSON.
///
/// ```
/// use mcp_tool_schema::json::scanner::Scanner;
///
/// let text = "{ \"a\": }";
/// let error = Scanner::new(text).skip().expect_err("a value is missing");
/// assert_eq!(error.line_and_column(text.as_bytes()), (1, 8));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyntaxError {
    /// The position of the first wrong byte, or the length of the text if the text ends too early.
    at: usize,
}

impl SyntaxError {
    /// Creates an error at a position, counted in bytes.
    pub fn at(at: usize) -> Self {
        Self { at }
    }

    /// Returns the line and the column in bytes, both counted from 1. At the end of the text the column is that of the
    /// last byte, so it is 0 after a line break.
    pub fn line_and_column(self, text: &[u8]) -> (usize, usize) {
        let end = text.len().min(self.at + 1);
        let before = &text[..self.at.min(text.len())];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        (1 + memchr::memchr_iter(b'\n', before).count(), end - line_start)
    }
}

/// JSON text, and the position from which the next token is read.
///
/// ```
/// use mcp_tool_schema::json::scanner::Scanner;
///
/// let mut scanner = Scanner::new("{ \"id\": 7, \"tags\": [1, 2] }");
/// scanner.peek();
/// assert!(scanner.open(b'}'));
/// assert_eq!(scanner.key()?.decode().as_deref(), Some("id"));
/// assert_eq!(scanner.skip()?, "7");
/// assert!(scanner.next(b'}')?);
/// # Ok::<(), mcp_tool_schema::json::scanner::SyntaxError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// Set once the scanner has read a value that [`skip`](Self::skip) accepts, but that a reader of values may refuse.
    /// Such a value has an escape that may be a surrogate, a number that may be too large, or deep nesting.
    pub is_unusual: bool,
}

/// The length in bytes beyond which even a number without an exponent may be too large for a float.
const LONG_NUMBER: usize = 300;

impl<'a> Scanner<'a> {
    /// Creates a scanner at the start of the text.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, is_unusual: false }
    }

    /// Returns the position in bytes.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Continues at an earlier position.
    pub fn go_back_to(&mut self, at: usize) {
        self.at = at;
    }

    /// Returns the text from `start` up to the current position.
    pub fn text_from(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    /// Returns the number of bytes that have not been read.
    pub fn remaining(&self) -> usize {
        self.text.len() - self.at
    }

    /// Returns an error at the next byte.
    pub fn error(&self) -> SyntaxError {
        SyntaxError { at: self.at }
    }

    /// Skips whitespace, and returns the first byte of the next token without reading the token.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        match self.text.as_bytes().get(self.at) {
            Some(byte) if *byte > b' ' => Some(*byte),
            _ => self.peek_after_space(),
        }
    }

    /// Does the work of [`Self::peek`] where there may be whitespace. Inlining this loop into each caller costs the
    /// benchmark `order` 3.5% more instructions.
    #[inline(never)]
    fn peek_after_space(&mut self) -> Option<u8> {
        loop {
            match self.text.as_bytes().get(self.at) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                byte => return byte.copied(),
            }
        }
    }

    /// Skips the given byte, and whitespace before it.
    /// # Errors
    ///
    /// Another byte is next.
    #[inline]
    pub fn expect(&mut self, byte: u8) -> Result<(), SyntaxError> {
        if self.peek() != Some(byte) {
            return Err(self.error());
        }
        self.at += 1;
        Ok(())
    }

    /// Checks that nothing but whitespace follows.
    /// # Errors
    ///
    /// Something else follows.
    pub fn end(&mut self) -> Result<(), SyntaxError> {
        self.peek().map_or(Ok(()), |_| Err(self.error()))
    }

    /// Skips the bracket that opens an array or an object and, if nothing is inside, the bracket that closes it.
    /// Returns `true` if something is inside.
    #[inline]
    pub fn open(&mut self, close: u8) -> bool {
        self.at += 1;
        let is_empty = self.peek() == Some(close);
        self.at += usize::from(is_empty);
        !is_empty
    }

    /// Skips a comma or the closing bracket. Returns `true` after a comma, which means that another element or property
    /// follows.
    /// # Errors
    ///
    /// Neither is next.
    #[inline]
    pub fn next(&mut self, close: u8) -> Result<bool, SyntaxError> {
        let next = self.peek();
        if next != Some(b',') && next != Some(close) {
            return Err(self.error());
        }
        self.at += 1;
        Ok(next == Some(b','))
    }

    /// Reads the key of a property, and skips the colon. The function is not inlined, so that the code of its callers
    /// stays small.
    /// # Errors
    ///
    /// There is no key, or no colon after it.
    #[inline(never)]
    pub fn key(&mut self) -> Result<JsonString<'a>, SyntaxError> {
        if self.peek() != Some(b'"') {
            return Err(self.error());
        }
        let key = self.string()?;
        self.expect(b':')?;
        Ok(key)
    }

    /// Reads the given literal: `null`, `true` or `false`.
    /// # Errors
    ///
    /// Something else is next.
    pub fn literal(&mut self, literal: &str) -> Result<(), SyntaxError> {
        let found = self.text.as_bytes()[self.at..].iter().zip(literal.as_bytes()).take_while(|(a, b)| a == b).count();
        self.at += found;
        if found == literal.len() { Ok(()) } else { Err(self.error()) }
    }

    /// Reads a string, whose opening quote is next.
    /// # Errors
    ///
    /// The string is not well-formed.
    #[inline]
    pub fn string(&mut self) -> Result<JsonString<'a>, SyntaxError> {
        let start = self.at + 1;
        let mut end = find_special(self.text.as_bytes(), start);
        let has_escapes = self.text.as_bytes().get(end) != Some(&b'"');
        if has_escapes {
            end = self.end_of_escaped(end)?;
        }
        self.at = end + 1;
        Ok(JsonString { text: self.text, start, end, has_escapes })
    }

    /// Returns the position of the quote that ends a string. `at` is the position of the first escape or control
    /// character in the string, or the end of the text.
    #[inline(never)]
    fn end_of_escaped(&mut self, mut at: usize) -> Result<usize, SyntaxError> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(at) {
                Some(b'\\') => at = find_special(bytes, self.escape(at)?),
                Some(b'"') => return Ok(at),
                _ => return Err(SyntaxError { at }),
            }
        }
    }

    /// Checks the escape at `at`, and returns the position after it.
    fn escape(&mut self, at: usize) -> Result<usize, SyntaxError> {
        let bytes = self.text.as_bytes();
        match bytes.get(at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
            Some(b'u') => {
                let digits = bytes[at + 2..].iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
                if digits < 4 {
                    return Err(SyntaxError { at: at + 2 + digits });
                }
                self.is_unusual |= bytes[at + 2].eq_ignore_ascii_case(&b'd');
                Ok(at + 6)
            }
            _ => Err(SyntaxError { at: at + 1 }),
        }
    }

    /// Reads the text of a number, whose first byte is next.
    /// # Errors
    ///
    /// The number is not well-formed.
    #[inline]
    pub fn number(&mut self) -> Result<&'a str, SyntaxError> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let first_digit = start + usize::from(bytes[start] == b'-');
        let mut at = first_digit + bytes[first_digit..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if at == first_digit || bytes[first_digit] == b'0' && at > first_digit + 1 {
            return Err(SyntaxError { at: if at == first_digit { at } else { first_digit + 1 } });
        }
        if let Some(b'.' | b'e' | b'E') = bytes.get(at) {
            at = self.fraction(at)?;
        }
        self.at = at;
        self.is_unusual |= at - start > LONG_NUMBER;
        Ok(&self.text[start..at])
    }

    /// Checks the fraction, the exponent or both at `at`, and returns the position after them.
    fn fraction(&mut self, mut at: usize) -> Result<usize, SyntaxError> {
        let bytes = self.text.as_bytes();
        let digits = |at| {
            let count = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            if count == 0 { Err(SyntaxError { at }) } else { Ok(at + count) }
        };
        if bytes[at] == b'.' {
            at = digits(at + 1)?;
        }
        if let Some(b'e' | b'E') = bytes.get(at) {
            self.is_unusual = true;
            at = digits(at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-'))))?;
        }
        Ok(at)
    }

    /// Skips a value, and returns its text. Does not recurse, however deeply the value is nested.
    /// # Errors
    ///
    /// The value is not well-formed.
    pub fn skip(&mut self) -> Result<&'a str, SyntaxError> {
        self.peek();
        let start = self.at;
        // Below the highest set bit of `open`, there is a bit for each open array (0) or object (1). The lowest bit
        // stands for the innermost array or object. A full word moves to `outer`.
        let (mut open, mut outer) = (1_u64, Vec::new());
        loop {
            match self.peek() {
                Some(b'"') => drop(self.string()?),
                Some(b'-' | b'0'..=b'9') => _ = self.number()?,
                Some(b'n') => self.literal("null")?,
                Some(b't') => self.literal("true")?,
                Some(b'f') => self.literal("false")?,
                Some(bracket @ (b'[' | b'{')) => {
                    let is_object = bracket == b'{';
                    if self.open(if is_object { b'}' } else { b']' }) {
                        if open.leading_zeros() == 0 {
                            outer.push(std::mem::replace(&mut open, 1));
                            self.is_unusual = true;
                        }
                        open = open << 1 | u64::from(is_object);
                        if is_object {
                            self.key()?;
                        }
                        continue;
                    }
                }
                _ => return Err(self.error()),
            }
            // A value has ended. If it was the last one in its array or object, that array or object ends too, and so
            // on.
            loop {
                if open == 1 {
                    return Ok(self.text_from(start));
                }
                let is_object = open & 1 == 1;
                if self.next(if is_object { b'}' } else { b']' })? {
                    if is_object {
                        self.key()?;
                    }
                    break;
                }
                open >>= 1;
                if open == 1 {
                    open = outer.pop().unwrap_or(1);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
