//! What each spelling of a flag means.

use std::collections::BTreeMap;

use mcp_tool_runtime::cli::Io;
use mcp_tool_runtime::schemars::{Schema, SchemaGenerator, json_schema};
use mcp_tool_runtime::{mcp_tool, tools};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::tools::weather;
use super::{USAGE, cli, run, run_on, run_words};

/// Calls `find` and returns its arguments, without those that were not given.
async fn find(words: &[&str]) -> Value {
    let words = ["call", "find"].into_iter().chain(words.iter().copied());
    let ran = run_words(&weather(), words, Io::captured("")).await;
    let mut arguments: Value = serde_json::from_str(&ran.answer()).expect("JSON");
    arguments.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
    arguments
}

#[tokio::test]
async fn a_value_is_read_by_the_type_of_its_property() {
    let cli = weather();
    let answer = run(&cli, "call get_weather --location 75001 --units fahrenheit --days-ahead 3").await.answer();
    assert_eq!(answer, "{\"days_ahead\":3,\"location\":\"75001\",\"units\":\"fahrenheit\"}\n");
}

#[tokio::test]
async fn both_spellings_of_a_name_are_read_and_a_value_may_follow_an_equals_sign() {
    let cli = weather();
    for flag in ["--days-ahead 3", "--days_ahead 3", "--days-ahead=3", "--days_ahead=3"] {
        let answer = run(&cli, &format!("call get_weather --location x {flag}")).await.answer();
        assert!(answer.contains("\"days_ahead\":3"), "{answer}");
    }
}

