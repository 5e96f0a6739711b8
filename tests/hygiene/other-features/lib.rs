//! The tests of this package run with features that other crates turn on. `Cargo.toml` lists them.
