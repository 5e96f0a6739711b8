/// List the notes of the user.
#[mcp_tool]
async fn list(
    #[mcp_tool(context)] cx: &CallContext,
    #[mcp_tool(state)] db: &Db,
    #[mcp_tool(extension)] user: Option<&User>,
    limit: usize,
) -> Result<Vec<Note>, DbError> {
    db.notes(user, limit, cx.deadline()).await
}
