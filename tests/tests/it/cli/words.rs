//! How the words of a command line are read: whose option a word is, and what is wrong with the words together.

use std::collections::BTreeMap;

use mcp_tool_runtime::cli::{Cli, Io};
use mcp_tool_runtime::{ToolHandler, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::tools::weather;
use super::{USAGE, cli, run, run_on, run_words};

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Key {
    Number(i64),
    Name(String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Paging {
    #[serde(rename = "_page")]
    page: u8,
    #[serde(rename = "--help")]
    help: Option<String>,
}

/// Look something up.
#[mcp_tool]
async fn look_up(key: Option<Key>, count: Option<i64>, #[serde(flatten)] rest: BTreeMap<String, Value>) -> Value {
    json!({"key": key, "count": count, "rest": rest})
}

/// Turn pages.
#[mcp_tool]
async fn turn(#[serde(flatten)] paging: Paging) -> u8 {
    paging.page
}

/// Write a file.
#[mcp_tool]
async fn write(
    #[serde(default)] dry_run: bool,
    #[serde(default)] no_cache: bool,
    output: Option<String>,
    timeout: Option<u8>,
) -> String {
    format!("{dry_run} {no_cache} {output:?} {timeout:?}")
}

fn words() -> Cli {
    cli(tools![look_up, turn, write])
}

#[tokio::test]
async fn a_name_may_follow_two_dashes() {
    assert_eq!(run(&weather(), "call -- greet --name Ann").await.answer(), "\"Hello, Ann!\"\n");
    let errors = run(&weather(), "call -- gret").await.error(USAGE);
    assert!(errors.contains("did you mean `greet`?"), "{errors}");
}

/// Say a word.
#[mcp_tool]
async fn say(word: String) -> String {
    word
}

#[tokio::test]
async fn a_tool_that_is_named_like_an_option_stands_behind_two_dashes() {
    let cli =
        cli(["--help", "-h", "--quiet"].map(|name| Box::new(say {}.with_name(name)) as Box<dyn ToolHandler>).into());
    for words in ["call --help", "call -h", "help call", "call --quiet --help", "call --help -- --help"] {
        let help = run(&cli, words).await.answer();
        assert!(help.starts_with("Call a tool\n") && help.contains("\n  -- --quiet  Say a word.\n"), "{words}: {help}");
    }
    for name in ["--help", "-h", "--quiet"] {
        assert_eq!(run(&cli, &format!("call -- {name} --word yes")).await.answer(), "\"yes\"\n");
        let help = run(&cli, &format!("call -- {name} --help")).await.answer();
        assert!(help.contains(&format!("Usage: weather call -- {name} ")) && help.contains("--word <TEXT>"), "{help}");
        let errors = run(&cli, &format!("call -- {name}")).await.error(USAGE);
        assert!(errors.ends_with(&format!("  help: weather call -- {name} --help\n")), "{errors}");
    }
}

#[tokio::test]
async fn a_parameter_whose_name_cannot_be_a_flag_is_set_with_json() {
    let cli = words();
    let help = run(&cli, "call turn --help").await.answer();
    assert!(help.contains("Only `--json` sets `_page` and `--help`.\n"), "{help}");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        run(&cli, &format!("completions {shell}")).await.answer();
    }
    assert_eq!(run_words(&cli, ["call", "turn", "--json", r#"{"_page":2}"#], Io::captured("")).await.answer(), "2\n");
    let errors = run(&cli, "call turn --_page 2").await.error(USAGE);
    assert!(errors.contains("  --_page: not a flag; set `_page` with `--json`\n"), "{errors}");
}

#[tokio::test]
async fn only_json_is_read_as_json_where_text_is_accepted() {
    let cli = words();
    for (text, value) in [
        ("00123", json!("00123")),
        ("+49", json!("+49")),
        (".5", json!(".5")),
        ("1.", json!("1.")),
        ("49", json!(49)),
        ("-5", json!(-5)),
        ("\"49\"", json!("49")),
    ] {
        let key = run_words(&cli, ["call", "look_up", &format!("--key={text}")], Io::captured("")).await.answer();
        assert_eq!(serde_json::from_str::<Value>(&key).expect("JSON")["key"], value, "{text}");
        let other = run_words(&cli, ["call", "look_up", &format!("--other={text}")], Io::captured("")).await.answer();
        assert_eq!(serde_json::from_str::<Value>(&other).expect("JSON")["rest"]["other"], value, "{text}");
    }
    // Where only a number is accepted, nothing else can be meant.
    for (text, value) in [("+49", 49), ("007", 7)] {
        let answer = run(&cli, &format!("call look_up --count {text}")).await.answer();
        assert!(answer.contains(&format!("\"count\":{value}")), "{answer}");
    }
}

#[tokio::test]
async fn a_negation_is_read_in_both_spellings() {
    for words in ["--no-dry-run", "--no_dry_run", "--no-dry_run", "--no_dry-run"] {
        let answer = run(&cli(tools![write]), &format!("call write {words} --no_cache")).await.answer();
        assert_eq!(answer, "\"false true None None\"\n", "{words}");
    }
}

#[tokio::test]
async fn a_suggestion_never_says_the_contrary() {
    for (word, expected) in [
        ("--no-verbos", "did you mean `--no-verbose`?"),
        ("--noverbose", "did you mean `--no-verbose`?"),
        ("--verbos", "did you mean `--verbose`?"),
        ("--not-verbose", "did you mean `--no-verbose`?"),
        ("--no-tags", "not known\n"),
    ] {
        let errors = run(&weather(), &format!("call find --tags=x {word}")).await.error(USAGE);
        assert!(errors.contains(expected), "{word}: {errors}");
    }
    let errors = run(&words(), "call turn --no-hlp").await.error(USAGE);
    assert!(!errors.contains("did you mean"), "{errors}");
    let errors = run(&cli(tools![write]), "call write --cache").await.error(USAGE);
    assert!(!errors.contains("did you mean"), "`--no-cache` is the contrary: {errors}");
}

#[tokio::test]
async fn every_mistake_is_reported_at_once() {
    let words =
        "call --output xml get_weather --location --units kelvin --nope --days-ahead=x --days-ahead 2 --timeout soon";
    let errors = run(&weather(), words).await.error(USAGE);
    assert_eq!(
        errors,
        "error: invalid arguments for get_weather\n  \
           --output: expected one of \"text\", \"json\", \"mcp\", got \"xml\"\n  \
           --timeout: expected a duration such as 30s or 500ms, got \"soon\"\n  \
           --location: needs a value\n  \
           --nope: not known\n  \
           --days-ahead: given more than once\n  \
           --units: expected one of \"celsius\", \"fahrenheit\", got another string\n  \
           help: weather call get_weather --help\n"
    );
    let words = ["call", "greet", "--json", r#"{"name": 1}"#, "--output=xml", "--name", "Ann"];
    let errors = run_words(&weather(), words, Io::captured("")).await.error(USAGE);
    for line in ["  --json: ", "  --output: ", "  name: expected a string, got an integer\n"] {
        assert!(errors.contains(line), "{line} is not in\n{errors}");
    }
}

#[tokio::test]
async fn mistakes_in_commands_are_reported_in_the_same_words() {
    for (words, expected) in [
        ("lst", "error: unknown command `lst`; did you mean `list`?\n  help: weather --help\n"),
        ("list --jsn", "error: unknown option `--jsn`; did you mean `--json`?\n  help: weather list --help\n"),
        ("list --tag", "error: --tag: needs a value\n  help: weather list --help\n"),
        ("list --json --json", "error: --json: given more than once\n  help: weather list --help\n"),
        ("list --json=x", "error: --json: takes no value\n  help: weather list --help\n"),
        ("list --json --schema greet", "error: --json: not together with --schema\n  help: weather list --help\n"),
        ("call --nope", "error: unknown option `--nope`\n  help: weather call --help\n"),
        ("install", "error: CLIENT is missing\n  help: weather install --help\n"),
        (
            "lint --fail-on bad",
            "error: --fail-on: expected one of \"advice\", \"lost\", \"refused\", \"all-refused\", got \"bad\"\n  help: weather lint --help\n",
        ),
        (
            "install curser",
            "error: CLIENT: expected one of \"claude-code\", \"claude-desktop\", \"vscode\", \"cursor\", \"codex\", \"gemini-cli\", \"windsurf\", \"zed\", \"goose\", \"opencode\", \"copilot-cli\", \"cline\", got \"curser\"; did you mean `cursor`?\n  help: weather install --help\n",
        ),
    ] {
        assert_eq!(run(&weather(), words).await.error(USAGE), expected, "{words}");
    }
}

#[tokio::test]
async fn options_of_call_are_read_after_the_name_where_no_parameter_has_their_name() {
    let cli = weather();
    for words in [
        "call greet --name Ann --output text",
        "call greet --output=text --name=Ann -q",
        "call --output text greet --name Ann",
    ] {
        assert_eq!(run(&cli, words).await.answer(), "Hello, Ann!\n", "{words}");
    }
    assert!(run(&cli, "call fail --debug").await.errors.contains("hunter2"));
    // Arguments that the schema does not name are flags too, and a parameter has its name for itself.
    let answer = run(&words(), "call look_up --other 1 --output mcp").await.answer();
    assert!(answer.contains("\"other\":1") && answer.contains("structuredContent"), "{answer}");
    let answer = run(&words(), "call --output text write --output json --timeout 3").await.answer();
    assert_eq!(answer, "false false Some(\"json\") Some(3)\n");
    let errors = run(&cli, "call --output text greet --name Ann --output json").await.error(USAGE);
    assert!(errors.contains("  --output: given more than once\n"), "{errors}");
}

#[tokio::test]
async fn what_is_given_twice_is_an_error() {
    let json = r#"{"name":"Ann"}"#;
    for words in [
        &["call", "find", "--tags=x", "--verbose", "--verbose"][..],
        &["call", "find", "--tags=x", "--verbose", "--no-verbose"],
        &["call", "find", "--tags=x", "--id", "1", "--id", "1"],
        &["call", "find", "--tags=x", "--counts", "a=1", "--counts", "a=2"],
        &["call", "find", "--tags=x", "--filter", r#"{"tag": "a"}"#, "--filter.tag", "b"],
        &["call", "--json", json, "greet", "--json", json],
        &["call", "greet", "--name", "Ann", "--name=Ann"],
    ] {
        let errors = run_words(&weather(), words.iter().copied(), Io::captured("")).await.error(USAGE);
        assert!(errors.contains(": given more than once"), "{words:?}: {errors}");
    }
    let errors = run(&words(), "call look_up --other 1 --other 2").await.error(USAGE);
    assert!(errors.contains("  --other: given more than once\n"), "{errors}");
}

#[tokio::test]
async fn an_embedded_command_reads_the_same() {
    let cli = weather();
    let app = mcp_tool_runtime::cli::clap::Command::new("app").subcommand(cli.command().name("tools"));
    let run = async |words: &str| {
        let matches = app.clone().try_get_matches_from(["app", "tools"].into_iter().chain(words.split(' ')));
        let io = Io::captured("");
        let code =
            cli.execute_with(matches.expect("valid words").subcommand_matches("tools").expect("tools"), &io).await;
        super::Ran { code, output: io.output(), errors: io.errors() }
    };
    assert_eq!(run("call greet --name Ann --output text").await.answer(), "Hello, Ann!\n");
    let answer = run("call find --tags a --tags=b --no-verbose --point -1 --point 2").await.answer();
    assert!(answer.contains("\"tags\":[\"a\",\"b\"]") && answer.contains("\"verbose\":false"), "{answer}");
    assert!(answer.contains("\"point\":[-1.0,2.0]"), "{answer}");
    let errors = run("call find --verbose --no_verbose --nope --output xml").await.error(USAGE);
    for line in ["--verbose: given more than once", "--nope: not known", "--output: expected", "--tags: required"] {
        assert!(errors.contains(line), "{line}: {errors}");
    }
    assert_eq!(run("call -- greet --name Ann").await.answer(), "\"Hello, Ann!\"\n");
}

#[tokio::test]
async fn a_dry_run_prints_the_arguments_and_calls_nothing() {
    let words = ["call", "find", "--dry-run", "--tags", "a", "--filter.tag=b", "--no-verbose"];
    let answer = run_words(&weather(), words, Io::captured("")).await.answer();
    assert_eq!(answer, "{\"filter\":{\"tag\":\"b\"},\"tags\":[\"a\"],\"verbose\":false}\n");
    assert_eq!(run(&weather(), "call --dry-run fail").await.answer(), "{}\n");
    let errors = run(&weather(), "call --dry-run greet").await.error(USAGE);
    assert!(errors.contains("  --name: required, but missing\n"), "{errors}");
    let errors = run_words(&weather(), ["call", "--dry-run", "greet", "--json", "[]"], Io::captured("")).await;
    assert!(errors.error(USAGE).contains("expected an object"));
}

#[tokio::test]
async fn a_value_is_read_from_a_file() {
    let file = std::env::temp_dir().join(format!("mcp-tool-value-{}", std::process::id()));
    let name = |text: &str| format!("{text}@{}", file.display());
    std::fs::write(&file, "Ann\nB.\n").expect("a file");
    let answer = run_words(&weather(), ["call", "greet", &name("--name=")], Io::captured("")).await.answer();
    assert_eq!(answer, "\"Hello, Ann\\nB.\\n!\"\n");
    std::fs::write(&file, "{\"a\": 1}\n").expect("a file");
    let words = ["call", "--dry-run", "find", "--tags=x", &name("--counts=")];
    assert_eq!(
        run_words(&weather(), words, Io::captured("")).await.answer(),
        "{\"tags\":[\"x\"],\"counts\":{\"a\":1}}\n"
    );
    std::fs::write(&file, "{\"name\": \"Bo\"}").expect("a file");
    let answer = run_words(&weather(), ["call", "greet", &name("--json=")], Io::captured("")).await.answer();
    assert_eq!(answer, "\"Hello, Bo!\"\n");
    std::fs::remove_file(file).expect("a file");

    assert_eq!(run(&weather(), "call greet --name @@ann").await.answer(), "\"Hello, @ann!\"\n");
    let errors = run(&weather(), "call find --tags=x --id @missing --counts a=b").await.error(USAGE);
    assert!(errors.contains("  --id: the file `missing` cannot be read: "), "{errors}");
    assert!(errors.contains("write `@@`") && errors.contains("  --counts.a: expected an integer"), "{errors}");
}

/// Wait for ever.
#[mcp_tool]
async fn wait() {
    std::future::pending::<()>().await;
}

/// Takes two seconds until it waits for the first time.
#[mcp_tool]
async fn start_slowly() {
    tokio::time::advance(std::time::Duration::from_secs(2)).await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
}

#[tokio::test(start_paused = true)]
async fn the_time_before_a_tool_first_waits_counts() {
    let errors = run(&cli(tools![start_slowly]), "call start_slowly --timeout 1s").await.error(super::FAILURE);
    assert_eq!(errors, "error: start_slowly has not answered within 1s\n");
}

#[tokio::test(start_paused = true)]
async fn a_call_stops_after_its_time() {
    let start = tokio::time::Instant::now();
    let errors = run(&cli(tools![wait]), "call wait --timeout 1.5s").await.error(super::FAILURE);
    assert_eq!(errors, "error: wait has not answered within 1.5s\n");
    assert_eq!(start.elapsed().as_millis(), 1_500);
    for text in ["5", "s", "-1s", "1d", "1e400s", ""] {
        let errors =
            run_words(&cli(tools![wait]), ["call", &format!("--timeout={text}"), "wait"], Io::captured("")).await;
        assert!(errors.error(USAGE).contains("--timeout: "), "{text}");
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Node {
    value: u8,
    next: Option<Box<Node>>,
    #[serde(default)]
    children: Vec<Node>,
}

/// Walk a tree.
#[mcp_tool]
async fn walk(tree: Node, config_path: Option<String>) -> u8 {
    let _ = config_path;
    tree.value
}

#[tokio::test]
async fn help_says_how_to_write_a_recursive_value() {
    let help = run(&cli(tools![walk]), "call walk --help").await.answer();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("--tree.next <JSON> [JSON of the same form as `--tree`]"), "{help}");
    assert!(help.contains("--tree.children <JSON> [JSON of the same form as `--tree`; may be repeated]"), "{help}");
}

#[tokio::test]
async fn colours_are_used_when_they_are_wanted() {
    let cli = weather();
    for (words, has_colors) in [
        ("call --color always fail", true),
        ("call fail --color=always", true),
        ("call --color never fail", false),
        ("call fail", false),
        ("lint --color always", true),
        ("--color always lint", true),
        ("lint --color auto", false),
    ] {
        let ran = run(&cli, words).await;
        assert_eq!(ran.errors.contains("\x1b[") || ran.output.contains("\x1b["), has_colors, "{words}: {ran:?}");
    }
    let errors = run(&cli, "call --color pink fail").await.error(USAGE);
    assert!(errors.contains("  --color: expected one of \"auto\", \"always\", \"never\", got \"pink\"\n"), "{errors}");
}

#[tokio::test]
async fn help_is_also_a_command() {
    let cli = weather();
    for (words, same) in [
        ("help", "--help"),
        ("help call", "call --help"),
        ("help call greet", "call greet --help"),
        ("help list", "list --help"),
    ] {
        assert_eq!(run(&cli, words).await.answer(), run(&cli, same).await.answer(), "{words}");
    }
    let terminal = run_on(&cli, "call greet --name Ann --help", Io::captured("").with_terminal(80)).await.answer();
    assert!(terminal.contains("Usage: weather call greet"), "{terminal}");
    assert!(run(&cli, "help nope").await.error(USAGE).contains("unknown command `nope`"));
    let unknown = run(&cli, "help call gret").await.error(USAGE);
    assert!(unknown.starts_with("error: unknown tool `gret`"), "{unknown}");
    assert_eq!(run(&cli, "help call greet --more").await.code, USAGE.into());
    assert_eq!(run(&cli, "help call greet more").await.answer(), run(&cli, "call greet --help").await.answer());
}
