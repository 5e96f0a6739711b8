//! The completion script for fish. That of `clap_complete` completes neither positional arguments nor what is below the second
//! command, such as the flags in `app tools call NAME`.

use clap::builder::{PossibleValue, StyledStr};
use clap::{Arg, Command, ValueHint};

/// Writes the script. The command must be built, and its values must be plain words.
pub(super) fn script(command: &Command) -> String {
    let program = command.get_name();
    let id: String = program.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let mut script = Script { program, id, paths: Vec::new(), lines: String::new() };
    script.add(command, "");
    let Script { id, paths, lines, .. } = script;
    format!(
        "set -g __{id}_commands {}
function __{id}_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        set -l longer (string trim -- \"$at $word\")
        if contains -- \"$longer\" $__{id}_commands
            set at $longer
        end
    end
    test \"$at\" = \"$argv[1]\"
end
{lines}",
        paths.join(" ")
    )
}

struct Script<'c> {
    program: &'c str,
    id: String,
    /// The words after the program that lead to each command.
    paths: Vec<String>,
    lines: String,
}

impl Script<'_> {
    fn add(&mut self, command: &Command, path: &str) {
        // The options of `call` are hidden in the help of a tool, but they are completed after its name.
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

/// Returns the options that describe the values of an argument.
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
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
