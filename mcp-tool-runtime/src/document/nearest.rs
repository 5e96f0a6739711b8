//! The known name that a mistaken one was probably meant for.

/// Longer names are compared by their beginnings.
const COMPARED: usize = 64;

/// The candidate that differs least from the name, if it differs little.
pub(crate) fn nearest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let name = plain(name);
    candidates
        .map(|candidate| (strsim::osa_distance(&name, &plain(candidate)), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len().min(name.len()) / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Without case and separators, in which most mistakes are made.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric()).take(COMPARED);
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant_and_nothing_far_away() {
        let known = ["location", "units", "max_results"];
        assert_eq!(nearest("loction", known.into_iter()), Some("location"));
        assert_eq!(nearest("maxResults", known.into_iter()), Some("max_results"));
        assert_eq!(nearest("Unit", known.into_iter()), Some("units"));
        assert_eq!(nearest("temperature", known.into_iter()), None);
        assert_eq!(nearest("", known.into_iter()), None);
        assert_eq!(nearest(&"x".repeat(1_000_000), known.into_iter()), None);
    }
}
