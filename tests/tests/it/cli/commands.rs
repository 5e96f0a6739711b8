//! The commands other than `call`.

use std::fs;

use mcp_tool_runtime::cli::{Cli, Io, clap};
use mcp_tool_runtime::{Consent, Dispatcher, mcp_tool, tools};
use serde_json::{Value, json};

use super::tools::weather;
use super::{FAILURE, USAGE, cli, run, run_on, run_words};

#[tokio::test]
async fn list_is_a_table_or_the_definitions() {
    let cli = weather();
    let table = run(&cli, "list").await.answer();
    assert!(
        table.starts_with("get_weather  read-only               Get the current weather for a place.\n"),
        "{table}"
    );
    assert!(table.contains("delete       destructive idempotent  Delete a place.\n"), "{table}");
    let tools: Value = serde_json::from_str(&run(&cli, "list --json").await.answer()).expect("JSON");
    assert_eq!(tools.as_array().map(Vec::len), Some(7));
    let sized = run(&cli, "list --bytes").await;
    assert!(sized.output.lines().all(|line| line.contains(" B ")), "{}", sized.output);
    assert!(sized.errors.contains(" bytes in 7 tools\n"), "{}", sized.errors);
}

#[tokio::test]
async fn list_selects_by_text() {
    let cli = weather();
    let names = |table: String| table.lines().map(|line| line.split(' ').next().map(str::to_owned)).collect::<Vec<_>>();
    for (words, expected) in [("list WEATHER", vec!["get_weather"]), ("list place.", vec!["get_weather", "delete"])] {
        let expected: Vec<_> = expected.into_iter().map(|name| Some(name.to_owned())).collect();
        assert_eq!(names(run(&cli, words).await.answer()), expected, "{words}");
    }
    let none = run(&cli, "list --json nothing-like-this").await;
    assert_eq!(none.output, "[]\n");
    assert_eq!(run(&cli, "list nothing-like-this").await.errors, "weather has no tools like this\n");
}

#[tokio::test]
async fn the_schemas_of_one_tool_are_printed() {
    let schemas: Value = serde_json::from_str(&run(&weather(), "list --schema greet").await.answer()).expect("JSON");
    assert_eq!(schemas["inputSchema"]["required"], json!(["name"]));
    assert_eq!(schemas["outputSchema"]["type"], "string");
    let unknown = run(&weather(), "list --schema gret").await.error(USAGE);
    assert!(unknown.starts_with("error: unknown tool `gret`"), "{unknown}");
}

#[tokio::test]
async fn list_selects_by_tag_and_hides_what_cannot_be_called() {
    struct Trader;
    /// Place an order.
    #[mcp_tool(tags("trade"))]
    async fn place_order() {}
    /// Cancel an order.
    #[mcp_tool(tags("trade", "beta"))]
    async fn cancel_order() {}
    /// Read the news.
    #[mcp_tool]
    async fn news() {}
    let dispatcher = Dispatcher::builder()
        .tools(tools![place_order, cancel_order, news])
        .visible(|tool, extensions| !tool.tags().contains("trade") || extensions.get::<Trader>().is_some())
        .info("weather", "1.0.0")
        .build()
        .expect("valid tools");
    let names = |table: String| table.lines().map(|line| line.split(' ').next().map(str::to_owned)).collect::<Vec<_>>();
    let trader = Cli::new(dispatcher.clone()).with_extension(Trader);
    let listed = names(run(&trader, "list --tag trade").await.answer());
    assert_eq!(listed, [Some("place_order".to_owned()), Some("cancel_order".to_owned())]);
    assert_eq!(names(run(&trader, "list --tag beta").await.answer()).len(), 1);
    assert_eq!(run(&trader, "call news").await.answer(), "null\n");

    let guest = Cli::new(dispatcher);
    assert_eq!(names(run(&guest, "list").await.answer()), [Some("news".to_owned())]);
    assert!(!run(&guest, "call --help").await.answer().contains("order"), "a hidden tool");
    let errors = run(&guest, "call place_order").await.error(USAGE);
    assert!(errors.starts_with("error: unknown tool `place_order`"), "{errors}");
}

