/// Search the notes.
#[mcp_tool]
async fn search(
    /// What to look for.
    #[schemars(length(min = 1))]
    query: String,
    /// The most notes to return.
    #[mcp_tool(default = 10, example = 5)]
    limit: usize,
    #[serde(default)] order: Order,
    after: Option<String>,
) -> Vec<Note> {
    find(query, limit, order, after)
}
