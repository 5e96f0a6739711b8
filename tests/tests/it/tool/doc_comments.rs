//! The description from a doc comment.

use mcp_tool_runtime::{mcp_tool, tools};

use crate::run::serve;

#[test]
fn a_heading_in_a_block_of_code_does_not_end_the_description() {
    /// Run a script.
    ///
    /// ```sh
    /// # Examples
    /// ls
    /// ```
    ///
    /// It returns the output.
    ///
    /// # Errors
    ///
    /// If there is no shell.
    #[mcp_tool]
    async fn run(script: &str) -> String {
        script.to_owned()
    }

    let dispatcher = serve(tools![run]);
    assert_eq!(
        dispatcher.list()[0].description.as_deref(),
        Some("Run a script.\n\n```sh\n# Examples\nls\n```\n\nIt returns the output.")
    );
}

#[test]
fn the_sections_for_rust_callers_of_an_included_text_are_removed() {
    /// Run a script.
    #[doc = include_str!("description.md")]
    #[mcp_tool]
    async fn run(script: &str) -> String {
        script.to_owned()
    }

    let dispatcher = serve(tools![run]);
    assert_eq!(dispatcher.list()[0].description.as_deref(), Some("Run a script.\nThe script runs in a shell."));
}
