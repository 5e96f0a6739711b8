//! `package`: the documents with which registries and clients install this server.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use serde_json::{Map, Value, json};
use toml_edit::DocumentMut;

use super::command_prefix::CommandPrefix;
use super::install::from_toml;
use super::{Cli, Io};

/// The schema of 2025-12-11, read on 2026-11-29.
const SERVER_SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
/// The registry refuses a longer description or title.
const MAX_CHARACTERS: usize = 100;
/// The version of the manifest that Claude Desktop has read since 2025-12, read on 2026-11-29 in the npm package @anthropic-ai/mcpb.
const MANIFEST_VERSION: &str = "0.3";

/// The package of the server, as its `Cargo.toml` describes it.
struct Package {
    folder: PathBuf,
    /// `[package]`, and `[workspace.package]` for what it takes from there.
    tables: [Map<String, Value>; 2],
}

impl Package {
    /// Reads the manifest of the package that cargo runs, or else of the current directory.
    fn read(io: &Io) -> Result<Self, String> {
        let folder = PathBuf::from(io.variable("CARGO_MANIFEST_DIR").unwrap_or_else(|| ".".to_owned()));
        let folder = fs::canonicalize(&folder).unwrap_or(folder);
        let table = |folder: &Path, path: &[&str]| {
            let document: DocumentMut = fs::read_to_string(folder.join("Cargo.toml")).ok()?.parse().ok()?;
            let item = path.iter().try_fold(document.as_item(), |item, key| item.get(key))?;
            from_toml(item).as_object().cloned()
        };
        let own = table(&folder, &["package"]).ok_or_else(|| {
            format!("{} has no Cargo.toml with a `[package]`; run this in the package of the server", folder.display())
        })?;
        let shared = folder.ancestors().find_map(|folder| table(folder, &["workspace", "package"])).unwrap_or_default();
        Ok(Self { folder, tables: [own, shared] })
    }

    fn text(&self, key: &str) -> Option<&str> {
        let [own, shared] = &self.tables;
        let value = own.get(key)?;
        let is_inherited = value.get("workspace").is_some();
        if is_inherited { shared.get(key)?.as_str() } else { value.as_str() }
    }

    /// Returns a field that the document cannot do without.
    fn required(&self, key: &str) -> Result<&str, String> {
        self.text(key)
            .ok_or_else(|| format!("write `{key}` into `[package]` of {}", self.folder.join("Cargo.toml").display()))
    }

    /// Returns the host, the owner and the name of the repository on a forge that the registry knows.
    fn forge(&self) -> Option<(&'static str, &str, &str)> {
        let url = self.text("repository")?.trim_end_matches('/').trim_end_matches(".git");
        let forges = [("https://github.com/", "github"), ("https://gitlab.com/", "gitlab")];
        let (path, forge) = forges.into_iter().find_map(|(start, forge)| Some((url.strip_prefix(start)?, forge)))?;
        let (owner, name) = path.split_once('/')?;
        Some((forge, owner, name))
    }
}

impl Cli {
    pub(super) fn package(&self, matches: &ArgMatches, program: &CommandPrefix, io: &Io) -> u8 {
        let document = match matches.subcommand() {
            Some(("server-json", matches)) => self.server_json(matches, program, io),
            _ => self.manifest(program, io),
        };
        match document {
            Ok(document) => io.print_json(&format!("{document:#}\n")),
            Err(problem) => io.fail(&problem),
        }
    }