#[tokio::test]
async fn describe_shows_what_can_be_called_and_nothing_else() {
    struct Trader;
    /// Place an order.
    #[mcp_tool(tags("trade"))]
    async fn place_order() {}
    /// Read the news.
    #[mcp_tool]
    async fn news() {}
    let dispatcher = Dispatcher::builder()
        .tools(tools![place_order, news])
        .visible(|tool, extensions| !tool.tags().contains("trade") || extensions.get::<Trader>().is_some())
        .build()
        .expect("valid tools");
    let trader = Cli::new(dispatcher.clone()).with_extension(Trader);
    let guest = Cli::new(dispatcher);
    assert!(run(&trader, "describe").await.answer().contains("place_order"));
    assert!(!run(&guest, "describe").await.answer().contains("place_order"));
    assert_eq!(run(&guest, "describe news").await.answer(), run(&guest, "describe").await.answer());
    let page = run(&trader, "describe place_order").await.answer();
    assert!(page.contains("## `place_order`") && !page.contains("## `news`"), "{page}");
    let hidden = run(&guest, "describe place_order").await.error(USAGE);
    assert_eq!(hidden, run(&guest, "describe place_ordes").await.error(USAGE).replace("ordes", "order"));
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = run(&guest, &format!("completions {shell}")).await.answer();
        assert!(!script.contains("place_order"), "{shell}");
    }
}

#[tokio::test]
async fn describe_writes_markdown() {
    let page = run(&weather(), "describe").await.answer();
    assert!(page.starts_with("# Tools\n\n## `get_weather`\n"), "{page}");
}

#[tokio::test]
async fn help_shows_description_default_choices_and_constraints() {
    let help = run(&weather(), "call get_weather --help").await.answer();
    assert_eq!(
        help,
        "\
Get the current weather for a place.

The answer repeats the arguments.

Usage: weather call get_weather [OPTIONS] --location <TEXT>

Options:
  -h, --help         Print help
      --json <JSON>  All arguments as one JSON object; `@FILE` reads a file, and `-` the input

Parameters:
      --location <TEXT>       City name or zip code. [required; string of 1 character or more]
      --units <TEXT>          Unit of the temperature. [default: celsius] [possible values: celsius,
                              fahrenheit]
      --days-ahead <INTEGER>  Days to look ahead. [integer from 0 to 14]

`call --help` lists the other options, such as `--output` and `--timeout`.
"
    );
}

#[tokio::test]
async fn lint_reports_like_a_compiler_and_fails_from_a_severity_on() {
    /// Read a file.
    #[mcp_tool(name = "files.read")]
    async fn read(limit: i64) -> String {
        limit.to_string()
    }
    let cli = cli(tools![read]);
    let found = run(&cli, "lint --for claude-code --for claude-api").await;
    assert_eq!(found.code, FAILURE.into(), "{found:?}");
    assert!(
        found.output.contains("all-refused[tool-name]: the name contains `.`\n  --> files.read/name\n"),
        "{}",
        found.output
    );
    assert!(found.output.contains("  = help: "), "{}", found.output);
    // Two clients with the same limit have one message.
    let all = run(&cli, "lint").await.output;
    let of_the_range = all.split("\n\n").find(|text| text.starts_with("advice[integer-range]")).expect("a message");
    for client in ["MCP before 2026-07-28", "Claude Code"] {
        assert!(of_the_range.contains(&format!("\n  = {client} may misread it: https://")), "{of_the_range}");
    }
    let advice = run(&cli, "lint --for claude-code").await;
    assert!(advice.output.contains("advice["), "{}", advice.output);
    assert_eq!(run(&cli, "lint --for claude-code --fail-on refused").await.answer(), advice.output);
    assert!(advice.errors.ends_with(" in 1 tool for 1 client\n"), "{}", advice.errors);
}

