//! Changes one entry of a YAML file in block style, as Goose writes it.
//!
//! Only the lines of the entry are read. All other lines stay as they are, and a file in another style is an error, because a mistake
//! would cost the user the settings of all extensions.

use serde_json::{Map, Value};

use super::edit::Change;

pub(super) fn edit(text: &str, key: &str, name: &str, change: Change<'_>) -> Result<Option<String>, String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_empty = |line: &str| line.trim_start().is_empty() || line.trim_start().starts_with('#');
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let problem = lines.iter().enumerate().find(|(number, line)| {
        let content = line.trim_end();
        let is_top = !is_empty(line) && indent(line) == 0;
        content.starts_with(' ') && content.trim_start_matches(' ').starts_with('\t')
            || content.starts_with('\t')
            || is_top
                && !(content.starts_with("- ")
                    || content == "-"
                    || *number == 0 && content == "---"
                    || key_of(content).is_some())
    });
    if let Some((number, _)) = problem {
        return Err(format!("line {} is not YAML in block style", number + 1));
    }
    let mut heads = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| indent(line) == 0 && key_of(line).is_some_and(|(found, _)| found == key));
    let (head, second) = (heads.next(), heads.next());
    if second.is_some() {
        return Err(format!("it has `{key}` twice"));
    }
    // The lines below the key, without trailing empty ones.
    let section = match head {
        None => lines.len()..lines.len(),
        Some((head, line)) => match key_of(line).map(|(_, value)| value) {
            Some("" | "{}" | "null" | "~") => {
                head + 1..end_of(&lines, head + 1, |line| is_empty(line) || indent(line) > 0, is_empty)
            }
            _ => return Err(format!("its `{key}` is not in block style")),
        },
    };
    let first = lines[section.clone()].iter().find(|line| !is_empty(line));
    let depth = first.map_or(2, |line| indent(line));
    let is_name =
        |line: &&str| indent(line) == depth && key_of(line.trim_start()).is_some_and(|(found, _)| found == name);
    let found = lines[section.clone()].iter().position(is_name).map(|at| at + section.start);
    let entry = found
        .map(|at| at..end_of(&lines[..section.end], at + 1, |line| is_empty(line) || indent(line) > depth, is_empty));
    let old = entry.clone().map(|entry| {
        let body: Vec<_> =
            lines[entry.clone()].iter().filter(|line| !is_empty(line)).map(|line| line.trim_end()).collect();
        read(&body[1..]).filter(|_| key_of(body[0].trim_start()).is_some_and(|(_, value)| value.is_empty()))
    });
    let old =
        old.map(|old| old.ok_or_else(|| format!("its entry `{name}` is not as Goose writes entries"))).transpose()?;
    let new = change(old.as_ref());
    if old == new {
        return Ok(None);
    }
    let mut written = String::new();
    if let Some(new) = &new {
        if head.is_none() {
            written.extend([key, ":\n"]);
        }
        write(&mut written, depth, name, new);
    }
    let replaced = entry.unwrap_or(section.end..section.end);
    let others = lines[section].iter().filter(|line| !is_empty(line)).count()
        > lines[replaced.clone()].iter().filter(|line| !is_empty(line)).count();
    let mut before: Vec<&str> = lines[..replaced.start].to_vec();
    let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    // An empty map is written differently from a map with entries.
    let line = format!("{key}:{}{ending}", if new.is_none() && !others { " {}" } else { "" });
    if let Some((head, _)) =
        head.filter(|(_, line)| key_of(line) != key_of(&format!("{key}:")) || !others && new.is_none())
    {
        before[head] = &line;
    }
    let mut before = before.concat();
    if !before.is_empty() && !before.ends_with('\n') {
        before.push_str(ending);
    }
    Ok(Some(before + &written.replace('\n', ending) + &lines[replaced.end..].concat()))
}

/// Returns the index after the last line from `start` on that belongs to a block.
fn end_of(lines: &[&str], start: usize, belongs: impl Fn(&str) -> bool, is_empty: impl Fn(&str) -> bool) -> usize {
    let mut end = start + lines[start..].iter().take_while(|line| belongs(line)).count();
    while end > start && is_empty(lines[end - 1]) {
        end -= 1;
    }
    end
}

/// Splits `key: value`. The value has no comment behind it.
fn key_of(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.trim_end().split_once(':')?;
    let (key, value) = (key.trim_matches(['"', '\'']), value.split(" #").next().unwrap_or_default());
    let is_plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-./".contains(c));
    (is_plain && (value.is_empty() || value.starts_with(' '))).then(|| (key, value.trim()))
}

/// Reads an entry: scalars, lists of scalars, and maps of scalars.
fn read(lines: &[&str]) -> Option<Value> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let depth = indent(lines.first()?);
    let mut entry = Map::new();
    let mut lines = lines.iter().peekable();
    while let Some(line) = lines.next() {
        let (key, text) = key_of(line.trim_start()).filter(|_| indent(line) == depth)?;
        let mut value = if text.is_empty() { Value::Null } else { scalar(text)? };
        while let Some(inner) = lines.next_if(|line| indent(line) > depth || line.trim_start().starts_with("- ")) {
            match (inner.trim_start().strip_prefix("- "), text) {
                (Some(element), "") => match &mut value {
                    Value::Array(elements) => elements.push(scalar(element)?),
                    Value::Null => value = vec![scalar(element)?].into(),
                    _ => return None,
                },
                (None, "") => {
                    let (name, text) = key_of(inner.trim_start())?;
                    if value.is_null() {
                        value = Map::new().into();
                    }
                    value.as_object_mut()?.insert(name.to_owned(), scalar(text)?);
                }
                _ => return None,
            }
        }
        entry.insert(key.to_owned(), value);
    }
    Some(entry.into())
}

fn scalar(text: &str) -> Option<Value> {
    let text = text.trim();
    match text.chars().next()? {
        '\'' => Some(text.strip_prefix('\'')?.strip_suffix('\'')?.replace("''", "'").into()),
        '"' | '[' | '{' => serde_json::from_str(text).ok(),
        '|' | '>' | '&' | '*' | '!' => None,
        _ if text == "null" || text == "~" => Some(Value::Null),
        _ => Some(
            serde_json::from_str(text).ok().filter(|value: &Value| !value.is_string()).unwrap_or_else(|| text.into()),
        ),
    }
}

/// Writes an entry. JSON strings are YAML strings.
fn write(text: &mut String, depth: usize, name: &str, value: &Value) {
    let indent = " ".repeat(depth);
    match value {
        Value::Object(object) if !object.is_empty() => {
            text.extend([&indent, name, ":\n"]);
            object.iter().for_each(|(name, value)| write(text, depth + 2, name, value));
        }
        Value::Array(elements) if !elements.is_empty() => {
            text.extend([&indent, name, ":\n"]);
            for element in elements {
                text.extend([&indent, "- ", &element.to_string(), "\n"]);
            }
        }
        scalar => text.extend([&indent, name, ": ", &scalar.to_string(), "\n"]),
    }
}
