//! The syntax of `_meta` keys, as the protocol defines it.

/// Returns what is wrong with a `_meta` key.
pub(super) fn key_error(key: &str) -> Option<String> {
    let (prefix, name) = match key.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    let is_end = |c: char| c.is_ascii_alphanumeric();
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let is_valid = name.is_empty() || name.starts_with(is_end) && name.ends_with(is_end) && name.bytes().all(is_inner);
    if !is_valid {
        return Some(format!(
            "the `_meta` key `{key}` is not valid: its name may have letters and digits, and `-_.` between them"
        ));
    }
    prefix.and_then(prefix_error)
}

fn prefix_error(prefix: &str) -> Option<String> {
    let labels: Vec<_> = prefix.split('.').collect();
    let is_label = |label: &&str| {
        label.starts_with(|c: char| c.is_ascii_alphabetic())
            && label.ends_with(|c: char| c.is_ascii_alphanumeric())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if !labels.iter().all(is_label) {
        return Some(format!(
            "the prefix `{prefix}` is not valid: write labels separated by dots, each a letter followed by letters, digits \
             or hyphens"
        ));
    }
    let is_reserved = labels.get(1).is_some_and(|label| ["modelcontextprotocol", "mcp"].contains(label));
    is_reserved.then(|| format!("the prefix `{prefix}` is reserved by the protocol"))
}
