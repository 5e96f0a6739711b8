//! `completions`: scripts that complete commands, tools, flags and values.
//!
//! The scripts are static. With dynamic scripts, each completion would start the server, and the dynamic engine of
//! `clap_complete` is unstable. Users generate the script in their shell's start-up file, so every session knows the
//! current tools.

use clap::builder::{PossibleValue, StyledStr};
use clap::{Arg, ArgMatches, Command, ValueHint};
use clap_complete::Shell;

use super::flags::AnyText;
use super::run::CommandPrefix;
use super::{Cli, Io, USAGE};

impl Cli {
    pub(super) fn complete(&self, matches: &ArgMatches, program: &CommandPrefix, io: &Io) -> u8 {
        let Some(shell) = matches.get_one::<Shell>("shell") else { return USAGE };
        let mut script = Vec::new();
        let mut values = Placeholders::default();
        let mut command = nested(safe(self.command(), &mut values), program);
        if *shell == Shell::Fish {
            command.build();
            return io.print(&values.fill(fish_script(&command), |value| escaped_for_fish(&quoted(value))));
        }
        clap_complete::generate(*shell, &mut command, &program.name, &mut script);
        let script = String::from_utf8_lossy(&script);
        let script = match shell {
            Shell::Bash => values.fill(with_quoted_values(&with_names_first(&script)), quoted_for_bash),
            Shell::Zsh => values.fill(script.replace(COMPLETE_WORDS, ""), escaped_for_zsh),
            _ => script.into_owned(),
        };
        io.print(&script)
    }
}

/// Nests the command in its parents: for `server admin tools`, `tools` becomes a subcommand of `admin`, and `admin` of
/// `server`. Flags of the parents are not completed.
fn nested(command: Command, program: &CommandPrefix) -> Command {
    let outer = program.parent_words.iter().filter(|word| !word.starts_with('-')).rev();
    let names = outer.chain([&program.name]);
    let mut names = names.cloned();
    let command = match names.next() {
        Some(innermost) => command.name(innermost),
        None => command,
    };
    names.fold(command, |inner, name| Command::new(name).disable_help_subcommand(true).subcommand(inner))
}

/// In the bash script, the line that reads the previous word.
const READ_PREVIOUS: &str = "    prev=\"$3\"\n";

/// The bash code that is inserted after [`READ_PREVIOUS`] to complete `--flag=value`, which `clap_complete` does not
/// support. Bash splits `--flag=value` at the `=`, so the flag is two words before the value.
const FIX_FOR_EQUALS: &str = include_str!("complete/equals.bash");

/// In the bash script, the expression that filters the candidates.
const SELECT_WORDS: &str = "compgen -W \"${opts}\" -- \"${cur}\"";

/// Changes the bash script in two ways: it completes `--flag=value`, and where a command or a tool is expected, it
/// offers options only after a `-`. Otherwise, a dozen options would come before the names, because Bash sorts the
/// candidates.
fn with_names_first(script: &str) -> String {
    let has_names = |line: &str| {
        let words = line.trim_start().strip_prefix("opts=\"").and_then(|words| words.strip_suffix('"'));
        // Skip placeholders such as `[FILE]`.
        let is_name = |word: &str| word.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        words.is_some_and(|words| words.split(' ').any(is_name))
    };
    let mut changed = String::new();
    for line in script.lines() {
        changed.extend([line, "\n"]);
        if has_names(line) {
            changed.push_str("            [[ -n \"${cur}\" ]] || hidden=\"-*\"\n");
        }
    }
    let declared = format!("{READ_PREVIOUS}    local hidden=\"\"\n{FIX_FOR_EQUALS}");
    let select = SELECT_WORDS.replacen(" -- ", " -X \"${hidden}\" -- ", 1);
    changed.replacen(READ_PREVIOUS, &declared, 1).replace(SELECT_WORDS, &select)
}

/// In the zsh script, the line that completes unknown words. It would offer every program in the `PATH`, so it is
/// removed, and zsh offers only the flags. `ValueHint::Other` would hide the flags as well.
const COMPLETE_WORDS: &str = "'*::words:_default' \\\n";

/// Makes a command safe for the scripts: in its texts and values, replaces everything that a shell could run.
///
/// For bash, `clap_complete` puts values into double quotes without escaping them, so `$(…)` would run. It puts
/// descriptions into single quotes and escapes `'` and `’`, but `PowerShell` also ends a string at the other quotation
/// marks below.
fn safe(command: Command, values: &mut Placeholders) -> Command {
    let plain = |text: String| text.replace(['\u{2018}', '\u{2019}', '\u{201a}', '\u{201b}'], "'");
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let name = command.get_name();
    // Remove the `-- ` that `typed` puts before some names: a space would end a pattern in the bash script.
    let name = name.strip_prefix("-- ").unwrap_or(name).to_owned();
    command.name(name).about(plain(about)).mut_subcommands(|command| safe(command, values)).mut_args(|arg| {
        let arg = match arg.get_help().map(ToString::to_string) {
            Some(help) => arg.help(plain(help)),
            None => arg,
        };
        values.put_into(arg)
    })
}

/// The values that are not plain words. `clap_complete` writes a placeholder for each, which this module then replaces
/// with the quoted value.
#[derive(Default)]
struct Placeholders(Vec<String>);

