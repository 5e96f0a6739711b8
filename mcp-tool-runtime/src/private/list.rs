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

/// The message for the second of two tools of one name, put together while compiling.
pub struct SecondOfOneName {
    bytes: [u8; 256],
    length: usize,
}

impl SecondOfOneName {
    pub const fn new(name: &str) -> Self {
        let mut message = Self { bytes: [0; 256], length: 0 };
        message.push("two tools of this list are named `");
        // The attribute refuses a name of more than 128 characters.
        message.push(name);
        message.push("`\nhelp: list it once, or give one of them another name: `#[mcp_tool(name = \"…\")]`");
        message
    }

    const fn push(&mut self, text: &str) {
        let text = text.as_bytes();
        let mut index = 0;
        while index < text.len() && self.length < self.bytes.len() {
            self.bytes[self.length] = text[index];
            self.length += 1;
            index += 1;
        }
    }

    pub const fn message(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(message) => message,
            Err(_) => "two tools of this list have the same name",
        }
    }
}
