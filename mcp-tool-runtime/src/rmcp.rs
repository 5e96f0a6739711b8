//! A dispatcher behind the official Rust SDK.
