//! Compares the checker with the crate `jsonschema`, on random schemas and values.
//!
//! | variable | meaning | default |
//! | --- | --- | --- |
//! | `DIFFERENTIAL_SCHEMAS` | the number of random schemas | 3000 |
//! | `DIFFERENTIAL_SEED` | the seed | 1 |

use std::env;

use jsonschema::PatternOptions;
use serde_json::{Map, Value, json};

use crate::Validator;
use crate::json::reader;

/// A small generator of random numbers (xorshift).
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 20).expect("44 bits") % limit
    }

    fn choose<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn list<T>(&mut self, count: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..=self.below(count)).map(|_| make(self)).collect()
    }
}

const NAMES: [&str; 6] = ["a", "b", "c", "ab", "x-1", ""];
const PATTERNS: [&str; 8] = ["^a", r"\d$", r"^[\w-]+$", r"^\S*$", r"^(a|b){1,2}$", r"\p{L}", r"[^\s\d]", r"^.{2}$"];
const FORMATS: [&str; 12] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "uuid",
    "regex",
    "unknown",
];
/// Strings that are valid or almost valid in one of the formats.
const TEXTS: [&str; 47] = [
    "",
    "a",
    "ab",
    "b1",
    "é",
    "a b",
    "2024-02-29T12:30:60Z",
    "2024-02-29T23:59:60.5Z",
    "2023-02-29",
    "2024-02-29",
    "12:30:00+23:59",
    "15:59:60-08:00",
    "P1Y2M3DT4H5M6S",
    "P1W",
    "P1D2H",
    "PT1H2S",
    "joe@example.com",
    "\"j b\"@[127.0.0.1]",
    "joe@[IPv6:::1]",
    "@b",
    "xn--ihqwcrb4cv8a8dqg056pqjye",
    "ab--cd.e",
    "127.0.0.1",
    "127.00.0.1",
    "::ffff:1.2.3.4",
    "1::2::3",
    "http://u@h:80/p?q#f",
    "http://[::1]/",
    "http://[v1.x]/",
    "http://h:8a/%zz",
    "//h/p",
    "1a:b",
    "./1a:b",
    "http://ä.ö/?\u{e000}",
    "#a#b",
    "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
    "2eb8aa08aa9811eab4aa73b441d16380",
    "{+a,b*}{c:12}",
    "{a",
    "/a~1b",
    "/a~2",
    "0/a",
    "01",
    "120#",
    r"(?<n>a)\k<n>[\d-]",
    r"(?=a){2}",
    r"\_\é",
];
const NUMBERS: [f64; 12] = [0.0, 1.0, 2.0, 3.0, -1.0, -2.5, 0.1, 0.3, 0.300_000_000_000_000_04, 7.5, 1e300, -1e-300];
const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

fn number(rng: &mut Rng) -> Value {
    match rng.below(8) {
        0 => u64::MAX.into(),
        1 => (i64::MIN + 1).into(),
        2 => 9_007_199_254_740_993_u64.into(),
        3 => rng.below(4).into(),
        _ => rng.choose(&NUMBERS).into(),
    }
}

fn value(rng: &mut Rng, depth: usize) -> Value {
    match rng.below(if depth > 3 { 6 } else { 12 }) {
        0 => Value::Null,
        1 => (rng.below(2) == 0).into(),
        2 | 3 => number(rng),
        4 | 5 => rng.choose(&TEXTS).into(),
        6..9 => rng.list(4, |rng| value(rng, depth + 1)).into(),
        _ => {
            let properties = rng.list(4, |rng| (rng.choose(&NAMES).to_owned(), value(rng, depth + 1)));
            properties.into_iter().collect::<Map<_, _>>().into()
        }
    }
}

/// Creates a schema. A few keywords have a value that the meta-schema refuses.
fn schema(rng: &mut Rng, depth: usize) -> Value {
    if depth > 4 || rng.below(12) == 0 {
        return (rng.below(3) > 0).into();
    }
    let mut keywords = Map::new();
    for _ in 0..=rng.below(4) {
        let keyword = rng.choose(&[
            "type",
            "type",
            "properties",
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
            "minProperties",
            "maxProperties",
            "items",
            "prefixItems",
            "contains",
            "minContains",
            "maxContains",
            "minItems",
            "maxItems",
            "uniqueItems",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "pattern",
            "format",
            "format",
            "enum",
            "const",
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "if",
            "then",
            "else",
            "unevaluatedProperties",
            "unevaluatedItems",
            "$ref",
            "$comment",
            "title",
            "default",
            "examples",
            "deprecated",
        ]);
        // Do not change references: one that leads elsewhere is refused before the schema is compiled.
        let held = if rng.below(60) == 0 && keyword != "$ref" { value(rng, 2) } else { held(rng, keyword, depth) };
        keywords.insert(keyword.to_owned(), held);
    }
    if depth == 0 {
        let definitions = ["d", "e"].map(|name| (name.to_owned(), schema(rng, 1)));
        keywords.insert("$defs".to_owned(), Value::Object(definitions.into_iter().collect()));
    }
    keywords.into()
}

