//! `install`: prints the entry that adds this server to a client's configuration.
//!
//! The command writes no files. A configuration belongs to the user, and clients have their own commands to change it.

use clap::ArgMatches;
use serde_json::{Map, Value, json};

use super::command_prefix::CommandPrefix;
use super::{Cli, Io};

/// A client and its configuration.
pub(super) struct Client {
    pub(super) name: &'static str,
    format: EntryFormat,
    /// The configuration files, and where each one applies.
    files: &'static [(&'static str, &'static str)],
    /// How a variable starts, such as `${HOME}`, if the client expands variables in an entry.
    variable_prefix: Option<&'static str>,
    /// `true` if the name of a server may contain `_`.
    allows_underscore: bool,
}

/// The format of an entry.
#[derive(Clone, Copy)]
enum EntryFormat {
    /// A JSON object under this key. With `typed`, it has `"type": "stdio"`.
    Json { key: &'static str, typed: bool },
    /// A TOML table `mcp_servers.NAME`, which can be appended to the file.
    Toml,
}

// `.ci/install.py` tests the entries of the clients on npm: it writes them into the configuration files and lets the
// clients start the server.
//
// The comments say when and how each entry was last checked.
pub(super) const CLIENTS: [Client; 6] = [
    // 2026-11-22: Claude Code 2.1.330 starts the server from both files. For `.mcp.json`, it first asks the user.
    Client {
        name: "claude-code",
        format: EntryFormat::Json { key: "mcpServers", typed: true },
        files: &[
            (".mcp.json", "a project, shared with others; Claude Code asks before it starts the server"),
            ("~/.claude.json", "all your projects"),
        ],
        variable_prefix: Some("${"),
        allows_underscore: true,
    },
    // 2026-11-22: https://modelcontextprotocol.io/docs/develop/connect-local-servers, read in the repository of that
    // site. The entry was not tried.
    Client {
        name: "claude-desktop",
        format: EntryFormat::Json { key: "mcpServers", typed: false },
        files: &[
            ("~/Library/Application Support/Claude/claude_desktop_config.json", "macOS"),
            ("%APPDATA%\\Claude\\claude_desktop_config.json", "Windows"),
            ("the file that Settings > Developer > Edit Config opens", "anywhere"),
        ],
        variable_prefix: None,
        allows_underscore: true,
    },
    // 2026-11-22: https://code.visualstudio.com/docs/copilot/reference/mcp-configuration, read in the repository of
    // that site. The entry was not tried.
    Client {
        name: "vscode",
        format: EntryFormat::Json { key: "servers", typed: true },
        files: &[
            (".vscode/mcp.json", "a workspace"),
            ("the file that the command `MCP: Open User Configuration` opens", "all your workspaces"),
        ],
        variable_prefix: Some("${"),
        allows_underscore: true,
    },
    // 2026-11-22: the code of the npm package `@cursor/sdk` 1.0.32 reads both files. Cursor's documentation was not
    // read, and the entry was not tried in the editor.
    Client {
        name: "cursor",
        format: EntryFormat::Json { key: "mcpServers", typed: true },
        files: &[(".cursor/mcp.json", "a project"), ("~/.cursor/mcp.json", "all your projects")],
        variable_prefix: Some("${"),
        allows_underscore: true,
    },
    // 2026-11-22: Codex 0.169.0 starts the server from `~/.codex/config.toml`, and lists it from `.codex/config.toml`.
    // If the name of a server has a space or an accented letter, Codex ignores the server without a message.
    Client {
        name: "codex",
        format: EntryFormat::Toml,
        files: &[("~/.codex/config.toml", "all your projects"), (".codex/config.toml", "a project that you trust")],
        variable_prefix: None,
        allows_underscore: true,
    },
    // 2026-11-22: Gemini CLI 0.61.0 starts the server from both files. The documentation in its package warns of
    // underscores in the names of servers, because Gemini CLI puts one between the name of a server and the name of a
    // tool.
    Client {
        name: "gemini-cli",
        format: EntryFormat::Json { key: "mcpServers", typed: false },
        files: &[
            (".gemini/settings.json", "a project that you trust"),
            ("~/.gemini/settings.json", "all projects that you trust"),
        ],
        variable_prefix: Some("$"),
        allows_underscore: false,
    },
];

impl Client {
    fn allows(&self, c: char) -> bool {
        c.is_ascii_alphanumeric() || c == '-' || c == '_' && self.allows_underscore
    }