#[tokio::test]
async fn lint_reports_each_rule_once() {
    /// Add.
    #[mcp_tool]
    async fn add(a: i64, b: i64) -> i64 {
        a + b
    }
    /// Subtract.
    #[mcp_tool]
    async fn subtract(a: i64, c: i64) -> i64 {
        a - c
    }
    let found = run(&cli(tools![add, subtract]), "lint --for claude-code").await;
    let output = found.output.clone();
    assert_eq!(output.matches("advice[integer-range]").count(), 1, "{output}");
    // One for arguments, and one for results.
    assert_eq!(output.matches("  = help: ").count(), 2, "{output}");
    for line in [
        "advice[integer-range]: in 4 places\n",
        "  --> add/inputSchema: values beyond ±2^53 are rounded at `/properties/a`, `/properties/b`\n",
        "  --> subtract/inputSchema: values beyond ±2^53 are rounded at `/properties/a`, `/properties/c`\n",
        "  --> add/outputSchema: values beyond ±2^53 are rounded\n",
        "  --> subtract/outputSchema: values beyond ±2^53 are rounded\n",
    ] {
        assert!(output.contains(line), "{line}: {output}");
    }
    assert!(found.errors.starts_with("4 findings in 2 tools"), "{}", found.errors);
    // Older clients receive the sum inside an object. It is the same integer.
    let all = run(&cli(tools![add]), "lint --for claude-code --for mcp-legacy").await;
    assert_eq!(all.output.matches("advice[integer-range]").count(), 1, "{}", all.output);
    assert!(all.errors.starts_with("2 findings in 1 tool"), "{}", all.errors);
}

#[tokio::test]
async fn lint_does_not_fail_because_a_tool_asks_its_user() {
    /// Erase a note.
    #[mcp_tool]
    async fn erase(id: u32, #[mcp_tool(ask = "Erase note {id}?")] _sure: Consent) -> u32 {
        id
    }
    let found = run(&cli(tools![erase]), "lint").await;
    let answer = found.answer();
    assert!(answer.contains("advice[cannot-ask]: a model interface has no forms"), "{answer}");
    assert!(answer.contains("\n  = Gemini may be unable to call the tool\n"), "{answer}");
    assert!(answer.contains("\n  = this server may be affected\n"), "{answer}");
}

#[tokio::test]
async fn contract_writes_and_checks_the_lock_file() {
    mod later {
        /// Greet somebody.
        #[mcp_tool_runtime::mcp_tool]
        pub(super) async fn greet(name: String, title: String) -> String {
            title + &name
        }
    }
    let file = std::env::temp_dir().join(format!("mcp-tool-cli-{}.lock.json", std::process::id()));
    let file = file.to_str().expect("UTF-8");
    let cli = weather();
    let missing = run_words(&cli, ["contract", file], Io::captured("")).await.error(FAILURE);
    assert!(missing.contains("does not exist") && missing.contains("weather contract --write"), "{missing}");
    assert_eq!(run_words(&cli, ["contract", "--write", file], Io::captured("")).await.answer(), "");
    let kept = run_words(&cli, ["contract", file], Io::captured("")).await;
    assert_eq!(kept.errors, format!("the tools keep the contract `{file}`\n"));
    assert_eq!(kept.answer(), "");

    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(file, fs::Permissions::from_mode(0o600)).expect("a file");
        run_words(&cli, ["contract", "--write", file], Io::captured("")).await.answer();
        let mode = fs::metadata(file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "the file keeps its mode");
    }

    let later = super::cli(tools![later::greet]);
    let broken = run_words(&later, ["contract", file], Io::captured("")).await;
    assert_eq!(broken.code, FAILURE.into(), "{broken:?}");
    assert!(broken.output.contains("tool `greet`, argument `title`: "), "{}", broken.output);
    assert!(broken.output.contains("tool `find`"), "{}", broken.output);
    fs::remove_file(file).expect("a file");
}

