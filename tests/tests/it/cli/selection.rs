//! The options and variables with which an operator chooses tools.

use std::process::Command;

use mcp_tool_runtime::{mcp_tool, tools};
use serde_json::Value;

use super::{USAGE, cli, run, run_words};
use crate::cli::Io;

/// Get the forecast.
#[mcp_tool(read_only_hint, tags("forecast"))]
async fn get_forecast() -> u8 {
    1
}

/// Find a place.
#[mcp_tool(read_only_hint, tags("search"))]
async fn find_place(read_only: Option<bool>) -> bool {
    read_only.unwrap_or_default()
}

/// Delete a place.
#[mcp_tool(tags("search"))]
async fn delete_place() {}

fn places() -> mcp_tool_runtime::cli::Cli {
    cli(tools![get_forecast, find_place, delete_place])
}

/// Returns the names in what `list --json` prints.
fn names(list: &str) -> Vec<String> {
    let tools: Vec<Value> = serde_json::from_str(list).unwrap_or_else(|error| panic!("{error}: {list}"));
    tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
}

#[tokio::test]
async fn options_before_a_command_choose_its_tools() {
    for (options, expected) in [
        ("--read-only", vec!["get_forecast", "find_place"]),
        ("--tags forecast", vec!["get_forecast"]),
        ("--tags=forecast,search --without find_place", vec!["get_forecast", "delete_place"]),
        ("--only find_place --only delete_place", vec!["find_place", "delete_place"]),
        ("--color never --only delete_place --read-only", vec![]),
    ] {
        let list = run(&places(), &format!("{options} list --json")).await.answer();
        assert_eq!(names(&list), expected, "{options}");
    }
    // A parameter of a tool may have the name of such an option.
    let words = "--read-only call find_place --read-only";
    assert_eq!(run(&places(), words).await.answer(), "true\n");
    let unknown = run(&places(), "--read-only call delete_place").await.error(USAGE);
    assert!(unknown.starts_with("error: unknown tool `delete_place`"), "{unknown}");
    let help = run(&places(), "--read-only call --help").await.answer();
    assert!(help.contains("find_place") && !help.contains("delete_place"), "{help}");
    assert!(run(&places(), "--only find_place --help").await.answer().starts_with("Serves 1 tool "));
}

#[tokio::test]
async fn serve_has_the_options() {
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    for words in
        ["serve --read-only", "--read-only serve", "--read-only", "--tags search serve --only find_place,get_forecast"]
    {
        let ran = run_words(&places(), words.split(' '), Io::captured(line)).await.answer();
        assert!(ran.contains("find_place") && !ran.contains("delete_place"), "{words}: {ran}");
        assert_eq!(ran.contains("get_forecast"), !words.contains("tags"), "{words}: {ran}");
    }
    let none = run_words(&places(), ["serve", "--only=delete_place", "--read-only"], Io::captured("")).await;
    assert_eq!(none.errors, "  warning: there is no tool to serve\n");
}

#[tokio::test]
async fn a_mistake_serves_nothing() {
    for (words, expected) in [
        ("serve --tags forcast", "error: no tool has the tag `forcast`; did you mean `forecast`?\n"),
        ("--without delete_places list", "error: no tool is named `delete_places`; did you mean `delete_place`?\n"),
        ("serve --only=", "error: --only: needs a value\n"),
        ("install cursor --only delete", "error: no tool is named `delete`\n"),
    ] {
        assert_eq!(run(&places(), words).await.error(USAGE), expected, "{words}");
    }
    let misspelt = run(&places(), "serve --readonly").await.error(USAGE);
    assert!(misspelt.starts_with("error: unknown option `--readonly`; did you mean `--read-only`?"), "{misspelt}");
}

#[tokio::test]
async fn install_writes_the_options_into_the_entry() {
    let entry = run(&places(), "install cursor --read-only --tags search,forecast -- serve").await.answer();
    let entry: Value = serde_json::from_str(&entry).expect("JSON");
    let args = &entry["mcpServers"]["weather"]["args"];
    assert_eq!(*args, serde_json::json!(["--read-only", "--tags=search,forecast", "serve"]));
}

/// Run only by the next test, in a process with the variables set.
#[tokio::test]
#[ignore = "run by another test"]
async fn a_command_in_its_own_process() {
    let words = std::env::var("MCP_TOOL_TEST_WORDS").expect("words");
    let ran = run(&places(), &words).await;
    println!("{ran:#?}");
    std::fs::write(std::env::var("MCP_TOOL_TEST_OUTPUT").expect("a file"), ran.output + &ran.errors).expect("a file");
}

#[test]
fn variables_choose_unless_an_option_does() {
    let file = std::env::temp_dir().join(format!("mcp-tool-variables-{}", std::process::id()));
    let run = |words: &str, variables: &[(&str, &str)]| {
        let mut command = Command::new(std::env::current_exe().expect("this test"));
        command.args(["--exact", "cli::selection::a_command_in_its_own_process", "--ignored"]);
        command.env("MCP_TOOL_TEST_WORDS", words).env("MCP_TOOL_TEST_OUTPUT", &file).envs(variables.iter().copied());
        assert!(command.output().expect("a process").status.success());
        std::fs::read_to_string(&file).expect("a file")
    };
    let list = "list --json";
    assert_eq!(names(&run(list, &[])).len(), 3);
    for value in ["1", "true", "yes", "treu"] {
        assert_eq!(names(&run(list, &[("WEATHER_READ_ONLY", value)])), ["get_forecast", "find_place"], "{value}");
    }
    for value in ["0", "false", ""] {
        assert_eq!(names(&run(list, &[("WEATHER_READ_ONLY", value)])).len(), 3, "{value}");
    }
    assert_eq!(names(&run(list, &[("WEATHER_TAGS", "forecast, search"), ("WEATHER_WITHOUT", "find_place")])).len(), 2);
    assert_eq!(names(&run(list, &[("WEATHER_ONLY", "")])).len(), 3);
    assert_eq!(names(&run(&format!("--only find_place {list}"), &[("WEATHER_ONLY", "get_forecast")])), ["find_place"]);
    let help = run("call --help", &[("WEATHER_ONLY", "get_forecast")]);
    assert!(help.contains("get_forecast") && !help.contains("find_place"), "{help}");
    assert_eq!(run("list", &[("WEATHER_ONLY", "x")]), "error: no tool is named `x`\n");
    // An entry and a check are about the program, and not about how somebody serves it here.
    assert!(!run("install cursor", &[("WEATHER_READ_ONLY", "1")]).contains("read-only"));
    assert!(!run("lint", &[("WEATHER_ONLY", "x")]).contains("no tool is named"));
    std::fs::remove_file(file).expect("a file");
}
