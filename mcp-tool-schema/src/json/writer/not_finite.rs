//! The path of a number that is not finite. JSON cannot represent it, so the text before it is what is known of its place.

use super::compact::end_of_string;
use crate::json::path::{Path, Step};

/// Returns the path of the value that comes next after `json`, the beginning of a compact JSON text.
pub(super) fn path_at_end(json: &[u8]) -> Path {
    // One step for each open array or object.
    let mut steps = Vec::new();
    let (mut at, mut last_string) = (0, &json[..0]);
    while let Some(byte) = json.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'"' => {
                at = end_of_string(json, start);
                last_string = &json[start..at];
            }
            b'[' => steps.push(Step::Index(0)),
            b'{' => steps.push(Step::Key("".into())),
            b']' | b'}' => drop(steps.pop()),
            b',' => {
                if let Some(Step::Index(index)) = steps.last_mut() {
                    *index += 1;
                }
            }
            b':' => {
                let key: String = serde_json::from_slice(last_string).unwrap_or_default();
                if let Some(step) = steps.last_mut() {
                    *step = Step::Key(key.into());
                }
            }
            _ => {}
        }
    }
    Path(steps)
}

#[cfg(test)]
mod tests {
    use super::path_at_end;

    #[test]
    fn the_path_follows_the_open_arrays_and_objects() {
        for (json, path) in [
            ("", ""),
            ("[", "[0]"),
            (r#"{"a":[1,"[,{",[2,3],{"x":4},"#, "a[4]"),
            (r#"{"a":{"b":[]},"c d":{"e":1,"f":"#, "[\"c d\"].f"),
            (r#"{"\"a,":{"\\":"#, r#"["\"a,"]["\\"]"#),
        ] {
            assert_eq!(path_at_end(json.as_bytes()).to_string(), path, "{json}");
        }
    }
}
