//! The keyword `format`. Every format of the 2020-12 vocabulary is asserted, except `idn-email` and `idn-hostname`, whose tables
//! of Unicode would be larger than all other checks. Unknown formats are ignored.
//!
//! - [`date_time`] – RFC 3339: dates, times and durations.
//! - [`host`] – host names, and addresses of mailboxes.
//! - [`uri`] – RFC 3986 and RFC 3987: URIs, IRIs and references.
//! - [`text`] – templates of URIs, JSON Pointers, UUIDs.
//! - [`regex`] – the syntax of ECMAScript's regular expressions.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::dialect::Dialect;

mod date_time;
mod host;
mod regex;
mod text;
pub(super) mod uri;

/// A format that is asserted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    name: &'static str,
    accepts: fn(&str) -> bool,
}

impl Format {
    /// Returns the format of this name, if the dialect defines it.
    pub(super) fn named(name: &str, dialect: Dialect) -> Option<Self> {
        let (name, accepts): (_, fn(&str) -> bool) = match name {
            "date-time" => ("date-time", date_time::is_date_time),
            "email" => ("email", host::is_email),
            "hostname" => ("hostname", host::is_hostname),
            "ipv4" => ("ipv4", |text| text.parse::<Ipv4Addr>().is_ok()),
            "ipv6" => ("ipv6", |text| text.parse::<Ipv6Addr>().is_ok()),
            "uri" => ("uri", |text| uri::is_uri(text, uri::Charset::Ascii)),
            "uri-reference" => ("uri-reference", |text| uri::is_reference(text, uri::Charset::Ascii)),
            "uri-template" => ("uri-template", text::is_uri_template),
            "json-pointer" => ("json-pointer", text::is_json_pointer),
            "regex" => ("regex", regex::is_regex),
            "date" => ("date", date_time::is_date),
            "time" => ("time", date_time::is_time),
            "iri" if dialect.has_conditions() => ("iri", |text| uri::is_uri(text, uri::Charset::Unicode)),
            "iri-reference" if dialect.has_conditions() => {
                ("iri-reference", |text| uri::is_reference(text, uri::Charset::Unicode))
            }
            "relative-json-pointer" if dialect.has_conditions() => {
                ("relative-json-pointer", text::is_relative_json_pointer)
            }
            "duration" if dialect.is_2019_or_later() => ("duration", date_time::is_duration),
            "uuid" if dialect.is_2019_or_later() => ("uuid", text::is_uuid),
            _ => return None,
        };
        Some(Self { name, accepts })
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
    fn a_format_is_asserted_in_the_drafts_that_define_it() {
        use Dialect::{Draft6, Draft7, Draft2019, Draft2020};
        for (name, first, valid, invalid) in [
            ("uri", Draft6, "http://a/b", "../a"),
            ("uri-reference", Draft6, "../a?b#c", "../ä"),
            ("iri", Draft7, "http://ä.ö/", "../ä"),
            ("iri-reference", Draft7, "../ä", "a b"),
            ("relative-json-pointer", Draft7, "0/a", "/a"),
            ("duration", Draft2019, "P1W", "1W"),
            ("uuid", Draft2019, "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08aa9811eab4aa73b441d16380"),
        ] {
            for draft in [Draft6, Draft7, Draft2019, Draft2020] {
                let format = Format::named(name, draft);
                assert_eq!(format.map(Format::name), (draft >= first).then_some(name), "{draft:?}");
                if let Some(format) = format {
                    assert!(format.accepts(valid) && !format.accepts(invalid), "{name} {draft:?}");
                }
            }
        }
    }
}
