//! Texts about names.

/// Returns why a client refuses a name, if it does. The name may have ASCII letters, digits and the characters in `also`, and
/// at most `most` characters.
pub(crate) fn problem_of_name(name: &str, also: &str, most: usize) -> Option<String> {
    if name.is_empty() {
        return Some("the name is empty".to_owned());
    }
    let refused = name.chars().find(|c| !c.is_ascii_alphanumeric() && !also.contains(*c));
    if let Some(character) = refused {
        return Some(format!("the name contains `{character}`"));
    }
    let length = name.chars().count();
    (length > most).then(|| format!("the name has {length} characters; at most {most} are accepted"))
}

/// Writes up to eight texts in backticks, and how many more there are.
pub(crate) fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<_> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}
