//! `install` and `uninstall`: the entry with which a client starts this server, or reaches it over HTTP.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use serde_json::{Map, Value};

mod clients;
mod edit;
mod file;
#[cfg(test)]
mod tests;
mod yaml;

pub(super) use clients::CLIENTS;
use clients::{Client, Part, System};
pub(super) use edit::from_toml;
use file::Written;

use super::command_prefix::CommandPrefix;
use super::{Cli, FAILURE, Io, SUCCESS};

/// What an entry says, for every client.
#[derive(Debug, Default)]
struct Server {
    command: String,
    words: Vec<String>,
    variables: Map<String, Value>,
    url: Option<String>,
}

impl Cli {
    /// `selection` has the options that choose some of the tools.
    pub(super) fn install(&self, matches: &ArgMatches, program: &CommandPrefix, selection: &[String], io: &Io) -> u8 {
        let writes = matches.get_flag("write");
        let server = match self.server(matches, program, selection, writes, io) {
            Ok(server) => server,
            Err(problem) => return io.usage_error(&problem),
        };
        self.for_each_client(matches, io, |client, name| {
            let entry = client.entry(name, &server)?;
            if !writes {
                return Ok(client.print(name, &entry, io));
            }
            let change = |old: Option<&Value>| Some(client.merged(old, &entry));
            let (path, written) = client.change(name, io, &change)?;
            let (title, path) = (client.title, path.display());
            Ok(match written {
                None => io.told(&format!("{title}: `{name}` is already in {path}")),
                Some(written) => io.written(&format!("{title}: `{name}` is in {path} now"), &written),
            })
        })
    }

    pub(super) fn uninstall(&self, matches: &ArgMatches, io: &Io) -> u8 {
        self.for_each_client(matches, io, |client, name| {
            let (path, written) = client.change(name, io, &|_| None)?;
            let (title, path) = (client.title, path.display());
            Ok(match written {
                None => io.told(&format!("{title}: `{name}` is not in {path}")),
                Some(written) => io.written(&format!("{title}: `{name}` is no longer in {path}"), &written),
            })
        })
    }

    /// Does something for each client that the user has named, or that is on this computer. Goes on after a failure.
    fn for_each_client(&self, matches: &ArgMatches, io: &Io, work: impl Fn(&Client, &str) -> Result<u8, String>) -> u8 {
        let chosen: Vec<_> = matches.get_many::<String>("client").into_iter().flatten().collect();
        let all = matches.get_flag("all");
        let is_chosen = |client: &&Client| {
            if all { client.is_here(io) } else { chosen.iter().any(|name| *name == client.name) }
        };
        let clients: Vec<_> = CLIENTS.iter().filter(is_chosen).collect();
        if clients.is_empty() {
            return io.fail("none of the clients has a configuration on this computer; name one of them");
        }
        let requested = matches.get_one::<String>("name").map(String::as_str);
        let mut code = SUCCESS;
        for client in clients {
            let name = match client.server_name(requested, &self.dispatcher.identity().name) {
                Ok(name) => name,
                Err(problem) => return io.usage_error(&problem),
            };
            match work(client, &name) {
                Ok(done) => code = code.max(done),
                Err(problem) => {
                    io.error(&format!("{}: {problem}", client.title));
                    code = FAILURE;
                }
            }
        }
        code
    }

    /// Reads what the entry says from the command line. If the entry is going to be written, asks for the variables
    /// that lack a value.
    fn server(
        &self,
        matches: &ArgMatches,
        program: &CommandPrefix,
        selection: &[String],
        writes: bool,
        io: &Io,
    ) -> Result<Server, String> {
        let texts = |name: &str| matches.get_many::<String>(name).into_iter().flatten();
        if let Some(url) = matches.get_one::<String>("url") {
            if !["http://", "https://"]
                .iter()
                .any(|scheme| url.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty()))
            {
                return Err("`--url`: expected a URL that begins with `https://` or `http://`".to_owned());
            }
            if !selection.is_empty() {
                return Err(format!("{}: the server at `--url` serves what it was started with", selection[0]));
            }
            return Ok(Server { url: Some(url.clone()), ..Server::default() });
        }
        let path =
            std::env::current_exe().map_err(|error| format!("the path of this program is not known: {error}"))?;
        let mut variables = Map::new();
        for text in texts("env") {
            match text.split_once('=') {
                Some((name, value)) if !name.is_empty() => drop(variables.insert(name.to_owned(), value.into())),
                // The text may be a secret, so the message does not repeat it.
                _ => return Err("`--env`: expected NAME=VALUE".to_owned()),
            }
        }
        let lacking: Vec<_> =
            self.variables.iter().filter(|it| it.is_required && !variables.contains_key(&it.name)).collect();
        for variable in lacking {
            let answer = if writes { variable.ask(io) } else { None };
            match answer {
                Some(value) => drop(variables.insert(variable.name.clone(), value.into())),
                None if writes => {
                    let lack = self.lack(|it| variables.contains_key(&it.name)).unwrap_or_default();
                    return Err(format!("{lack}\nwrite `--env NAME=VALUE`"));
                }
                None => io.note("note", &format!("the server needs `--env {}=…`", variable.name)),
            }
        }
        // If this command line is embedded in another one, the client must also pass the parent's words.
        let words = program.parent_words.iter().chain(selection).chain(texts("words")).cloned().collect();
        Ok(Server { command: path.display().to_string(), words, variables, url: None })
    }
}

