//! Makes arguments hostile: the classes of large documents, each of any size.

use std::fmt::Write as _;

use serde_json::Value;

/// What is large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Many elements.
    Elements,
    /// Many elements, each of the wrong type.
    WrongElements,
    /// Many elements, in which everything is `null`.
    Nulls,
    /// Many unknown properties with names like the known ones.
    Properties,
    /// Many elements with many unknown properties.
    ElementsOfProperties,
    /// Many elements in which each key is there twice.
    Duplicates,
    /// Many values, each below as many levels as a document may have.
    Deep,
    /// A text below one level after the other, and long names on the way.
    DeepNames,
    /// Long texts.
    Texts,
    /// Long texts of escapes, and known names in escapes.
    Escapes,
    /// Long unknown names.
    Names,
    /// Long numbers.
    Digits,
    /// Everything as a string: what `lax` reads, and what it almost reads.
    Quoted,
}

impl Class {
    pub(crate) const ALL: [Self; 13] = [
        Self::Elements,
        Self::WrongElements,
        Self::Nulls,
        Self::Properties,
        Self::ElementsOfProperties,
        Self::Duplicates,
        Self::Deep,
        Self::DeepNames,
        Self::Texts,
        Self::Escapes,
        Self::Names,
        Self::Digits,
        Self::Quoted,
    ];

    /// Returns arguments of about this many bytes, made of arguments that a tool takes.
    pub(crate) fn arguments(self, base: &Value, bytes: usize) -> String {
        let mut writer = Writer { class: self, out: String::with_capacity(2 * bytes) };
        // The root is always an object, so it has room for what the tool has no place for.
        writer.value(base, bytes, 1);
        writer.out
    }

    fn repeats(self) -> bool {
        !matches!(self, Self::Properties | Self::Deep | Self::DeepNames | Self::Texts | Self::Names)
    }
}

/// The levels that the documents of the classes have at most. A dispatcher reads 120.
const LEVELS: usize = 100;

struct Writer {
    class: Class,
    out: String,
}

impl Writer {
    /// Writes a value of about this many bytes, if its kind is one that the class makes large.
    fn value(&mut self, value: &Value, bytes: usize, depth: usize) {
        match value {
            Value::Array(elements) => self.array(elements, bytes, depth),
            Value::Object(properties) => self.object(properties, bytes, depth),
            scalar => self.scalar(scalar, bytes, depth),
        }
    }

    fn array(&mut self, elements: &[Value], bytes: usize, depth: usize) {
        let start = self.out.len();
        self.out.push('[');
        let elements = if elements.is_empty() { &[Value::Null] } else { elements };
        loop {
            for element in elements {
                self.value(element, bytes / 16, depth + 1);
                self.out.push(',');
            }
            if !self.class.repeats() || self.out.len() - start >= bytes {
                break;
            }
        }
        self.out.pop();
        self.out.push(']');
    }

    fn object(&mut self, properties: &serde_json::Map<String, Value>, bytes: usize, depth: usize) {
        self.out.push('{');
        let share = bytes / (properties.len() + 1);
        for (name, value) in properties {
            for _ in 0..if self.class == Class::Duplicates { 2 } else { 1 } {
                self.name(name);
                self.value(value, share, depth + 1);
                self.out.push(',');
            }
        }
        let names: Vec<_> = properties.keys().map(String::as_str).chain(["value"]).collect();
        self.others(&names, share, depth);
        if self.out.ends_with(',') {
            self.out.pop();
        }
        self.out.push('}');
    }

    /// Writes properties that the tool does not know, with names like the known ones.
    fn others(&mut self, names: &[&str], bytes: usize, depth: usize) {
        let start = self.out.len();
        let many = matches!(self.class, Class::Properties | Class::ElementsOfProperties);
        if !many && depth > 1 {
            return;
        }
        for n in 0.. {
            if many {
                self.name(&format!("{}{n}", names[n % names.len()]));
                self.out.push('1');
            } else {
                let name = if self.class == Class::Names { "\u{1F600}x".repeat(bytes / 5) } else { "other".to_owned() };
                self.name(&name);
                let kind = match self.class {
                    Class::Digits => Value::from(1),
                    _ => Value::from("a"),
                };
                self.value(&Value::Array(vec![kind]), bytes, depth + 1);
            }
            self.out.push(',');
            if !many || self.out.len() - start >= bytes {
                break;
            }
        }
    }

    fn name(&mut self, name: &str) {
        if self.class == Class::Escapes {
            self.escaped(name, 1);
        } else {
            self.out.push_str(&serde_json::to_string(name).expect("a text"));
        }
        self.out.push(':');
    }

    fn scalar(&mut self, scalar: &Value, bytes: usize, depth: usize) {
        match (self.class, scalar) {
            (Class::WrongElements, Value::String(_)) => self.out.push_str("1.5"),
            (Class::WrongElements, _) => self.out.push_str(r#""wrong""#),
            (Class::Nulls, _) => self.out.push_str("null"),
            (Class::Deep, _) => self.deep(bytes, depth),
            (Class::DeepNames, _) => self.deep_names(bytes, depth),
            (Class::Texts, Value::String(text)) => {
                let text = format!("{text}{}", "ab cd-".repeat(bytes / 6));
                self.out.push_str(&serde_json::to_string(&text).expect("a text"));
            }
            (Class::Escapes, Value::String(text)) => self.escaped(text, bytes / 6 / text.len().max(1)),
            (Class::Digits, Value::Number(_)) => {
                self.out.push_str("0.");
                self.out.push_str(&"1234567890".repeat(2 + bytes / 160));
            }
            (Class::Quoted, Value::String(text)) => {
                let text = serde_json::to_string(text).expect("a text");
                self.out.push_str(&serde_json::to_string(&text).expect("a text"));
            }
            (Class::Quoted, other) => {
                self.out.push_str(&serde_json::to_string(&other.to_string()).expect("a text"));
            }
            (_, other) => self.out.push_str(&other.to_string()),
        }
    }

    fn escaped(&mut self, text: &str, times: usize) {
        self.out.push('"');
        for _ in 0..times.max(1) {
            for unit in text.encode_utf16() {
                // Writing to a string cannot fail.
                let _ = write!(self.out, "\\u{unit:04x}");
            }
        }
        self.out.push('"');
    }

    fn deep(&mut self, bytes: usize, depth: usize) {
        let start = self.out.len();
        self.out.push('[');
        loop {
            let levels = LEVELS.saturating_sub(depth + 1) / 2;
            self.out.push_str(&r#"{"value":["#.repeat(levels));
            self.out.push_str(&"]}".repeat(levels));
            if self.out.len() - start >= bytes {
                break;
            }
            self.out.push(',');
        }
        self.out.push(']');
    }

    fn deep_names(&mut self, bytes: usize, depth: usize) {
        let levels = LEVELS.saturating_sub(depth);
        let name = "n".repeat((bytes / levels.max(1)).saturating_sub(6).max(1));
        for _ in 0..levels {
            self.name(&name);
            let at = self.out.len() - name.len() - 3;
            self.out.insert(at, '{');
        }
        self.out.push_str("true");
        self.out.push_str(&"}".repeat(levels));
    }
}