#[tokio::test]
async fn install_prints_an_entry_that_starts_this_program() {
    let program = std::env::current_exe().expect("a path").display().to_string();
    let cli = weather();
    for (client, key) in [
        ("claude-code", "mcpServers"),
        ("claude-desktop", "mcpServers"),
        ("vscode", "servers"),
        ("cursor", "mcpServers"),
        ("gemini-cli", "mcpServers"),
    ] {
        let ran = run(&cli, &format!("install {client} --env KEY=a=b --name my-weather -- serve --x")).await;
        assert!(ran.errors.starts_with("Put it into "), "{}", ran.errors);
        let entry: Value = serde_json::from_str(&ran.answer()).expect("JSON");
        let entry = &entry[key]["my-weather"];
        assert_eq!((&entry["command"], &entry["args"]), (&json!(program), &json!(["serve", "--x"])), "{client}");
        assert_eq!(entry["env"], json!({"KEY": "a=b"}), "{client}");
    }
    let toml = run(&cli, "install codex --env KEY=v").await.answer();
    assert_eq!(toml, format!("[mcp_servers.weather]\ncommand = \"{program}\"\nargs = []\nenv = {{ KEY = \"v\" }}\n"));
    for words in ["install codex --env hunter2", "install codex --env =hunter2"] {
        let bad = run(&cli, words).await.error(USAGE);
        assert_eq!(bad, "error: `--env`: expected NAME=VALUE\n", "the text may be a secret");
    }
}

#[tokio::test]
async fn install_gives_the_server_a_name_that_the_client_accepts() {
    let name = async |server: &str, client: &str| {
        let cli = Cli::new(Dispatcher::builder().info(server, "1.0.0").build().expect("no tools"));
        let entry: Value = serde_json::from_str(&run(&cli, &format!("install {client}")).await.answer()).expect("JSON");
        entry["mcpServers"].as_object().and_then(|servers| servers.keys().next().cloned())
    };
    for (server, client, expected) in [
        ("My Weather (beta)", "cursor", "My-Weather-beta"),
        ("wéther_2", "claude-code", "w-ther-2"),
        ("my_weather", "gemini-cli", "my-weather"),
        ("天気", "cursor", "server"),
    ] {
        assert_eq!(name(server, client).await.as_deref(), Some(expected), "{server} for {client}");
    }
    let cli = Cli::new(Dispatcher::builder().info("天 気", "1.0.0").build().expect("no tools"));
    assert!(run(&cli, "install codex").await.answer().starts_with("[mcp_servers.server]\n"));

    for bad in ["my weather", "", "my_weather"] {
        let refused = run_words(&cli, ["install", "codex", "--name", bad], Io::captured("")).await.error(USAGE);
        assert_eq!(refused, "error: `--name`: expected a name of letters, digits and `-`\n");
    }
}

#[tokio::test]
async fn install_says_what_a_client_replaces_in_the_entry() {
    let cli = weather();
    for (words, is_replaced) in [
        ("install gemini-cli --env KEY=a$b", true),
        ("install claude-code --env KEY=a$b", false),
        ("install claude-code --env KEY=${b}", true),
        ("install codex --env KEY=${b}", false),
    ] {
        let ran = run(&cli, words).await;
        assert_eq!(ran.errors.contains("with a variable"), is_replaced, "{words}: {}", ran.errors);
        assert!(ran.output.contains('$'), "{}", ran.output);
    }
}

#[tokio::test]
async fn completion_scripts_know_tools_flags_and_values() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = run(&weather(), &format!("completions {shell}")).await.answer();
        // `clap_complete` writes no values for PowerShell.
        let value = (shell != "powershell").then_some("fahrenheit");
        for word in ["get_weather", "days-ahead", "completions"].into_iter().chain(value) {
            assert!(script.contains(word), "{word} is not in the script for {shell}");
        }
    }
}

