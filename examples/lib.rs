//! Examples of `mcp-tool`: `quickstart`, `seeds`, `stdio_server`, `notes_server`, `everything_server`. The tools that
//! several of them share are here.

pub mod seed_tools;
