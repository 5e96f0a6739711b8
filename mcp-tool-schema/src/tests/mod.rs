//! Compares the verdicts with those of others: the crate `jsonschema`, and the official test suite.

mod differential;
mod official_suite;
