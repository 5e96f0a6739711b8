/// Delete notes.
#[mcp_tool]
async fn delete(
    id: u32,
    #[mcp_tool(ask = "Delete {id:>4}, {reason}?")] _sure: Consent,
    #[mcp_tool(ask = why(id, db).await, sealed)] reason: &str,
    #[mcp_tool(ask = "How many?")]
    #[schemars(range(max = 9))]
    count: Answer<u8>,
    #[mcp_tool(state)] db: &Db,
) -> Result<(), DbError> {
    db.delete(id, reason, count).await
}
