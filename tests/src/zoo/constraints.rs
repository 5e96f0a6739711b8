//! Constraints on strings, numbers and lists.

use super::{specimens, types};

types! {
    struct Texts {
        #[schemars(length(min = 2, max = 4))]
        short: String,
        #[schemars(length(equal = 3))]
        exact: String,
        #[schemars(regex(pattern = r"^[a-z]+(-[a-z0-9]+)*$"))]
        slug: String,
        #[schemars(regex(pattern = r"^\d{2,3}$"))]
        digits: String,
        #[schemars(regex(pattern = r"\w\s\S"))]
        inside: String,
        #[schemars(regex(pattern = "é|[ß-ÿ]{2}|😀"))]
        unicode: String,
        #[schemars(length(max = 8), regex(pattern = "^(?:a|b)*c?$"))]
        both: String,
    }
    struct Formats {
        #[schemars(email)]
        email: Option<String>,
        #[schemars(url)]
        url: Option<String>,
    }
    struct CommonFormats {
        #[schemars(extend("format" = "date"))]
        day: Option<String>,
        #[schemars(extend("format" = "uuid"))]
        id: Option<String>,
        #[schemars(extend("format" = "date-time"))]
        moment: Option<String>,
        #[schemars(extend("format" = "ipv6"))]
        address: Option<String>,
    }
    struct Ranges {
        #[schemars(range(min = 3, max = 200))]
        byte: u8,
        #[schemars(range(min = -5))]
        least: i16,
        #[schemars(range(min = 0.5, max = 2.5))]
        ratio: f64,
        #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
        // An `f64`, because an `f32` rounds values near the bounds to the bounds.
        open: f64,
        #[schemars(range(max = 1000))]
        beyond_the_type: u8,
        #[schemars(extend("multipleOf" = 5))]
        fives: i32,
        #[schemars(range(min = 0.25, max = 7.75))]
        halves: i8,
    }
    struct Lists {
        #[schemars(length(min = 1, max = 3))]
        few: Vec<u8>,
        #[schemars(inner(length(min = 1, max = 2)))]
        inner: Vec<String>,
        #[schemars(extend("uniqueItems" = true))]
        unique: Vec<i16>,
        #[schemars(length(min = 1))]
        maybe: Option<Vec<bool>>,
    }
    struct Contains {
        #[schemars(contains(pattern = "ab"))]
        text: String,
        #[serde(default)]
        #[schemars(length(max = 1))]
        defaulted: String,
    }
}

specimens! {
    constrained_texts: Texts, constrained();
    // Validators disagree about email addresses and URIs.
    formats: Formats, constrained(), debatable();
    common_formats: CommonFormats, constrained();
    ranges: Ranges, constrained();
    constrained_lists: Lists, constrained();
    contained_text: Contains, constrained();
    plain_text: String;
    letter: char;
}
