//! `Excerpt`: a long text in parts.

use mcp_tool_runtime::{CallToolResponse, Excerpt, json, mcp_tool, tools};

use super::pages;
use crate::run::{LATEST, exact, json as to_json, listed, serve, tokens};

/// Read lines.
#[mcp_tool(budget = 300)]
async fn read_lines(text: String) -> Result<Excerpt, String> {
    Ok(Excerpt::lines(text))
}

fn blocks(page: &CallToolResponse) -> Vec<String> {
    page.content().iter().map(|block| to_json(block)["text"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn the_parts_of_a_text_are_the_text() {
    let dispatcher = serve(tools![read_lines]);
    let texts = [
        String::new(),
        "one line".to_owned(),
        (0..500).fold(String::new(), |text, n| text + &format!("line {n}\r\n")),
        format!("{}\n\n\n{}", "a".repeat(5_000), "äöü🦀\n".repeat(300)),
        "🦀é".repeat(3_000),
        "\u{1}\"\\".repeat(2_000),
    ];
    for text in texts {
        let pages = pages(&dispatcher, "read_lines", json!({ "text": text }), "cursor");
        let joined: String = pages.iter().map(|page| blocks(page).swap_remove(0)).collect();
        assert_eq!(joined, text);
        assert_eq!(pages.len() == 1, text.len() < 100);
        assert!(pages.iter().all(|page| blocks(page).iter().map(|block| tokens(block)).sum::<u64>() <= 301));
    }
}

#[test]
fn a_part_is_whole_lines_and_a_note_that_says_which() {
    let dispatcher = serve(tools![read_lines]);
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
}

#[test]
fn a_line_over_the_budget_is_cut_between_characters() {
    let dispatcher = serve(tools![read_lines]);
    let text = format!("short\n{}\nlast\n", "é".repeat(1_000));
    let pages = pages(&dispatcher, "read_lines", json!({ "text": text }), "cursor");
    let notes: Vec<_> = pages.iter().map(|page| blocks(page).swap_remove(1)).collect();
    let starts: Vec<_> = notes.iter().map(|note| note.split_inclusive('.').next().expect("a sentence")).collect();
    let (last, parts) = starts[1..].split_last().expect("several parts");
    assert_eq!(starts[0], "Lines 1 to 1 of 3.");
    assert!(!parts.is_empty() && parts.iter().all(|part| *part == "Part of line 2 of 3."), "{starts:?}");
    assert_eq!(*last, "The rest of line 2 and the lines up to 3 of 3.");
    // Bytes limit a part too.
    let small = crate::run::built(exact().tools(tools![read_lines]).max_result_bytes(500));
    let pages = super::pages(&small, "read_lines", json!({ "text": text }), "cursor");
    assert_eq!(pages.iter().map(|page| blocks(page).swap_remove(0)).collect::<String>(), text);
}

#[test]
fn build_refuses_a_limit_of_bytes_below_a_part_and_its_note() {
    /// Read lines.
    #[mcp_tool]
    async fn read_lines_of_a_tool_whose_name_is_as_long_as_a_name_may_be_and_which_is_therefore_in_every_note_about_the_next_part_of_them(
        text: String,
    ) -> Excerpt {
        Excerpt::lines(text)
    }

    let name = "read_lines_of_a_tool_whose_name_is_as_long_as_a_name_may_be_and_which_is_therefore_in_every_note_about_the_next_part_of_them";
    let tools = || {
        tools![read_lines_of_a_tool_whose_name_is_as_long_as_a_name_may_be_and_which_is_therefore_in_every_note_about_the_next_part_of_them]
    };
    let faults = crate::run::faults(exact().tools(tools()).max_result_bytes(399));
    assert!(faults[0].contains("up to 400 bytes"), "{faults:?}");
    let small = crate::run::built(exact().tools(tools()).max_result_bytes(400));
    let text = "some words of a line\n".repeat(20_000);
    let mut arguments = json!({ "text": text });
    for _ in 0..20 {
        let part = crate::run::call(&small, name, arguments.clone());
        assert!(part.is_success(), "{part:?}");
        arguments["cursor"] = part.next_cursor().expect("more").into();
    }
}
