//! `install`: the entry for the configuration of a client.
//!
//! Nothing is written: a configuration belongs to the user, and clients have commands of their own that change it.

use clap::ArgMatches;
use serde_json::{Map, Value, json};

use super::program::Program;
use super::{Cli, Io, message};

/// A client, and where its configuration is.
pub(super) struct Client {
    pub(super) name: &'static str,
    /// How an entry is written.
    form: Form,
    /// The files, each with who reads it.
    files: &'static [(&'static str, &'static str)],
    /// What the client replaces in an entry with a variable.
    replaces: Option<&'static str>,
    /// `true` if a name may contain `_`.
    allows_underscore: bool,
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

impl Form {
    /// Returns the key around an entry in JSON. A table of TOML can be put at the end of a file.
    fn key(self) -> Option<&'static str> {
        match self {
            Self::McpServers { .. } => Some("mcpServers"),
            Self::Servers => Some("servers"),
            Self::Toml => None,
        }
    }
}

// `.ci/install.py` puts the entries where they belong, and asks the clients that npm has to start the server.
pub(super) const CLIENTS: [Client; 6] = [
    // 2026-11-22: Claude Code 2.1.330 starts the server from both files; from `.mcp.json` after the user has said yes.
    Client {
        name: "claude-code",
        form: Form::McpServers { typed: true },
        files: &[
            (".mcp.json", "a project, shared with others; Claude Code asks before it starts the server"),
            ("~/.claude.json", "all your projects"),
        ],
        replaces: Some("${"),
        allows_underscore: true,
    },
    // 2026-11-22: https://modelcontextprotocol.io/docs/develop/connect-local-servers, from its repository. Not tried.
    Client {
        name: "claude-desktop",
        form: Form::McpServers { typed: false },
        files: &[
            ("~/Library/Application Support/Claude/claude_desktop_config.json", "macOS"),
            ("%APPDATA%\\Claude\\claude_desktop_config.json", "Windows"),
            ("the file that Settings > Developer > Edit Config opens", "anywhere"),
        ],
        replaces: None,
        allows_underscore: true,
    },
    // 2026-11-22: https://code.visualstudio.com/docs/copilot/reference/mcp-configuration, from its repository. Not tried.
    Client {
        name: "vscode",
        form: Form::Servers,
        files: &[
            (".vscode/mcp.json", "a workspace"),
            ("the file that the command `MCP: Open User Configuration` opens", "all your workspaces"),
        ],
        replaces: Some("${"),
        allows_underscore: true,
    },
    // 2026-11-22: the code of Cursor's own npm package `@cursor/sdk` 1.0.32, which reads both files. Its documentation was not
    // read, and the editor not tried.
    Client {
        name: "cursor",
        form: Form::McpServers { typed: true },
        files: &[(".cursor/mcp.json", "a project"), ("~/.cursor/mcp.json", "all your projects")],
        replaces: Some("${"),
        allows_underscore: true,
    },
    // 2026-11-22: Codex 0.169.0 starts the server from `~/.codex/config.toml`, and lists it from `.codex/config.toml`. It starts
    // no server whose name has a blank or an accented letter, and says nothing.
    Client {
        name: "codex",
        form: Form::Toml,
        files: &[("~/.codex/config.toml", "all your projects"), (".codex/config.toml", "a project that you trust")],
        replaces: None,
        allows_underscore: true,
    },
    // 2026-11-22: Gemini CLI 0.61.0 starts the server from both files. Its page on MCP servers, which is in the package, warns of
    // underscores in names: they separate the name of the server from the name of the tool.
    Client {
        name: "gemini-cli",
        form: Form::McpServers { typed: false },
        files: &[
            (".gemini/settings.json", "a project that you trust"),
            ("~/.gemini/settings.json", "all projects that you trust"),
        ],
        replaces: Some("$"),
        allows_underscore: false,
    },
];

impl Client {
    fn allows(&self, c: char) -> bool {
        c.is_ascii_alphanumeric() || c == '-' || c == '_' && self.allows_underscore
    }

    /// Returns the name under which the client gets the server: the one that was asked for, or else one made from the name of the
    /// server, which may be a text for people.
    fn server_name(&self, asked: Option<&str>, own: &str) -> Result<String, String> {
        let Some(asked) = asked else {
            let words = own.split(|c| !self.allows(c)).filter(|word| !word.is_empty());
            let name = words.collect::<Vec<_>>().join("-");
            return Ok(if name.is_empty() { "server".to_owned() } else { name });
        };
        if !asked.is_empty() && asked.chars().all(|c| self.allows(c)) {
            return Ok(asked.to_owned());
        }
        let accepted = if self.allows_underscore { "letters, digits, `-` and `_`" } else { "letters, digits and `-`" };
        Err(format!("`--name`: expected a name of {accepted}"))
    }
}

impl Cli {
    pub(super) fn install(&self, matches: &ArgMatches, program: &Program, io: &Io) -> u8 {
        let chosen = matches.get_one::<String>("client");
        let Some(client) = CLIENTS.iter().find(|client| chosen.is_some_and(|name| client.name == name)) else {
            return message::usage(io, "unknown client");
        };
        let path = match std::env::current_exe() {
            Ok(path) => path.display().to_string(),
            Err(error) => return message::fail(io, &format!("the path of this program is not known: {error}")),
        };
        let texts = |name: &str| matches.get_many::<String>(name).into_iter().flatten();
        // The client starts this command line as the user did, below the commands of another one.
        let words: Vec<_> = program.path.iter().chain(texts("words")).cloned().collect();
        let mut variables = Map::new();
        for text in texts("env") {
            match text.split_once('=') {
                Some((name, value)) if !name.is_empty() => drop(variables.insert(name.to_owned(), value.into())),
                // The text may be a secret that was put into the wrong place.
                _ => return message::usage(io, "`--env`: expected NAME=VALUE"),
            }
        }
        let asked = matches.get_one::<String>("name").map(String::as_str);
        let name = match client.server_name(asked, self.name.as_deref().unwrap_or(&program.name)) {
            Ok(name) => name,
            Err(problem) => return message::usage(io, &problem),
        };
        let entry = Entry { path, words, variables };
        let text = entry.write(&name, client.form);
        let code = message::print_json(io, &text);
        for (index, (file, readers)) in client.files.iter().enumerate() {
            let label = if index == 0 { "Put it into" } else { "        or " };
            io.tell(&format!("{label} {file} ({readers})\n"));
        }
        if let Some(key) = client.form.key() {
            message::note(io, "note", &format!("where the file has `{key}` already, add `{name}` to it"));
        }
        if client.replaces.is_some_and(|mark| text.contains(mark)) {
            let marked = if client.replaces == Some("$") { "`$NAME`" } else { "`${…}`" };
            message::note(io, "note", &format!("the client replaces {marked} in the entry with a variable"));
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

    /// Writes a TOML table. A JSON string is a basic string of TOML too, but for the character U+007F. A name of a server is a
    /// bare key.
    fn table(&self, name: &str) -> String {
        let quoted = |text: &str| json!(text).to_string().replace('\u{7f}', "\\u007f");
        let list = |texts: &[String]| texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ");
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
