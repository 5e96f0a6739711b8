//! `install` and `uninstall`: the entry with which a client starts this server, or reaches it over HTTP.

use std::cell::RefCell;
use std::env::consts::OS;
use std::path::{self, Path, PathBuf};
use std::{env, fs};

use clap::ArgMatches;
use serde_json::{Map, Value, json};

pub(super) mod clients;
mod edit;
mod file;
#[cfg(test)]
mod tests;

use clients::{CLIENTS, Client};
use edit::Change;
use file::Written;

use super::run::CommandPrefix;
use super::variables::Variable;
use super::{Cli, Io, SUCCESS};

type Object = Map<String, Value>;

/// Properties that only an entry with a command may have. [`OF_HTTP`] lists the properties that only an entry with a
/// URL may have. If an entry has properties of both kinds, Codex rejects its whole configuration.
const OF_STDIO: &str = "cwd envFile env_vars";
const OF_HTTP: &str = "auth bearer_token bearer_token_env_var env_http_headers headers headersHelper http_headers oauth \
    oauth_resource url";

impl Cli {
    /// Writes or prints the entry for each client. `selection` holds the options that choose some of the tools.
    pub(super) fn install(
        &self,
        matches: &ArgMatches,
        program: &CommandPrefix,
        selection: &[String],
        io: &Io,
    ) -> Result<u8, u8> {
        let writes = matches.get_flag("write");
        let (own, name, clients) = self.chosen(matches, io)?;
        let stored: Vec<_> = clients.iter().map(|client| client.variables(&name, &own, io)).collect();
        let is_stored =
            |it: &Variable| stored.iter().all(|variables| variables.get(&it.name).is_some_and(|value| *value != ""));
        let server = self.server(matches, program, selection, &own, &is_stored, io);
        let server = server.map_err(|problem| io.usage_error(&problem))?;
        Ok(for_each(&clients, io, |client| {
            let name = name.as_str();
            let entry = client.entry(name, &server, &Map::new())?;
            let code = if writes {
                let change: Change<'_> = &|old| {
                    let old = client.own(name, old, &own, matches.get_flag("force"))?;
                    client.entry(name, &server, &old).map(Some)
                };
                client.change(name, false, change, io)?
            } else {
                client.print(name, &entry, io)?
            };
            if let Some(start) = &client.expands
                && json!(entry).to_string().contains(start)
            {
                io.note("note", &format!("the client replaces `{start}…` in the entry with a variable"));
            }
            Ok(code)
        }))
    }

    pub(super) fn uninstall(&self, matches: &ArgMatches, io: &Io) -> Result<u8, u8> {
        let (own, name, clients) = self.chosen(matches, io)?;
        Ok(for_each(&clients, io, |client| {
            let change: Change<'_> = &|old| client.own(&name, old, &own, matches.get_flag("force")).map(|_| None);
            client.change(&name, true, change, io)
        }))
    }

    /// Returns the path of this program, the name of its entry, and the chosen clients: those that the user has named
    /// or, with `--all`, those that this computer has.
    fn chosen(&self, matches: &ArgMatches, io: &Io) -> Result<(PathBuf, String, Vec<&'static Client>), u8> {
        // Some clients join the name to other names with `_`, so the name must not contain `_`. Other clients accept
        // only letters, digits and `-`.
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let words: Vec<_> =
            self.dispatcher.identity().name.split(|c| !is_allowed(c)).filter(|word| !word.is_empty()).collect();
        let name = match matches.get_one::<String>("name") {
            None if words.is_empty() => "server".to_owned(),
            None => words.join("-"),
            Some(name) if !name.is_empty() && name.chars().all(is_allowed) => name.clone(),
            Some(_) => return Err(io.usage_error("`--name`: expected a name of letters, digits and `-`")),
        };
        let all = matches.get_flag("all");
        let chosen: Vec<_> = matches.get_many::<String>("client").into_iter().flatten().collect();
        let is_chosen = |client: &&Client| all && client.is_here(io) || chosen.contains(&&client.name);
        let clients: Vec<_> = CLIENTS.iter().filter(is_chosen).collect();
        if clients.is_empty() {
            return Err(io.fail("none of the clients has a configuration on this computer; name one of them"));
        }
        Ok((own_program(io).map_err(|problem| io.fail(&problem))?, name, clients))
    }

    /// Reads from the command line what the entry says about the server. If the entry will be written, asks for the
    /// required variables that have no value.
    fn server(
        &self,
        matches: &ArgMatches,
        program: &CommandPrefix,
        selection: &[String],
        own: &Path,
        is_stored: &dyn Fn(&Variable) -> bool,
        io: &Io,
    ) -> Result<Value, String> {
        let writes = matches.get_flag("write");
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
        let mut variables = Map::new();
        for text in texts("env") {
            let pair = text.split_once('=').filter(|(name, _)| !name.is_empty());
            // The text may be a secret, so the message does not repeat it.
            let (name, value) = pair.ok_or("`--env`: expected NAME=VALUE")?;
            variables.insert(name.to_owned(), value.into());
        }
        let has = |given: &Object, it: &Variable| match given.get(&it.name) {
            Some(value) => *value != "",
            None => is_stored(it),
        };
        for variable in self.variables.iter().filter(|it| it.is_required) {
            if has(&variables, variable) {
                continue;
            }
            if !writes {
                io.note("note", &format!("the server needs `--env {}=…`", variable.name));
            } else if let Some(value) = variable.ask(io) {
                variables.insert(variable.name.clone(), value.into());
            }
        }
        if let Some(lack) = self.lack(|it| has(&variables, it)).filter(|_| writes) {
            return Err(format!("{lack}\nwrite `--env NAME=VALUE`"));
        }
        // If this command line is embedded in another one, the client must also pass the words that lead to it.
        let words: Vec<_> = program.parent_words.iter().chain(selection).chain(texts("words")).collect();
        let command = own.display().to_string();
        let line = [&command].into_iter().chain(words.iter().copied());
        Ok(
            json!({ "{command and args}": line.collect::<Vec<_>>(), "{command}": command, "{args}": words, "{env}": variables }),
        )
    }
}

