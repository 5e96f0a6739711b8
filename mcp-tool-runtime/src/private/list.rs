//! Names of tools, compared while compiling.

/// The name of a type that may be a tool of the attribute. Such a tool has an associated constant of its own with the
/// same name, which comes first; any other handler says its name only at run time.
pub trait Named {
    const __MCP_TOOL_NAME: &'static str = "";
}

impl<T: ?Sized> Named for T {}

/// FNV-1a, so that names are compared as numbers.
pub const fn hash(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0100_0000_01b3);
        index += 1;
    }
    hash
}

/// Whether no earlier element has the name of the one at this place in the source.
pub const fn is_first(names: &[(usize, u64)], place: usize, name: &str) -> bool {
    let hash = hash(name);
    let mut index = 0;
    while index < names.len() {
        if names[index].0 < place && names[index].1 == hash && !name.is_empty() {
            return false;
        }
        index += 1;
    }
    true
}
