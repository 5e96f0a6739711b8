//! `export`: the definitions for the tool-calling interface of a model vendor.

use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Command, arg};
use serde_json::json;

use super::{Cli, Io, USAGE};
use crate::export::{Strict, Vendor};

/// Returns the name of a vendor's interface on the command line, such as `openai-chat`.
fn name(vendor: Vendor) -> String {
    vendor.to_string().to_lowercase().replace(' ', "-")
}

pub(super) fn command() -> Command {
    let vendors = PossibleValuesParser::new(Vendor::ALL.iter().copied().map(name));
    let strict = PossibleValuesParser::new(["off", "where-lossless"]);
    Command::new("export")
        .about("Print the definitions for the interface of a model vendor, as JSON")
        .arg(arg!(vendor: <VENDOR>).value_parser(vendors))
        .arg(
            arg!(--strict <WHEN> "When the vendor enforces a schema [default: where-lossless for OpenAI, else off]")
                .value_parser(strict),
        )
}

impl Cli {
    pub(super) fn export(&self, matches: &ArgMatches, io: &Io) -> u8 {
        let chosen = matches.get_one::<String>("vendor");
        let Some(vendor) = Vendor::ALL.iter().find(|vendor| chosen.is_some_and(|chosen| name(**vendor) == *chosen))
        else {
            return USAGE;
        };
        let mut export = self.dispatcher.export(*vendor).for_caller(self.extensions.clone());
        if let Some(strict) = matches.get_one::<String>("strict") {
            export = export.strict(if strict == "off" { Strict::Off } else { Strict::WhereLossless });
        }
        for finding in export.findings() {
            io.note("note", &finding.to_string());
        }
        io.print_json(&format!("{:#}\n", json!(export.tools())))
    }
}
