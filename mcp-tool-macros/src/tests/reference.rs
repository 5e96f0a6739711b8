//! The tables of keys in the documentation of the macros, written from the tables of `keys`.

use std::fmt::Write as _;
use std::fs;

use super::{blesses, is_packaged};
use crate::attr::keys::{Key, tables};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../mcp-tool-runtime/docs/macros");

fn table(keys: &[&Key]) -> String {
    let mut table = String::from("| key | meaning |\n| --- | --- |\n");
    for key in keys {
        let _ = writeln!(table, "| `{}` | {} |", key.form(), key.meaning);
    }
    table
}

#[test]
fn the_reference_has_all_keys() {
    if is_packaged() {
        println!("skipped: the reference is in the repository only");
        return;
    }
    for file in ["mcp_tool.md", "mcp_tools.md", "into_tool_error.md"] {
        let path = format!("{FOLDER}/{file}");
        let page = fs::read_to_string(&path).expect("a page of the reference");
        let mut written = page.clone();
        for (name, keys) in tables() {
            let (start, end) = (format!("<!-- keys of {name} -->\n\n"), "\n<!-- end of keys -->");
            let Some((before, rest)) = written.split_once(&start) else { continue };
            let (_, after) = rest.split_once(end).expect("the end of a table");
            written = format!("{before}{start}{}{end}{after}", table(&keys));
        }
        if blesses() {
            fs::write(&path, written).expect("the page can be written");
        } else {
            assert!(page == written, "rewrite {file} with BLESS=1 cargo test -p mcp-tool-macros");
        }
    }
}