    /// Writes the entry of the official registry.
    fn server_json(&self, matches: &ArgMatches, program: &CommandPrefix, io: &Io) -> Result<Value, String> {
        let package = Package::read(io)?;
        let option = |name: &str| matches.get_one::<String>(name).map(String::as_str);
        let derived = package.forge().map(|(forge, owner, name)| format!("io.{forge}.{owner}/{name}"));
        let name = option("name").map(str::to_owned).or(derived);
        let name = name.ok_or("`repository` in Cargo.toml is not on GitHub or GitLab: give the name in the registry, as `--name com.example/weather`")?;
        let is_part = |part: &str, others: &str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
        };
        if !name.split_once('/').is_some_and(|(space, name)| is_part(space, ".-") && is_part(name, "._-")) {
            return Err("`--name`: expected a namespace, a slash and a name, such as `com.example/weather`".to_owned());
        }
        let description = package.required("description")?;
        if description.chars().count() > MAX_CHARACTERS {
            return Err(format!(
                "`description` in Cargo.toml has {} characters, and the registry takes {MAX_CHARACTERS}",
                description.chars().count()
            ));
        }
        let version = package.required("version")?;
        let mut entry = match (option("mcpb"), option("sha256")) {
            (None, _) => {
                let readme = fs::read_to_string(package.folder.join(package.text("readme").unwrap_or("README.md")));
                if !readme.is_ok_and(|text| has_visible_name(&text, &name)) {
                    io.note("warning", &format!("the README needs a visible line `mcp-name: {name}`: with it, the registry knows that the crate is yours"));
                }
                json!({ "registryType": "cargo", "identifier": package.required("name")?, "version": version })
            }
            (Some(url), Some(hash))
                if hash.len() == 64 && hash.bytes().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c)) =>
            {
                json!({ "registryType": "mcpb", "identifier": url, "version": version, "fileSha256": hash })
            }
            _ => {
                return Err(
                    "`--mcpb` needs the hash of the file too: `--sha256` and 64 hexadecimal digits in lower case"
                        .to_owned(),
                );
            }
        };
        entry["transport"] = json!({ "type": "stdio" });
        if !program.parent_words.is_empty() {
            let word = |word: &String| json!({ "type": "positional", "value": word });
            entry["packageArguments"] = program.parent_words.iter().map(word).collect();
        }
        let variables = self.variables.iter().map(|variable| {
            let mut input =
                json!({ "name": variable.name, "isRequired": variable.is_required, "isSecret": variable.is_secret });
            set(&mut input, "description", variable.description.as_deref());
            input
        });
        if !self.variables.is_empty() {
            entry["environmentVariables"] = variables.collect();
        }
        let mut document = json!({ "$schema": SERVER_SCHEMA, "name": name });
        let title = self.dispatcher.identity().title.as_deref();
        set(&mut document, "title", title.filter(|title| title.chars().count() <= MAX_CHARACTERS));
        document["description"] = description.into();
        if let Some((forge, ..)) = package.forge() {
            document["repository"] = json!({ "url": package.text("repository"), "source": forge });
        }
        set(&mut document, "websiteUrl", package.text("homepage"));
        document["version"] = version.into();
        document["packages"] = json!([entry]);
        Ok(document)
    }

    /// Writes the manifest of a bundle, which has the program in the folder `server`.
    fn manifest(&self, program: &CommandPrefix, io: &Io) -> Result<Value, String> {
        let package = Package::read(io)?;
        let command = format!("server/{}", program.name);
        let author = package.tables[0].get("authors").and_then(|authors| authors.get(0)?.as_str().map(str::to_owned));
        let author = author.or_else(|| package.forge().map(|(_, owner, _)| owner.to_owned()));
        let author = author.ok_or(
            "write `authors` or a `repository` on GitHub or GitLab into Cargo.toml: a bundle names its author",
        )?;
        let mut document = json!({ "manifest_version": MANIFEST_VERSION, "name": package.required("name")? });
        set(&mut document, "display_name", self.dispatcher.identity().title.as_deref());
        document["version"] = package.required("version")?.into();
        document["description"] = package.required("description")?.into();
        document["author"] = json!({ "name": author.split(" <").next() });
        if let Some(url) = package.text("repository") {
            document["repository"] = json!({ "type": "git", "url": url });
        }
        set(&mut document, "homepage", package.text("homepage"));
        set(&mut document, "license", package.text("license"));
        let key = |name: &str| name.to_ascii_lowercase();
        let variables =
            self.variables.iter().map(|it| (it.name.clone(), format!("${{user_config.{}}}", key(&it.name)).into()));
        document["server"] = json!({
            "type": "binary",
            "entry_point": command,
            "mcp_config": {
                "command": format!("${{__dirname}}/{command}"),
                "args": program.parent_words,
                "env": variables.collect::<Map<_, _>>(),
                "platform_overrides": { "win32": { "command": format!("${{__dirname}}/{command}.exe") } },
            },
        });
        let tool = |tool: &crate::mcp::Tool| json!({ "name": tool.name, "description": super::command::first_line(tool.description.as_deref().unwrap_or_default()) });
        document["tools"] = self.tools().map(|(_, definition)| tool(definition)).collect();
        if !self.variables.is_empty() {
            let inputs = self.variables.iter().map(|it| {
                let input = json!({
                    "type": "string",
                    "title": it.name,
                    "description": it.description.as_ref().unwrap_or(&it.name),
                    "required": it.is_required,
                    "sensitive": it.is_secret,
                });
                (key(&it.name), input)
            });
            document["user_config"] = inputs.collect::<Map<_, _>>().into();
        }
        Ok(document)
    }
}

fn set(document: &mut Value, key: &str, text: Option<&str>) {
    if let Some(text) = text {
        document[key] = text.into();
    }
}

/// Returns `true` if the page of the crate shows the line. crates.io removes comments.
fn has_visible_name(readme: &str, name: &str) -> bool {
    let line = format!("mcp-name: {name}");
    let shown = readme
        .split("<!--")
        .enumerate()
        .map(|(index, part)| if index == 0 { part } else { part.split_once("-->").map_or("", |(_, rest)| rest) });
    shown.flat_map(str::lines).any(|text| text.trim().trim_matches('`') == line)
}
