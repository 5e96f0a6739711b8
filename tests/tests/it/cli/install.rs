//! `install`, `uninstall` and `package`, with a home folder of their own.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_tool_runtime::cli::{Cli, Io, Variable};
use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
use serde_json::{Value, json};

use super::{FAILURE, Ran, USAGE, run_on};

/// Get the weather.
///
/// More about it.
#[mcp_tool(read_only_hint)]
async fn get_weather(location: String) -> String {
    location
}

pub(super) fn cli() -> Cli {
    let dispatcher = Dispatcher::builder().tools(tools![get_weather]).info("my weather", "1.2.3").title("Weather");
    Cli::new(dispatcher.build().expect("valid tools"))
}

pub(super) fn with_variables() -> Cli {
    cli().with_program(["weather", "tools"]).variables([
        Variable::secret("WEATHER_TOKEN").described("A key from weather.example/keys"),
        Variable::new("WEATHER_PLACE"),
        Variable::new("WEATHER_UNITS").optional(),
    ])
}

/// A folder for one test, removed at its end.
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    pub(super) fn new() -> Self {
        static FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("mcp-tool-cli-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    pub(super) fn io(&self, input: &str) -> Io {
        let home = self.0.to_string_lossy().into_owned();
        Io::captured(input).with_variables(["HOME", "USERPROFILE"].map(|name| (name, home.clone())))
    }

    pub(super) async fn run(&self, cli: &Cli, words: &str) -> Ran {
        run_on(cli, words, self.io("")).await
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    pub(super) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(super) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).expect("JSON")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn install_writes_the_entry_once_says_so_and_uninstall_takes_it_out() {
    let folder = Folder::new();
    let before = "{\n  // Mine.\n  \"mcpServers\": {\n    \"other\": {}\n  }\n}\n";
    folder.write(".cursor/mcp.json", before);
    let ran = folder.run(&cli(), "install cursor codex --write --env KEY=v -- serve").await;
    assert_eq!((ran.code, ran.output.as_str()), (ExitCode::SUCCESS, ""), "{}", ran.errors);
    assert!(
        ran.errors.contains("Cursor: `my-weather` is now in ") && ran.errors.contains("mcp.json.before-my-weather")
    );
    assert!(ran.errors.contains("Codex: `my-weather` is now in "), "{}", ran.errors);
    assert_eq!(folder.read(".cursor/mcp.json.before-my-weather"), before);
    let text = folder.read(".cursor/mcp.json");
    assert!(
        text.starts_with("{\n  // Mine.\n  \"mcpServers\": {\n    \"other\": {},\n    \"my-weather\": {\n"),
        "{text}"
    );
    assert!(folder.read(".codex/config.toml").starts_with("[mcp_servers.my-weather]\n"));

    let ran = folder.run(&cli(), "install cursor --write --env KEY=v -- serve").await;
    assert!(ran.errors.contains("is already in"), "{}", ran.errors);
    assert_eq!(folder.read(".cursor/mcp.json"), text);

    let ran = folder.run(&cli(), "uninstall --all").await;
    assert!(ran.errors.contains("Cursor: `my-weather` is no longer in "), "{}", ran.errors);
    assert_eq!(folder.read(".cursor/mcp.json"), before);
    assert!(!folder.0.join(".cursor/mcp.json.before-my-weather").exists());
    assert_eq!(folder.read(".codex/config.toml"), "");
    let ran = folder.run(&cli(), "uninstall cursor").await;
    assert!(ran.errors.contains("Cursor: `my-weather` is not in "), "{}", ran.errors);
}

#[tokio::test]
async fn a_file_that_cannot_be_changed_stays_and_the_other_clients_are_served() {
    let folder = Folder::new();
    folder.write(".cursor/mcp.json", "{ not JSON");
    folder.write(".gemini/settings.json", "{}");
    let ran = folder.run(&cli(), "install --all --write").await;
    assert_eq!(ran.code, ExitCode::from(FAILURE));
    assert!(
        ran.errors.contains("error: Cursor: ") && ran.errors.contains("stays as it is: it is not JSON"),
        "{}",
        ran.errors
    );
    assert_eq!(folder.read(".cursor/mcp.json"), "{ not JSON");
    assert!(folder.json(".gemini/settings.json")["mcpServers"]["my-weather"]["command"].is_string());
    // Only clients that are here.
    assert!(!folder.0.join(".claude.json").exists() && !folder.0.join(".codex").exists());
    let nothing = Folder::new();
    let error = nothing.run(&cli(), "install --all").await.error(FAILURE);
    assert!(error.contains("none of the clients has a configuration"), "{error}");
}

#[tokio::test]
async fn install_with_a_url_writes_an_entry_for_a_server_over_http() {
    let folder = Folder::new();
    let ran = folder.run(&cli(), "install claude-code --write --url https://weather.example/mcp").await;
    assert_eq!(ran.code, ExitCode::SUCCESS, "{}", ran.errors);
    let expected = json!({"type": "http", "url": "https://weather.example/mcp"});
    assert_eq!(folder.json(".claude.json")["mcpServers"]["my-weather"], expected);
    for (words, code, expected) in [
        ("install claude-code --url weather.example", USAGE, "`--url`: expected a URL"),
        ("install claude-code --url https://x --env A=b", USAGE, "--env"),
        ("install claude-desktop --url https://x", FAILURE, "Claude Desktop: its file cannot have a server over HTTP"),
        ("install", USAGE, "CLIENT is missing"),
    ] {
        let error = folder.run(&cli(), words).await.error(code);
        assert!(error.contains(expected), "{error}");
    }
}

#[tokio::test]
async fn variables_are_in_the_help_and_serve_needs_the_required_ones() {
    let folder = Folder::new();
    let help = folder.run(&with_variables(), "--help").await.answer();
    for line in ["WEATHER_TOKEN: A key from weather.example/keys", "WEATHER_PLACE", "WEATHER_UNITS (optional)"] {
        assert!(help.contains(line), "{help}");
    }
    for words in ["", "serve"] {
        let error = folder.run(&with_variables(), words).await.error(USAGE);
        assert_eq!(
            error,
            "error: these environment variables need a value:\n  WEATHER_TOKEN: A key from weather.example/keys\n  WEATHER_PLACE\n"
        );
    }
    let io = Io::captured("").with_variables([("WEATHER_TOKEN", "k"), ("WEATHER_PLACE", "Paris")]);
    assert_eq!(run_on(&with_variables(), "serve", io).await.code, ExitCode::SUCCESS);
    let io = Io::captured("").with_variables([("WEATHER_TOKEN", "k"), ("WEATHER_PLACE", "")]);
    assert!(run_on(&with_variables(), "serve", io).await.error(USAGE).ends_with("value:\n  WEATHER_PLACE\n"));
}

#[tokio::test]
async fn install_takes_variables_from_options_or_asks_for_them() {
    let folder = Folder::new();
    let error = folder.run(&with_variables(), "install cursor --write --env WEATHER_PLACE=Paris").await.error(USAGE);
    assert!(
        error.contains("WEATHER_TOKEN: A key")
            && !error.contains("WEATHER_PLACE")
            && error.contains("--env NAME=VALUE"),
        "{error}"
    );
    assert!(!folder.0.join(".cursor").exists());
    let printed = folder.run(&with_variables(), "install cursor").await;
    assert!(printed.errors.contains("the server needs `--env WEATHER_TOKEN=…`"), "{}", printed.errors);

    let empty = "install cursor --write --env WEATHER_PLACE=Paris --env WEATHER_TOKEN=";
    let error = folder.run(&with_variables(), empty).await.error(USAGE);
    assert!(error.contains("WEATHER_TOKEN: A key"), "{error}");
    let io = folder.io("k-1\n").with_terminal(80);
    let ran = run_on(&with_variables(), "install cursor --write --env WEATHER_PLACE=Paris", io).await;
    assert_eq!(ran.code, ExitCode::SUCCESS, "{}", ran.errors);
    let entry = &folder.json(".cursor/mcp.json")["mcpServers"]["my-weather"];
    assert_eq!(entry["env"], json!({"WEATHER_PLACE": "Paris", "WEATHER_TOKEN": "k-1"}));
    assert_eq!(entry["args"], json!(["tools"]));
    // A second install keeps what the user has, and needs it only for other clients.
    let ran = folder.run(&with_variables(), "install cursor --write --env WEATHER_PLACE=Rome").await;
    assert_eq!(ran.code, ExitCode::SUCCESS, "{}", ran.errors);
    let entry = &folder.json(".cursor/mcp.json")["mcpServers"]["my-weather"];
    assert_eq!(entry["env"], json!({"WEATHER_PLACE": "Rome", "WEATHER_TOKEN": "k-1"}));
    let error = folder.run(&with_variables(), "install cursor codex --write").await.error(USAGE);
    assert!(error.contains("WEATHER_TOKEN: A key") && error.contains("WEATHER_PLACE"), "{error}");
}

/// Checks a document against a published schema.
#[track_caller]
fn check(schema: &str, document: &Value) {
    let schema = serde_json::from_str(schema).expect("a schema");
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).expect("a valid schema");
    let errors: Vec<_> = validator.iter_errors(document).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0], "{document:#}");
}

