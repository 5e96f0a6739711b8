//! Reads a case of `ui/`: the source with one mistake, and the errors in its `.stderr` file.

use std::path::Path;

/// A case of `ui/`.
pub(crate) struct Case {
    /// The folder and the name of the file: `macro/not_async`.
    pub(crate) name: String,
    /// The comment at the top of the file, which says why the case is an exception.
    pub(crate) reason: String,
    /// What to do, where the compiler does not say it.
    pub(crate) advice: Option<String>,
    pub(crate) errors: Vec<Report>,
}

/// One error.
pub(crate) struct Report {
    /// The first line, without `error`.
    pub(crate) message: String,
    /// The first line of source that has a caret, and the line of carets below it.
    pub(crate) marked: Option<(String, String)>,
    /// The `help:` lines that say what to write.
    pub(crate) helps: Vec<String>,
    /// Whether the error is in code that a macro emitted.
    is_in_emitted_code: bool,
}

impl Case {
    pub(crate) fn read(folder: &str, path: &Path) -> Self {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let source = std::fs::read_to_string(path).expect("a case");
        let comment = source.lines().map_while(|line| line.strip_prefix("//").filter(|_| !line.starts_with("///")));
        let comment = comment.map(str::trim).collect::<Vec<_>>().join(" ");
        // `Write: …` says what to write, `Help: …` is any other advice.
        let (reason, advice) = match (comment.split_once(" Write: "), comment.split_once(" Help: ")) {
            (Some((reason, write)), _) => (reason.to_owned(), Some(format!("Write {write}"))),
            (_, Some((reason, help))) => (reason.to_owned(), Some(capitalised(help))),
            (None, None) => (comment, None),
        };
        let stderr = std::fs::read_to_string(path.with_extension("stderr")).expect("a case has a .stderr file");
        let folder = folder.trim_start_matches("ui/");
        Self { name: format!("{folder}/{name}"), reason, advice, errors: Report::all(&stderr) }
    }

    /// Returns `true` for the name of the file without its folder.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        self.name.split_once('/').is_some_and(|(_, own)| own == name)
    }

    /// Returns `true` if each error is under code of the author.
    pub(crate) fn points_at_the_authors_code(&self) -> bool {
        self.errors.iter().all(Report::points_at_the_authors_code)
    }

    pub(crate) fn has_help(&self) -> bool {
        self.errors.iter().any(|error| !error.helps.is_empty())
    }
}

impl Report {
    fn all(stderr: &str) -> Vec<Self> {
        let mut blocks: Vec<Vec<&str>> = Vec::new();
        for line in stderr.lines() {
            if line.starts_with("error:") || line.starts_with("error[") {
                blocks.push(Vec::new());
            } else if line.starts_with("warning:") {
                break;
            }
            if let Some(block) = blocks.last_mut() {
                block.push(line);
            }
        }
        blocks.iter().map(|block| Self::of(block)).collect()
    }

    fn of(lines: &[&str]) -> Self {
        let first = lines.first().copied().unwrap_or_default();
        let message = first.split_once(": ").map_or("", |(_, message)| message);
        let message = message.strip_prefix("evaluation panicked: ").unwrap_or(message).to_owned();
        let marked = lines.windows(2).find_map(|pair| Some((source_of(pair[0])?, carets_of(source_of(pair[1])?)?)));
        let marked = marked.map(|(source, caret)| (source.to_owned(), caret.to_owned()));
        let mut helps = Vec::new();
        for line in lines {
            let is_useful_note = USEFUL_NOTES.iter().any(|note| line.contains(note));
            let line_start = if is_useful_note { "note: " } else { "help: " };
            let Some((_, help)) = line.split_once(line_start) else { continue };
            // Our traits put `help:` into a note.
            let help = help.strip_prefix("help: ").unwrap_or(help);
            if !USELESS_HELPS.iter().any(|start| help.starts_with(start)) {
                helps.push(help.trim_end().to_owned());
            }
        }
        let is_in_emitted_code = lines.iter().any(|line| line.contains("= note: this error originates in"));
        Self { message, marked, helps, is_in_emitted_code }
    }

    /// An error of rustc under a whole attribute is in emitted code. An error of the macro there is about the attribute.
    fn points_at_the_authors_code(&self) -> bool {
        let Some((source, caret)) = &self.marked else { return false };
        let column = caret.find('^').unwrap_or(0);
        !(self.is_in_emitted_code && source.get(column..).is_some_and(|token| token.starts_with("#[")))
    }
}

/// What rustc calls help although it does not say what to write.
const USELESS_HELPS: [&str; 6] =
    ["the trait `", "the following other types", "within `", "see issue", "if there were a trait", "the nightly-only"];

/// What rustc calls a note although it says what to write.
const USEFUL_NOTES: [&str; 3] = [
    "note: for local types consider adding",
    "note: if you want to do aliasing and mutation",
    "note: in format strings you may be able to use",
];

/// Returns the text with a capital first letter.
fn capitalised(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// Returns the source in a line of a snippet, which follows the line number and a bar.
fn source_of(line: &str) -> Option<&str> {
    let (before, after) = line.split_once('|')?;
    before.trim().chars().all(|letter| letter.is_ascii_digit()).then_some(after)
}

/// Returns the line if it has carets before its label.
fn carets_of(line: &str) -> Option<&str> {
    let end = line.find(|letter: char| !" ^-|_".contains(letter)).unwrap_or(line.len());
    let carets = &line[..end];
    carets.contains('^').then_some(line)
}