/// The scripts were tried in real shells. `.ci/terminal.py` does so again.
#[tokio::test]
async fn completion_scripts_know_values_of_commands_and_what_is_below_a_parent() {
    /// Order.
    #[mcp_tool(tags("trade"))]
    async fn order(size: u8) -> u8 {
        size
    }
    let tools = || cli(tools![order]);
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&tools(), &format!("completions {shell}")).await.answer();
        for value in ["trade", "claude-desktop", "bedrock", "where-lossless", "all-refused", "powershell"] {
            assert!(script.contains(value), "{value} is not in the script for {shell}");
        }
        // zsh would offer every program in the `PATH` as a word after the name of a tool.
        assert!(!script.contains("words:"), "{script}");
    }
    let embedded = tools().with_program(["app", "tools"]);
    let script = run(&embedded, "completions fish").await.answer();
    for line in [
        "complete -c 'app' -n '__app_at \\'tools\\'' -f -a 'call' -d 'Call a tool'\n",
        "complete -c 'app' -n '__app_at \\'tools call order\\'' -l 'size' -r -F -d ",
        "complete -c 'app' -n '__app_at \\'tools describe\\'' -f -a 'order'\n",
        "complete -c 'app' -n '__app_at \\'tools list\\'' -l 'tag' -r -f -a 'trade' -d ",
    ] {
        assert!(script.contains(line), "{line} is not in\n{script}");
    }
}

#[tokio::test]
async fn serve_speaks_the_protocol_with_the_attached_values() {
    struct User(&'static str);
    /// Say who is asking.
    #[mcp_tool]
    async fn who(#[mcp_tool(extension)] user: &User) -> String {
        user.0.to_owned()
    }
    let dispatcher = Dispatcher::builder().tools(tools![who]).info("weather", "1.2.3").build().expect("valid tools");
    let cli = Cli::new(dispatcher).with_extension(User("ann"));
    let messages = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\
        \"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n\
        {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"who\"}}\n";
    for words in ["", "serve"] {
        let output = run_on(&cli, words, Io::captured(messages)).await.answer();
        let lines: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines[0]["result"]["serverInfo"]["name"], "weather");
        assert_eq!(lines[1]["result"]["content"][0]["text"], "ann");
    }
    assert_eq!(run(&cli, "call --output text who").await.answer(), "ann\n");
}

#[tokio::test]
async fn export_prints_the_definitions_for_each_vendor() {
    let cli = weather();
    for vendor in ["openai-responses", "openai-chat", "anthropic", "gemini", "bedrock"] {
        let ran = run(&cli, &format!("export {vendor}")).await;
        let tools: Value = serde_json::from_str(&ran.output).expect("JSON");
        assert!(tools.is_array() && tools.to_string().contains("get_weather"), "{vendor}: {tools}");
        assert_eq!(ran.code, 0.into(), "{vendor}");
    }
    let strict = run(&cli, "export anthropic --strict where-lossless").await.output;
    assert!(strict.contains("\"strict\": true"), "{strict}");
    assert!(!run(&cli, "export openai-chat --strict off").await.output.contains("\"strict\": true"));
}

#[tokio::test]
async fn openapi_prints_the_document_of_the_tools() {
    let ran = run(&weather(), "openapi").await;
    let document: Value = serde_json::from_str(&ran.output).expect("JSON");
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")), "{document}");
    assert_eq!(document["paths"]["/get_weather"]["post"]["operationId"], "get_weather");
    assert_eq!(ran.code, 0.into());
}

#[tokio::test]
async fn a_missing_attached_value_is_explained() {
    /// Say who is asking.
    #[mcp_tool]
    async fn who(#[mcp_tool(extension)] user: &String) -> String {
        user.clone()
    }
    let errors = run(&cli(tools![who]), "call who").await.error(FAILURE);
    assert!(
        errors.contains("help: the program attaches a `alloc::string::String` with `Cli::with_extension`"),
        "{errors}"
    );
}

#[tokio::test]
async fn the_version_and_the_commands_are_in_the_help() {
    let cli = weather();
    assert_eq!(run(&cli, "--version").await.answer(), "weather 1.2.3\n");
    let help = run(&cli, "--help").await.answer();
    for command in
        ["serve", "list", "call", "describe", "lint", "contract", "install", "uninstall", "package", "completions"]
    {
        assert!(help.contains(&format!("\n  {command} ")), "{command}\n{help}");
    }
}

