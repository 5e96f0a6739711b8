//! Arbitrary bytes as arguments, for every tool of the zoo. The first byte selects the tool. The rest is used as the JSON
//! text of the arguments, and as the whole `params` of a request.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mcp_tool_runtime::{Dispatcher, ProtocolVersion};
use mcp_tool_tests::zoo::zoo;

static TOOLS: LazyLock<Dispatcher> = LazyLock::new(|| {
    let tools = zoo().into_iter().map(|specimen| specimen.handler);
    Dispatcher::builder().tools(tools).lax(true).build().expect("the zoo")
});

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let tools = TOOLS.list();
    let name = &tools[usize::from(*first) % tools.len()].name;
    let version = ProtocolVersion::ALL[usize::from(*first) % ProtocolVersion::ALL.len()];
    let params = [format!(r#"{{"name":"{name}","arguments":"#).as_bytes(), rest, b"}"].concat();
    fuzz::call(&TOOLS, &params, version);
    fuzz::call(&TOOLS, rest, version);
});
