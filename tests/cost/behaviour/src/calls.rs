//! Calls made from good ones: each changes one place, or three arguments at once.

use serde_json::{Map, Value, json};

/// A call with a changed place.
pub struct Changed {
    pub arguments: Value,
    /// The properties that were changed; the innermost name of each place.
    pub names: Vec<String>,
}

enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// Replaces every place by every value of `others`, leaves every property out, and adds an unknown property to every object.
pub fn changed(good: &Value) -> Vec<Changed> {
    let mut calls = Vec::new();
    walk(good, &mut Vec::new(), &mut |place, value| {
        let name =
            place.iter().rev().find_map(|step| if let Step::Key(key) = step { Some((*key).to_owned()) } else { None });
        let mut add = |name: &str, change: &dyn Fn(&mut Value)| {
            let mut arguments = good.clone();
            change(at(&mut arguments, place));
            calls.push(Changed { arguments, names: vec![name.to_owned()] });
        };
        if let Some(name) = &name {
            for other in others().into_iter().filter(|other| other != value) {
                add(name, &|value| *value = other.clone());
            }
        }
        if let Value::Object(object) = value {
            for key in object.keys() {
                add(key, &|value| drop(object_of(value).shift_remove(key)));
            }
            add("unknown_property", &|value| drop(object_of(value).insert("unknown_property".to_owned(), json!(1))));
        }
    });
    calls
}

/// Three arguments of the wrong kind at once, for tools with so many.
pub fn three_mistakes(good: &Value) -> Vec<Changed> {
    let object = good.as_object().expect("arguments");
    let keys: Vec<_> = object.keys().collect();
    let mut calls = Vec::new();
    for wrong in [json!({"wrong": 1}), json!(["wrong", "wrong", "wrong", "wrong"])] {
        for (first, a) in keys.iter().enumerate() {
            for (second, b) in keys.iter().enumerate().skip(first + 1) {
                for c in &keys[second + 1..] {
                    let mut arguments = object.clone();
                    for key in [a, b, c] {
                        arguments[key.as_str()] = wrong.clone();
                    }
                    calls.push(Changed {
                        arguments: arguments.into(),
                        names: [a, b, c].map(|key| (*key).clone()).into(),
                    });
                }
            }
        }
    }
    calls
}

fn others() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(7),
        json!(1.0),
        json!(3.5),
        json!(150),
        json!(300),
        json!(70_000),
        json!(5_000_000_000_u64),
        json!(1e30),
        json!(""),
        json!("x"),
        json!("7"),
        json!("true"),
        json!("2001:db8::1"),
        json!("a text of more than forty characters, for limits"),
        json!([]),
        json!([1]),
        json!([1, 2]),
        json!([1, 2, 3]),
        json!(["a"]),
        json!({}),
        json!({"a": 1}),
        json!({"weight": 100}),
        json!({"kind": "manual"}),
        json!({"kind": "unheard_of"}),
    ]
}

fn walk<'a>(value: &'a Value, place: &mut Vec<Step<'a>>, see: &mut impl FnMut(&[Step<'a>], &Value)) {
    see(place, value);
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                place.push(Step::Key(key));
                walk(value, place, see);
                place.pop();
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                place.push(Step::Index(index));
                walk(value, place, see);
                place.pop();
            }
        }
        _ => {}
    }
}

fn at<'v>(value: &'v mut Value, place: &[Step<'_>]) -> &'v mut Value {
    place.iter().fold(value, |value, step| match step {
        Step::Key(key) => &mut value[*key],
        Step::Index(index) => &mut value[*index],
    })
}

fn object_of(value: &mut Value) -> &mut Map<String, Value> {
    value.as_object_mut().expect("an object")
}
