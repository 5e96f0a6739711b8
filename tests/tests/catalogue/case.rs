//! One mistake, and what the compiler says to it.

use std::path::Path;

/// A file of `ui/`, with its `.stderr`.
pub(crate) struct Case {
    /// The folder and the name.
    pub(crate) name: String,
    /// What the first lines of the file say of the case.
    pub(crate) reason: String,
    /// And what to do, where the compiler does not say it: a sentence.
    pub(crate) advice: Option<String>,
    pub(crate) errors: Vec<Report>,
}

/// One error.
pub(crate) struct Report {
    /// The first line, without `error`.
    pub(crate) message: String,
    /// The line of the source that the first caret is under, and the line of the caret.
    pub(crate) place: Option<(String, String)>,
    /// Each `help:` that says what to write.
    pub(crate) helps: Vec<String>,
    /// Whether the compiler says that the macro has written what is wrong.
    is_of_the_macro: bool,
}

impl Case {
    pub(crate) fn read(folder: &str, path: &Path) -> Self {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let source = std::fs::read_to_string(path).expect("a case");
        let comment = source.lines().map_while(|line| line.strip_prefix("//").filter(|_| !line.starts_with("///")));
        let comment = comment.map(str::trim).collect::<Vec<_>>().join(" ");
        // `Write: …` is what to write, `Help: …` any other thing to do.
        let (reason, advice) = match (comment.split_once(" Write: "), comment.split_once(" Help: ")) {
            (Some((reason, write)), _) => (reason.to_owned(), Some(format!("Write {write}"))),
            (_, Some((reason, help))) => (reason.to_owned(), Some(capitalised(help))),
            (None, None) => (comment, None),
        };
        let said = std::fs::read_to_string(path.with_extension("stderr")).expect("what the compiler says to a case");
        let folder = folder.trim_start_matches("ui/");
        Self { name: format!("{folder}/{name}"), reason, advice, errors: Report::all(&said) }
    }

    /// Whether it shows that several mistakes are told at once.
    pub(crate) fn is_several(&self) -> bool {
        self.name.ends_with("several_mistakes")
    }

    pub(crate) fn points_at_the_author(&self) -> bool {
        self.errors.iter().all(Report::points_at_the_author)
    }

    pub(crate) fn helps(&self) -> bool {
        self.errors.iter().any(|error| !error.helps.is_empty())
    }
}

impl Report {
    fn all(said: &str) -> Vec<Self> {
        let mut blocks: Vec<Vec<&str>> = Vec::new();
        for line in said.lines() {
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
        let place = lines.windows(2).find_map(|pair| Some((after_bar(pair[0])?, under(after_bar(pair[1])?)?)));
        let place = place.map(|(source, caret)| (source.to_owned(), caret.to_owned()));
        let mut helps = Vec::new();
        for line in lines {
            let noted = NOTES_OF_USE.iter().find(|note| line.contains(**note));
            let marker = if noted.is_some() { "note: " } else { "help: " };
            let Some((_, help)) = line.split_once(marker) else { continue };
            // In a label of the compiler it stands after the caret, in a note after the word.
            let help = help.strip_prefix("help: ").unwrap_or(help);
            if !OF_NO_USE.iter().any(|start| help.starts_with(start)) {
                helps.push(help.trim_end().to_owned());
            }
        }
        let is_of_the_macro = lines.iter().any(|line| line.contains("= note: this error originates in"));
        Self { message, place, helps, is_of_the_macro }
    }

    /// Not at an attribute as a whole, unless that is the mistake: then it is the macro that says so.
    fn points_at_the_author(&self) -> bool {
        let Some((source, caret)) = &self.place else { return false };
        let column = caret.find('^').unwrap_or(0);
        !(self.is_of_the_macro && source.get(column..).is_some_and(|token| token.starts_with("#[")))
    }
}

/// What the compiler calls help, and is none: it says what is so, and not what to write.
const OF_NO_USE: [&str; 6] =
    ["the trait `", "the following other types", "within `", "see issue", "if there were a trait", "the nightly-only"];

/// What the compiler calls a note, and says what to write.
const NOTES_OF_USE: [&str; 3] = [
    "note: for local types consider adding",
    "note: if you want to do aliasing and mutation",
    "note: in format strings you may be able to use",
];

/// The beginning of a sentence.
pub(crate) fn capitalised(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// A line of source, after its number and the bar.
fn after_bar(line: &str) -> Option<&str> {
    let (before, after) = line.split_once('|')?;
    before.trim().chars().all(|letter| letter.is_ascii_digit()).then_some(after)
}

/// A line of carets, up to its label.
fn under(line: &str) -> Option<&str> {
    let end = line.find(|letter: char| !" ^-|_".contains(letter)).unwrap_or(line.len());
    let carets = &line[..end];
    carets.contains('^').then_some(line)
}
