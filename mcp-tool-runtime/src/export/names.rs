//! Names in the alphabet of a vendor.
//!
//! A name that fits is kept. In any other, each character that does not fit becomes `_`. A name that is too long, or that would
//! equal another one, ends with a hash of the tool's own name. The result depends on the names of the tools alone, not on their
//! order, so that calls in an old conversation still find their tools. For one caller these are the tools that the caller sees:
//! a hash must not reveal a hidden tool.

use std::collections::{HashMap, HashSet};

use crate::lint::limits::{Limit, Requirement};
use crate::lint::names::Alphabet;
use crate::mcp;

/// Returns the limit of names. Every vendor has one.
pub(super) fn limit_of_names(limits: &[&'static Limit]) -> Option<(&'static Limit, Alphabet)> {
    limits.iter().find_map(|limit| match limit.requirement {
        Requirement::Name(alphabet) => Some((*limit, alphabet)),
        _ => None,
    })
}

/// The name of a tool in the alphabet of a vendor.
pub(super) struct ExportedName {
    pub(super) name: String,
    /// The name of another tool that would be exported under the same name.
    pub(super) equal_to: Option<String>,
}

/// Returns the exported name of each tool. No two are equal.
pub(super) fn names<'t>(tools: impl Iterator<Item = &'t mcp::Tool>, alphabet: Alphabet) -> Vec<ExportedName> {
    let tools: Vec<_> = tools.collect();
    let fitted: Vec<_> = tools.iter().map(|tool| alphabet.fit(&tool.name)).collect();
    let mut owners: HashMap<&str, Vec<&str>> = HashMap::new();
    for (tool, name) in tools.iter().zip(&fitted) {
        owners.entry(name).or_default().push(&tool.name);
    }
    let is_kept = |(tool, fitted): &(&&mcp::Tool, &String)| {
        fitted.len() <= alphabet.most && (**fitted == tool.name || owners[fitted.as_str()].len() == 1)
    };
    let mut taken: HashSet<String> =
        tools.iter().zip(&fitted).filter(is_kept).map(|(_, fitted)| fitted.clone()).collect();
    let export = |pair: (&&mcp::Tool, &String)| {
        let (tool, fitted) = pair;
        if is_kept(&pair) {
            return ExportedName { name: fitted.clone(), equal_to: None };
        }
        let equal_to = owners[fitted.as_str()].iter().find(|owner| **owner != tool.name).map(|name| (*name).to_owned());
        let mut hashed = tool.name.clone();
        loop {
            let hash = format!("_{:08x}", hash(&hashed));
            // A fitted name is ASCII.
            let kept = fitted.len().min(alphabet.most.saturating_sub(hash.len()));
            let name = format!("{}{hash}", &fitted[..kept]);
            if taken.insert(name.clone()) {
                return ExportedName { name, equal_to };
            }
            // Two hashes are equal.
            hashed.push('_');
        }
    };
    tools.iter().zip(&fitted).map(export).collect()
}

/// The hash FNV-1a: the same on every machine and in every version.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::Client;
    use crate::lint::limits::limits_of;
    use serde_json::json;

    fn exported(client: Client, names: &[&str]) -> Vec<String> {
        let tools: Vec<_> = names.iter().map(|name| mcp::Tool::new(*name, "", json!({}))).collect();
        let (_, alphabet) = limit_of_names(&limits_of(client).collect::<Vec<_>>()).expect("a limit");
        super::names(tools.iter(), alphabet).into_iter().map(|exported| exported.name).collect()
    }

    #[test]
    fn a_name_that_fits_is_kept_and_others_differ_from_it() {
        assert_eq!(exported(Client::OpenAi, &["add", "files.read"]), ["add", "files_read"]);
        let [first, second] = [["a_b", "a.b"], ["a.b", "a_b"]].map(|names| exported(Client::OpenAi, &names));
        assert_eq!(first[0], "a_b");
        assert_eq!((&first[0], &first[1]), (&second[1], &second[0]), "the order does not matter");
        assert!(first[1].starts_with("a_b_") && first[1].len() == 12);
        let both = exported(Client::OpenAi, &["a.b_c", "a_b.c"]);
        assert!(both[0] != both[1] && both.iter().all(|name| name.starts_with("a_b_c_")), "{both:?}");
    }

    #[test]
    fn a_long_name_is_cut_and_stays_different() {
        let [one, other] = ["x".repeat(100), format!("{}y", "x".repeat(99))];
        let names = exported(Client::OpenAi, &[&one, &other]);
        assert!(names[0] != names[1] && names.iter().all(|name| name.len() == 64), "{names:?}");
        assert_eq!(exported(Client::ClaudeApi, &[&one])[0], one);
    }

    #[test]
    fn a_name_for_gemini_starts_with_a_letter() {
        assert_eq!(exported(Client::Gemini, &["2fa", "-x", "a.b", "_c"]), ["_2fa", "_-x", "a.b", "_c"]);
    }
}
