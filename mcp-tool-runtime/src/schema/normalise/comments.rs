//! Removes the stars of block comments from descriptions.

use serde_json::{Map, Value};

use crate::schema::walk::{self, keyword};

/// Publishes a block comment as rustdoc shows it. schemars copies the comment with the stars and the indentation of its
/// lines, and does not say where a description comes from. So only the indentation can show that a description was a
/// block comment. In a comment with stars, every line after the first has its star in a column in which a Markdown list
/// would not have its bullets. In a comment without stars, the second line is indented.
///
/// ```text
/// before  {"description": "* Adds.\n     *\n     * - numbers"}
/// after   {"description": "Adds.\n\n- numbers"}
/// before  {"description": "* numbers\n* texts"}
/// after   {"description": "* numbers\n* texts"}
/// ```
pub(super) fn comments(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        let Some(shown) = keyword(schema, "description").and_then(Value::as_str).and_then(shown) else { return };
        let Some(keywords) = schema.as_object_mut() else { return };
        let (title, description) = title_and_description(&shown);
        set(keywords, "description", description);
        if !keywords.contains_key("title") {
            set(keywords, "title", title);
        }
    });
}

fn set(keywords: &mut Map<String, Value>, keyword: &str, text: &str) {
    if text.is_empty() {
        keywords.shift_remove(keyword);
    } else {
        keywords.insert(keyword.to_owned(), text.into());
    }
}

/// Splits a doc comment into a title and a description in the same way as schemars: a heading at the start is the
/// title.
pub(crate) fn title_and_description(docs: &str) -> (&str, &str) {
    let docs = docs.trim_ascii();
    if !docs.starts_with('#') {
        return ("", docs);
    }
    let (title, description) = docs.split_once('\n').unwrap_or((docs, ""));
    (title.trim_start_matches('#').trim_ascii(), description.trim_ascii())
}

/// Returns the text of a block comment without its stars and indentation, or `None` if the text is not a block comment.
fn shown(text: &str) -> Option<String> {
    // Treat a single line that starts with `* ` as a block comment: block comments with one line of text are common,
    // and lists with a single item are rare.
    let Some((first, rest)) = text.split_once('\n') else { return text.strip_prefix("* ").map(str::to_owned) };
    let written = || rest.lines().filter(|line| !line.trim().is_empty());
    let indent = |line: &str| line.len() - line.trim_start().len();
    let column = indent(written().next()?);
    let has_stars = written().all(|line| indent(line) == column && line[column..].starts_with('*'));
    let starts_with_star = first == "*" || first.starts_with("* ");
    // The stars of a block comment and the bullets of a Markdown list can look the same, but the column tells them
    // apart. Stars are in an odd column: one space to the right of the comment's indentation. The bullets of a nested
    // list are in column 2 or 4. The bullets of a list below a line of text are in column 3 at most, and that line
    // usually ends with a colon.
    let is_aligned = column % 2 == 1 || rest.starts_with('\t');
    // A list has no bullet without text, as an empty line of a comment is.
    let is_list = !starts_with_star && column < 5 && first.ends_with(':') && written().all(|line| line.trim() != "*");
    let from = match (has_stars, starts_with_star) {
        (true, _) if is_aligned && !is_list => column + 1,
        // Without stars, remove the indentation, unless it belongs to an item of a list. It does not mark a block of
        // code, because in Markdown, indented lines directly below a line of text are not code.
        (false, false) if !rest.starts_with('\n') && column > 0 && !is_item(first) => 0,
        _ => return None,
    };
    let after_stars = |line| str::get(line, from..).unwrap_or_default();
    let starred = starts_with_star.then(|| &first[1..]);
    let common = starred.into_iter().chain(written().map(after_stars)).filter(|line| !line.trim().is_empty());
    let common = common.map(indent).min().unwrap_or(0);
    let lines = rest.lines().map(after_stars).map(|line| line.get(common..).unwrap_or_default().trim_end());
    let first = if from > 0 { first.strip_prefix('*').unwrap_or(first).trim() } else { first };
    Some([first].into_iter().chain(lines).collect::<Vec<_>>().join("\n").trim().to_owned())
}

/// Returns `true` if a line begins an item of a Markdown list.
fn is_item(line: &str) -> bool {
    let marker = line.split(' ').next().unwrap_or_default();
    let number = marker.strip_suffix(['.', ')']).unwrap_or_default();
    matches!(marker, "-" | "+") || !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn only_a_block_comment_is_changed() {
        for (text, expected) in [
            ("* Adds.", "Adds."),
            ("* Adds.\n * More.", "Adds.\nMore."),
            ("Adds.\n     * More.\n     *\n     * Most.", "Adds.\nMore.\n\nMost."),
            ("* # Title\n\t * Text", "# Title\nText"),
            ("* - a\n *   - nested", "- a\n  - nested"),
            ("A list:\n *\n * - a\n * - b", "A list:\n\n- a\n- b"),
            ("Adds\n    numbers.\n\n    More.", "Adds\nnumbers.\n\nMore."),
        ] {
            assert_eq!(shown(text).as_deref(), Some(expected), "{text:?}");
        }
        for text in [
            "Adds.",
            "* a\n* b",
            "* a\n  * b\n  * c",
            "A list:\n * a\n * b",
            "Adds.\n\n    code",
            "Adds.\nMore.",
            "* a\n  b",
            "1. Either\n   - a\n   - b",
            "- a\n  b",
        ] {
            assert_eq!(shown(text), None, "{text:?}");
        }
    }
}
