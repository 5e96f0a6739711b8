//! The ids of tasks.

use std::fmt::Write as _;

/// Returns a new id: 32 hexadecimal digits of 128 random bits. Returns `None` if the system has no random numbers.
pub(super) fn new_task_id() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    let mut id = String::with_capacity(32);
    for byte in bytes {
        let _ = write!(id, "{byte:02x}");
    }
    Some(id)
}

/// Returns `true` if a text can be the id of a task. Engines get no other text.
pub(super) fn is_task_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
