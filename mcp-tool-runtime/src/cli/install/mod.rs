//! `install` and `uninstall`: the entry with which a client starts this server, or reaches it over HTTP.

use std::env::consts::OS;
use std::path::Path;

use clap::ArgMatches;
use serde_json::{Map, Value, json};

mod clients;
mod edit;
mod file;
#[cfg(test)]
mod tests;

pub(super) use clients::CLIENTS;
use clients::Client;
use edit::Change;
use file::Written;

use super::command_prefix::CommandPrefix;
use super::{Cli, Io, SUCCESS};

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
