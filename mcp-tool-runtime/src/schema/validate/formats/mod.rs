//! The keyword `format`. Every format of the 2020-12 vocabulary is asserted, except `uri-template`, `relative-json-pointer`,
//! `idn-email` and `idn-hostname`: almost no tool has them, and the tables of Unicode for the last two would be larger than all other
//! checks. Unknown formats are ignored.
//!
//! - [`date_time`] – RFC 3339: dates, times and durations.
//! - [`host`] – host names, and addresses of mailboxes.
//! - [`uri`] – RFC 3986 and RFC 3987: URIs, IRIs and references.
//! - [`text`] – JSON Pointers and UUIDs.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::dialect::Dialect;
use crate::schema::pattern;

mod date_time;
mod host;
mod text;
pub(super) mod uri;

/// A format that is asserted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    name: &'static str,
    accepts: fn(&str) -> bool,
}

const FORMATS: [Format; 15] = [
    Format { name: "date-time", accepts: date_time::is_date_time },
    Format { name: "date", accepts: date_time::is_date },
    Format { name: "time", accepts: date_time::is_time },
    Format { name: "duration", accepts: date_time::is_duration },
    Format { name: "email", accepts: host::is_email },
    Format { name: "hostname", accepts: host::is_hostname },
    Format { name: "ipv4", accepts: |text| text.parse::<Ipv4Addr>().is_ok() },
    Format { name: "ipv6", accepts: |text| text.parse::<Ipv6Addr>().is_ok() },
    Format { name: "uri", accepts: |text| uri::is_uri(text, uri::Charset::Ascii) },
    Format { name: "uri-reference", accepts: |text| uri::is_reference(text, uri::Charset::Ascii) },
    Format { name: "iri", accepts: |text| uri::is_uri(text, uri::Charset::Unicode) },
    Format { name: "iri-reference", accepts: |text| uri::is_reference(text, uri::Charset::Unicode) },
    Format { name: "uuid", accepts: text::is_uuid },
    Format { name: "json-pointer", accepts: text::is_json_pointer },
    Format { name: "regex", accepts: |text| pattern::parse(text).is_regex },
];

impl Format {
    /// Returns the format of this name, if the dialect defines it.
    pub(super) fn named(name: &str, dialect: Dialect) -> Option<Self> {
        let is_defined = dialect == Dialect::Draft2020 || !matches!(name, "duration" | "uuid");
        FORMATS.iter().copied().find(|format| format.name == name).filter(|_| is_defined)
    }

    pub(super) fn name(self) -> &'static str {
        self.name
    }

    pub(super) fn accepts(self, text: &str) -> bool {
        (self.accepts)(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_asserted_in_the_dialects_that_define_it() {
        for (name, since_draft_7, valid, invalid) in [
            ("uri", true, "http://a/b", "../a"),
            ("uri-reference", true, "../a?b#c", "../ä"),
            ("iri", true, "http://ä.ö/", "../ä"),
            ("iri-reference", true, "../ä", "a b"),
            ("duration", false, "P1W", "1W"),
            ("uuid", false, "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08aa9811eab4aa73b441d16380"),
        ] {
            assert_eq!(Format::named(name, Dialect::Draft7).is_some(), since_draft_7, "{name}");
            let format = Format::named(name, Dialect::Draft2020).expect(name);
            assert!(format.accepts(valid) && !format.accepts(invalid), "{name}");
        }
        for name in ["uri-template", "relative-json-pointer", "idn-email", "idn-hostname", "unknown"] {
            assert!(Format::named(name, Dialect::Draft2020).is_none(), "{name}");
        }
    }
}