#[tokio::test]
async fn the_words_of_the_user_are_in_usage_lines_entries_and_completions() {
    let program = std::env::current_exe().expect("a path").display().to_string();
    let cli = weather().with_program(["app", "tools"]);
    let help = run(&cli, "call greet --help").await.answer();
    assert!(help.contains("Usage: app tools call greet "), "{help}");
    let bad = run(&cli, "call greet").await.error(USAGE);
    assert!(bad.ends_with("  help: app tools call greet --help\n"), "{bad}");

    // The client starts the part of the program that serves, under the name of the server.
    let entry: Value = serde_json::from_str(&run(&cli, "install cursor -- serve").await.answer()).expect("JSON");
    let entry = &entry["mcpServers"]["weather"];
    assert_eq!((&entry["command"], &entry["args"]), (&json!(program), &json!(["tools", "serve"])));

    let script = run(&cli, "completions bash").await.answer();
    assert!(script.ends_with(" app\nfi\n"), "{script}");
    let zsh = run(&cli, "completions zsh").await.answer();
    assert!(zsh.starts_with("#compdef app\n") && zsh.contains("app__subcmd__tools__subcmd__call"), "{zsh}");
    assert!(!script.contains("weather__subcmd__") && !zsh.contains("compdef _weather"), "the name of the server");
}

/// Completes the last of these words with the script for bash, in the words that bash makes of a line.
#[cfg(unix)]
async fn completed(cli: &Cli, words: &[&str]) -> String {
    let script = run(cli, "completions bash").await.answer();
    let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    let quoted = quoted.join(" ");
    // bash passes an empty text for a word that is `=`.
    let current = words.last().filter(|word| **word != "=").copied().unwrap_or_default();
    let previous = words[words.len() - 2];
    let end = words.len() - 1;
    let program = words[0];
    let script = format!(
        "{script}\nCOMP_WORDS=({quoted})\nCOMP_CWORD={end}\n_{program} '{program}' '{current}' '{previous}'\necho \"${{COMPREPLY[@]}}\"\n"
    );
    let done = std::process::Command::new("bash").args(["--norc", "-c", &script]).output().expect("bash");
    assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
    String::from_utf8(done.stdout).expect("UTF-8").trim().to_owned()
}

#[cfg(unix)]
#[tokio::test]
async fn bash_completes_names_first_and_values_after_a_blank_or_an_equals_sign() {
    let cli = weather();
    let call = ["weather", "call", "get_weather", "--units"];
    for (rest, expected) in [
        (&["fah"][..], "fahrenheit"),
        (&["=", "fah"], "fahrenheit"),
        (&["="], "celsius fahrenheit"),
        (&["celsius", "--loc"], "--location"),
        (&["=", "celsius", "--loc"], "--location"),
    ] {
        assert_eq!(completed(&cli, &[&call, rest].concat()).await, expected, "{rest:?}");
    }
    assert_eq!(completed(&cli, &["weather", "call", "get_w"]).await, "get_weather");
    // Commands, tools and parameters come first. Options follow after a `-`.
    for (words, offered, hidden) in [
        (&["weather", ""][..], "call", "--help"),
        (&["weather", "call", ""], "greet", "--output"),
        (&["weather", "call", "-"], "--output", "greet"),
        (&["weather", "call", "greet", ""], "--name", "greet"),
    ] {
        let all = completed(&cli, words).await;
        let has = |word: &str| all.split_whitespace().any(|other| other == word);
        assert!(has(offered) && !has(hidden), "{words:?}: {all}");
    }
    let nested = weather().with_program(["app", "tools"]);
    assert_eq!(completed(&nested, &["app", "too"]).await, "tools");
    assert_eq!(completed(&nested, &["app", "tools", "call", "get_w"]).await, "get_weather");
    assert_eq!(completed(&nested, &["app", "tools", "call", "get_weather", "--units", "fah"]).await, "fahrenheit");
}

#[test]
fn the_command_is_valid_and_can_be_a_part_of_another_one() {
    let command = clap::Command::new("app").subcommand(weather().command().name("tools"));
    command.clone().debug_assert();
    let matches = command.get_matches_from(["app", "tools", "call", "greet", "--name", "Ann"]);
    let (_, tools) = matches.subcommand().expect("a command");
    assert_eq!(tools.subcommand_name(), Some("call"));
}
