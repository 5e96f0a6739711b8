//! Arbitrary lines of stdio. Every line that is read gets at most one answer, in one line, and the server goes on: the last
//! line is a request that it must answer.
#![no_main]

use fuzz::served::{TOOLS, block_on, check_message};
use libfuzzer_sys::fuzz_target;
use mcp_tool_runtime::stdio::Server;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// The request at the end.
const LAST: &[u8] = b"\n{\"jsonrpc\":\"2.0\",\"id\":\"the last\",\"method\":\"ping\"}\n";

fuzz_target!(|data: &[u8]| {
    let Some((first, lines)) = data.split_first() else { return };
    let whole = answers(lines, 1 << 16);
    let parts = answers(lines, usize::from(*first).max(1));
    // A cancellation, and a second request with the id of one that still runs, depend on what has been read before.
    let ids = ids(&whole);
    let is_timed = lines.windows(6).any(|word| word == b"cancel") || lines.contains(&b'\\');
    if !is_timed && ids.windows(2).all(|pair| pair[0] != pair[1]) {
        assert_eq!(ids, self::ids(&parts), "the pieces of the input change the answers");
    }
});

/// Returns the answers to the lines, which arrive in pieces of at most `piece` bytes.
fn answers(lines: &[u8], piece: usize) -> Vec<Value> {
    let output = block_on(async {
        let (mut requests, input) = tokio::io::duplex(piece);
        let (output, mut answers) = tokio::io::duplex(1 << 20);
        let server = Server::new(TOOLS.clone()).with_max_line_bytes(1 << 12);
        let server = tokio::spawn(async move { server.serve_on(input, output).await });
        let sent = [lines, LAST].concat();
        let sending = tokio::spawn(async move {
            requests.write_all(&sent).await.expect("a write");
            requests.shutdown().await.expect("the end");
        });
        let mut read = Vec::new();
        answers.read_to_end(&mut read).await.expect("a read");
        sending.await.expect("no panic");
        server.await.expect("no panic").expect("no error of the streams");
        read
    });
    let messages: Vec<_> = output.split_inclusive(|byte| *byte == b'\n').map(check_message).collect();
    let lines = lines.split(|byte| *byte == b'\n').count() + 1;
    let reports = messages.iter().filter(|message| message.get("method").is_some()).count();
    assert!(messages.len() - reports <= lines, "more answers than lines");
    assert!(messages.iter().any(|message| message["id"] == "the last"), "the last request is not answered");
    messages
}

/// Returns the ids of the answers, sorted.
fn ids(messages: &[Value]) -> Vec<String> {
    let answers = messages.iter().filter(|message| message.get("method").is_none());
    let mut ids: Vec<_> = answers.map(|message| message["id"].to_string()).collect();
    ids.sort_unstable();
    ids
}
