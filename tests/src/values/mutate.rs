//! Mutates a value in one place, to find the boundary between accepted and refused values.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::edges::{self, TEXTS};
use super::{generate, pick};

/// Changes one random place in a value. `names` are names for properties.
pub fn mutate(rng: &mut Rng, root: &mut Value, names: &[&str]) {
    let mut total = 0;
    count(root, &mut total);
    let mut index = rng.usize(..total);
    if let Some(value) = find(root, &mut index) {
        change(rng, value, names);
    }
}

fn count(value: &Value, total: &mut usize) {
    *total += 1;
    match value {
        Value::Array(elements) => elements.iter().for_each(|value| count(value, total)),
        Value::Object(properties) => properties.values().for_each(|value| count(value, total)),
        _ => {}
    }
}

fn find<'v>(value: &'v mut Value, index: &mut usize) -> Option<&'v mut Value> {
    if *index == 0 {
        return Some(value);
    }
    *index -= 1;
    match value {
        Value::Array(elements) => elements.iter_mut().find_map(|value| find(value, index)),
        Value::Object(properties) => properties.values_mut().find_map(|value| find(value, index)),
        _ => None,
    }
}

fn change(rng: &mut Rng, value: &mut Value, names: &[&str]) {
    match rng.u8(..10) {
        0 => *value = Value::Null,
        1 => *value = generate::any(rng, 0),
        2 => *value = json!([value.take()]),
        3 => *value = swap_string(value),
        _ => match value {
            Value::Null => *value = generate::any(rng, 0),
            Value::Bool(flag) => *value = json!(u8::from(*flag)),
            Value::Number(_) => number(rng, value),
            Value::String(text) => string(rng, text, names),
            Value::Array(elements) => array(rng, elements),
            Value::Object(properties) => object(rng, properties, names),
        },
    }
}

/// Turns a scalar into a string, or a string into the JSON value that it contains.
fn swap_string(value: &Value) -> Value {
    match value {
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| json!({"text": text})),
        other => other.to_string().into(),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "any number is fine")]
fn number(rng: &mut Rng, value: &mut Value) {
    let Some(number) = value.as_f64() else { return };
    *value = match (rng.u8(..8), value.as_i64()) {
        (0, Some(integer)) => edges::integer(i128::from(integer) + 1),
        (1, Some(integer)) => edges::integer(i128::from(integer) - 1),
        (2, _) => json!(number + 0.5),
        (3, _) => json!(-number),
        // The same number in another notation, as a float or as an integer.
        (4, Some(_)) => json!(number),
        (4, None) if number.fract() == 0.0 => edges::integer(number as i128),
        (5, _) => json!(number * 2.0),
        _ => edges::number(rng),
    };
}

fn string(rng: &mut Rng, text: &mut String, names: &[&str]) {
    let at = text.char_indices().map(|(at, _)| at).nth(rng.usize(..=text.chars().count())).unwrap_or(text.len());
    match rng.u8(..9) {
        0 => text.truncate(at),
        1 => text.insert(at, *pick(rng, &['a', 'Z', '0', '-', ' ', '\n', 'é', '٣', '😀', '.', ':'])),
        2 if at < text.len() => drop(text.remove(at)),
        3 => *text = text.to_uppercase(),
        4 => *text = text.to_lowercase(),
        5 => *text += &text.clone(),
        6 => text.push('\n'),
        7 if !names.is_empty() => (*pick(rng, names)).clone_into(text),
        _ => (*pick(rng, &TEXTS)).clone_into(text),
    }
}

fn array(rng: &mut Rng, elements: &mut Vec<Value>) {
    let at = rng.usize(..=elements.len());
    match rng.u8(..5) {
        0 => elements.truncate(at),
        1 if at < elements.len() => drop(elements.remove(at)),
        2 if at < elements.len() => elements.push(elements[at].clone()),
        3 if at < elements.len() => elements.swap(0, at),
        _ => elements.insert(at, generate::any(rng, 4)),
    }
}

fn object(rng: &mut Rng, properties: &mut Map<String, Value>, names: &[&str]) {
    let key = properties.keys().nth(rng.usize(..properties.len().max(1))).cloned();
    let other = if names.is_empty() || rng.u8(..3) == 0 { *pick(rng, &TEXTS) } else { *pick(rng, names) };
    match (rng.u8(..6), key) {
        (0 | 1, Some(key)) => drop(properties.shift_remove(&key)),
        (2, Some(key)) => {
            let value = properties.shift_remove(&key).unwrap_or_default();
            properties.insert(other.to_owned(), value);
        }
        (3, Some(key)) => {
            let value = properties[&key].clone();
            properties.insert(other.to_owned(), value);
        }
        (4, Some(key)) => drop(properties.insert(key, Value::Null)),
        _ => drop(properties.insert(other.to_owned(), generate::any(rng, 4))),
    }
}
