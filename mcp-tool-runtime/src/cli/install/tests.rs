//! Tests every client on every system with files in every state: what is not ours stays, and our entry is there once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value, json};

use super::clients::{CLIENTS, Client, System};
use super::edit::Format;
use super::file::Written;
use super::{Server, edit};

const SYSTEMS: [System; 3] = [System::Linux, System::MacOs, System::Windows];

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

    fn file(&self, client: &Client, system: System) -> PathBuf {
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

/// Entries of others, with comments where the format has them. `OURS` is where an old entry of ours may be.
fn others(client: &Client) -> String {
    let key = client.key;
    match client.format {
        Format::Json => format!(
            "// The user's own.\n{{\n\t\"theme\": \"dark\", /* \u{e4} */\n\t\"{key}\": {{\n\t\t// Do not touch.\n\t\t\"other\": \
             {{\"command\": \"x\", \"args\": [ \"1\" ]}}, // x\nOURS\t\t\"last\": {{ }}\n\t}},\n\t\"list\": [1,\n2]\n}}\n"
        ),
        Format::Toml => format!(
            "# The user's own.\nmodel = 'x' # y\n\n[{key}.other]\n# Do not touch.\ncommand = \"x\"\n\nOURS[{key}.last]\n\n\
             [projects.\"/a\"]\ntrust_level = \"trusted\"\n"
        ),
        Format::Yaml => format!(
            "# The user's own.\nMODEL: x # y\n{key}:\n  # Do not touch.\n  other:\n    args:\n    - '1'\nOURS  last:\n    \
             enabled: true\n\nZ: [1, 2]\n"
        ),
    }
}

/// An old entry as the user may have changed it.
fn ours(client: &Client, name: &str, entry: &Map<String, Value>) -> String {
    let mut old = entry.clone();
    let env = client.stdio.iter().find(|(_, part)| matches!(part, super::Part::Env)).expect("variables").0;
    old.insert(env.to_owned(), json!({"MINE": "1"}));
    old.insert("kept".to_owned(), json!("by me"));
    for command in ["command", "cmd"] {
        if let Some(command) = old.get_mut(command) {
            *command = "/old".into();
        }
    }
    let alone = client.format.alone(client.key, name, &Value::Object(old));
    match client.format {
        Format::Json => {
            let body = alone.lines().skip(2).collect::<Vec<_>>();
            format!("{},\n", body[..body.len() - 2].join("\n"))
        }
        Format::Toml => alone + "\n",
        Format::Yaml => alone.split_once('\n').expect("a key").1.to_owned(),
    }
}

fn entry(client: &Client, name: &str) -> Map<String, Value> {
    let variables = json!({"KEY": "a \"b\" \u{e4}"}).as_object().expect("an object").clone();
    let words = vec!["--read-only".to_owned(), "a b".to_owned()];
    client.entry(name, &Server { command: "/bin/weather".to_owned(), words, variables, url: None }).expect("an entry")
}

fn stored(client: &Client, text: &str, name: &str) -> Option<Value> {
    let found = std::cell::RefCell::new(None);
    let look = |old: Option<&Value>| {
        found.replace(old.cloned());
        old.cloned()
    };
    assert_eq!(client.format.edit(text, client.key, name, &look), Ok(None), "{text}");
    found.into_inner()
}

/// Returns `true` if `whole` contains all bytes of `part` in this order.
fn is_kept(part: &str, whole: &str) -> bool {
    let mut bytes = whole.bytes();
    part.bytes().all(|byte| bytes.any(|other| other == byte))
}

#[test]
fn every_state_of_every_file_keeps_what_is_not_ours() {
    for client in &CLIENTS {
        for system in SYSTEMS {
            let home = Home::new();
            let file = home.file(client, system);
            let name = "weather";
            let entry = entry(client, name);
            let change = |old: Option<&Value>| Some(client.merged(old, &entry));
            let install = || client.change_file(&file, name, &change);
            let uninstall = || client.change_file(&file, name, &|_| None);
            let read = || std::fs::read_to_string(&file).expect("a file");
            let what = format!("{} on {system:?}", client.name);
            // Without a file, and then with the file that was just written.
            assert_eq!(uninstall(), Ok(None), "{what}");
            assert!(!file.exists(), "{what}");
            assert_eq!(install(), Ok(Some(Written::New)), "{what}");
            assert_eq!(stored(client, &read(), name), Some(Value::Object(entry.clone())), "{what}");
            let first = read();
            assert_eq!((install(), read()), (Ok(None), first), "{what}");
            // With an empty file, and with a file that has other entries.
            for before in [String::new(), others(client).replace("OURS", "")] {
                std::fs::write(&file, &before).expect("a file");
                let Some(Written::Over(copy)) = install().expect("a change") else { panic!("{what}: no copy") };
                assert_eq!(std::fs::read_to_string(copy).expect("a copy"), before, "{what}");
                assert!(is_kept(&before, &read()), "{what}: {}", read());
                assert_eq!(stored(client, &read(), name), Some(Value::Object(entry.clone())), "{what}");
                uninstall().expect("a change");
                assert_eq!(stored(client, &read(), name), None, "{what}");
                assert!(before.is_empty() || read() == before, "{what}: {}", read());
            }
            // With an older entry of ours.
            let before = others(client).replace("OURS", &ours(client, name, &entry));
            std::fs::write(&file, &before).expect("a file");
            assert!(matches!(install(), Ok(Some(Written::Over(_)))), "{what}");
            let now = stored(client, &read(), name).expect("an entry");
            let variables = client.merged(Some(&now), &entry).to_string();
            assert!(
                variables.contains("MINE") && variables.contains("by me") && !variables.contains("/old"),
                "{what}: {now}"
            );
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
            assert!(install().expect_err("an error").ends_with("it is not UTF-8"), "{what}");
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
        let url = Server { url: Some("https://weather.example/mcp".to_owned()), ..Server::default() };
        let (local, remote) = (entry(client, "weather"), client.entry("weather", &url).expect("an entry"));
        let of_local = client.merged(None, &local);
        assert_eq!(client.merged(Some(&of_local), &remote), client.merged(None, &remote), "{}", client.name);
        assert_eq!(client.merged(Some(&remote.clone().into()), &local), of_local, "{}", client.name);
        assert!(Value::Object(remote).to_string().contains("https://weather.example/mcp"), "{}", client.name);
    }
}

#[test]
fn installs_at_the_same_time_lose_nothing() {
    for client in &CLIENTS {
        let home = Home::new();
        let file = home.file(client, System::THIS);
        std::thread::scope(|scope| {
            for number in 0..8 {
                let file = &file;
                scope.spawn(move || {
                    let name = format!("weather-{number}");
                    let entry = entry(client, &name);
                    client.change_file(file, &name, &|old| Some(client.merged(old, &entry))).expect("a change");
                });
            }
        });
        let text = std::fs::read_to_string(&file).expect("a file");
        assert!((0..8).all(|number| stored(client, &text, &format!("weather-{number}")).is_some()), "{text}");
    }
}

#[test]
fn a_file_in_another_style_is_an_error() {
    for (format, text, expected) in [
        (Format::Json, r#"{"mcpServers": [1]}"#, "its `mcpServers` is not an object"),
        (Format::Json, r#"{"mcpServers": {}, "mcpServers": {}}"#, "it has `mcpServers` twice"),
        (Format::Json, r#"{"mcpServers": {"w": {}, "w": {}}}"#, "it has `w` twice"),
        (Format::Json, "[]", "it is not a JSON object"),
        (Format::Toml, "mcpServers = 1", "its `mcpServers` is not a table"),
        (Format::Yaml, "mcpServers: {a: 1}", "its `mcpServers` is not in block style"),
        (Format::Yaml, "mcpServers:\nmcpServers:\n", "it has `mcpServers` twice"),
        (Format::Yaml, "mcpServers:\n  w: &anchor\n    a: 1\n", "its entry `w` is not as Goose writes entries"),
        (Format::Yaml, "mcpServers:\n  w:\n    a: |\n      b\n", "its entry `w` is not as Goose writes entries"),
    ] {
        let change: edit::Change<'_> = &|_| Some(json!({"command": "x"}));
        assert_eq!(format.edit(text, "mcpServers", "w", change), Err(expected.to_owned()), "{text}");
    }
}

#[test]
fn line_ends_and_a_byte_order_mark_stay() {
    for (format, text) in [
        (Format::Json, "\u{feff}{\r\n  \"a\": 1\r\n}\r\n"),
        (Format::Toml, "\u{feff}a = 1\r\n"),
        (Format::Yaml, "\u{feff}a: 1\r\n"),
    ] {
        let new =
            format.edit(text, "servers", "w", &|_| Some(json!({"command": "x"}))).expect("a change").expect("a text");
        assert!(new.starts_with('\u{feff}') && is_kept(text, &new), "{new:?}");
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
        client.file(System::Linux, moved).expect("a file").0
    };
    assert_eq!(of("codex"), PathBuf::from("/moved/config.toml"));
    assert_eq!(of("goose"), PathBuf::from("/moved/goose/config.yaml"));
    assert!(CLIENTS[0].file(System::Linux, |_| None).is_err());
    // Each row names its source.
    assert!(CLIENTS.iter().all(|client| !client.source.is_empty() && client.date.starts_with("20")));
}