#[tokio::test]
async fn a_repeated_flag_is_a_list() {
    assert_eq!(find(&["--tags", "a", "--tags=b"]).await["tags"], json!(["a", "b"]));
    assert_eq!(find(&["--tags", "a"]).await["tags"], json!(["a"]));
    assert_eq!(find(&["--tags", "[]"]).await["tags"], json!([]));
    assert_eq!(find(&["--tags", r#"["a, b", "c"]"#]).await["tags"], json!(["a, b", "c"]));
    assert_eq!(find(&["--tags", "a", "--point", "-1.5", "--point", "2"]).await["point"], json!([-1.5, 2.0]));
}

/// Count the elements of a pair.
#[mcp_tool]
async fn count_pair(pair: (Vec<u8>, u8)) -> usize {
    pair.0.len()
}

#[tokio::test]
async fn a_list_that_begins_with_a_list_is_given_whole_or_by_element() {
    let cli = cli(tools![count_pair]);
    for words in [&["--pair", "[[1, 2], 3]"][..], &["--pair", "[1, 2]", "--pair", "3"]] {
        let ran = run_words(&cli, [&["call", "count_pair"], words].concat(), Io::captured("")).await;
        assert_eq!(ran.answer(), "2\n", "{words:?}");
    }
}

#[tokio::test]
async fn a_nested_object_has_dotted_flags_or_is_json() {
    let expected = json!({"tag": "a", "max_distance": 5.0});
    for words in [
        &["--filter.tag", "a", "--filter.max-distance", "5"][..],
        &["--filter.tag=a", "--filter.max_distance=5"],
        &["--filter", r#"{"tag": "a", "max_distance": 5}"#],
        &["--filter", r#"{"tag": "a"}"#, "--filter.max-distance", "5"],
    ] {
        let words = [&["--tags=x"], words].concat();
        assert_eq!(find(&words).await["filter"], expected, "{words:?}");
    }
}

#[tokio::test]
async fn a_tagged_union_has_a_flag_for_its_tag() {
    let area = find(&["--tags=x", "--area.shape", "circle", "--area.radius", "2.5"]).await;
    assert_eq!(area["area"], json!({"shape": "circle", "radius": 2.5}));
}

#[tokio::test]
async fn a_map_takes_keys_with_values() {
    let arguments = find(&["--tags=x", "--counts", "a=1", "--counts", "b=2"]).await;
    assert_eq!(arguments["counts"], json!({"a": 1, "b": 2}));
    assert_eq!(find(&["--tags=x", "--counts", r#"{"a=b": 1}"#]).await["counts"], json!({"a=b": 1}));
}

/// Rate rooms.
#[mcp_tool]
async fn rate(stars: BTreeMap<u8, bool>) -> BTreeMap<u8, bool> {
    stars
}

#[tokio::test]
async fn the_keys_of_a_map_may_be_numbers() {
    let cli = cli(tools![rate]);
    assert_eq!(run(&cli, "call rate --stars 3=true --stars 4=false").await.answer(), "{\"3\":true,\"4\":false}\n");
    assert!(run(&cli, "call rate --stars x=true").await.errors.contains("--stars.x: "), "the key is no number");
}

#[tokio::test]
async fn a_switch_is_turned_off_with_no() {
    assert_eq!(find(&["--tags=x", "--verbose"]).await["verbose"], json!(true));
    assert_eq!(find(&["--tags=x", "--no-verbose"]).await["verbose"], json!(false));
    assert_eq!(find(&["--tags=x"]).await.get("verbose"), None);
}

#[tokio::test]
async fn any_value_is_json_or_text() {
    for (text, value) in [("5", json!(5)), ("five", json!("five")), ("\"5\"", json!("5")), ("[1]", json!([1]))] {
        assert_eq!(find(&["--tags=x", "--id", text]).await["id"], value, "{text}");
    }
}

/// Pay.
#[mcp_tool]
async fn pay(
    amount: Decimal,
    rate: Option<Decimal>,
    #[serde(default)] parts: Vec<Decimal>,
    #[serde(default)] taxes: BTreeMap<String, Decimal>,
    #[schemars(schema_with = "either")] other: Option<Decimal>,
) {
    drop((amount, rate, parts, taxes, other));
}

fn either(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "anyOf": [{ "type": "string", "pattern": r"^\d+\.\d+$" }, { "type": "number" }] })
}

#[tokio::test]
async fn a_number_that_would_lose_digits_is_the_text_if_the_schema_has_a_pattern_for_it() {
    let cli = cli(tools![pay]);
    for (text, expected) in [
        ("0.1234567890123456789", json!("0.1234567890123456789")),
        ("90071992547409931.25", json!("90071992547409931.25")),
        ("12.50", json!("12.50")),
        (" 12.50\n", json!("12.50")),
        ("12.5", json!(12.5)),
        ("12", json!(12)),
        ("\"12.5\"", json!("12.5")),
    ] {
        let map = format!("--taxes=a={text}");
        let flags = ["amount", "rate", "parts", "other"].map(|name| format!("--{name}={text}"));
        let words = ["call", "pay", "--dry-run", &map].into_iter().chain(flags.iter().map(String::as_str));
        let sent: Value = serde_json::from_str(&run_words(&cli, words, Io::captured("")).await.answer()).expect("JSON");
        let all = json!({
            "amount": expected, "rate": expected, "parts": [expected], "taxes": { "a": expected }, "other": expected,
        });
        assert_eq!(sent, all, "{text}");
    }
    // This pattern has no exponent, and the type `Value` no pattern.
    let sent = run(&cli, "call pay --amount 1e3 --other 1e3 --dry-run").await.answer();
    assert_eq!(sent, "{\"amount\":\"1e3\",\"other\":1000.0}\n");
    assert_eq!(find(&["--tags=x", "--id", "12.50"]).await["id"], json!(12.5));
}

#[tokio::test]
async fn json_is_the_whole_of_the_arguments() {
    let cli = weather();
    let json = r#"{"name":"Ann"}"#;
    for words in [["call", "greet", "--json", json], ["call", "--json", json, "greet"]] {
        assert_eq!(run_words(&cli, words, Io::captured("")).await.answer(), "\"Hello, Ann!\"\n");
    }
    let piped = run_on(&cli, "call greet --json -", Io::captured(json)).await;
    assert_eq!(piped.answer(), "\"Hello, Ann!\"\n");

    let both = run(&cli, "call greet --json {} --name Ann").await.error(USAGE);
    assert!(both.contains("  --json: the whole of the arguments"), "{both}");
    let twice = run_words(&cli, ["call", "greet", "--json", r#"{"name":"a","name":"b"}"#], Io::captured("")).await;
    assert!(twice.error(USAGE).contains("name"), "a duplicate key");
}

#[tokio::test]
async fn a_parameter_may_have_the_name_of_an_option() {
    let cli = weather();
    assert_eq!(run(&cli, "call delete --json --help me").await.answer(), "null\n");
    let words = ["call", "--json", r#"{"json":false,"help":"x"}"#, "delete"];
    assert_eq!(run_words(&cli, words, Io::captured("")).await.answer(), "null\n");
    assert!(run(&cli, "call delete -h").await.answer().contains("Usage: weather call delete"));
}

#[tokio::test]
async fn a_tool_and_a_parameter_are_found_by_their_old_names_and_help_has_the_new_ones() {
    /// Get a page of the reference.
    #[mcp_tool(formerly("get_insights_reference"))]
    async fn get_reference(#[mcp_tool(formerly("insight_name"))] topic: String) -> String {
        topic
    }

    let cli = cli(tools![get_reference]);
    for flag in ["--insight-name a", "--insight_name=a", "--topic a"] {
        let ran = run(&cli, &format!("call get_insights_reference {flag}")).await;
        assert!(ran.errors.contains("`get_insights_reference` is now called `get_reference`"), "{}", ran.errors);
        assert_eq!(ran.answer(), "\"a\"\n", "{flag}");
    }
    let error = run(&cli, "call get_reference --topic a --insight-name b").await.error(USAGE);
    assert!(error.contains("  --insight-name: the same argument as `--topic`; give one of them\n"), "{error}");
    let answer = run(&cli, "call get_insights_reference --topic a --output mcp").await.answer();
    let result: Value = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(result["_meta"]["rs.mcp-tool/renamed_to"], "get_reference");
    assert!(result["content"][1]["text"].as_str().is_some_and(|text| text.contains("is now called")), "{answer}");
    let help = run(&cli, "call get_insights_reference --help").await.answer();
    assert!(help.contains("--topic") && !help.contains("insight"), "{help}");
    assert_eq!(run(&cli, "help call get_insights_reference").await.answer(), help);
    let page = run(&cli, "describe get_reference").await.answer();
    assert_eq!(run(&cli, "describe get_insights_reference").await.answer(), page);
}
