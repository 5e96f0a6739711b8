//! Sets the cfg `specification_documents` where `MCP_SPEC_DIR` is set.
//!
//! Tests that read documents of the specifications are compiled as `#[ignore]`d tests without it, so that `cargo test` reports them as
//! ignored instead of passed.

fn main() {
    println!("cargo::rerun-if-env-changed=MCP_SPEC_DIR");
    println!("cargo::rustc-check-cfg=cfg(specification_documents)");
    if std::env::var_os("MCP_SPEC_DIR").is_some() {
        println!("cargo::rustc-cfg=specification_documents");
    }
}
