//! Finds two tools of the same name in one `tools![…]`, during compilation.

/// The name of a tool.
///
/// The attribute gives the handle of its tool an inherent constant of this name, which takes precedence over the constant of
/// the trait. The names of other handlers are known only at run time; theirs is empty here and equals no other name.
pub trait ToolName {
    const __MCP_TOOL_NAME: &'static str = "";
}

impl<T: ?Sized> ToolName for T {}

/// Hashes a name with FNV-1a. Comparing hashes keeps the evaluation of the constants short.
pub const fn hash_name(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0100_0000_01b3);
        index += 1;
    }
    hash
}

/// Returns `true` if no tool before the one at `position` has the same name. `names` has the position and the hash of each.
pub const fn is_first_of_name(names: &[(usize, u64)], position: usize, name: &str) -> bool {
    let hash = hash_name(name);
    let mut index = 0;
    while index < names.len() {
        if names[index].0 < position && names[index].1 == hash && !name.is_empty() {
            return false;
        }
        index += 1;
    }
    true
}

/// The compile error for the second of two tools with the same name.
pub struct DuplicateNameMessage {
    bytes: [u8; 256],
    length: usize,
}

impl DuplicateNameMessage {
    pub const fn new(name: &str) -> Self {
        let mut message = Self { bytes: [0; 256], length: 0 };
        message.push("two tools of this list are named `");
        // 256 bytes are enough: the attribute refuses names of more than 128 characters.
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
