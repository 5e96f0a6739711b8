//! Random changes of random schemas: if `contract::check` reports nothing, the values that one side sends are what the other expects.

use arbitrary::Unstructured;
use mcp_tool_runtime::{Dispatcher, contract};
use mcp_tool_tests::oracle::validator;
use serde_json::{Map, Value, json};

use super::contract::File;
use crate::run::{exact, giving, taking};

const NAMES: [&str; 4] = ["a", "b", "c", "kind"];
const TYPES: [&str; 7] = ["object", "string", "integer", "number", "array", "boolean", "null"];

type Result<T> = arbitrary::Result<T>;

#[test]
fn a_change_without_a_break_refuses_nothing_that_was_accepted() {
    let mut passed = 0;
    for seed in 0..3_000 {
        let mut bytes = [0; 2_000];
        fastrand::Rng::with_seed(seed).fill(&mut bytes);
        // A source that is used up ends one case, not the test.
        passed += usize::from(passes(&mut Unstructured::new(&bytes), seed).unwrap_or(false));
    }
    assert!(passed > 300, "too few changes without a break: {passed}");
}

/// Returns `true` if a change is no break. It panics if the change refuses a value of before.
fn passes(source: &mut Unstructured<'_>, seed: u64) -> Result<bool> {
    let is_result: bool = source.arbitrary()?;
    let mut then = document(source)?;
    let mut now = then.clone();
    for _ in 0..source.int_in_range(1..=3)? {
        change(source, &mut now)?;
    }
    if !is_result {
        for schema in [&mut then, &mut now].into_iter().filter_map(Value::as_object_mut) {
            schema.insert("type".to_owned(), "object".into());
        }
    }
    let serve = |schema: &Value| -> Option<Dispatcher> {
        let schema = schema.clone();
        let builder = if is_result { exact().tool(giving("t", schema)) } else { exact().tool(taking("t", schema)) };
        builder.build().ok()
    };
    let (Some(before), Some(after)) = (serve(&then), serve(&now)) else { return Ok(false) };
    let file = File::new("changes");
    contract::write(&before, &file.0).expect("a file");
    if contract::check(&after, &file.0).is_err() {
        return Ok(false);
    }
    let (sent, expected) = if is_result { (&now, &then) } else { (&then, &now) };
    let (can_send, accepts) = (validator(sent), validator(expected));
    for _ in 0..8 {
        let value = value(source, sent, sent, 0)?;
        let is_refused = can_send.is_valid(&value) && !accepts.is_valid(&value);
        assert!(!is_refused, "seed {seed}: {then}\nbecame\n{now}\nwithout a break, but for\n{value}");
    }
    Ok(then != now)
}

/// Creates a schema whose references lead to definitions.
fn document(source: &mut Unstructured<'_>) -> Result<Value> {
    let mut schema = schema(source, 0)?;
    let definitions = json!({"a": self::schema(source, 2)?, "b": self::schema(source, 2)?});
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("$defs".to_owned(), definitions);
    }
    Ok(schema)
}

fn schema(source: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    if depth > 4 || source.is_empty() {
        return Ok((*source.choose(&[json!({}), json!(true), json!({"type": "string"}), json!(false)])?).clone());
    }
    let mut schema = Map::new();
    for _ in 0..source.int_in_range(0..=4)? {
        let (keyword, value) = keyword(source, depth)?;
        schema.insert(keyword.to_owned(), value);
    }
    Ok(schema.into())
}

