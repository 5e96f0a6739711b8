//! One thing that is wrong with a document, and where.

use super::path::Path;
use super::safe_text::quote_name;
use super::suggestion::suggest;

/// The number of violations that one error lists. A model corrects these and calls again.
pub const MAX_LISTED: usize = 32;

/// The number of violations after which the search for more ends: one more than are listed, so that the error can say that there are
/// more.
pub const MAX_FOUND: usize = MAX_LISTED + 1;

/// Something that is wrong with the value at a path.
///
/// The message says what was expected. It never repeats a value of the document (rule I1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub path: Path,
    pub message: String,
    /// Whether the name of a property is refused, not its value. Then no coercion of the value helps.
    pub is_unknown_property: bool,
}

impl Violation {
    pub fn new(path: Path, message: impl Into<String>) -> Self {
        Self { path, message: message.into(), is_unknown_property: false }
    }

    /// Creates a violation of the document as a whole.
    pub fn root(message: impl Into<String>) -> Self {
        Self::new(Path::default(), message)
    }

    /// Creates the violation of a property that is not in `known`, and suggests the known name that was probably meant.
    pub fn unknown_property<'n>(object: &Path, name: &str, known: impl Iterator<Item = &'n str>) -> Self {
        let message = match suggest(name, known) {
            Some(known) => format!("not known; did you mean {}?", quote_name(known)),
            None => "not known".to_owned(),
        };
        Self { is_unknown_property: true, ..Self::new(object.property(name), message) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_property_is_refused_by_its_name_and_not_for_its_value() {
        let object = Path::default().property("filter");
        let violation = |name: &str| Violation::unknown_property(&object, name, ["limit", "query"].into_iter());
        let (misspelt, other) = (violation("limitt"), violation("colour"));
        assert_eq!(misspelt.path, object.property("limitt"));
        assert_eq!(misspelt.message, "not known; did you mean `limit`?");
        assert_eq!(other.message, "not known");
        assert!(misspelt.is_unknown_property && other.is_unknown_property);
        assert!(!Violation::new(object, "expected an object").is_unknown_property);
    }
}
