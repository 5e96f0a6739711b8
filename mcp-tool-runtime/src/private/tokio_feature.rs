//! The compile error for the keys that need the feature `tokio`.

/// Called in a constant by tools with the keys `timeout` or `blocking`, so that the error is one of compilation.
#[expect(clippy::assertions_on_constants, reason = "the features decide")]
pub const fn require_tokio() {
    assert!(
        cfg!(feature = "tokio"),
        "the keys `timeout` and `blocking` need the feature `tokio` of `mcp-tool-runtime`\n\
         help: add it to the dependency: `features = [\"tokio\"]`"
    );
}