fn keyword(source: &mut Unstructured<'_>, depth: usize) -> Result<(&'static str, Value)> {
    let keyword = *source.choose(&[
        "type",
        "type",
        "properties",
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
        "items",
        "prefixItems",
        "oneOf",
        "anyOf",
        "allOf",
        "not",
        "$ref",
        "enum",
        "const",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
        "uniqueItems",
        "pattern",
        "format",
        "propertyNames",
        "dependentRequired",
        "dependentSchemas",
        "if",
        "then",
        "else",
        "contains",
        "minContains",
        "unevaluatedProperties",
        "unevaluatedItems",
    ])?;
    let small = |source: &mut Unstructured<'_>| -> Result<Value> { Ok(source.int_in_range(0..=4_u8)?.into()) };
    let value = match keyword {
        "type" if source.ratio(1, 4)? => json!([source.choose(&TYPES)?, source.choose(&TYPES)?]),
        "type" => json!(source.choose(&TYPES)?),
        "properties" | "dependentSchemas" => named(source, &NAMES, depth)?,
        "patternProperties" => named(source, &["^a", "b", "^[a-c]$"], depth)?,
        "oneOf" | "anyOf" | "allOf" | "prefixItems" => {
            let count = source.int_in_range(1..=3)?;
            (0..count).map(|_| schema(source, depth + 1)).collect::<Result<Vec<_>>>()?.into()
        }
        "$ref" => json!(source.choose(&["#/$defs/a", "#/$defs/b", "#/properties/a"])?),
        "required" => json!([source.choose(&NAMES)?]),
        "dependentRequired" => json!({*source.choose(&NAMES)?: [source.choose(&NAMES)?]}),
        "enum" => json!([scalar(source)?, scalar(source)?]),
        "const" => scalar(source)?,
        "pattern" => json!(source.choose(&["^a", "b$", "^[a-c]*$"])?),
        "format" => json!(source.choose(&["date", "email", "uuid", "ipv4"])?),
        "uniqueItems" => source.arbitrary::<bool>()?.into(),
        "multipleOf" => json!(source.choose(&[1.0, 2.0, 0.5, 3.0])?),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
            json!(source.choose(&[-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 9_007_199_254_740_993.0, 1e20])?)
        }
        keyword if keyword.starts_with("min") || keyword.starts_with("max") => small(source)?,
        _ => schema(source, depth + 1)?,
    };
    Ok((keyword, value))
}

fn named(source: &mut Unstructured<'_>, names: &[&str], depth: usize) -> Result<Value> {
    let mut schemas = Map::new();
    for _ in 0..source.int_in_range(0..=3)? {
        schemas.insert((*source.choose(names)?).to_owned(), schema(source, depth + 1)?);
    }
    Ok(schemas.into())
}

/// Changes a schema in one place: a keyword is removed, replaced or added.
fn change(source: &mut Unstructured<'_>, schema: &mut Value) -> Result<()> {
    let mut place = schema;
    // Further down as long as there is something.
    while source.ratio(3, 4)? {
        let count = match &*place {
            Value::Object(keywords) => keywords.len(),
            Value::Array(list) => list.len(),
            _ => 0,
        };
        let Some(end) = count.checked_sub(1) else { break };
        let index = source.int_in_range(0..=end)?;
        let next = match &*place {
            Value::Object(object) => object.values().nth(index),
            Value::Array(list) => list.get(index),
            _ => None,
        };
        if !next.is_some_and(|next| next.is_object() || next.is_array()) {
            break;
        }
        place = match place {
            Value::Object(object) => object.values_mut().nth(index).expect("a keyword"),
            Value::Array(list) => &mut list[index],
            other => other,
        };
    }
    match place {
        Value::Object(keywords) if source.ratio(1, 3)? && !keywords.is_empty() => {
            let index = source.int_in_range(0..=keywords.len() - 1)?;
            let name = keywords.keys().nth(index).expect("a keyword").clone();
            keywords.remove(&name);
        }
        Value::Object(keywords) => {
            let (keyword, value) = keyword(source, 3)?;
            keywords.insert(keyword.to_owned(), value);
        }
        Value::Array(list) if source.arbitrary()? && list.len() > 1 => drop(list.pop()),
        Value::Array(list) => list.push(self::schema(source, 4)?),
        other => *other = self::schema(source, 3)?,
    }
    Ok(())
}

fn scalar(source: &mut Unstructured<'_>) -> Result<Value> {
    let all = [
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(2),
        json!(3),
        json!(-1),
        json!(0.5),
        json!(1.5),
        json!(2.0),
        json!(1e20),
        json!(9_007_199_254_740_993_u64),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(""),
        json!("a"),
        json!("ab"),
        json!("abcde"),
        json!("\u{1F600}\u{1F600}"),
        json!("2024-02-30"),
        json!("2024-02-29"),
        json!("1.2.3.4"),
        json!("a@b.example"),
        json!([]),
        json!({}),
    ];
    Ok(source.choose(&all)?.clone())
}