/// Returns the path with which a client starts this program. If a link leads to the program, such as a link that a
/// package manager made, returns the path of the link: the file itself may be gone after an update.
fn own_program(io: &Io) -> Result<PathBuf, String> {
    let program = env::current_exe().map_err(|error| format!("the path of this program is not known: {error}"))?;
    let file = fs::canonicalize(&program).unwrap_or_else(|_| program.clone());
    let started = env::args_os().next().map(PathBuf::from).unwrap_or_default();
    let name = started.file_name().unwrap_or_default();
    let path = io.variable("PATH").unwrap_or_default();
    let in_path = env::split_paths(&path).map(|folder| folder.join(name)).filter(|link| link.is_absolute());
    let given = path::absolute(&started).ok().filter(|link| link.is_symlink());
    let mut links = in_path.chain(given);
    Ok(links.find(|link| fs::canonicalize(link).is_ok_and(|target| target == file)).unwrap_or(program))
}

fn copy_suffix(name: &str) -> String {
    format!(".before-{name}")
}

/// Calls `work` for each client, even after a failure. Returns the highest exit code.
fn for_each(clients: &[&Client], io: &Io, work: impl Fn(&Client) -> Result<u8, String>) -> u8 {
    let run =
        |client: &&Client| work(client).unwrap_or_else(|problem| io.fail(&format!("{}: {problem}", client.title)));
    clients.iter().map(run).fold(SUCCESS, u8::max)
}

impl Client {
    /// Returns the path of the client's file for all projects, and the path of the home folder.
    fn file(&self, system: &str, variable: impl Fn(&str) -> Option<String>) -> Result<(PathBuf, PathBuf), String> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let name_of_home = if system == "windows" { "USERPROFILE" } else { "HOME" };
        let home = set(name_of_home).ok_or_else(|| format!("the variable {name_of_home} is not set"))?;
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