const SERVER_SCHEMA: &str = include_str!("server.schema.json");
const MANIFEST_SCHEMA: &str = include_str!("manifest.schema.json");

/// What `cargo run` says about the package.
const PACKAGE: [(&str, &str); 6] = [
    ("NAME", "weather"),
    ("VERSION", "1.2.3"),
    ("DESCRIPTION", "The weather of all places"),
    ("REPOSITORY", "https://github.com/ann/weather.git"),
    ("HOMEPAGE", "https://weather.example"),
    ("LICENSE", "MIT"),
];

/// Runs `package` as cargo does, in a folder with this README.
async fn package(cli: &Cli, fields: &[(&str, &str)], readme: &str, words: &str) -> Ran {
    let folder = Folder::new();
    folder.write("README.md", readme);
    let fields = fields.iter().map(|(name, value)| (format!("CARGO_PKG_{name}"), (*value).to_owned()));
    let place = [("CARGO_PKG_README", "README.md"), ("CARGO_MANIFEST_DIR", &folder.0.to_string_lossy())];
    let place = place.map(|(name, value)| (name.to_owned(), value.to_owned()));
    run_on(cli, &format!("package {words}"), Io::captured("").with_variables(fields.chain(place))).await
}

#[tokio::test]
async fn package_writes_the_entry_of_the_registry() {
    let hidden = "# Weather\n\n<!-- mcp-name: io.github.ann/weather -->\n";
    let ran = package(&with_variables(), &PACKAGE, hidden, "server-json").await;
    assert!(ran.errors.contains("visible line `mcp-name: io.github.ann/weather`"), "{}", ran.errors);
    let expected = json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "io.github.ann/weather",
        "title": "Weather",
        "description": "The weather of all places",
        "repository": {"url": "https://github.com/ann/weather.git", "source": "github"},
        "websiteUrl": "https://weather.example",
        "version": "1.2.3",
        "packages": [{
            "registryType": "cargo",
            "identifier": "weather",
            "version": "1.2.3",
            "transport": {"type": "stdio"},
            "packageArguments": [{"type": "positional", "value": "tools"}],
            "environmentVariables": [
                {
                    "name": "WEATHER_TOKEN", "isRequired": true, "isSecret": true,
                    "description": "A key from weather.example/keys"
                },
                {"name": "WEATHER_PLACE", "isRequired": true, "isSecret": false},
                {"name": "WEATHER_UNITS", "isRequired": false, "isSecret": false}
            ]
        }]
    });
    assert_eq!(serde_json::from_str::<Value>(&ran.answer()).expect("JSON"), expected);
    check(SERVER_SCHEMA, &expected);

    let visible = "# Weather\n\nmcp-name: io.github.ann/weather\n";
    let ran = package(&cli(), &PACKAGE, visible, "server-json").await;
    assert_eq!(ran.errors, "");
    let (url, hash) = ("https://github.com/ann/weather/releases/download/v1.2.3/weather.mcpb", "0a".repeat(32));
    let words = format!("server-json --name com.example/w --mcpb {url} --sha256 {}", hash.to_uppercase());
    let ran = package(&cli(), &PACKAGE, "", &words).await;
    let document: Value = serde_json::from_str(&ran.answer()).expect("JSON");
    assert_eq!(document["name"], "com.example/w");
    let package = json!({
        "registryType": "mcpb", "identifier": url, "version": "1.2.3", "fileSha256": hash,
        "transport": {"type": "stdio"}
    });
    assert_eq!(document["packages"], json!([package]));
    check(SERVER_SCHEMA, &document);
}