/// Creates a value with the properties that the schema describes. Only such values are the subject of a contract: what a schema
/// does not describe, clients do not send, and a new property may give it a meaning.
fn value(source: &mut Unstructured<'_>, schema: &Value, root: &Value, depth: usize) -> Result<Value> {
    if depth > 5 || source.ratio(1, 8)? {
        return scalar(source);
    }
    let mut all = Vec::new();
    conjuncts(schema, root, 0, &mut all);
    let of = |keyword: &str| all.iter().filter_map(|schema| schema.get(keyword)).collect::<Vec<_>>();
    if source.ratio(1, 2)? {
        let listed: Vec<_> = of("enum").into_iter().filter_map(Value::as_array).flatten().chain(of("const")).collect();
        if !listed.is_empty() {
            return Ok((*source.choose(&listed)?).clone());
        }
    }
    let limits: Vec<_> = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
        .into_iter()
        .flat_map(&of)
        .cloned()
        .collect();
    let kinds: Vec<_> = of("type").into_iter().filter_map(Value::as_str).collect();
    let kind =
        if kinds.is_empty() || source.ratio(1, 6)? { *source.choose(&TYPES)? } else { *source.choose(&kinds)? };
    match kind {
        "object" => {
            let described: Vec<_> = of("properties").into_iter().filter_map(Value::as_object).flatten().collect();
            let others = of("additionalProperties")
                .into_iter()
                .chain(of("patternProperties").into_iter().filter_map(Value::as_object).flat_map(Map::values));
            // A schema that refuses other properties does not describe them.
            let others: Vec<_> = others.filter(|schema| *schema != &Value::Bool(false)).collect();
            let mut object = Map::new();
            for _ in 0..source.int_in_range(0..=4)? {
                let name = *source.choose(&NAMES)?;
                let known: Vec<_> = described.iter().filter(|(known, _)| *known == name).collect();
                let schema = match (known.as_slice(), others.as_slice()) {
                    ([], []) => continue,
                    ([], others) => *source.choose(others)?,
                    (known, _) => source.choose(known)?.1,
                };
                object.insert(name.to_owned(), value(source, schema, root, depth + 1)?);
            }
            Ok(object.into())
        }
        "array" => {
            let first = of("prefixItems").into_iter().filter_map(Value::as_array).max_by_key(|list| list.len());
            let rest = of("items").into_iter().next();
            let count = source.int_in_range(0..=4)?;
            let element = |index: usize| {
                let any = const { &Value::Bool(true) };
                let schema = first.and_then(|first| first.get(index)).or(rest).unwrap_or(any);
                value(source, schema, root, depth + 1)
            };
            Ok((0..count).map(element).collect::<Result<Vec<_>>>()?.into())
        }
        "integer" | "number" if !limits.is_empty() && source.arbitrary()? => Ok(source.choose(&limits)?.clone()),
        _ => scalar(source),
    }
}

/// Collects a schema and the schemas of the same value below it. A value of one of them is often one of the schema.
fn conjuncts<'a>(schema: &'a Value, root: &'a Value, depth: usize, found: &mut Vec<&'a Value>) {
    if depth > 6 || found.len() > 32 {
        return;
    }
    found.push(schema);
    for keyword in ["allOf", "anyOf", "oneOf"] {
        for branch in schema.get(keyword).and_then(Value::as_array).into_iter().flatten() {
            conjuncts(branch, root, depth + 1, found);
        }
    }
    // Without `if`, the other two mean nothing: no client sends what they describe.
    for keyword in ["if", "then", "else"].into_iter().filter(|_| schema.get("if").is_some()) {
        schema.get(keyword).into_iter().for_each(|branch| conjuncts(branch, root, depth + 1, found));
    }
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|target| root.pointer(target.strip_prefix('#')?));
    if let Some(target) = target {
        conjuncts(target, root, depth + 1, found);
    }
}
