/// Count the words of a text.
#[mcp_tool]
async fn count(text: &str, ignored: &[String], language: Option<&str>) -> usize {
    words(text, language).filter(|word| !ignored.contains(word)).count()
}