    /// Returns the new entry for a server, made from the old entry, which may be empty. Keeps what the user has set in
    /// the old entry: other properties, values that differ from our defaults, and variables.
    fn entry(&self, name: &str, server: &Value, old: &Map<String, Value>) -> Result<Map<String, Value>, String> {
        let (shape, additions) = match server.get("{url}") {
            Some(_) => (self.http.as_ref(), OF_STDIO),
            None => (Some(&self.stdio), OF_HTTP),
        };
        let shape = shape.ok_or("its file cannot have a server over HTTP; add the URL in its settings")?;
        let mut entry = old.clone();
        // If the old entry has a URL and the new one starts a program, remove the properties that go with a URL, and
        // vice versa.
        let is_of_other = |key: &str| {
            let mut shapes = [Some(&self.stdio), self.http.as_ref()].into_iter().flatten();
            additions.split(' ').any(|other| other == key) || shapes.any(|other| other.contains_key(key))
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

    /// Returns `true` if the client seems to be on this computer: its file exists, or the folder for that file exists
    /// and is not the home folder.
    fn is_here(&self, io: &Io) -> bool {
        let has_folder = |file: &Path, home| file.parent().is_some_and(|folder| folder != home && folder.exists());
        self.file(OS, |name| io.variable(name)).is_ok_and(|(file, home)| file.exists() || has_folder(&file, home))
    }

    /// Changes the entry in the client's file, or removes it, and says whether the file was changed.
    fn change(&self, name: &str, removes: bool, change: Change<'_>, io: &Io) -> Result<u8, String> {
        let (path, _) = self.file(OS, |name| io.variable(name))?;
        let written = self.change_file(&path, name, change)?;
        let verb = match (removes, written.is_some()) {
            (false, false) => "is already in",
            (false, true) => "is now in",
            (true, false) => "is not in",
            (true, true) => "is no longer in",
        };
        io.tell(&format!("{}: `{name}` {verb} {}\n", self.title, path.display()));
        let copy = written.and_then(|written| written.copy);
        let copy = if removes { file::remove_copy(&path, &copy_suffix(name)) } else { copy };
        if let Some(copy) = copy {
            io.note("note", &format!("the file before is {}", copy.display()));
        }
        Ok(SUCCESS)
    }

    fn change_file(&self, path: &Path, name: &str, change: Change<'_>) -> Result<Option<Written>, String> {
        let edit = |text: &str| self.edit(text, name, change);
        file::change(path, &copy_suffix(name), &edit)
            .map_err(|problem| format!("{} stays as it is: {problem}", path.display()))
    }

    /// Returns the old entry, or an error if it starts another program. With `--force`, returns an empty entry instead
    /// of the error, because the variables of the other program are not for this server.
    fn own(&self, name: &str, old: &Object, own: &Path, is_forced: bool) -> Result<Object, String> {
        let command = self.stdio.iter().find(|(_, part)| part.as_str().is_some_and(|it| it.starts_with("{command")));
        let command = command.and_then(|(key, _)| old.get(key)).map(|value| value.get(0).unwrap_or(value));
        match command.and_then(Value::as_str) {
            // After an update, the program may be in another folder, so compare only the file names.
            Some(other) if Path::new(other).file_stem() == own.file_stem() => Ok(old.clone()),
            Some(_) if is_forced => Ok(Map::new()),
            Some(other) => {
                Err(format!("`{name}` starts another program, `{other}`; choose a `--name`, or write `--force`"))
            }
            None => Ok(old.clone()),
        }
    }

    /// Returns the variables in the client's entry for this server. Returns no variables if the file cannot be read.
    /// With `--write`, the command reads the file again later, and reports the error then.
    fn variables(&self, name: &str, own: &Path, io: &Io) -> Object {
        let found = RefCell::new(Map::new());
        let look: Change<'_> = &|old| {
            let old = self.own(name, old, own, true)?;
            let key = self.stdio.iter().find(|(_, part)| **part == "{env}").map(|(key, _)| key);
            found.replace(key.and_then(|key| old.get(key)?.as_object().cloned()).unwrap_or_default());
            Err(String::new())
        };
        let file = self.file(OS, |name| io.variable(name));
        if let Some(text) = file.ok().and_then(|(file, _)| fs::read_to_string(file).ok()) {
            let _ = self.edit(&text, name, look);
        }
        found.take()
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
