//! The keyword `format`: the formats that are asserted. All others are annotations. Those of the 2020-12 vocabulary that are not here
//! (`hostname`, `idn-…`, `iri…`, `…json-pointer` and `uri-template`) are rare in tools, and some need tables of Unicode that would be
//! larger than all other checks.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::dialect::Dialect;
use crate::pattern;

mod date_time;
mod email;
pub(super) mod uri;

/// A format that is asserted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    name: &'static str,
    accepts: fn(&str) -> bool,
}

const FORMATS: [Format; 11] = [
    Format { name: "date-time", accepts: date_time::is_date_time },
    Format { name: "date", accepts: date_time::is_date },
    Format { name: "time", accepts: date_time::is_time },
    Format { name: "duration", accepts: date_time::is_duration },
    Format { name: "email", accepts: email::is_email },
    Format { name: "ipv4", accepts: |text| text.parse::<Ipv4Addr>().is_ok() },
    Format { name: "ipv6", accepts: |text| text.parse::<Ipv6Addr>().is_ok() },
    Format { name: "uri", accepts: uri::is_uri },
    Format { name: "uri-reference", accepts: uri::is_reference },
    Format { name: "uuid", accepts: is_uuid },
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

fn is_uuid(text: &str) -> bool {
    text.len() == 36 && uuid::Uuid::try_parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_asserted_in_the_dialects_that_define_it() {
        for (name, since_draft_7, valid, invalid) in [
            ("uri", true, "http://a/b", "../a"),
            ("uri-reference", true, "../a?b#c", "../ä"),
            ("duration", false, "P1W", "1W"),
            ("uuid", false, "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08aa9811eab4aa73b441d16380"),
        ] {
            assert_eq!(Format::named(name, Dialect::Draft7).is_some(), since_draft_7, "{name}");
            let format = Format::named(name, Dialect::Draft2020).expect(name);
            assert!(format.accepts(valid) && !format.accepts(invalid), "{name}");
        }
        for name in ["hostname", "iri", "json-pointer", "uri-template", "idn-email", "unknown"] {
            assert!(Format::named(name, Dialect::Draft2020).is_none(), "{name}");
        }
    }

    #[test]
    fn a_uuid_has_hyphens_and_no_other_form() {
        assert!(is_uuid("2EB8AA08-aa98-11ea-b4aa-73b441d16380"));
        for text in [
            "2eb8aa08aa9811eab4aa73b441d16380",
            "2eb8aa08-aa98-11ea-b4aa-73b441d1638",
            "2eb8aa08-aa98-11eab-4aa-73b441d16380",
            "ééééééééé",
        ] {
            assert!(!is_uuid(text), "{text}");
        }
    }
}
