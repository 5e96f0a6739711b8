//! Every mistake is reported in the terms of the flags.

use mcp_tool_runtime::cli::Io;
use mcp_tool_runtime::{mcp_tool, tools};
use schemars::JsonSchema;
use serde::Deserialize;

use super::tools::weather;
use super::{FAILURE, USAGE, cli, run, run_words};

#[tokio::test]
async fn all_bad_arguments_are_reported_at_once_in_the_terms_of_the_flags() {
    let errors = run(&weather(), "call get_weather --units kelvin --days-ahead soon").await.error(USAGE);
    assert_eq!(
        errors,
        "error: invalid arguments for get_weather\n  \
           --units: expected one of \"celsius\", \"fahrenheit\", got another string\n  \
           --days-ahead: expected an integer, got a string\n  \
           --location: required, but missing\n  \
           help: weather call get_weather --help\n"
    );
}

/// Order things.
#[mcp_tool]
async fn order(ids: Vec<u32>, #[serde(default)] sizes: Vec<Size>, #[serde(default)] tags: Vec<String>, on_sale: bool) {
    drop((ids, sizes, tags, on_sale));
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Size {
    ExtraLarge,
    Small,
}

#[tokio::test]
async fn a_mistake_that_people_make_is_told_with_what_to_write() {
    let cli = cli(tools![order]);
    for (words, expected) in [
        ("--ids 1,2 --on-sale", "  --ids: expected one value each time: `--ids 1 --ids 2`\n"),
        ("--ids 1,2,3,4 --on-sale", "  --ids: expected one value each time: `--ids 1 --ids 2 --ids 3 …`\n"),
        ("--ids 1 --ids 2,3 --on-sale", "  --ids: expected one value each time: `--ids 2 --ids 3`\n"),
        (
            "--ids 1 --sizes small,extra_large --on-sale",
            "  --sizes: expected one value each time: `--sizes small --sizes extra_large`\n",
        ),
        ("--ids 1,x --on-sale", "  --ids[0]: expected an integer, got a string\n"),
        (
            "--ids 1 --sizes small --sizes Extra-Large --on-sale",
            "  --sizes[1]: expected one of \"extra_large\", \"small\", got another string\n",
        ),
        (
            "--ids 1 --on-sale=true",
            "  --on-sale: takes no value: `--on-sale` means true, and `--no-on-sale` means false\n",
        ),
        (
            "--ids 1 --on-sale false",
            "  --on-sale: takes no value: `--on-sale` means true, and `--no-on-sale` means false\n",
        ),
        ("--ids 1 --on-sale --quiet=x", "  --quiet: takes no value\n"),
        ("--json null", "  --json: expected an object, got null\n"),
    ] {
        let errors = run(&cli, &format!("call order {words}")).await.error(USAGE);
        let listed: String =
            errors.lines().filter(|line| line.starts_with("  --")).map(|line| line.to_owned() + "\n").collect();
        assert_eq!(listed, expected, "{words}");
    }
    // A text may have a comma.
    let answer = run(&cli, "call order --ids 1 --tags a,b --on-sale --dry-run").await.answer();
    assert!(answer.contains(r#""tags":["a,b"]"#), "{answer}");
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Area {
    /// Quiet.
    Inside,
    /// Only in summer.
    Terrace,
}

/// Find a seat.
#[mcp_tool]
async fn seat(area: Area, size: Size) {
    let _ = (area, size);
}

#[tokio::test]
async fn help_lists_the_values_of_a_flag_once() {
    let help = run(&cli(tools![seat]), "call seat --help").await.answer();
    for value in ["inside", "terrace", "extra_large"] {
        assert_eq!(help.matches(value).count(), 1, "{help}");
    }
    assert!(help.ends_with("\n`call --help` lists the other options, such as `--output` and `--timeout`.\n"), "{help}");
}

#[tokio::test]
async fn an_unknown_flag_is_reported_beside_what_else_is_wrong() {
    let errors = run(&weather(), "call get_weather --loction Paris --days-ahead soon stray --days").await.error(USAGE);
    for line in [
        "  --loction: not known; did you mean `--location`?\n",
        "  `stray`: expected a flag\n",
        "  --days: not known\n",
        "  --location: required, but missing\n",
        "  --days-ahead: expected an integer, got a string\n",
    ] {
        assert!(errors.contains(line), "{line:?} is not in\n{errors}");
    }
}

#[tokio::test]
async fn a_flag_without_its_value_is_reported() {
    let errors = run(&weather(), "call get_weather --location").await.error(USAGE);
    assert!(errors.contains("--location"), "{errors}");
    let errors = run(&weather(), "call get_weather --location -x").await.error(USAGE);
    let help = "--location: needs a value; if `-x` is the value, write `--location=-x`";
    assert!(errors.contains(help) && !errors.contains("expected a flag"), "{errors}");
    let errors = run(&weather(), "call get_weather --x --days-ahead --location").await.error(USAGE);
    assert!(errors.contains("--days-ahead: needs a value") && errors.contains("--location: needs a value"), "{errors}");
}

#[tokio::test]
async fn a_value_that_is_given_twice_is_reported_beside_what_else_is_wrong() {
    let words = "call get_weather --location a --days-ahead soon --location b";
    let errors = run(&weather(), words).await.error(USAGE);
    assert!(errors.contains("  --location: given more than once\n"), "{errors}");
    assert!(errors.contains("  --days-ahead: expected an integer, got a string\n"), "{errors}");
}

#[tokio::test]
async fn a_nested_argument_is_named_by_its_flag() {
    let words = "call find --tags a --filter.max-distance far --counts a --area.shape circle";
    let errors = run(&weather(), words).await.error(USAGE);
    for line in [
        "--filter.max-distance: expected a number, got a string\n",
        "--counts: expected KEY=VALUE, or one JSON object\n",
        "--area.radius: required, but missing\n",
    ] {
        assert!(errors.contains(line), "{line:?} is not in\n{errors}");
    }
    let errors = run_words(&weather(), ["call", "find", "--tags=a", "--filter={\"tag\": "], Io::captured("")).await;
    let errors = errors.error(USAGE);
    assert!(errors.contains("--filter: expected valid JSON"), "{errors}");
    let errors = run(&weather(), "call find --tags=a --counts a=1 --counts b=x").await.error(USAGE);
    assert!(errors.contains("--counts.b: expected an integer, got a string"), "{errors}");
}

#[tokio::test]
async fn bad_arguments_of_json_are_named_as_a_model_names_them() {
    let words = ["call", "find", "--json", r#"{"tags": [1], "filter": {"max_distance": "x"}}"#];
    let errors = run_words(&weather(), words, Io::captured("")).await.error(USAGE);
    assert!(errors.contains("  tags[0]: expected a string, got an integer\n"), "{errors}");
    assert!(errors.contains("  filter.max_distance: expected a number, got a string\n"), "{errors}");
    let errors = run_words(&weather(), ["call", "find", "--json", "[1"], Io::captured("")).await.error(USAGE);
    assert!(errors.contains("  --json: expected valid JSON"), "{errors}");
}

#[tokio::test]
async fn an_unknown_tool_is_answered_with_the_nearest_name() {
    let errors = run(&weather(), "call get_wether --location Paris").await.error(USAGE);
    assert_eq!(errors, "error: unknown tool `get_wether`; did you mean `get_weather`?\n  help: weather list\n");
    let errors = run(&weather(), "get_weather --location Paris").await.error(USAGE);
    assert!(errors.contains("help: `get_weather` is a tool: weather call get_weather\n"), "{errors}");
}

#[tokio::test]
async fn an_unknown_command_or_option_is_a_usage_error() {
    for words in ["lst", "--nope", "call", "call --output xml greet", "lint --for nobody", "install", "completions ksh"]
    {
        let errors = run(&weather(), words).await.error(USAGE);
        assert!(errors.contains("--help"), "{words}: {errors}");
    }
}

#[tokio::test]
async fn a_tool_that_fails_explains_itself_on_the_error_stream() {
    let errors = run(&weather(), "call get_weather --location Atlantis").await.error(FAILURE);
    assert_eq!(errors, "error: no place has this name\n  help: ask for a city name\n");
}

#[tokio::test]
async fn what_is_hidden_from_models_is_shown_on_request_only() {
    let errors = run(&weather(), "call fail").await.error(FAILURE);
    assert!(errors.starts_with("error: internal error in tool `fail`") && !errors.contains("hunter2"), "{errors}");
    let errors = run(&weather(), "call --debug fail").await.error(FAILURE);
    assert!(errors.contains("cause: the password is hunter2"), "{errors}");
}
