//! `package`: the documents that registries and clients need to install this server.

use std::fs;
use std::path::Path;

use clap::ArgMatches;
use serde_json::{Map, Value, json};

use super::command::first_line;
use super::run::CommandPrefix;
use super::{Cli, Io};

/// The URL of the registry's schema, in its version of 2025-12-11. The schema was read on 2026-11-29.
const SERVER_SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
/// The maximum number of characters that the registry accepts in a description or title.
const MAX_CHARACTERS: usize = 100;
/// The manifest version that Claude Desktop has supported since 2025-12, according to the npm package
/// @anthropic-ai/mcpb on 2026-11-29.
const MANIFEST_VERSION: &str = "0.3";

/// The Cargo package of the server, read from environment variables. `cargo run` sets them to the fields of
/// `Cargo.toml`, including those inherited from the workspace.
struct Package<'i>(&'i Io);

impl Package<'_> {
    fn text(&self, key: &str) -> Option<String> {
        self.0.variable(&format!("CARGO_PKG_{}", key.to_ascii_uppercase())).filter(|text| !text.is_empty())
    }

    /// Returns a field that the document must have, or an error that says how to set it.
    fn required(&self, key: &str) -> Result<String, String> {
        self.text(key).ok_or_else(|| match key {
            "name" => "only cargo knows the package: run this with `cargo run -- package …`".to_owned(),
            key => format!("write `{key}` into `[package]` of Cargo.toml"),
        })
    }

    /// Returns the forge, the owner and the name of the repository, if the repository is on GitHub or GitLab.
    fn forge(&self) -> Option<(&'static str, String, String)> {
        let url = self.text("repository")?;
        let forges = [("https://github.com/", "github"), ("https://gitlab.com/", "gitlab")];
        let (path, forge) = forges.into_iter().find_map(|(start, forge)| Some((url.strip_prefix(start)?, forge)))?;
        let (owner, name) = path.trim_end_matches('/').trim_end_matches(".git").split_once('/')?;
        Some((forge, owner.to_owned(), name.to_owned()))
    }
}

impl Cli {
    pub(super) fn package(&self, matches: &ArgMatches, program: &CommandPrefix, io: &Io) -> u8 {
        let document = match matches.subcommand() {
            Some(("server-json", matches)) => self.server_json(matches, program, io),
            _ => self.manifest(program, io),
        };
        match document {
            Ok(document) => io.print_json(&format!("{:#}\n", without_empty(document))),
            Err(problem) => io.fail(&problem),
        }
    }

    /// Returns the `server.json` for the official registry.
    fn server_json(&self, matches: &ArgMatches, program: &CommandPrefix, io: &Io) -> Result<Value, String> {
        let package = Package(io);
        let (crate_name, version) = (package.required("name")?, package.required("version")?);
        let option = |name: &str| matches.get_one::<String>(name).cloned();
        let forge = package.forge();
        let derived = forge.as_ref().map(|(forge, owner, name)| format!("io.{forge}.{owner}/{name}"));
        let name = option("name").or(derived).ok_or("`repository` in Cargo.toml is not on GitHub or GitLab: give the name in the registry, as `--name com.example/weather`")?;
        let is_valid = name.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
        if !is_valid || !name.split('/').map(str::is_empty).eq([false, false]) {
            return Err("`--name`: expected a namespace, a slash and a name, such as `com.example/weather`".to_owned());
        }
        let description = package.required("description")?;
        let length = description.chars().count();
        if length > MAX_CHARACTERS {
            return Err(format!(
                "`description` in Cargo.toml has {length} characters, and the registry takes {MAX_CHARACTERS}"
            ));
        }
        let bundle = option("mcpb");
        if bundle.as_ref().is_some_and(|url| !url.starts_with("https://")) {
            return Err("`--mcpb`: expected a URL that begins with `https://`".to_owned());
        }
        let hash = option("sha256").map(|hash| hash.to_ascii_lowercase());
        if hash.as_ref().is_some_and(|hash| hash.len() != 64 || !hash.chars().all(|c| c.is_ascii_hexdigit())) {
            return Err("`--sha256`: expected 64 hexadecimal digits, as `sha256sum` prints".to_owned());
        }
        if bundle.is_none() {
            let folder = io.variable("CARGO_MANIFEST_DIR").unwrap_or_default();
            let readme = Path::new(&folder).join(package.text("readme").unwrap_or_default());
            if !fs::read_to_string(readme).is_ok_and(|text| has_visible_name(&text, &name)) {
                io.note("warning", &format!("the README needs a visible line `mcp-name: {name}`: with it, the registry knows that the crate is yours"));
            }
        }
        let word = |word: &String| json!({ "type": "positional", "value": word });
        let variable = |it: &super::Variable| {
            json!({
                "name": it.name,
                "description": it.description,
                "isRequired": it.is_required,
                "isSecret": it.is_secret,
            })
        };
        let title = self.dispatcher.identity().title.as_ref();
        Ok(json!({
            "$schema": SERVER_SCHEMA,
            "name": name,
            "title": title.filter(|title| title.chars().count() <= MAX_CHARACTERS),
            "description": description,
            "repository": forge.map(|(forge, ..)| json!({ "url": package.text("repository"), "source": forge })),
            "websiteUrl": package.text("homepage"),
            "version": version,
            "packages": [{
                "registryType": if bundle.is_some() { "mcpb" } else { "cargo" },
                "identifier": bundle.unwrap_or(crate_name),
                "version": version,
                "fileSha256": hash,
                "transport": { "type": "stdio" },
                "packageArguments": program.parent_words.iter().map(word).collect::<Value>(),
                "environmentVariables": self.variables.iter().map(variable).collect::<Value>(),
            }],
        }))
    }

