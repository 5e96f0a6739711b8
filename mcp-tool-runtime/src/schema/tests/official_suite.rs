//! Runs the official test suite of JSON Schema for each dialect, as `build` checks a hand-written output schema without
//! the feature `jsonschema`, and compares the counts with the table in the guide on dynamic tools.

use std::path::Path;
use std::{env, fs};

use serde_json::Value;

use mcp_tool_schema::Validator;

use crate::json::reader;
use crate::schema::check;

const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/guide/dynamic_tools.md");

const DIALECTS: [(&str, &str, &str); 2] = [
    ("2020-12", "draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
    ("draft 7", "draft7", "http://json-schema.org/draft-07/schema#"),
];

/// The parts of the suite, and their folders.
const PARTS: [(&str, &str); 3] = [("required", ""), ("optional", "optional"), ("formats", "optional/format")];

/// The files with cases that this checker judges differently. The guide gives the reasons.
const OTHERWISE: [&str; 12] = [
    "format.json",
    "optional/bignum.json",
    "optional/content.json",
    "optional/float-overflow.json",
    "optional/format/idn-email.json",
    "optional/format/hostname.json",
    "optional/format/idn-hostname.json",
    "optional/format/iri-reference.json",
    "optional/format/iri.json",
    "optional/format/json-pointer.json",
    "optional/format/relative-json-pointer.json",
    "optional/format/uri-template.json",
];

#[derive(Default)]
struct Counts {
    cases: usize,
    right: usize,
    refused: usize,
    otherwise: usize,
}

#[test]
#[ignore = "the stage `schema_suite` of .ci/run installs the suite"]
fn the_official_suite_is_met() {
    let suite = env::var("JSON_SCHEMA_SUITE").expect("`JSON_SCHEMA_SUITE` is the folder of the suite");
    let mut rows = Vec::new();
    for (dialect, folder, uri) in DIALECTS {
        let root = Path::new(&suite).join("tests").join(folder);
        rows.extend(PARTS.map(|(part, folder)| {
            let Counts { cases, right, refused, otherwise } = counts(&root, folder, uri);
            format!("| {dialect} | {part} | {cases} | {right} | {refused} | {otherwise} |")
        }));
    }
    let rows = rows.join("\n");
    println!("{rows}");
    let guide = fs::read_to_string(GUIDE).expect("the guide");
    assert!(guide.contains(&rows), "the guide `dynamic_tools` has other counts than\n{rows}");
}

fn counts(root: &Path, folder: &str, uri: &str) -> Counts {
    let files =
        fs::read_dir(root.join(folder)).expect("a folder of the suite").map(|entry| entry.expect("a file").path());
    let mut counts = Counts::default();
    for path in files.filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
        let name = path.strip_prefix(root).expect("a file of the dialect").display().to_string();
        let groups: Value = serde_json::from_str(&fs::read_to_string(&path).expect("a file")).expect("JSON");
        for group in groups.as_array().expect("groups") {
            let mut schema = group["schema"].clone();
            if let Value::Object(schema) = &mut schema {
                schema.entry("$schema").or_insert_with(|| uri.into());
            }
            let tests = group["tests"].as_array().expect("tests");
            counts.cases += tests.len();
            let checked = check::output(&schema, true).pop().map_or(Ok(()), Err);
            let compiled =
                match checked.and_then(|()| Validator::compile_linear(&schema).map_err(|error| error.to_string())) {
                    Ok(compiled) => compiled,
                    Err(error) => {
                        println!("{name}: {}: refused: {error}", group["description"]);
                        counts.refused += tests.len();
                        continue;
                    }
                };
            for test in tests {
                let document = reader::read_value(&test["data"]);
                let is_accepted = document.is_ok_and(|document| compiled.accepts(document.root()));
                if is_accepted == test["valid"] {
                    counts.right += 1;
                    continue;
                }
                println!("{name}: {}: {}: accepted: {is_accepted}", group["description"], test["description"]);
                assert!(OTHERWISE.contains(&name.as_str()), "{name} has a wrong verdict");
                counts.otherwise += 1;
            }
        }
    }
    counts
}
