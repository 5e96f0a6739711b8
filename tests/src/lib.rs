//! Tests of `mcp-tool` from outside; see `tests/README.md` for what stands where.
