//! The clients that `install` can add this server to.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

/// The rows of `clients.json`. Each row names the source of its facts, and the date on which it was last compared with
/// that source. `tests/clients/install.py` installs a server in the clients that are available on npm, and asks each of
/// them to list the tools.
pub(in crate::cli) static CLIENTS: LazyLock<Vec<Client>> =
    LazyLock::new(|| serde_json::from_str(include_str!("clients.json")).unwrap_or_default());

/// A client, with its configuration file and the form of the entries in that file.
#[derive(Debug, Deserialize)]
pub(in crate::cli) struct Client {
    /// The name on the command line.
    pub(in crate::cli) name: String,
    pub(super) title: String,
    /// The path of the file with the settings for all projects of the user. There is a path for each operating system,
    /// under Rust's name for the system. The path starts with `~` or with a variable such as `%APPDATA%`.
    pub(super) files: BTreeMap<String, String>,
    /// The environment variable that overrides the folder of the file.
    pub(super) moved_by: Option<String>,
    /// The file with the settings of one project, if the client has such a file.
    pub(super) of_project: Option<String>,
    /// The key under which the file holds the entries, in one object.
    pub(super) key: String,
    /// The entry that starts a server. Names in braces stand for the properties of a server.
    pub(super) stdio: Map<String, Value>,
    /// The entry for a server over HTTP, or `None` if the file cannot contain such an entry.
    pub(super) http: Option<Map<String, Value>>,
    /// What a reference to a variable starts with, such as `${` in `${HOME}`, if the client expands variables in an
    /// entry.
    pub(super) expands: Option<String>,
}
