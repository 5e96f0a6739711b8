//! The known name that a misspelled one was probably meant to be.

/// How many characters of a name are compared, so that a long name cannot take long.
const COMPARED: usize = 64;

/// Returns the candidate closest to `name`, unless all of them are far from it.
pub fn suggest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let name = normalize(name);
    let length = name.chars().count();
    candidates
        .filter_map(|candidate| {
            let normalized = normalize(candidate);
            let limit = 1 + candidate.len().min(name.len()) / 4;
            // The distance is at least the difference of the lengths, which takes far less time to compute.
            if normalized.chars().count().abs_diff(length) > limit {
                return None;
            }
            let distance = strsim::osa_distance(&name, &normalized);
            (distance <= limit).then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the end of a message about an unknown name: `; did you mean …?`, or nothing.
pub fn hint<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> String {
    suggest(name, candidates).map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"))
}

/// Removes case and separators: most mistakes are made in these.
fn normalize(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric()).take(COMPARED);
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::suggest;

    #[test]
    fn a_similar_name_is_suggested_and_a_different_one_is_not() {
        let known = ["location", "units", "max_results"];
        assert_eq!(suggest("loction", known.into_iter()), Some("location"));
        assert_eq!(suggest("maxResults", known.into_iter()), Some("max_results"));
        assert_eq!(suggest("Unit", known.into_iter()), Some("units"));
        assert_eq!(suggest("temperature", known.into_iter()), None);
        assert_eq!(suggest("", known.into_iter()), None);
        assert_eq!(suggest(&"x".repeat(1_000_000), known.into_iter()), None);
    }
}