#[tokio::test]
async fn package_writes_the_manifest_of_a_bundle() {
    let ran = package(&with_variables(), &PACKAGE, "", "mcpb").await;
    let document: Value = serde_json::from_str(&ran.answer()).expect("JSON");
    let expected = json!({
        "manifest_version": "0.3",
        "name": "weather",
        "display_name": "Weather",
        "version": "1.2.3",
        "description": "The weather of all places",
        "author": {"name": "ann"},
        "repository": {"type": "git", "url": "https://github.com/ann/weather.git"},
        "homepage": "https://weather.example",
        "license": "MIT",
        "server": {
            "type": "binary",
            "entry_point": "server/weather",
            "mcp_config": {
                "command": "${__dirname}/server/weather",
                "args": ["tools"],
                "env": {
                    "WEATHER_TOKEN": "${user_config.weather_token}",
                    "WEATHER_PLACE": "${user_config.weather_place}",
                    "WEATHER_UNITS": "${user_config.weather_units}"
                },
                "platform_overrides": {"win32": {"command": "${__dirname}/server/weather.exe"}}
            }
        },
        "tools": [{"name": "get_weather", "description": "Get the weather."}],
        "user_config": {
            "weather_token": {
                "type": "string", "title": "WEATHER_TOKEN", "description": "A key from weather.example/keys",
                "required": true, "sensitive": true
            },
            "weather_place": {
                "type": "string", "title": "WEATHER_PLACE", "description": "WEATHER_PLACE",
                "required": true, "sensitive": false
            },
            "weather_units": {
                "type": "string", "title": "WEATHER_UNITS", "description": "WEATHER_UNITS",
                "required": false, "sensitive": false, "default": ""
            }
        }
    });
    assert_eq!(document, expected);
    check(MANIFEST_SCHEMA, &document);
}

