//! The description of a tool, from the doc comment of its function.

/// Sections for people who call the function from Rust. The description ends before the first of them.
const RUST_SECTIONS: [&str; 4] = ["Errors", "Panics", "Safety", "Examples"];

/// Removes the common indent of a doc comment, and its text from the first section for Rust callers on.
pub fn description_of(docs: &str) -> String {
    let is_blank = |line: &&str| line.trim().is_empty();
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let common_indent = docs.lines().filter(|line| !is_blank(line)).map(indent).min().unwrap_or(0);
    let mut fence = None;
    let lines = docs.lines().map(|line| line.get(common_indent..).unwrap_or_default().trim_end());
    let lines: Vec<_> = lines
        .take_while(|line| {
            fence = fence_after(fence, line);
            fence.is_some() || !is_rust_section(line)
        })
        .collect();
    lines.join("\n").trim().to_owned()
}

fn is_rust_section(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    heading.len() < line.len() && RUST_SECTIONS.contains(&heading.trim())
}

/// The character of a fence around a block of code, and how many of them open it.
type Fence = (char, usize);

/// Returns the fence that is open after a line.
fn fence_after(open: Option<Fence>, line: &str) -> Option<Fence> {
    let line = line.trim_start();
    let Some(mark) = line.chars().next().filter(|mark| ['`', '~'].contains(mark)) else { return open };
    let rest = line.trim_start_matches(mark);
    let length = line.len() - rest.len();
    match open {
        Some((of, least)) => (of != mark || length < least || !rest.is_empty()).then_some((of, least)),
        // "```text```" in one line is a code span.
        None => (length >= 3 && !(mark == '`' && rest.contains('`'))).then_some((mark, length)),
    }
}

#[cfg(test)]
mod tests {
    use super::description_of;

    #[test]
    fn the_description_ends_before_the_sections_for_rust_callers() {
        assert_eq!(description_of(" Adds.\n\n  - a\n # Errors\n\n Never."), "Adds.\n\n - a");
        assert_eq!(description_of(" Adds.\n ## Examples\n x"), "Adds.");
        assert_eq!(description_of(" # Adding\n Adds # Errors"), "# Adding\nAdds # Errors");
        assert_eq!(description_of(" # Errors\n none"), "");
    }

    #[test]
    fn a_heading_inside_a_block_of_code_is_code() {
        let code = "Runs a script:\n\n```sh\n# Examples\nls\n```\n\nIt returns the output.";
        assert_eq!(description_of(&format!("{code}\n\n# Errors\n\nNone.")), code);
        let nested = "~~~~\n```\n# Panics\n~~~\n# Safety\n~~~~\nend";
        assert_eq!(description_of(&format!("{nested}\n# Errors")), nested);
        assert_eq!(description_of("Writes ```code```.\n# Errors"), "Writes ```code```.");
    }
}
