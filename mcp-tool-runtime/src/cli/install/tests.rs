//! Every client on every system, with files in every state: what is not ours stays, and our entry is there once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value, json};

use super::edit::{Change, edit};
use super::file::{Written, remove_copy};
use super::{CLIENTS, Client};

const SYSTEMS: [&str; 3] = ["linux", "macos", "windows"];

/// A home folder for one test, removed at its end.
struct Home(PathBuf);

impl Home {
    fn new() -> Self {
        static HOMES: AtomicUsize = AtomicUsize::new(0);
        let number = HOMES.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("mcp-tool-install-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn file(&self, client: &Client, system: &str) -> PathBuf {
        let home = self.0.to_string_lossy().into_owned();
        let of_home = |name: &str| ["HOME", "USERPROFILE"].contains(&name).then(|| home.clone());
        client.file(system, of_home).expect("a file").0
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn extension(client: &Client) -> &str {
    client.files["linux"].rsplit('.').next().expect("an extension")
}

/// Entries for other servers, with comments where the format allows them. `OURS` is where an old entry of ours may be.
fn others(client: &Client) -> String {
    let key = &client.key;
    match extension(client) {
        "json" => format!(
            "// The user's own.\n{{\n\t\"theme\": \"dark\", /* \u{e4} */\n\t\"{key}\": {{\n\t\t// Do not touch.\n\t\t\"other\": \
             {{\"command\": \"x\", \"args\": [ \"1\" ]}}, // x\nOURS\t\t\"last\": {{ }}\n\t}},\n\t\"list\": [1,\n2]\n}}\n"
        ),
        "toml" => format!(
            "# The user's own.\nmodel = 'x' # y\n\n[{key}.other]\n# Do not touch.\ncommand = \"x\"\n\nOURS[{key}.last]\n\n\
             [projects.\"/a\"]\ntrust_level = \"trusted\"\n"
        ),
        _ => format!(
            "# The user's own.\nMODEL: x # y\n{key}:\n  # Do not touch.\n  other:\n    args:\n    - '1'\nOURS  last:\n    \
             enabled: true\n\nZ: [1, 2]\n"
        ),
    }
}

/// Returns an old entry, as the user may have changed it.
fn ours(client: &Client, name: &str, entry: &Map<String, Value>) -> String {
    let mut old = entry.clone();
    let env = client.stdio.iter().find(|(_, part)| **part == "{env}").expect("variables").0;
    old.insert(env.clone(), json!({"MINE": "1"}));
    old.insert("kept".to_owned(), json!("by me"));
    for command in ["command", "cmd"] {
        if let Some(command) = old.get_mut(command) {
            *command = "/old".into();
        }
    }
    let alone = client.edit("", name, &|_| Ok(Some(old.clone()))).expect("an entry").expect("a text");
    let alone = alone.replace("  \"kept\"", "  // Mine.\n\"kept\"").replace("kept =", "# Mine.\nkept =");
    let alone = alone.replace("    kept:", "    # Mine.\n    kept:");
    match extension(client) {
        "json" => {
            let body = alone.lines().skip(2).collect::<Vec<_>>();
            format!("{},\n", body[..body.len() - 2].join("\n"))
        }
        "toml" => alone + "\n",
        _ => alone.split_once('\n').expect("a key").1.to_owned(),
    }
}

fn server(url: Option<&str>) -> Value {
    match url {
        Some(url) => json!({"{url}": url}),
        None => json!({
            "{command}": "/bin/weather",
            "{args}": ["--read-only", "a b"],
            "{command and args}": ["/bin/weather", "--read-only", "a b"],
            "{env}": {"KEY": "a \"b\" \u{e4}"},
        }),
    }
}

fn entry(client: &Client, name: &str) -> Map<String, Value> {
    client.entry(name, &server(None), &Map::new()).expect("an entry")
}

fn stored(client: &Client, text: &str, name: &str) -> Option<Map<String, Value>> {
    let found = std::cell::RefCell::new(None);
    let look: Change<'_> = &|old| {
        let old = Some(old.clone()).filter(|old| !old.is_empty());
        found.replace(old.clone());
        Ok(old)
    };
    assert_eq!(client.edit(text, name, look), Ok(None), "{text}");
    found.into_inner()
}

/// Returns `true` if all bytes of `part` are in `whole`, in this order.
fn is_kept(part: &str, whole: &str) -> bool {
    let mut bytes = whole.bytes();
    part.bytes().all(|byte| bytes.any(|other| other == byte))
}

#[test]
fn every_state_of_every_file_keeps_what_is_not_ours() {
    for client in CLIENTS.iter() {
        for system in SYSTEMS {
            let home = Home::new();
            let file = home.file(client, system);
            let name = "weather";
            let what = format!("{} on {system}", client.name);
            let entry = entry(client, name);
            let change: Change<'_> = &|old| client.entry(name, &server(None), old).map(Some);
            let install = || client.change_file(&file, name, change);
            let uninstall = || {
                let changed = client.change_file(&file, name, &|_| Ok(None));
                assert_eq!(remove_copy(&file, ".before-weather"), None, "{what}");
                changed
            };
            let read = || std::fs::read_to_string(&file).expect("a file");
            // Without a file, and then with the file that was just written.
            assert_eq!(uninstall(), Ok(None), "{what}");
            assert!(!file.exists(), "{what}");
            assert_eq!(install(), Ok(Some(Written { copy: None })), "{what}");
            assert_eq!(stored(client, &read(), name), Some(entry.clone()), "{what}");
            let first = read();
            assert_eq!((install(), read()), (Ok(None), first), "{what}");
            // With an empty file, and with a file that has other entries.
            for before in [String::new(), others(client).replace("OURS", "")] {
                std::fs::write(&file, &before).expect("a file");
                let Some(Written { copy: Some(copy) }) = install().expect("a change") else {
                    panic!("{what}: no copy")
                };
                assert_eq!(std::fs::read_to_string(copy).expect("a copy"), before, "{what}");
                assert!(is_kept(&before, &read()), "{what}: {}", read());
                assert_eq!(stored(client, &read(), name), Some(entry.clone()), "{what}");
                uninstall().expect("a change");
                assert_eq!(stored(client, &read(), name), None, "{what}");
                assert!(before.is_empty() || read() == before, "{what}: {}", read());
            }
            // With an older entry of ours.
            let before = others(client).replace("OURS", &ours(client, name, &entry));
            std::fs::write(&file, &before).expect("a file");
            assert!(matches!(install(), Ok(Some(Written { copy: Some(_) }))), "{what}");
            let now = stored(client, &read(), name).expect("an entry");
            let now = json!(now).to_string();
            assert!(now.contains("MINE") && now.contains("by me") && !now.contains("/old"), "{what}: {now}");
            assert!(read().contains(" Mine.\n"), "{what}: {}", read());
            assert!(is_kept(&others(client).replace("OURS", ""), &read()), "{what}: {}", read());
            assert_eq!(install(), Ok(None), "{what}");
            // With a file that cannot be parsed.
            for broken in ["{\"a\": ", "\t- [", "= = =\n\"", "{\"mcpServers\": {}} x"] {
                std::fs::write(&file, broken).expect("a file");
                let error = install().expect_err("an error");
                assert!(error.contains("stays as it is"), "{what}: {error}");
                assert_eq!(read(), broken, "{what}");
            }
            std::fs::write(&file, [0xff, 0xfe]).expect("a file");
            assert!(install().expect_err("an error").contains("UTF-8"), "{what}");
            // Besides the file itself, only the backup copy is left.
            let left = std::fs::read_dir(file.parent().expect("a folder")).expect("a folder");
            assert_eq!(
                left.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().is_file())).count(),
                2,
                "{what}"
            );
        }
    }
}