#[tokio::test]
async fn package_says_what_the_manifest_of_cargo_lacks() {
    let long = "x".repeat(115);
    let bare: &[_] = &[("NAME", "w"), ("VERSION", "1.0.0")];
    let described: &[_] = &[("NAME", "w"), ("VERSION", "1.0.0"), ("DESCRIPTION", &long)];
    for (fields, words, expected) in [
        (&[][..], "server-json", "run this with `cargo run -- package …`"),
        (&[], "mcpb", "run this with `cargo run -- package …`"),
        (bare, "server-json", "`repository` in Cargo.toml is not on GitHub or GitLab"),
        (bare, "server-json --name x", "`--name`: expected a namespace, a slash and a name"),
        (bare, "server-json --name a/b", "write `description` into `[package]`"),
        (&PACKAGE, "server-json --mcpb http://x.y --sha256 00", "`--mcpb`: expected a URL that begins with `https://`"),
        (&PACKAGE, "server-json --mcpb https://x.y --sha256 0g", "`--sha256`: expected 64 hexadecimal digits"),
        (bare, "mcpb", "write `authors` or a `repository`"),
        (described, "server-json --name a/b", "has 115 characters, and the registry takes 100"),
        (bare, "server-json --name a//b", "`--name`: expected a namespace, a slash and a name"),
    ] {
        let error = package(&cli(), fields, "", words).await.error(FAILURE);
        assert!(error.contains(expected), "{error}");
    }
    let ran = package(
        &cli(),
        &[bare, &[("AUTHORS", "Ann Lee <ann@weather.example>:Bo"), ("DESCRIPTION", "W")]].concat(),
        "",
        "mcpb",
    )
    .await;
    let document: Value = serde_json::from_str(&ran.answer()).expect("JSON");
    assert_eq!(document["author"], json!({"name": "Ann Lee"}));
    check(MANIFEST_SCHEMA, &document);
}