impl Io {
    fn told(&self, text: &str) -> u8 {
        self.tell(&format!("{text}\n"));
        SUCCESS
    }

    /// Says what became of a file, and where the copy of the old one is.
    fn written(&self, text: &str, written: &Written) -> u8 {
        self.told(text);
        if let Written::Over(copy) = written {
            self.note("note", &format!("the file before is {}", copy.display()));
        }
        SUCCESS
    }
}

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

    /// Returns `true` if the client seems to be on this computer: its file exists, or the folder for it.
    fn is_here(&self, io: &Io) -> bool {
        let found = self.file(System::THIS, |name| io.variable(name));
        found.is_ok_and(|(file, home)| {
            file.exists() || file.parent().is_some_and(|folder| folder != home && folder.exists())
        })
    }

    /// Writes the entry for a server.
    fn entry(&self, name: &str, server: &Server) -> Result<Map<String, Value>, String> {
        let shape = if server.url.is_some() { self.http } else { Some(self.stdio) };
        let shape = shape.ok_or("its file cannot have a server over HTTP; add the URL in its settings")?;
        let value = |part: &Part| match *part {
            Part::Text(text) => Some(text.into()),
            Part::Command => Some(server.command.as_str().into()),
            Part::Args => Some(server.words.clone().into()),
            Part::CommandLine => Some([&server.command].into_iter().chain(&server.words).cloned().collect()),
            Part::Env => (!server.variables.is_empty()).then(|| server.variables.clone().into()),
            Part::Url => server.url.as_deref().map(Value::from),
            Part::Name => Some(name.into()),
            Part::Default(json) => serde_json::from_str(json).ok(),
        };
        Ok(shape.iter().filter_map(|(key, part)| Some(((*key).to_owned(), value(part)?))).collect())
    }

    /// Returns the entry with everything that the user has added to an old one: further properties, changed defaults,
    /// and variables.
    fn merged(&self, old: Option<&Value>, entry: &Map<String, Value>) -> Value {
        let mut merged = old.and_then(Value::as_object).cloned().unwrap_or_default();
        let is_local = self.stdio.iter().all(|(key, part)| matches!(part, Part::Env) || entry.contains_key(*key));
        for (key, part) in self.stdio.iter().chain(self.http.into_iter().flatten()) {
            match (part, entry.get(*key)) {
                (Part::Default(_), Some(_)) if merged.contains_key(*key) => {}
                (Part::Env, new) if is_local && merged.get(*key).is_some_and(Value::is_object) => {
                    if let Some(known) = merged.get_mut(*key).and_then(Value::as_object_mut) {
                        known.extend(new.and_then(Value::as_object).cloned().unwrap_or_default());
                    }
                }
                (_, Some(value)) => drop(merged.insert((*key).to_owned(), value.clone())),
                (_, None) => drop(merged.shift_remove(*key)),
            }
        }
        merged.into()
    }

    /// Changes the entry in the client's file. Returns the file, and the copy if there is a change.
    fn change(&self, name: &str, io: &Io, change: edit::Change<'_>) -> Result<(PathBuf, Option<Written>), String> {
        let (path, _) = self.file(System::THIS, |name| io.variable(name))?;
        let copy = self.change_file(&path, name, change)?;
        Ok((path, copy))
    }

    fn change_file(&self, path: &Path, name: &str, change: edit::Change<'_>) -> Result<Option<Written>, String> {
        let edit = |text: &str| self.format.edit(text, self.key, name, change);
        file::change(path, &format!(".before-{name}"), &edit)
            .map_err(|problem| format!("{} stays as it is: {problem}", path.display()))
    }

    /// Prints an entry, and says where to put it.
    fn print(&self, name: &str, entry: &Map<String, Value>, io: &Io) -> u8 {
        let text = self.format.alone(self.key, name, &Value::Object(entry.clone()));
        let code = io.print_json(&text);
        match self.file(System::THIS, |name| io.variable(name)) {
            Ok((file, _)) => io.tell(&format!("Put it into {} (all your projects); --write does\n", file.display())),
            Err(problem) => io.note("note", &problem),
        }
        if let Some(file) = self.of_project {
            io.tell(&format!("        or {file} (a project)\n"));
        }
        io.note("note", &format!("where the file has `{}` already, add `{name}` to it", self.key));
        io.note(
            "note",
            &format!("{} reads such entries since {} at the latest: {}", self.title, self.date, self.source),
        );
        if self.variable_prefix.is_some_and(|prefix| text.contains(prefix)) {
            let marked = match self.variable_prefix {
                Some("$") => "`$NAME`",
                Some("{env:") => "`{env:NAME}`",
                _ => "`${…}`",
            };
            io.note("note", &format!("the client replaces {marked} in the entry with a variable"));
        }
        code
    }
}
