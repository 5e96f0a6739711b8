/// Search the notes.
#[mcp_tool]
async fn search(#[mcp_tool(arguments)] query: Query) -> Vec<Note> {
    find(query)
}