    /// Returns the manifest of a bundle that contains the program in the folder `server`.
    fn manifest(&self, program: &CommandPrefix, io: &Io) -> Result<Value, String> {
        let package = Package(io);
        let name = package.required("name")?;
        let authors = package.text("authors");
        let author =
            authors.as_deref().and_then(|all| all.split([':', '<']).next()).map(|author| author.trim().to_owned());
        let author = author.or_else(|| package.forge().map(|(_, owner, _)| owner)).ok_or(
            "write `authors` or a `repository` on GitHub or GitLab into Cargo.toml: a bundle names its author",
        )?;
        let command = format!("server/{}", program.name);
        let key = |it: &super::Variable| it.name.to_ascii_lowercase();
        let variable = |it: &super::Variable| (it.name.clone(), format!("${{user_config.{}}}", key(it)).into());
        let input = |it: &super::Variable| {
            let input = json!({
                "type": "string",
                "title": it.name,
                "description": it.description.as_ref().unwrap_or(&it.name),
                "required": it.is_required,
                "sensitive": it.is_secret,
                // Without this default, the server would get the text `${user_config.…}` if the user leaves the value
                // out.
                "default": (!it.is_required).then_some(""),
            });
            (key(it), input)
        };
        let tools = self.tools().map(|(_, tool)| {
            json!({ "name": tool.name, "description": first_line(tool.description.as_deref().unwrap_or_default()) })
        });
        Ok(json!({
            "manifest_version": MANIFEST_VERSION,
            "name": name,
            "display_name": self.dispatcher.identity().title,
            "version": package.required("version")?,
            "description": package.required("description")?,
            "author": { "name": author },
            "repository": package.text("repository").map(|url| json!({ "type": "git", "url": url })),
            "homepage": package.text("homepage"),
            "license": package.text("license"),
            "server": {
                "type": "binary",
                "entry_point": command,
                "mcp_config": {
                    "command": format!("${{__dirname}}/{command}"),
                    "args": program.parent_words,
                    "env": self.variables.iter().map(variable).collect::<Map<_, _>>(),
                    "platform_overrides": { "win32": { "command": format!("${{__dirname}}/{command}.exe") } },
                },
            },
            "tools": tools.collect::<Value>(),
            "user_config": self.variables.iter().map(input).collect::<Map<_, _>>(),
        }))
    }
}

/// Removes the properties that are `null`, `[]` or `{}`.
fn without_empty(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let all = object.into_iter().map(|(key, value)| (key, without_empty(value)));
            all.filter(|(_, value)| !value.is_null() && *value != json!([]) && *value != json!({})).collect()
        }
        Value::Array(elements) => elements.into_iter().map(without_empty).collect(),
        value => value,
    }
}

/// Returns `true` if the README, as crates.io shows it, has the line `mcp-name: …`. crates.io removes comments, so a
/// line in a comment does not count.
fn has_visible_name(readme: &str, name: &str) -> bool {
    let line = format!("mcp-name: {name}");
    // Each part after the first begins inside a comment. Only what follows `-->` is visible.
    let shown = readme.split("<!--").enumerate();
    let shown = shown.filter_map(|(index, part)| if index == 0 { Some(part) } else { Some(part.split_once("-->")?.1) });
    shown.flat_map(str::lines).any(|text| text.trim().trim_matches('`') == line)
}