fn held(rng: &mut Rng, keyword: &str, depth: usize) -> Value {
    let named = |rng: &mut Rng, names: &[&str]| {
        let all = rng.list(3, |rng| (rng.choose(names).to_owned(), schema(rng, depth + 1)));
        Value::Object(all.into_iter().collect())
    };
    match keyword {
        "type" if rng.below(4) == 0 => rng.list(3, |rng| rng.choose(&TYPES)).into(),
        "type" => rng.choose(&TYPES).into(),
        "dependencies" if rng.below(2) == 0 => json!({ rng.choose(&NAMES): [rng.choose(&NAMES)] }),
        "properties" | "dependentSchemas" | "dependencies" => named(rng, &NAMES),
        "patternProperties" => named(rng, &PATTERNS),
        "required" => rng.list(3, |rng| rng.choose(&NAMES)).into(),
        "dependentRequired" => json!({ rng.choose(&NAMES): [rng.choose(&NAMES)] }),
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => rng.list(3, |rng| schema(rng, depth + 1)).into(),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => number(rng),
        "multipleOf" => rng.choose(&[1.0, 2.0, 0.1, 2.5, 3.0]).into(),
        "minProperties" | "maxProperties" | "minContains" | "maxContains" | "minItems" | "maxItems" | "minLength"
        | "maxLength" => rng.choose(&[json!(0), json!(1), json!(2), json!(3), json!(2.0)]),
        "uniqueItems" | "deprecated" => (rng.below(4) > 0).into(),
        "pattern" => rng.choose(&PATTERNS).into(),
        "format" => rng.choose(&FORMATS).into(),
        "enum" | "examples" => rng.list(3, |rng| value(rng, 2)).into(),
        "const" | "default" => value(rng, 2),
        "$ref" => rng.choose(&["#/$defs/d", "#/$defs/e"]).into(),
        "$comment" | "title" => "text".into(),
        _ => schema(rng, depth + 1),
    }
}

fn oracle(schema: &Value) -> Result<jsonschema::Validator, String> {
    let options = jsonschema::options().should_validate_formats(true).with_pattern_options(PatternOptions::regex());
    options.offline().build(schema).map_err(|error| error.to_string())
}

/// Checks a value in every way, and returns the verdict.
fn verdict(compiled: &Validator, schema: &Value, value: &Value) -> bool {
    let document = reader::read_value(value).expect("a small value");
    let is_valid = compiled.accepts(document.root());
    let violations = compiled.violations(document.root(), schema);
    assert_eq!(violations.is_empty(), is_valid, "{schema} {value}");
    is_valid
}

/// Returns `true` where the two may differ: for fractions of integers beyond 2^53, which `jsonschema` rounds, and for
/// floats beyond 2^53, which are not integers here (rule I3), and whose decimals `multipleOf` reads as written.
fn is_undecided(schema: &Value, value: &Value) -> bool {
    let has_fraction =
        ["0.1", "2.5"].iter().any(|divisor| schema.to_string().contains(&format!("\"multipleOf\":{divisor}")));
    let is_wide =
        |value: &Value| value.to_string().split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() > 15);
    let has_large_float = value.to_string().replace('+', "").contains("e300");
    has_fraction && is_wide(value)
        || has_large_float && ["integer", "multipleOf"].iter().any(|name| schema.to_string().contains(name))
}

#[test]
fn t17_the_checker_agrees_with_jsonschema() {
    let number = |name: &str, default| env::var(name).map_or(default, |text| text.parse::<u64>().expect("a number"));
    let mut rng = Rng(number("DIFFERENTIAL_SEED", 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (mut schemas, mut refused, mut endless, mut valid, mut values) = (0, 0, 0, 0, 0);
    let mut disagreements = Vec::new();
    while schemas < number("DIFFERENTIAL_SCHEMAS", 3_000) {
        schemas += 1;
        let schema = schema(&mut rng, 0);
        let candidates: Vec<_> = (0..12).map(|_| value(&mut rng, 0)).collect();
        let (compiled, oracle) = match (Validator::compile_linear(&schema), oracle(&schema)) {
            (Ok(compiled), Ok(oracle)) => (compiled, oracle),
            (Err(_), Err(_)) => {
                refused += 1;
                continue;
            }
            // The specification does not define a result for a schema that applies itself to the same value.
            (Err(error), Ok(_)) if error.to_string().contains("applies itself to the same value") => {
                endless += 1;
                continue;
            }
            (ours, theirs) => {
                disagreements.push(format!("{schema}: ours {:?}, theirs {:?}", ours.err(), theirs.err()));
                continue;
            }
        };
        for candidate in candidates {
            values += 1;
            let ours = verdict(&compiled, &schema, &candidate);
            valid += usize::from(ours);
            if ours != oracle.is_valid(&candidate) && !is_undecided(&schema, &candidate) {
                disagreements.push(format!("{candidate} in {schema}: ours {ours}"));
            }
        }
    }
    println!("{schemas} schemas, {refused} refused by both, {endless} endless, {values} values, {valid} valid");
    disagreements.sort_by_key(String::len);
    assert!(
        disagreements.is_empty(),
        "{} disagreements, the shortest:\n{}",
        disagreements.len(),
        disagreements[..disagreements.len().min(12)].join("\n")
    );
    assert!(
        values > 10_000 && valid * 20 > values && refused * 50 > schemas && endless * 10 < schemas,
        "a test that cannot fail"
    );
}
