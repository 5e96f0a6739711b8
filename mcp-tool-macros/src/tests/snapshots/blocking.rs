/// Hash a file.
#[mcp_tool(blocking, timeout = "30s")]
fn hash(path: &Path) -> std::io::Result<String> {
    digest(std::fs::read(path)?)
}
