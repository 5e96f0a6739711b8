//! The clients, their configuration files, and how an entry is written for each.
//!
//! `tests/clients/install.py` installs a server in the clients that are on npm, and asks them for its tools. The dates
//! say when a row was last compared with its source.

use std::path::PathBuf;

use super::edit::Format;

/// A part of an entry.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    Text(&'static str),
    /// The path of the program.
    Command,
    /// The words after it.
    Args,
    /// Both in one list.
    CommandLine,
    /// The environment variables. Left out if there are none.
    Env,
    Url,
    /// The name of the server.
    Name,
    /// JSON for a property that the user may change.
    Default(&'static str),
}

use Part::{Args, Command, CommandLine, Default, Env, Name, Text, Url};

type Shape = &'static [(&'static str, Part)];

/// A client and its configuration.
#[derive(Debug)]
pub(in crate::cli) struct Client {
    /// The name on the command line.
    pub(in crate::cli) name: &'static str,
    pub(super) title: &'static str,
    /// The file for all projects of the user on Linux, macOS and Windows. It begins with a [`FOLDERS`] name.
    pub(super) files: [&'static str; 3],
    /// The variable with which a user moves the folder of this file.
    moved_by: Option<&'static str>,
    /// The file for one project, if there is one.
    pub(super) of_project: Option<&'static str>,
    pub(super) format: Format,
    /// The object with the entries.
    pub(super) key: &'static str,
    pub(super) stdio: Shape,
    /// An entry for a server over HTTP. `None` if the file cannot contain one.
    pub(super) http: Option<Shape>,
    /// How a variable starts, such as `${HOME}`, if the client expands variables in an entry.
    pub(super) variable_prefix: Option<&'static str>,
    /// `true` if the name of a server may contain `_`.
    pub(super) allows_underscore: bool,
    /// Where the row comes from, and when it was last compared with that.
    pub(super) source: &'static str,
    pub(super) date: &'static str,
}

const TYPED: Shape = &[("type", Text("stdio")), ("command", Command), ("args", Args), ("env", Env)];
const PLAIN: Shape = &[("command", Command), ("args", Args), ("env", Env)];
const TYPED_HTTP: Shape = &[("type", Text("http")), ("url", Url)];
const PLAIN_HTTP: Shape = &[("url", Url)];

/// What most clients have in common.
#[rustfmt::skip]
const USUAL: Client = Client {
    name: "", title: "", files: [""; 3], moved_by: None, of_project: None, format: Format::Json, key: "mcpServers", stdio: PLAIN,
    http: Some(PLAIN_HTTP), variable_prefix: Some("${"), allows_underscore: true, source: "", date: "2026-11-29",
};

// Unformatted, so that each client is one compact paragraph and clients are easy to compare.
#[rustfmt::skip]
pub(in crate::cli) const CLIENTS: [Client; 12] = [
    Client {
        name: "claude-code", title: "Claude Code", files: ["~/.claude.json"; 3], moved_by: Some("CLAUDE_CONFIG_DIR"),
        of_project: Some(".mcp.json"), stdio: TYPED, http: Some(TYPED_HTTP),
        source: "https://code.claude.com/docs/en/mcp; tried with 2.1.197", ..USUAL
    },
    // Users add an HTTP server as a connector, in the app's settings. The file cannot contain one.
    Client {
        name: "claude-desktop", title: "Claude Desktop", files: [
            "$XDG_CONFIG_HOME/Claude/claude_desktop_config.json", "~/Library/Application Support/Claude/claude_desktop_config.json",
            "%APPDATA%/Claude/claude_desktop_config.json",
        ],
        http: None, variable_prefix: None, source: "https://modelcontextprotocol.io/docs/develop/connect-local-servers", ..USUAL
    },
    Client {
        name: "vscode", title: "VS Code", files: [
            "$XDG_CONFIG_HOME/Code/User/mcp.json", "~/Library/Application Support/Code/User/mcp.json", "%APPDATA%/Code/User/mcp.json",
        ],
        of_project: Some(".vscode/mcp.json"), key: "servers", stdio: TYPED, http: Some(TYPED_HTTP),
        source: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration", ..USUAL
    },
    Client {
        name: "cursor", title: "Cursor", files: ["~/.cursor/mcp.json"; 3], of_project: Some(".cursor/mcp.json"), stdio: TYPED,
        source: "the npm package @cursor/sdk 1.0.32", ..USUAL
    },
    // If the name of a server has a space or an accented letter, Codex ignores the server without a message.
    Client {
        name: "codex", title: "Codex", files: ["~/.codex/config.toml"; 3], moved_by: Some("CODEX_HOME"),
        of_project: Some(".codex/config.toml"), format: Format::Toml, key: "mcp_servers", variable_prefix: None,
        source: "https://developers.openai.com/codex/mcp; tried with 0.171.0", ..USUAL
    },
    // Gemini CLI joins the names of a server and a tool with `_`, and its documentation warns against a `_` in the name
    // of a server.
    Client {
        name: "gemini-cli", title: "Gemini CLI", files: ["~/.gemini/settings.json"; 3], of_project: Some(".gemini/settings.json"),
        http: Some(&[("httpUrl", Url)]), variable_prefix: Some("$"), allows_underscore: false,
        source: "docs/tools/mcp-server.md of the npm package @google/gemini-cli; tried with 0.61.0", ..USUAL
    },
    Client {
        name: "windsurf", title: "Windsurf", files: ["~/.codeium/windsurf/mcp_config.json"; 3], http: Some(&[("serverUrl", Url)]),
        source: "https://docs.windsurf.com/windsurf/cascade/mcp", ..USUAL
    },
    // Versions from 2025 need `source`.
    Client {
        name: "zed", title: "Zed",
        files: ["$XDG_CONFIG_HOME/zed/settings.json", "~/.config/zed/settings.json", "%APPDATA%/Zed/settings.json"],
        of_project: Some(".zed/settings.json"), key: "context_servers", variable_prefix: None,
        stdio: &[("source", Text("custom")), ("command", Command), ("args", Args), ("env", Env)],
        source: "https://zed.dev/docs/ai/mcp", ..USUAL
    },
    Client {
        name: "goose", title: "Goose", files: [
            "$XDG_CONFIG_HOME/goose/config.yaml", "$XDG_CONFIG_HOME/goose/config.yaml", "%APPDATA%/Block/goose/config/config.yaml",
        ],
        format: Format::Yaml, key: "extensions", variable_prefix: None,
        stdio: &[
            ("enabled", Default("true")), ("type", Text("stdio")), ("name", Name), ("description", Default("\"\"")),
            ("cmd", Command), ("args", Args), ("envs", Env), ("timeout", Default("300")),
        ],
        http: Some(&[
            ("enabled", Default("true")), ("type", Text("streamable_http")), ("name", Name), ("description", Default("\"\"")),
            ("uri", Url), ("timeout", Default("300")),
        ]),
        source: "https://block.github.io/goose/docs/guides/config-files", ..USUAL
    },
    Client {
        name: "opencode", title: "OpenCode", files: [
            "$XDG_CONFIG_HOME/opencode/opencode.json", "$XDG_CONFIG_HOME/opencode/opencode.json", "~/.config/opencode/opencode.json",
        ],
        of_project: Some("opencode.json"), key: "mcp", variable_prefix: Some("{env:"),
        stdio: &[("type", Text("local")), ("command", CommandLine), ("environment", Env), ("enabled", Default("true"))],
        http: Some(&[("type", Text("remote")), ("url", Url), ("enabled", Default("true"))]),
        source: "https://opencode.ai/docs/mcp-servers; tried with 1.18.33", ..USUAL
    },
    Client {
        name: "copilot-cli", title: "Copilot CLI", files: ["~/.copilot/mcp-config.json"; 3], moved_by: Some("COPILOT_HOME"),
        of_project: Some(".mcp.json"),
        stdio: &[("type", Text("local")), ("command", Command), ("args", Args), ("env", Env), ("tools", Default("[\"*\"]"))],
        http: Some(&[("type", Text("http")), ("url", Url), ("tools", Default("[\"*\"]"))]),
        source: "the help of the npm package @github/copilot; tried with 1.0.102", ..USUAL
    },
    Client {
        name: "cline", title: "Cline", files: ["~/.cline/data/settings/cline_mcp_settings.json"; 3],
        http: Some(&[("type", Text("streamableHttp")), ("url", Url)]), source: "the npm package cline; tried with 3.0.65", ..USUAL
    },
];

/// The systems that have their own files, in the order of [`Client::files`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum System {
    Linux,
    MacOs,
    Windows,
}

