//! Compares the verdicts with those of the crate `jsonschema`. The runtime runs the official test suite.

mod differential;
