//! Names in the alphabet of a vendor.
//!
//! A name that fits is kept. In any other, each character that does not fit becomes `_`. A name that is too long, or that would
//! equal another one, ends with a hash of the tool's own name. The result depends on the names of the tools alone, not on their
//! order, so that calls in an old conversation still find their tools. For one caller these are the tools that the caller sees:
//! a hash must not reveal a hidden tool.

use std::collections::{HashMap, HashSet};

use crate::lint::names::Alphabet;

/// The name of a tool in the alphabet of a vendor.
pub(super) struct ExportedName {
    pub(super) name: String,
    /// Why it is not the tool's own name.
    pub(super) problem: Option<String>,
}

/// Returns the exported name of each tool. No two are equal.
pub(super) fn names(tools: &[&str], alphabet: Alphabet) -> Vec<ExportedName> {
    let fitted: Vec<_> = tools.iter().map(|tool| alphabet.fit(tool)).collect();
    let mut owners: HashMap<&str, Vec<&str>> = HashMap::new();
    for (tool, name) in tools.iter().zip(&fitted) {
        owners.entry(name).or_default().push(tool);
    }
    let is_kept = |(tool, fitted): &(&&str, &String)| {
        fitted.len() <= alphabet.most && (fitted == *tool || owners[fitted.as_str()].len() == 1)
    };
    let kept = tools.iter().zip(&fitted).filter(is_kept);
    let mut taken: HashSet<String> = kept.map(|(_, fitted)| fitted.clone()).collect();
    let export = |(tool, fitted): (&&str, &String)| {
        let (mut name, mut problem) = (fitted.clone(), alphabet.problem(tool));
        if !is_kept(&(tool, fitted)) {
            let other = owners[fitted.as_str()].iter().find(|owner| *owner != tool);
            problem = other.map(|other| format!("it would be the name of `{other}` too")).or(problem);
            name = with_hash(tool, fitted, alphabet.most, &mut taken);
        }
        let problem = problem.map(|problem| format!("{problem}; it is `{name}` there"));
        ExportedName { name, problem }
    };
    tools.iter().zip(&fitted).map(export).collect()
}

/// Returns a name that is not taken: the fitted one, cut if it is too long, and a hash of the tool's own name.
fn with_hash(tool: &str, fitted: &str, most: usize, taken: &mut HashSet<String>) -> String {
    let mut hashed = tool.to_owned();
    loop {
        let hash = format!("_{:08x}", hash(&hashed));
        // A fitted name is ASCII.
        let kept = fitted.len().min(most.saturating_sub(hash.len()));
        let name = format!("{}{hash}", &fitted[..kept]);
        if taken.insert(name.clone()) {
            return name;
        }
        // Two hashes are equal.
        hashed.push('_');
    }
}

/// The hash FNV-1a: the same on every machine and in every version.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use crate::Vendor;
    use crate::export::translation::limit_of_names;

    fn exported(vendor: Vendor, names: &[&str]) -> Vec<String> {
        let (_, alphabet) = limit_of_names(vendor);
        super::names(names, alphabet).into_iter().map(|exported| exported.name).collect()
    }

    #[test]
    fn a_name_that_fits_is_kept_and_others_differ_from_it() {
        assert_eq!(exported(Vendor::OpenAiChat, &["add", "files.read"]), ["add", "files_read"]);
        let [first, second] = [["a_b", "a.b"], ["a.b", "a_b"]].map(|names| exported(Vendor::OpenAiChat, &names));
        assert_eq!(first[0], "a_b");
        assert_eq!((&first[0], &first[1]), (&second[1], &second[0]), "the order does not matter");
        assert!(first[1].starts_with("a_b_") && first[1].len() == 12);
        let both = exported(Vendor::OpenAiChat, &["a.b_c", "a_b.c"]);
        assert!(both[0] != both[1] && both.iter().all(|name| name.starts_with("a_b_c_")), "{both:?}");
    }

    #[test]
    fn a_long_name_is_cut_and_stays_different() {
        let [one, other] = ["x".repeat(100), format!("{}y", "x".repeat(99))];
        let names = exported(Vendor::OpenAiChat, &[&one, &other]);
        assert!(names[0] != names[1] && names.iter().all(|name| name.len() == 64), "{names:?}");
        assert_eq!(exported(Vendor::Anthropic, &[&one])[0], one);
    }

    #[test]
    fn a_name_for_gemini_starts_with_a_letter() {
        assert_eq!(exported(Vendor::Gemini, &["2fa", "-x", "a.b", "_c"]), ["_2fa", "_-x", "a.b", "_c"]);
    }
}