impl System {
    pub(super) const THIS: Self = if cfg!(windows) {
        Self::Windows
    } else if cfg!(target_os = "macos") {
        Self::MacOs
    } else {
        Self::Linux
    };
}

/// The start of a file's path: its name, the variable with the folder, and where the folder is in the home folder if
/// that variable is not set.
const FOLDERS: [(&str, &str, &str); 3] =
    [("~", "", ""), ("$XDG_CONFIG_HOME", "XDG_CONFIG_HOME", ".config"), ("%APPDATA%", "APPDATA", "AppData/Roaming")];

impl Client {
    /// Returns the file for all projects of the user, and the home folder.
    pub(super) fn file(
        &self,
        system: System,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<(PathBuf, PathBuf), String> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let name_of_home = if system == System::Windows { "USERPROFILE" } else { "HOME" };
        let home = set(name_of_home).ok_or_else(|| format!("the variable {name_of_home} is not set"))?;
        let (start, rest) = self.files[system as usize].split_once('/').unwrap_or_default();
        if let Some(folder) = self.moved_by.and_then(set) {
            return Ok((folder.join(rest.rsplit('/').next().unwrap_or_default()), home));
        }
        let below_home = FOLDERS.iter().find(|(name, ..)| *name == start).map_or("", |(.., below)| below);
        let moved = FOLDERS.iter().find(|(name, ..)| *name == start).and_then(|(_, variable, _)| set(variable));
        let join = |base: PathBuf, path: &str| {
            path.split('/').filter(|part| !part.is_empty()).fold(base, |path, part| path.join(part))
        };
        Ok((join(moved.unwrap_or_else(|| join(home.clone(), below_home)), rest), home))
    }
}
