use super::*;

fn error(pattern: &str) -> Option<String> {
    parse(pattern).problem
}

fn is_regex(pattern: &str) -> bool {
    parse(pattern).is_regex
}

#[test]
fn the_common_subset_is_accepted() {
    for pattern in [
        "",
        "^a$",
        r"^\d+$",
        r"^-?\d+$",
        r"^[a-z][a-z0-9_-]*$",
        r"^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}$",
        r"^\d{4}-(0[1-9]|1[0-2])-\d{2}$",
        r"a|b|",
        r"()(?:x)??(?<year>\d{4})(?<m_2>x{2,3}?)",
        r"\^\$\\\.\*\+\?\(\)\[\]\{\}\|\/",
        r"[\]\[\-\\^.$*+?(){}|/]",
        r"[^a-z-]",
        r"[a-z-9]",
        r"[-a]",
        r"[a&b~c]",
        r"\t\n\r\f\v\x41\u0041\u{1F600}",
        r"[\x00-\x1f\u{80}-\u{10FFFF}]",
        r"\bfoo\B\w\W\s\S\D",
        r"[\d\w\s]",
        r"\p{L}\P{Lu}\p{Letter}\p{Script=Greek}\p{sc=Latin}\p{gc=Nd}\p{Alphabetic}",
        r"^é…😀$",
        "a#b c",
    ] {
        assert_eq!(error(pattern), None, "{pattern}");
    }
}

#[test]
fn syntax_that_only_one_engine_supports_is_refused() {
    for (pattern, text) in [
        (r"(?i)abc", "inline flag"),
        (r"(?i:abc)", "inline flag, which ECMAScript supports only since 2025"),
        (r"(?-u)a", "inline flag"),
        (r"(?P<n>a)", "write `(?<name>…)`"),
        (r"(?=a)", "look-ahead"),
        (r"(?!a)", "look-ahead"),
        (r"(?<=a)", "look-behind"),
        (r"(?<!a)", "look-behind"),
        (r"(?>a)", "atomic"),
        (r"(?#a)", "comment"),
        (r"(?", "inline flag"),
        (r"(?<1a>x)", "whose name"),
        (r"(?<a", "whose name"),
        (r"(a", "not closed"),
        (r"a)", "not open"),
        (r"(a)\1", "back-reference"),
        (r"(?<a>x)\k<a>", "back-reference"),
        (r"\Aa\z", r"`\A`"),
        (r"a\z", r"`\z`"),
        (r"a\Z", r"`\Z`"),
        (r"\h", r"`\h`"),
        (r"\a", r"`\a`"),
        (r"\cA", r"Rust's `regex` does not support: write `\x01`"),
        (r"\0", r"Rust's `regex` does not support: write `\x00`"),
        (r"\pL", r"\p{…}"),
        (r"\p{Greek}", "Script=Greek"),
        (r"\p{^L}", "`^L`"),
        (r"\p{letter}", r"`letter`, which ECMAScript does not support: write `\p{Letter}`"),
        (r"\p{script=Greek}", "which ECMAScript does not support"),
        (r"\p{sc=greek}", "which ECMAScript does not support"),
        (r"\p{emoji}", r"write `\p{Emoji}`"),
        (r"\p{RGI_Emoji}", "which ECMAScript does not support"),
        (r"\p{L", "not closed"),
        (r"\x{41}", r"\u{41}"),
        (r"\x4", r"`\x`"),
        (r"\u12", r"`\u`"),
        (r"\uD83D\uDE00", "half of a character"),
        (r"\u{110000}", r"`\u`"),
        (r"\U0001F600", r"`\U`"),
        (r"\_", r"`\_`"),
        (r"a\-b", r"`\-`"),
        (r"\@\ ", r"`\@`"),
        (r"[\_]", r"`\_`"),
        (r"\", "ends"),
        (r"[[:alpha:]]", "POSIX"),
        (r"[a[b]]", r"write `\[`"),
        (r"[a-z&&[^b]]", "set operation"),
        (r"[a--b]", "set operation"),
        (r"[a~~b]", "set operation"),
        (r"[]a]", "empty"),
        (r"[^]", "empty"),
        (r"[]", "empty"),
        (r"[z-a]", "whose start"),
        (r"[a-\d]", "set"),
        (r"[\d-a]", "set"),
        (r"[\b]", r"Rust's `regex` does not support: write `\x08`"),
        (r"[\B]", r"`\B`"),
        (r"[a", "not closed"),
        (r"[a\", "ends"),
        (r"a]", "closes nothing"),
        (r"a}", "closes nothing"),
        (r"a{", "not a repetition"),
        (r"a{,3}", "not a repetition"),
        (r"a{ 1 }", "not a repetition"),
        (r"a{+1}", "not a repetition"),
        (r"a{1,2,3}", "not a repetition"),
        (r"a{99999999999}", "counts only to"),
        (r"a{3,2}", "above its maximum"),
        (r"a++", "after a repetition"),
        (r"a*+", "after a repetition"),
        (r"a{2}{3}", "after a repetition"),
        (r"a???", "after a repetition"),
        (r"*a", "nothing to repeat"),
        (r"(+a)", "nothing to repeat"),
        (r"a|?", "nothing to repeat"),
        (r"{1}", "nothing to repeat"),
        (r"^*", "assertion"),
        (r"\b+", "assertion"),
    ] {
        let error = error(pattern);
        assert!(error.as_ref().is_some_and(|error| error.contains(text)), "{pattern}: {error:?}");
    }
}

#[test]
fn the_syntax_of_ecmascript_is_accepted() {
    for pattern in [
        "",
        "a|",
        "^(a+)?$",
        r"(?=a)b(?<!c)",
        r"(?<y>a)\k<y>",
        r"(?<x>a)(?<y>b)",
        r"(a)\1",
        r"\cA",
        r"[\d-]",
        r"[\b]",
        r"[\b-a]",
        r"[]",
        r"[^]",
        r"\u{1F600}",
        r"\ud83d\ude00",
        r"\ud83d",
        r"\p{Letter}",
        r"\p{Script=Greek}",
        r"a{2,}?",
        r"\-\ \@",
        r"(?i-s:a)",
        r"[a-z&&^b]",
        "[a~~b]",
        r"\0",
    ] {
        assert!(is_regex(pattern), "{pattern}");
    }
    for pattern in [
        "(",
        ")",
        "[",
        "*a",
        "a**",
        "^*",
        r"\a",
        r"\",
        "a{2,1}",
        "a{",
        "}",
        "]",
        r"\k",
        r"[\k<y>]",
        r"(?<>a)",
        r"(?<a-b>a)",
        r"\u{110000}",
        "[b-a]",
        r"[a-\b]",
        r"[\d-z]",
        "[[a]]",
        "(?x:a)",
        "(?i)a:",
        r"\p{}",
        r"\01",
        "(?<1>a)",
        r"\_a\é",
    ] {
        assert!(!is_regex(pattern), "{pattern}");
    }
}