#[test]
fn a_url_replaces_a_command_and_back() {
    for client in CLIENTS.iter().filter(|client| client.http.is_some()) {
        let url = server(Some("https://weather.example/mcp"));
        let remote = client.entry("weather", &url, &Map::new()).expect("an entry");
        let local = entry(client, "weather");
        assert_eq!(client.entry("weather", &url, &local).as_ref(), Ok(&remote), "{}", client.name);
        assert_eq!(client.entry("weather", &server(None), &remote).as_ref(), Ok(&local), "{}", client.name);
        assert!(json!(remote).to_string().contains("https://weather.example/mcp"), "{}", client.name);
    }
}

#[test]
fn a_default_that_the_user_has_changed_stays() {
    let goose = CLIENTS.iter().find(|client| client.name == "goose").expect("a client");
    let old = json!({"enabled": false, "type": "sse", "timeout": 5}).as_object().expect("an object").clone();
    let new = goose.entry("weather", &server(None), &old).expect("an entry");
    assert_eq!((&new["enabled"], &new["type"], &new["timeout"]), (&json!(false), &json!("stdio"), &json!(5)));
    assert_eq!((&new["name"], &new["description"]), (&json!("weather"), &json!("")));
}

#[test]
fn installs_at_the_same_time_lose_nothing() {
    for client in CLIENTS.iter() {
        let home = Home::new();
        let file = home.file(client, std::env::consts::OS);
        std::thread::scope(|scope| {
            for number in 0..8 {
                let file = &file;
                scope.spawn(move || {
                    let name = format!("weather-{number}");
                    let change: Change<'_> = &|old| client.entry(&name, &server(None), old).map(Some);
                    client.change_file(file, &name, change).expect("a change");
                });
            }
        });
        let text = std::fs::read_to_string(&file).expect("a file");
        assert!((0..8).all(|number| stored(client, &text, &format!("weather-{number}")).is_some()), "{text}");
    }
}

