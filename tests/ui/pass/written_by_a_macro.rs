//! Tools that come from a `macro_rules!` macro.

macro_rules! getter {
    ($name:ident, $doc:literal, $parameter:ident: $ty:ty => $returns:ty, $body:expr) => {
        #[doc = $doc]
        #[mcp_tool_runtime::mcp_tool]
        async fn $name($parameter: $ty) -> $returns {
            $body
        }
    };
}

getter!(first, "The first.", list: Vec<u8> => Option<u8>, list.first().copied());
getter!(length, "The length.", text: &str => Result<usize, String>, Ok(text.len()));

#[test]
fn runs() {
    assert_eq!(mcp_tool_runtime::tools![first, length].len(), 2);
}
