#[mcp_tools(prefix = "notes_")]
impl Notes {
    /// Create a note.
    #[mcp_tool]
    async fn create(
        &self,
        /// Its text.
        body: String,
    ) -> Result<Note, NotesError> {
        self.store(body).await
    }

    async fn store(&self, body: String) -> Result<Note, NotesError> {
        todo!()
    }
}
