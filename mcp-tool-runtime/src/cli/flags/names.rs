//! The names of flags.
//!
//! The flag of a property is its path, with `-` for `_`: `filter.max_size` becomes `--filter.max-size`. A property whose name no
//! shell word can hold, or whose name another flag has, gets no flag: it is set with the JSON of the object around it.

use std::collections::HashSet;

use super::{Flag, Kind, Types};

/// Gives each flag its names. Flags without a name are removed.
pub(super) fn assign(flags: &mut Vec<Flag>) {
    flags.retain(|flag| flag.path.iter().all(|name| is_word(name)));
    let written: Vec<_> = flags.iter().map(|flag| flag.path.join(".")).collect();
    let exact: HashSet<_> = written.iter().cloned().collect();
    let mut taken = HashSet::new();
    for (flag, exact_name) in flags.iter_mut().zip(&written) {
        let name = exact_name.replace('_', "-");
        // `file-path` beside `file_path`: each keeps its own spelling.
        let name = if exact.contains(&name) { exact_name.clone() } else { name };
        if taken.insert(name.clone()) {
            flag.name = name;
        }
    }
    flags.retain(|flag| !flag.name.is_empty());
    for flag in flags.iter_mut().filter(|flag| flag.kind == Kind::Switch) {
        let (object, property) = flag.name.split_at(flag.name.rfind('.').map_or(0, |dot| dot + 1));
        let negation = format!("{object}no-{property}");
        if taken.insert(negation.clone()) {
            flag.negation = Some(negation);
        } else {
            flag.kind = Kind::Value(Types::BOOLEAN);
        }
    }
}

/// Returns `true` if a property of this name can have a flag.
fn is_word(name: &str) -> bool {
    // `clap` refuses a name that begins with `-`, which `_` becomes.
    name.starts_with(char::is_alphanumeric) && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c))
}
