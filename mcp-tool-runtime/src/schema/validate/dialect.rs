//! The versions of JSON Schema, and what differs between them.

/// A version of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) enum Dialect {
    Draft6,
    Draft7,
    Draft2019,
    Draft2020,
}

impl Dialect {
    pub(super) fn of_uri(name: &str) -> Option<Self> {
        let name = name.strip_suffix('#').unwrap_or(name);
        let name = name.strip_prefix("https://").or_else(|| name.strip_prefix("http://"))?;
        match name.strip_prefix("json-schema.org/")? {
            "draft/2020-12/schema" => Some(Self::Draft2020),
            "draft/2019-09/schema" => Some(Self::Draft2019),
            "draft-07/schema" => Some(Self::Draft7),
            "draft-06/schema" => Some(Self::Draft6),
            _ => None,
        }
    }

    pub(super) fn is_2019_or_later(self) -> bool {
        self >= Self::Draft2019
    }

    pub(super) fn is_before_2019(self) -> bool {
        !self.is_2019_or_later()
    }

    pub(super) fn has_conditions(self) -> bool {
        self >= Self::Draft7
    }

    /// Returns `true` if the keyword is the dynamic reference of this draft, which is resolved while validating.
    pub(super) fn is_dynamic(self, keyword: &str) -> bool {
        match self {
            Self::Draft2020 => keyword == "$dynamicRef",
            Self::Draft2019 => keyword == "$recursiveRef",
            Self::Draft6 | Self::Draft7 => false,
        }
    }
}