impl Placeholders {
    /// Replaces each value of an argument that is not a plain word with a placeholder. Drops values that cannot be
    /// completed, such as those with control characters. The server still accepts the dropped values, because `arg` is
    /// used only for the script.
    fn put_into(&mut self, arg: Arg) -> Arg {
        let all = arg.get_possible_values();
        if all.is_empty() {
            return arg;
        }
        let is_plain_char = |c: char| c.is_ascii_alphanumeric() || "-_.:/+@,%=".contains(c);
        let words = all.iter().map(PossibleValue::get_name).filter_map(|value| {
            if value.is_empty()
                || value.contains(char::is_control)
                || ["\\u{", "@@"].iter().any(|part| value.contains(part))
            {
                return None;
            }
            if value.chars().all(is_plain_char) {
                return Some(value.to_owned());
            }
            self.0.push(value.to_owned());
            (!arg.is_positional()).then(|| placeholder(self.0.len() - 1))
        });
        let words = AnyText::of(words.collect::<Vec<_>>());
        arg.value_parser(words)
    }

    fn fill(&self, script: String, quote: impl Fn(&str) -> String) -> String {
        let values = self.0.iter().enumerate();
        values.fold(script, |script, (index, value)| script.replace(&placeholder(index), &quote(value)))
    }
}

fn placeholder(index: usize) -> String {
    format!("@@{index}@@")
}

/// The bash function that completes the value of a flag: in the quotes that the user has opened, or else with a
/// backslash before each character that needs one.
const COMPLETE_VALUES: &str = include_str!("complete/values.bash");

/// Changes the bash script so that [`COMPLETE_VALUES`] completes each flag whose values contain a placeholder.
/// `compgen` would split the values at spaces.
fn with_quoted_values(script: &str) -> String {
    let mut changed = String::new();
    for line in script.lines() {
        let (indent, code) = line.split_at(line.len() - line.trim_start().len());
        let words = code.strip_prefix("COMPREPLY=($(compgen -W \"");
        match words.and_then(|words| words.strip_suffix("\" -- \"${cur}\"))")).filter(|words| words.contains("@@")) {
            Some(words) => changed.extend([indent, "__mcp_tool_values ", words, "\n"]),
            None => changed.extend([line, "\n"]),
        }
    }
    if changed.contains("__mcp_tool_values") { format!("{COMPLETE_VALUES}\n{changed}") } else { changed }
}

fn quoted_for_bash(value: &str) -> String {
    format!("'{}'", value.replace('\'', "'\\''"))
}

/// Escapes a value for the list in a zsh specification: zsh evaluates the value as a word of an array, `:` ends a part
/// of the specification, and the whole specification is in single quotes.
fn escaped_for_zsh(value: &str) -> String {
    let escaped = |c: char| match c {
        '\'' => r"\'\''".to_owned(),
        c if c.is_ascii_alphanumeric() || !c.is_ascii() => c.to_string(),
        c => format!("\\{c}"),
    };
    value.chars().map(escaped).collect()
}

/// The fish function that tests whether the words on the command line have led to a given command.
const COMMAND_AT: &str = include_str!("complete/at.fish");

/// Writes the script for fish. The script of `clap_complete` completes neither positional arguments nor anything below
/// the second level of subcommands, such as the flags after `app tools call NAME`.
///
/// The caller must have called [`Command::build`], and all values must be plain words or placeholders.
fn fish_script(command: &Command) -> String {
    let program = command.get_name();
    let id: String = program.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let mut script = FishScript { program, id, paths: Vec::new(), lines: String::new() };
    script.add(command, "");
    COMMAND_AT.replace("@id@", &script.id).replace("@paths@", &script.paths.join(" ")) + &script.lines
}

struct FishScript<'c> {
    program: &'c str,
    id: String,
    /// The path of each command, without the program.
    paths: Vec<String>,
    lines: String,
}

impl FishScript<'_> {
    fn add(&mut self, command: &Command, path: &str) {
        // After the name of a tool, help hides some options of `call`, but completion offers all of them. So leave out
        // only hidden positional arguments.
        let arguments = command.get_arguments().filter(|arg| !(arg.is_positional() && arg.is_hide_set()));
        for arg in arguments {
            let long = arg.get_long().map(|long| format!(" -l {}", quoted(long)));
            let short = arg.get_short().map(|short| format!(" -s {}", quoted(&short.to_string())));
            let options: String = long.into_iter().chain(short).chain([values(arg)]).collect();
            self.line(path, &options, if arg.is_positional() { None } else { arg.get_help() });
        }
        for inner in command.get_subcommands() {
            let name = inner.get_name();
            self.line(path, &format!(" -f -a {}", quoted(name)), inner.get_about());
            let path = [path, name].join(" ").trim_start().to_owned();
            self.paths.push(quoted(&path));
            self.add(inner, &path);
        }
    }

    fn line(&mut self, path: &str, options: &str, help: Option<&StyledStr>) {
        let condition = quoted(&format!("__{}_at {}", self.id, quoted(path)));
        self.lines.extend(["complete -c ", &quoted(self.program), " -n ", &condition, options]);
        if let Some(line) = help.map(ToString::to_string).as_deref().and_then(|help| help.lines().next()) {
            self.lines.extend([" -d ", &quoted(line)]);
        }
        self.lines.push('\n');
    }
}

/// Returns the options of fish's `complete` that say how to complete the value of an argument. Empty for a switch,
/// which has no value.
fn values(arg: &Arg) -> String {
    let values: Vec<_> = arg.get_possible_values();
    let names: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
    let required = if arg.is_positional() { "" } else { " -r" };
    match arg.get_value_hint() {
        _ if !arg.get_action().takes_values() => String::new(),
        _ if !names.is_empty() => format!("{required} -f -a {}", quoted(&names.join(" "))),
        ValueHint::DirPath => format!("{required} -f -a '(__fish_complete_directories)'"),
        _ => format!("{required} -F"),
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", escaped_for_fish(text))
}

fn escaped_for_fish(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\'', "\\'")
}
