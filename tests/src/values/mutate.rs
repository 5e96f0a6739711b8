//! One mutation: the smallest steps from what is admitted to what is not.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::edges::{self, TEXTS};
use super::{generate, pick};

/// Changes one thing, somewhere. `names` are names that members may get.
pub fn mutate(rng: &mut Rng, root: &mut Value, names: &[&str]) {
    let mut places = 0;
    count(root, &mut places);
    let mut at = rng.usize(..places);
    if let Some(place) = find(root, &mut at) {
        change(rng, place, names);
    }
}

fn count(value: &Value, places: &mut usize) {
    *places += 1;
    match value {
        Value::Array(elements) => elements.iter().for_each(|value| count(value, places)),
        Value::Object(members) => members.values().for_each(|value| count(value, places)),
        _ => {}
    }
}

fn find<'v>(value: &'v mut Value, at: &mut usize) -> Option<&'v mut Value> {
    if *at == 0 {
        return Some(value);
    }
    *at -= 1;
    match value {
        Value::Array(elements) => elements.iter_mut().find_map(|value| find(value, at)),
        Value::Object(members) => members.values_mut().find_map(|value| find(value, at)),
        _ => None,
    }
}

fn change(rng: &mut Rng, value: &mut Value, names: &[&str]) {
    match rng.u8(..10) {
        0 => *value = Value::Null,
        1 => *value = generate::any(rng, 0),
        2 => *value = json!([value.take()]),
        3 => *value = spelt(value),
        _ => match value {
            Value::Null => *value = generate::any(rng, 0),
            Value::Bool(flag) => *value = json!(u8::from(*flag)),
            Value::Number(_) => number(rng, value),
            Value::String(text) => string(rng, text, names),
            Value::Array(elements) => array(rng, elements),
            Value::Object(members) => object(rng, members, names),
        },
    }
}

/// A scalar as a text, or a text as what it spells.
fn spelt(value: &Value) -> Value {
    match value {
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| json!({"text": text})),
        other => other.to_string().into(),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "one float is as good as another")]
fn number(rng: &mut Rng, value: &mut Value) {
    let Some(number) = value.as_f64() else { return };
    *value = match (rng.u8(..8), value.as_i64()) {
        (0, Some(integer)) => edges::integer(i128::from(integer) + 1),
        (1, Some(integer)) => edges::integer(i128::from(integer) - 1),
        (2, _) => json!(number + 0.5),
        (3, _) => json!(-number),
        // The same number, written as a float or as an integer.
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

fn object(rng: &mut Rng, members: &mut Map<String, Value>, names: &[&str]) {
    let key = members.keys().nth(rng.usize(..members.len().max(1))).cloned();
    let other = if names.is_empty() || rng.u8(..3) == 0 { *pick(rng, &TEXTS) } else { *pick(rng, names) };
    match (rng.u8(..6), key) {
        (0 | 1, Some(key)) => drop(members.shift_remove(&key)),
        (2, Some(key)) => {
            let value = members.shift_remove(&key).unwrap_or_default();
            members.insert(other.to_owned(), value);
        }
        (3, Some(key)) => {
            let value = members[&key].clone();
            members.insert(other.to_owned(), value);
        }
        (4, Some(key)) => drop(members.insert(key, Value::Null)),
        _ => drop(members.insert(other.to_owned(), generate::any(rng, 4))),
    }
}
