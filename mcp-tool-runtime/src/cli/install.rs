//! `install`: the entry for the configuration of a client.
//!
//! Nothing is written: a configuration belongs to the user, and clients have commands of their own that change it.

use clap::ArgMatches;
use serde_json::{Map, Value, json};

use super::{Cli, Io, message};

/// A client, and where its configuration is.
pub(super) struct Client {
    pub(super) name: &'static str,
    /// How an entry is written.
    form: Form,
    /// The files, each with who reads it.
    files: &'static [(&'static str, &'static str)],
    /// The page that documents the form, and when it was read.
    #[cfg_attr(not(test), expect(dead_code, reason = "for those who maintain the table"))]
    source: (&'static str, &'static str),
}

#[derive(Clone, Copy)]
enum Form {
    /// A JSON object under `mcpServers`. Where `typed`, the transport is named.
    McpServers { typed: bool },
    /// A JSON object under `servers`, with the transport.
    Servers,
    /// A TOML table `mcp_servers.NAME`.
    Toml,
}

pub(super) const CLIENTS: [Client; 6] = [
    Client {
        name: "claude-code",
        form: Form::McpServers { typed: true },
        files: &[(".mcp.json", "a project, shared with others"), ("~/.claude.json", "all your projects")],
        source: ("https://code.claude.com/docs/en/mcp", "2026-11-22"),
    },
    Client {
        name: "claude-desktop",
        form: Form::McpServers { typed: false },
        files: &[
            ("~/Library/Application Support/Claude/claude_desktop_config.json", "macOS"),
            ("%APPDATA%\\Claude\\claude_desktop_config.json", "Windows"),
            ("~/.config/Claude/claude_desktop_config.json", "Linux"),
        ],
        source: ("https://modelcontextprotocol.io/docs/develop/connect-local-servers", "2026-11-22"),
    },
    Client {
        name: "vscode",
        form: Form::Servers,
        files: &[
            (".vscode/mcp.json", "a workspace"),
            ("mcp.json of your profile: MCP: Open User Configuration", "all your workspaces"),
        ],
        source: ("https://code.visualstudio.com/docs/copilot/reference/mcp-configuration", "2026-11-22"),
    },
    Client {
        name: "cursor",
        form: Form::McpServers { typed: true },
        files: &[(".cursor/mcp.json", "a project"), ("~/.cursor/mcp.json", "all your projects")],
        source: ("https://cursor.com/docs/context/mcp", "2026-11-22"),
    },
    Client {
        name: "codex",
        form: Form::Toml,
        files: &[("~/.codex/config.toml", "all your projects"), (".codex/config.toml", "a project that you trust")],
        source: ("https://developers.openai.com/codex/mcp", "2026-11-22"),
    },
    Client {
        name: "gemini-cli",
        form: Form::McpServers { typed: false },
        files: &[(".gemini/settings.json", "a project"), ("~/.gemini/settings.json", "all your projects")],
        source: ("https://geminicli.com/docs/tools/mcp-server", "2026-11-22"),
    },
];

impl Cli {
    pub(super) fn install(&self, matches: &ArgMatches, program: &str, io: &Io) -> u8 {
        let chosen = matches.get_one::<String>("client");
        let Some(client) = CLIENTS.iter().find(|client| chosen.is_some_and(|name| client.name == name)) else {
            return message::usage(io, "unknown client");
        };
        let path = match std::env::current_exe() {
            Ok(path) => path.display().to_string(),
            Err(error) => return message::fail(io, &format!("the path of this program is not known: {error}")),
        };
        let texts = |name: &str| matches.get_many::<String>(name).into_iter().flatten();
        let words: Vec<_> = texts("words").cloned().collect();
        let mut variables = Map::new();
        for text in texts("env") {
            let Some((name, value)) = text.split_once('=') else {
                return message::usage(io, &format!("`--env`: expected NAME=VALUE, got `{text}`"));
            };
            variables.insert(name.to_owned(), value.into());
        }
        let name = matches.get_one::<String>("name").map(String::as_str).or(self.name.as_deref()).unwrap_or(program);
        let entry = Entry { path, words, variables };
        let code = message::print(io, &entry.write(name, client.form));
        for (index, (file, readers)) in client.files.iter().enumerate() {
            let label = if index == 0 { "Put it into" } else { "        or " };
            io.tell(&format!("{label} {file} ({readers})\n"));
        }
        code
    }
}

struct Entry {
    path: String,
    words: Vec<String>,
    variables: Map<String, Value>,
}

impl Entry {
    fn write(&self, name: &str, form: Form) -> String {
        match form {
            Form::McpServers { typed } => format!("{:#}\n", json!({"mcpServers": {name: self.object(typed)}})),
            Form::Servers => format!("{:#}\n", json!({"servers": {name: self.object(true)}})),
            Form::Toml => self.table(name),
        }
    }

    fn object(&self, typed: bool) -> Value {
        let mut entry = Map::new();
        if typed {
            entry.insert("type".to_owned(), "stdio".into());
        }
        entry.insert("command".to_owned(), self.path.clone().into());
        entry.insert("args".to_owned(), self.words.clone().into());
        if !self.variables.is_empty() {
            entry.insert("env".to_owned(), self.variables.clone().into());
        }
        entry.into()
    }

    /// Writes a TOML table. A JSON string is a basic string of TOML too, but for the character U+007F.
    fn table(&self, name: &str) -> String {
        let quoted = |text: &str| json!(text).to_string().replace('\u{7f}', "\\u007f");
        let list = |texts: &[String]| texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ");
        let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        let name = if is_bare { name.to_owned() } else { quoted(name) };
        let mut text =
            format!("[mcp_servers.{name}]\ncommand = {}\nargs = [{}]\n", quoted(&self.path), list(&self.words));
        if !self.variables.is_empty() {
            let pairs = self.variables.iter();
            let pairs: Vec<_> = pairs
                .map(|(name, value)| format!("{} = {}", quoted(name), quoted(value.as_str().unwrap_or_default())))
                .collect();
            text.extend(["env = { ", &pairs.join(", "), " }\n"]);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_has_a_dated_source() {
        for client in &CLIENTS {
            assert!(client.source.0.starts_with("https://") && client.source.1.len() == 10, "{}", client.name);
        }
    }
}