#[test]
fn a_file_in_another_style_is_an_error() {
    for (extension, text, expected) in [
        ("json", r#"{"mcpServers": [1]}"#, "its `mcpServers` is not an object"),
        ("json", r#"{"mcpServers": {}, "mcpServers": {}}"#, "it has `mcpServers` twice"),
        ("json", r#"{"mcpServers": {"w": {}, "w": {}}}"#, "it has `w` twice"),
        ("json", r#"{"mcpServers": {"w": 1}}"#, "its `w` is not an object"),
        ("json", r#"{"a": 1 "mcpServers": {}}"#, "it is not JSON: "),
        ("json", "[]", "it is not a JSON object"),
        ("toml", "mcpServers = 1", "its `mcpServers` is not a table"),
        ("yaml", "mcpServers:\n- a\n", "its `mcpServers` is not a mapping"),
        ("yaml", "mcpServers:\nmcpServers:\n", "it is not YAML: "),
        ("yaml", "mcpServers:\n  w: {}\n  w: {}\n", "it is not YAML: "),
        ("yaml", "- a\n", "it is not a YAML mapping"),
        ("yaml", "a: 1\n---\nb: 1\n", "it has more than one YAML document"),
    ] {
        let change: Change<'_> = &|_| Ok(json!({"command": "x"}).as_object().cloned());
        let error = edit(extension, text, "mcpServers", "w", change).expect_err(text);
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

#[test]
fn an_entry_goes_where_the_others_are() {
    for (extension, text, expected) in [
        ("json", "", "{\n  \"s\": {\n    \"w\": {\n      \"command\": \"x\"\n    }\n  }\n}\n"),
        ("toml", "s = {}\n", "s = { w = { command = \"x\" } }\n"),
        ("toml", "s.a.b = 1\n", "s.a.b = 1\n\n[s.w]\ncommand = \"x\"\n"),
        ("yaml", "# Nothing.", "# Nothing.\ns:\n  w:\n    command: \"x\"\n"),
        ("yaml", "s: {}\n", "s: {w: {command: \"x\"}}\n"),
        ("yaml", "s: ~\nt: 1\n", "s:\n  w:\n    command: \"x\"\nt: 1\n"),
        (
            "yaml",
            "s:\n    a:\n        b: 1\n    # end\n",
            "s:\n    a:\n        b: 1\n    w:\n      command: \"x\"\n    # end\n",
        ),
        ("yaml", "a: |\n  s:\n\n", "a: |\n  s:\n\ns:\n  w:\n    command: \"x\"\n"),
    ] {
        let change: Change<'_> = &|_| Ok(json!({"command": "x"}).as_object().cloned());
        assert_eq!(edit(extension, text, "s", "w", change), Ok(Some(expected.to_owned())), "{text}");
    }
}

#[test]
fn line_ends_and_a_byte_order_mark_stay() {
    for (extension, text) in
        [("json", "\u{feff}{\r\n  \"a\": 1\r\n}\r\n"), ("toml", "\u{feff}a = 1\r\n"), ("yaml", "\u{feff}a: 1\r\n")]
    {
        let change: Change<'_> = &|_| Ok(json!({"command": "x"}).as_object().cloned());
        let new = edit(extension, text, "servers", "w", change).expect("a change").expect("a text");
        assert!(new.starts_with('\u{feff}') && is_kept(text, &new), "{new:?}");
        let line_feeds = new.replace("\r\n", "").matches('\n').count();
        assert_eq!(line_feeds, 0, "{new:?}");
    }
}

#[test]
fn each_client_has_its_place_on_each_system() {
    let variable = |name: &str| match name {
        "HOME" | "USERPROFILE" => Some("/home/ann".to_owned()),
        _ => None,
    };
    let files = |name: &str| {
        let client = CLIENTS.iter().find(|client| client.name == name).expect("a client");
        SYSTEMS.map(|system| client.file(system, variable).expect("a file").0.display().to_string().replace('\\', "/"))
    };
    assert_eq!(files("claude-code"), ["/home/ann/.claude.json"; 3]);
    assert_eq!(
        files("vscode"),
        [
            "/home/ann/.config/Code/User/mcp.json",
            "/home/ann/Library/Application Support/Code/User/mcp.json",
            "/home/ann/AppData/Roaming/Code/User/mcp.json"
        ]
    );
    let moved = |name: &str| match name {
        "HOME" => Some("/home/ann".to_owned()),
        "CODEX_HOME" | "XDG_CONFIG_HOME" => Some("/moved".to_owned()),
        _ => None,
    };
    let of = |name: &str| {
        let client = CLIENTS.iter().find(|client| client.name == name).expect("a client");
        client.file("linux", moved).expect("a file").0
    };
    assert_eq!(of("codex"), PathBuf::from("/moved/config.toml"));
    assert_eq!(of("goose"), PathBuf::from("/moved/goose/config.yaml"));
    assert!(CLIENTS[0].file("linux", |_| None).is_err());
    // Each row names its source.
    let rows: Value = serde_json::from_str(include_str!("clients.json")).expect("JSON");
    let has_source =
        |row: &Value| row["source"].is_string() && row["date"].as_str().is_some_and(|date| date.len() == 10);
    assert!(rows.as_array().is_some_and(|rows| rows.len() == CLIENTS.len() && rows.iter().all(has_source)));
    assert_eq!(CLIENTS.len(), 12);
}
