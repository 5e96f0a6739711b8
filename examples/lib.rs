//! Examples of `mcp-tool`: `quickstart`, `seeds`, `stdio_server`.
