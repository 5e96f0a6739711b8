//! Contract files of the targets, in memory where the system has such a folder.

use std::fs;
use std::path::PathBuf;

use mcp_tool_runtime::{Dispatcher, contract};

/// The path of a file of this process.
#[must_use]
pub fn path() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let folder = if memory.is_dir() { memory } else { std::env::temp_dir() };
    folder.join(format!("mcp-tool-fuzz-{}.lock.json", std::process::id()))
}

/// Checks the tools against the text of a contract file. Returns the error's text.
///
/// # Errors
///
/// The breaks, or why the text is no contract.
///
/// # Panics
///
/// If the file cannot be written.
pub fn check(dispatcher: &Dispatcher, text: &[u8]) -> Result<(), String> {
    let path = path();
    fs::write(&path, text).expect("a file");
    let checked = contract::check(dispatcher, &path).map_err(|error| error.to_string());
    fs::remove_file(&path).expect("the file");
    checked
}

/// Returns the text of the contract file of some tools.
///
/// # Panics
///
/// If the file cannot be written.
#[must_use]
pub fn text(dispatcher: &Dispatcher) -> Vec<u8> {
    let path = path();
    contract::write(dispatcher, &path).expect("a file");
    let text = fs::read(&path).expect("the file");
    fs::remove_file(&path).expect("the file");
    text
}
