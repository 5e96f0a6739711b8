//! A hash of a tool's definition.

use std::fmt;

use super::canonical;
use crate::mcp;

/// A hash of the definition of one tool, returned by [`Dispatcher::fingerprint`](crate::Dispatcher::fingerprint).
///
/// It detects accidental changes. It is not a signature, because it is possible to construct two definitions with the same fingerprint.
///
/// ```
/// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher};
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: f64, b: f64) -> f64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
/// let fingerprint = dispatcher.fingerprint("add").unwrap();
/// assert_eq!(fingerprint.to_string().len(), 32);
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u128);

impl Fingerprint {
    pub(crate) fn of(tool: &mcp::Tool) -> Self {
        // A map from strings to values always serializes.
        let definition = canonical::definition(serde_json::to_value(tool).unwrap_or_default());
        Self(fnv_1a(definition.to_string().as_bytes()))
    }
}

/// Writes 32 hexadecimal digits.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

debug_by_display!(Fingerprint);

/// The 128-bit FNV-1a hash. Unlike the hashers of the standard library it never changes.
fn fnv_1a(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(OFFSET, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(fnv_1a(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(fnv_1a(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
        assert_eq!(fnv_1a(b"foobar"), 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18);
    }
}
