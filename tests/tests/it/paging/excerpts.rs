//! `Excerpt`: a long text in parts.

use mcp_tool_runtime::{CallToolResponse, Excerpt, json, mcp_tool, tools};

use super::pages;
use crate::run::{LATEST, call, exact, json as to_json, listed, message, serve};

/// Read lines.
#[mcp_tool(budget = 300)]
async fn read_lines(text: String) -> Result<Excerpt, String> {
    Ok(Excerpt::lines(text))
}

/// Read characters.
#[mcp_tool(budget = 300)]
async fn read_chars(text: String) -> Excerpt {
    Excerpt::chars(text)
}

fn blocks(page: &CallToolResponse) -> Vec<String> {
    page.content().iter().map(|block| to_json(block)["text"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn the_parts_of_a_text_are_the_text() {
    let dispatcher = serve(tools![read_lines, read_chars]);
    let texts = [
        String::new(),
        "one line".to_owned(),
        (0..500).fold(String::new(), |text, n| text + &format!("line {n}\r\n")),
        format!("{}\n\n\n{}", "a".repeat(5_000), "äöü🦀\n".repeat(300)),
        "🦀é".repeat(3_000),
        "\u{1}\"\\".repeat(2_000),
    ];
    for text in texts {
        for name in ["read_lines", "read_chars"] {
            let pages = pages(&dispatcher, name, json!({ "text": text }), "cursor");
            let joined: String = pages.iter().map(|page| blocks(page).swap_remove(0)).collect();
            assert_eq!(joined, text);
            let is_whole = text.len() < 100 || name == "read_lines" && !text.contains('\n');
            assert_eq!(pages.len() == 1, is_whole, "{name}");
        }
    }
}

#[test]
fn a_part_is_whole_lines_and_a_note_that_says_which() {
    let dispatcher = serve(tools![read_lines, read_chars]);
    assert!(listed(&dispatcher, "read_lines", LATEST).get("outputSchema").is_none());
    let text = (1..=500).fold(String::new(), |text, n| text + &format!("line {n}\n"));
    let pages = pages(&dispatcher, "read_lines", json!({ "text": text }), "cursor");
    let [part, note] = blocks(&pages[0]).try_into().expect("two blocks");
    assert!(part.ends_with('\n'));
    let lines = part.lines().count();
    let cursor = pages[0].next_cursor().expect("more");
    let expected = format!(
        "Lines 1 to {lines} of 500. For the next part, call `read_lines` with the same arguments and `cursor`: \"{cursor}\""
    );
    assert_eq!(note, expected);
    let [_, note] = blocks(pages.last().expect("a page")).try_into().expect("two blocks");
    assert!(note.starts_with("Lines ") && note.ends_with(" to 500 of 500."), "{note}");
    let page = call(&dispatcher, "read_chars", json!({ "text": "é".repeat(5_000) }));
    assert!(blocks(&page)[1].starts_with(&format!("Characters 1 to {} of 5000.", blocks(&page)[0].chars().count())));
}

#[test]
fn a_line_over_the_bytes_of_a_result_is_an_error_with_its_position() {
    let dispatcher = crate::run::built(exact().tools(tools![read_lines]).max_result_bytes(2_000));
    let text = format!("short\n{}\n", "x".repeat(3_000));
    let first = call(&dispatcher, "read_lines", json!({ "text": text }));
    assert_eq!(blocks(&first)[0], "short\n");
    let error = message(&dispatcher, "read_lines", json!({ "text": text, "cursor": first.next_cursor() }));
    assert!(error.contains("line 2 alone has 3"), "{error}");
}
