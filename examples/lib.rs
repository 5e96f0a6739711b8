//! Examples of `mcp-tool`: `quickstart`, `seeds`, `stdio_server`. The tools that the last two share are here.

pub mod seed_tools;
