//! Arbitrary bytes as a contract file. The check ends with a result, and what does not change a contract does not change it: a
//! byte order mark, the line ends of Windows, and other white space.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mcp_tool_runtime::{Dispatcher, contract};
use mcp_tool_tests::zoo::zoo;
use serde_json::Value;

/// One tool of each kind. More would only take longer.
static TOOLS: LazyLock<Dispatcher> = LazyLock::new(|| {
    let tools = zoo().into_iter().step_by(9).map(|specimen| specimen.handler);
    Dispatcher::builder().tools(tools).build().expect("tools")
});

fuzz_target!(|data: &[u8]| {
    let result = check(&TOOLS, data);
    let Ok(text) = std::str::from_utf8(data) else {
        assert!(result.is_err(), "a contract that is not UTF-8");
        return;
    };
    let marked = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(check(&TOOLS, marked.as_bytes()).is_ok(), result.is_ok(), "{text}");
    if result.is_ok() {
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).expect("a contract is JSON");
        let written = serde_json::to_vec_pretty(&value).expect("JSON");
        assert_eq!(check(&TOOLS, &written), Ok(()), "{text}");
    }
});

/// Checks the tools against the text of a contract file, which is in memory where the system has such a folder.
fn check(dispatcher: &Dispatcher, text: &[u8]) -> Result<(), String> {
    let memory = PathBuf::from("/dev/shm");
    let folder = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let path = folder.join(format!("mcp-tool-fuzz-{}.lock.json", std::process::id()));
    std::fs::write(&path, text).expect("a file");
    let checked = contract::check(dispatcher, &path).map_err(|error| error.to_string());
    std::fs::remove_file(&path).expect("the file");
    checked
}