    /// Returns the name of the server in the entry: the value of `--name`, or else the server's own name with `-` in
    /// place of characters that the client does not allow.
    fn server_name(&self, requested: Option<&str>, own: &str) -> Result<String, String> {
        let Some(requested) = requested else {
            let words = own.split(|c| !self.allows(c)).filter(|word| !word.is_empty());
            let name = words.collect::<Vec<_>>().join("-");
            return Ok(if name.is_empty() { "server".to_owned() } else { name });
        };
        if !requested.is_empty() && requested.chars().all(|c| self.allows(c)) {
            return Ok(requested.to_owned());
        }
        let accepted = if self.allows_underscore { "letters, digits, `-` and `_`" } else { "letters, digits and `-`" };
        Err(format!("`--name`: expected a name of {accepted}"))
    }
}

impl Cli {
    pub(super) fn install(&self, matches: &ArgMatches, program: &CommandPrefix, selection: Vec<String>, io: &Io) -> u8 {
        let chosen = matches.get_one::<String>("client");
        let Some(client) = CLIENTS.iter().find(|client| chosen.is_some_and(|name| client.name == name)) else {
            return io.usage_error("unknown client");
        };
        let path = match std::env::current_exe() {
            Ok(path) => path.display().to_string(),
            Err(error) => return io.fail(&format!("the path of this program is not known: {error}")),
        };
        let texts = |name: &str| matches.get_many::<String>(name).into_iter().flatten();
        // If this command line is embedded in another one, the client must pass the words of the parent too.
        let words: Vec<_> =
            program.parent_words.iter().cloned().chain(selection).chain(texts("words").cloned()).collect();
        let mut variables = Map::new();
        for text in texts("env") {
            match text.split_once('=') {
                Some((name, value)) if !name.is_empty() => drop(variables.insert(name.to_owned(), value.into())),
                // The text may be a secret, so the message does not repeat it.
                _ => return io.usage_error("`--env`: expected NAME=VALUE"),
            }
        }
        let requested = matches.get_one::<String>("name").map(String::as_str);
        let name = match client.server_name(requested, &self.dispatcher.identity().name) {
            Ok(name) => name,
            Err(problem) => return io.usage_error(&problem),
        };
        let mut entry = match client.format {
            EntryFormat::Json { typed: true, .. } => json!({"type": "stdio"}),
            _ => json!({}),
        };
        entry["command"] = path.into();
        entry["args"] = words.into();
        if !variables.is_empty() {
            entry["env"] = variables.into();
        }
        let text = match client.format {
            EntryFormat::Json { key, .. } => format!("{:#}\n", json!({key: {&name: entry}})),
            EntryFormat::Toml => table(&name, &entry),
        };
        let code = io.print_json(&text);
        for (index, (file, scope)) in client.files.iter().enumerate() {
            let label = if index == 0 { "Put it into" } else { "        or " };
            io.tell(&format!("{label} {file} ({scope})\n"));
        }
        if let EntryFormat::Json { key, .. } = client.format {
            io.note("note", &format!("where the file has `{key}` already, add `{name}` to it"));
        }
        if client.variable_prefix.is_some_and(|prefix| text.contains(prefix)) {
            let marked = if client.variable_prefix == Some("$") { "`$NAME`" } else { "`${…}`" };
            io.note("note", &format!("the client replaces {marked} in the entry with a variable"));
        }
        code
    }
}

/// Writes an entry as a TOML table. JSON strings are valid in TOML, except that TOML requires an escape for U+007F. The
/// name of the server needs no quotes, because `allows` accepts only characters of a bare key.
fn table(name: &str, entry: &Value) -> String {
    let mut text = format!("[mcp_servers.{name}]\n");
    for (key, value) in entry.as_object().into_iter().flatten() {
        let value = match value {
            Value::Array(all) => format!("[{}]", all.iter().map(Value::to_string).collect::<Vec<_>>().join(", ")),
            Value::Object(all) => {
                let pairs: Vec<_> = all.iter().map(|(name, value)| format!("{} = {value}", json!(name))).collect();
                format!("{{ {} }}", pairs.join(", "))
            }
            value => value.to_string(),
        };
        text.extend([key, " = ", &value, "\n"]);
    }
    text.replace('\u{7f}', "\\u007f")
}
