//! How an answer is printed: the output carries nothing else.

use mcp_tool_runtime::cli::Io;
use serde_json::Value;

use super::tools::weather;
use super::{FAILURE, SUCCESS, run, run_on, run_words};

fn terminal() -> Io {
    Io::captured("").with_terminal(80)
}

#[tokio::test]
async fn an_answer_is_text_on_a_terminal_and_json_elsewhere() {
    let cli = weather();
    assert_eq!(run_on(&cli, "call greet --name Ann", terminal()).await.answer(), "Hello, Ann!\n");
    assert_eq!(run(&cli, "call greet --name Ann").await.answer(), "\"Hello, Ann!\"\n");
    assert_eq!(run(&cli, "call --output text greet --name Ann").await.answer(), "Hello, Ann!\n");
    let text = run_on(&cli, "call get_weather --location Paris", terminal()).await.answer();
    assert_eq!(text, "{\n  \"days_ahead\": null,\n  \"location\": \"Paris\",\n  \"units\": \"celsius\"\n}\n");
}

#[tokio::test]
async fn a_text_of_a_tool_cannot_control_the_terminal() {
    let name = "A\u{1b}]0;t\u{7}\u{9b}2J\r\nnn\tB";
    let cli = weather();
    let seen = run_words(&cli, ["call", "greet", "--name", name], terminal()).await.answer();
    assert_eq!(seen, "Hello, A\\u{1b}]0;t\\u{7}\\u{9b}2J\nnn\tB!\n");
    // A program gets the text as it is.
    let piped = run_words(&cli, ["call", "--output", "text", "greet", "--name", name], Io::captured("")).await.answer();
    assert_eq!(piped, format!("Hello, {name}!\n"));
    let refused = run_words(&cli, ["call", "greet", "--\u{1b}[2J=1"], terminal()).await.error(super::USAGE);
    assert!(!refused.contains('\u{1b}'), "{refused:?}");
    let unknown = run_words(&cli, ["call", "\u{1b}[2J"], terminal()).await.error(super::USAGE);
    assert!(!unknown.contains('\u{1b}'), "{unknown:?}");
}

#[tokio::test]
async fn an_answer_has_the_form_of_the_protocol() {
    let cli = weather();
    let mcp: Value =
        serde_json::from_str(&run(&cli, "call --output mcp greet --name Ann").await.answer()).expect("JSON");
    assert_eq!((&mcp["structuredContent"], &mcp["isError"]), (&"Hello, Ann!".into(), &false.into()));

    let failed = run(&cli, "call --output mcp get_weather --location Atlantis").await;
    assert_eq!((failed.code, failed.errors.as_str()), (FAILURE.into(), ""));
    let mcp: Value = serde_json::from_str(&failed.output).expect("JSON");
    assert_eq!(mcp["isError"], true);
}

#[tokio::test]
async fn what_is_no_text_is_named_on_a_terminal_and_whole_in_json() {
    let cli = weather();
    let text = run_on(&cli, "call draw", terminal()).await.answer();
    let file = "[memo://x/../../notes.pdf: application/pdf, 2 bytes]";
    assert_eq!(text, format!("a map\n[image of type image/png, 3 bytes]\n{file}\n[log](file:///log)\n"));
    let blocks: Value = serde_json::from_str(&run(&cli, "call draw").await.answer()).expect("JSON");
    assert_eq!(blocks[1]["data"], "AQID");
}

#[tokio::test]
async fn progress_is_drawn_on_a_terminal_and_absent_elsewhere() {
    let cli = weather();
    for columns in [20, 30, 80] {
        let drawn = run_on(&cli, "call count", Io::captured("").with_terminal(columns)).await;
        assert!(drawn.errors.contains("33% step 1"), "{:?}", drawn.errors);
        // `^C` has room behind the bar.
        let lines = drawn.errors.split(['\r', '\n']).map(|line| line.trim_start_matches("\x1b[2K").chars().count());
        assert!(lines.max() <= Some(columns - 3), "{columns}: {:?}", drawn.errors);
    }
    let drawn = run_on(&cli, "call count", terminal()).await;
    assert_eq!((drawn.code, drawn.output.as_str()), (SUCCESS.into(), "3\n"));
    assert!(!drawn.errors.contains("\x1b[31m"), "a message must not control the terminal: {:?}", drawn.errors);
    for (words, io) in
        [("call count", Io::captured("")), ("call --quiet count", terminal()), ("call -q count", terminal())]
    {
        let ran = run_on(&cli, words, io).await;
        assert_eq!((ran.output.as_str(), ran.errors.as_str()), ("3\n", ""), "{words}");
    }
}

#[tokio::test]
async fn nothing_but_the_answer_is_on_the_output_and_nothing_is_coloured() {
    let cli = weather();
    for words in [
        "call count",
        "call nothing",
        "call greet",
        "call fail",
        "lint",
        "list --bytes",
        "list --schema nothing",
        "nope",
    ] {
        let ran = run(&cli, words).await;
        assert!(!ran.output.contains('\x1b') && !ran.errors.contains('\x1b'), "{words}: {ran:?}");
        assert!(!ran.output.contains("error:"), "{words}: {ran:?}");
        if words == "call count" {
            assert_eq!(ran.output, "3\n");
        }
    }
}

#[tokio::test]
async fn help_and_lists_fit_a_narrow_terminal() {
    let cli = weather();
    for words in ["--help", "call --help", "call get_weather --help", "list"] {
        for columns in [40, 60, 80] {
            let text = run_on(&cli, words, Io::captured("").with_terminal(columns)).await.answer();
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            // A usage line is not wrapped, so that it can be copied.
            let usage = text
                .lines()
                .filter(|line| line.starts_with("Usage"))
                .map(|line| line.chars().count())
                .max()
                .unwrap_or(0);
            assert!(widest <= columns.max(usage), "{words} in {columns} columns:\n{text}");
        }
    }
}
