//! The clients, their configuration files, and the entry of a server for each.
//!
//! `clients.json` has a row for each client, which also says where it comes from, and when it was last compared with
//! that source. `tests/clients/install.py` installs a server in the clients that npm has, and asks them for its tools.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

pub(in crate::cli) static CLIENTS: LazyLock<Vec<Client>> =
    LazyLock::new(|| serde_json::from_str(include_str!("clients.json")).unwrap_or_default());

/// A client and its configuration.
#[derive(Debug, Deserialize)]
pub(in crate::cli) struct Client {
    /// The name on the command line.
    pub(in crate::cli) name: String,
    pub(super) title: String,
    /// The file for all projects of the user, by Rust's name for the operating system. It starts with the user's home,
    /// or with the variable that names the folder.
    pub(super) files: BTreeMap<String, String>,
    /// The variable with which a user moves the folder of this file.
    moved_by: Option<String>,
    /// The file for one project, if there is one.
    pub(super) of_project: Option<String>,
    /// The object with the entries.
    pub(super) key: String,
    /// The entry that starts a server. Names in braces stand for the properties of a server.
    pub(super) stdio: Map<String, Value>,
    /// An entry for a server over HTTP. `None` if the file cannot have one.
    pub(super) http: Option<Map<String, Value>>,
    /// How a variable starts, such as `${HOME}`, if the client expands variables in an entry.
    pub(super) expands: Option<String>,
}

impl Client {
    /// Returns the file for all projects of the user, and the home folder.
    pub(super) fn file(
        &self,
        system: &str,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<(PathBuf, PathBuf), String> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let name_of_home = if system == "windows" { "USERPROFILE" } else { "HOME" };
        let home = set(name_of_home).ok_or_else(|| format!("the variable {name_of_home} is not set"))?;
        // Other systems keep their files where Linux does.
        let file = self.files.get(system).unwrap_or(&self.files["linux"]);
        let (start, rest) = file.split_once('/').unwrap_or_default();
        if let Some(folder) = self.moved_by.as_deref().and_then(set) {
            return Ok((folder.join(rest.rsplit('/').next().unwrap_or_default()), home));
        }
        let folder = match start {
            "$XDG_CONFIG_HOME" => set("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config")),
            "%APPDATA%" => set("APPDATA").unwrap_or_else(|| home.join("AppData").join("Roaming")),
            _ => home.clone(),
        };
        Ok((rest.split('/').fold(folder, |path, part| path.join(part)), home))
    }

    /// Writes the entry for a server over an old one, which may be empty. Keeps what the user has added to it: other
    /// properties, values that have a default, and variables.
    pub(super) fn entry(
        &self,
        name: &str,
        server: &Value,
        old: &Map<String, Value>,
    ) -> Result<Map<String, Value>, String> {
        let shape = if server.get("{url}").is_some() { self.http.as_ref() } else { Some(&self.stdio) };
        let shape = shape.ok_or("its file cannot have a server over HTTP; add the URL in its settings")?;
        let mut entry = old.clone();
        // An entry that starts a server has nothing to do with a URL, and the other way round.
        let is_of_other = |key: &str| {
            [Some(&self.stdio), self.http.as_ref()].into_iter().flatten().any(|other| other.contains_key(key))
        };
        entry.retain(|key, _| shape.contains_key(key) || !is_of_other(key));
        for (key, part) in shape {
            let value = match part.as_str() {
                Some("{name}") => name.into(),
                Some(place @ "{env}") => {
                    let mut variables = entry.get(key).and_then(Value::as_object).cloned().unwrap_or_default();
                    variables.extend(server[place].as_object().cloned().unwrap_or_default());
                    if variables.is_empty() {
                        continue;
                    }
                    variables.into()
                }
                Some(place) if place.starts_with('{') => server[place].clone(),
                _ if key != "type" && entry.contains_key(key) => continue,
                _ => part.clone(),
            };
            entry.insert(key.clone(), value);
        }
        Ok(entry)
    }
}
