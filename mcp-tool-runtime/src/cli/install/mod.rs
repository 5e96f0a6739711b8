//! `install` and `uninstall`: the entry with which a client starts this server, or reaches it over HTTP.

use std::collections::BTreeMap;
use std::env::consts::OS;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::ArgMatches;
use serde::Deserialize;
use serde_json::{Map, Value, json};

mod edit;
mod file;
#[cfg(test)]
mod tests;

use edit::Change;
use file::Written;

use super::run::CommandPrefix;
use super::{Cli, Io, SUCCESS};

/// The clients. `clients.json` has a row for each, which also says where it comes from, and when it was last compared
/// with that source. `tests/clients/install.py` installs a server in the clients that npm has, and asks them for its
/// tools.
pub(super) static CLIENTS: LazyLock<Vec<Client>> =
    LazyLock::new(|| serde_json::from_str(include_str!("clients.json")).unwrap_or_default());

/// A client and its configuration.
#[derive(Debug, Deserialize)]
pub(super) struct Client {
    /// The name on the command line.
    pub(super) name: String,
    title: String,
    /// The file for all projects of the user, by Rust's name for the operating system. It starts with the user's home,
    /// or with the variable that names the folder.
    files: BTreeMap<String, String>,
    /// The variable with which a user moves the folder of this file.
    moved_by: Option<String>,
    /// The file for one project, if there is one.
    of_project: Option<String>,
    /// The object with the entries.
    key: String,
    /// The entry that starts a server. Names in braces stand for the properties of a server.
    stdio: Map<String, Value>,
    /// An entry for a server over HTTP. `None` if the file cannot have one.
    http: Option<Map<String, Value>>,
    /// How a variable starts, such as `${HOME}`, if the client expands variables in an entry.
    expands: Option<String>,
}

impl Cli {
    /// Writes or prints the entry for each client. `selection` holds the options that choose some of the tools.
    pub(super) fn install(&self, matches: &ArgMatches, program: &CommandPrefix, selection: &[String], io: &Io) -> u8 {
        let writes = matches.get_flag("write");
        let server = match self.server(matches, program, selection, writes, io) {
            Ok(server) => server,
            Err(problem) => return io.usage_error(&problem),
        };
        self.for_each_client(matches, io, |client, name| {
            let entry = client.entry(name, &server, &Map::new())?;
            let code = if writes {
                let change: Change<'_> = &|old| client.entry(name, &server, old).map(Some);
                client.change(name, ["is already in", "is now in"], change, io)?
            } else {
                client.print(name, &entry, io)?
            };
            if let Some(start) = &client.expands
                && json!(entry).to_string().contains(start)
            {
                io.note("note", &format!("the client replaces `{start}…` in the entry with a variable"));
            }
            Ok(code)
        })
    }

    pub(super) fn uninstall(&self, matches: &ArgMatches, io: &Io) -> u8 {
        self.for_each_client(matches, io, |client, name| {
            client.change(name, ["is not in", "is no longer in"], &|_| Ok(None), io)
        })
    }

    /// Does something for each client that the user has named, or that is on this computer. Continues after a failure.
    fn for_each_client(&self, matches: &ArgMatches, io: &Io, work: impl Fn(&Client, &str) -> Result<u8, String>) -> u8 {
        // Clients put the name between others with `_`, or accept no other characters.
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let own: Vec<_> =
            self.dispatcher.identity().name.split(|c| !is_allowed(c)).filter(|word| !word.is_empty()).collect();
        let name = match matches.get_one::<String>("name") {
            None if own.is_empty() => "server".to_owned(),
            None => own.join("-"),
            Some(name) if !name.is_empty() && name.chars().all(is_allowed) => name.clone(),
            Some(_) => return io.usage_error("`--name`: expected a name of letters, digits and `-`"),
        };
        let all = matches.get_flag("all");
        let chosen: Vec<_> = matches.get_many::<String>("client").into_iter().flatten().collect();
        let is_chosen = |client: &&Client| all && client.is_here(io) || chosen.contains(&&client.name);
        let clients: Vec<_> = CLIENTS.iter().filter(is_chosen).collect();
        if clients.is_empty() {
            return io.fail("none of the clients has a configuration on this computer; name one of them");
        }
        let run = |client: &Client| {
            work(client, &name).unwrap_or_else(|problem| io.fail(&format!("{}: {problem}", client.title)))
        };
        clients.into_iter().map(run).fold(SUCCESS, u8::max)
    }

    /// Reads the content of the entry from the command line. If the entry will be written, asks for the variables that
    /// lack a value.
    fn server(
        &self,
        matches: &ArgMatches,
        program: &CommandPrefix,
        selection: &[String],
        writes: bool,
        io: &Io,
    ) -> Result<Value, String> {
        let texts = |name: &str| matches.get_many::<String>(name).into_iter().flatten();
        if let Some(url) = matches.get_one::<String>("url") {
            if !url.starts_with("https://") && !url.starts_with("http://") {
                return Err("`--url`: expected a URL that begins with `https://` or `http://`".to_owned());
            }
            return match selection.first() {
                Some(option) => Err(format!("{option}: the server at `--url` serves what it was started with")),
                None => Ok(json!({ "{url}": url })),
            };
        }
        let path =
            std::env::current_exe().map_err(|error| format!("the path of this program is not known: {error}"))?;
        let mut variables = Map::new();
        for text in texts("env") {
            let pair = text.split_once('=').filter(|(name, _)| !name.is_empty());
            // The text may be a secret, so the message does not repeat it.
            let (name, value) = pair.ok_or("`--env`: expected NAME=VALUE")?;
            variables.insert(name.to_owned(), value.into());
        }
        for variable in self.variables.iter().filter(|it| it.is_required) {
            if variables.contains_key(&variable.name) {
                continue;
            }
            if !writes {
                io.note("note", &format!("the server needs `--env {}=…`", variable.name));
            } else if let Some(value) = variable.ask(io) {
                variables.insert(variable.name.clone(), value.into());
            }
        }
        if let Some(lack) = self.lack(|it| variables.contains_key(&it.name)).filter(|_| writes) {
            return Err(format!("{lack}\nwrite `--env NAME=VALUE`"));
        }
        // If this command line is embedded in another one, the client must also pass the parent's words.
        let words: Vec<_> = program.parent_words.iter().chain(selection).chain(texts("words")).collect();
        let command = path.display().to_string();
        let line = [&command].into_iter().chain(words.iter().copied());
        Ok(
            json!({ "{command and args}": line.collect::<Vec<_>>(), "{command}": command, "{args}": words, "{env}": variables }),
        )
    }
}

impl Client {
    /// Returns the file for all projects of the user, and the home folder.
    fn file(&self, system: &str, variable: impl Fn(&str) -> Option<String>) -> Result<(PathBuf, PathBuf), String> {
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
    fn entry(&self, name: &str, server: &Value, old: &Map<String, Value>) -> Result<Map<String, Value>, String> {
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

    /// Returns `true` if the client seems to be on this computer: its file exists, or the folder for it.
    fn is_here(&self, io: &Io) -> bool {
        let has_folder = |file: &Path, home| file.parent().is_some_and(|folder| folder != home && folder.exists());
        self.file(OS, |name| io.variable(name)).is_ok_and(|(file, home)| file.exists() || has_folder(&file, home))
    }

    /// Changes the entry in the client's file, and says whether it did: the first verb means that the file stays as it
    /// is.
    fn change(&self, name: &str, verbs: [&str; 2], change: Change<'_>, io: &Io) -> Result<u8, String> {
        let (path, _) = self.file(OS, |name| io.variable(name))?;
        let written = self.change_file(&path, name, change)?;
        let verb = verbs[usize::from(written.is_some())];
        io.tell(&format!("{}: `{name}` {verb} {}\n", self.title, path.display()));
        if let Some(Written { copy: Some(copy) }) = written {
            io.note("note", &format!("the file before is {}", copy.display()));
        }
        Ok(SUCCESS)
    }

    fn change_file(&self, path: &Path, name: &str, change: Change<'_>) -> Result<Option<Written>, String> {
        let edit = |text: &str| self.edit(text, name, change);
        file::change(path, &format!(".before-{name}"), &edit)
            .map_err(|problem| format!("{} stays as it is: {problem}", path.display()))
    }

    /// Prints an entry, and says where to put it.
    fn print(&self, name: &str, entry: &Map<String, Value>, io: &Io) -> Result<u8, String> {
        let alone = self.edit("", name, &|_| Ok(Some(entry.clone())))?;
        let code = io.print_json(&alone.unwrap_or_default());
        let (file, _) = self.file(OS, |name| io.variable(name))?;
        io.tell(&format!("Put it into {} (all your projects); --write does\n", file.display()));
        if let Some(file) = &self.of_project {
            io.tell(&format!("        or {file} (a project)\n"));
        }
        io.note("note", &format!("where the file has `{}` already, add `{name}` to it", self.key));
        Ok(code)
    }

    fn edit(&self, text: &str, name: &str, change: Change<'_>) -> Result<Option<String>, String> {
        let extension = self.files["linux"].rsplit('.').next().unwrap_or_default();
        edit::edit(extension, text, &self.key, name, change)
    }
}
