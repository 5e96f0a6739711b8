//! Turns the words of a command line into arguments.

use clap::ArgMatches;
use serde_json::{Map, Value};

use super::typed;
use super::{Flag, Flags, Items, Kind};
use crate::json::reader;
use crate::json::safe_text::quote_name;
use crate::json::suggestion::suggest;
use crate::schema::accepted::Types;

/// The id under which `clap` collects all words from the first one that it does not know.
pub(super) const UNKNOWN: &str = "unknown words";

/// A flag that cannot be used like this.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BadFlag {
    /// The flag, or the word, as it was written.
    pub(crate) flag: String,
    pub(crate) problem: String,
}

/// The texts that each flag was given, and what is wrong with other words.
#[derive(Debug, Default)]
pub(crate) struct Words {
    /// The index of the flag, with its text. A switch has none.
    given: Vec<(usize, Option<String>)>,
    /// Arguments that the schema does not name.
    others: Vec<(String, Option<String>)>,
    bad: Vec<BadFlag>,
}

impl Flags {
    /// Collects the flags that `clap` has found, and reads the words after an unknown one.
    pub(crate) fn words(&self, matches: &ArgMatches) -> Words {
        let mut words = Words::default();
        for (index, flag) in self.flags.iter().enumerate() {
            if flag.kind == Kind::Switch {
                let is_set =
                    |name: &Option<String>| name.as_ref().is_some_and(|name| matches.get_flag(&format!("--{name}")));
                if is_set(&Some(flag.name.clone())) {
                    words.given.push((index, None));
                } else if is_set(&flag.negation) {
                    words.given.push((index, Some("false".to_owned())));
                }
                continue;
            }
            for text in matches.get_many::<String>(&format!("--{}", flag.name)).into_iter().flatten() {
                words.given.push((index, Some(text.clone())));
            }
        }
        let rest: Vec<_> = matches.get_many::<String>(UNKNOWN).into_iter().flatten().map(String::as_str).collect();
        self.read_rest(&rest, &mut words);
        words
    }

    /// Reads the words from the first unknown one on: `clap` collects known flags behind it as well.
    pub(super) fn read_rest(&self, mut rest: &[&str], words: &mut Words) {
        while let [word, behind @ ..] = rest {
            rest = behind;
            let Some(flag) = word.strip_prefix("--").filter(|flag| !flag.is_empty()) else {
                words.bad.push(BadFlag { flag: quote_name(word), problem: "expected a flag".to_owned() });
                continue;
            };
            let (name, mut text) = match flag.split_once('=') {
                Some((name, text)) => (name, Some(text.to_owned())),
                None => (flag, None),
            };
            let known = self.find(name);
            let is_switch = known.is_some_and(|(index, _)| self.flags[index].kind == Kind::Switch);
            if let ([next, behind @ ..], None) = (rest, &text)
                && !is_switch
                && !next.starts_with("--")
            {
                text = Some((*next).to_owned());
                rest = behind;
            }
            match (known, text) {
                (Some((index, false)), None) if is_switch => words.given.push((index, None)),
                (Some((index, true)), None) => words.given.push((index, Some("false".to_owned()))),
                (Some(_), Some(_)) if is_switch => words.bad(name, "takes no value"),
                (Some(_), None) => words.bad(name, "needs a value"),
                (Some((index, _)), text) => words.given.push((index, text)),
                (None, text) if self.others != Types::NONE => words.others.push((name.to_owned(), text)),
                (None, _) => {
                    let known = self.flags.iter().map(|flag| flag.name.as_str());
                    let problem = match suggest(name, known) {
                        Some(known) => format!("not known; did you mean `--{known}`?"),
                        None => "not known".to_owned(),
                    };
                    words.bad(name, &problem);
                }
            }
        }
    }

    /// Returns the index of the flag with this name, and whether the name means `false`.
    fn find(&self, name: &str) -> Option<(usize, bool)> {
        self.flags.iter().enumerate().find_map(|(index, flag)| {
            let is_negation = flag.negation.as_deref() == Some(name);
            let is_name = flag.name == name || flag.alias.as_deref() == Some(name);
            (is_name || is_negation).then_some((index, is_negation))
        })
    }

    /// Reads the arguments, or returns everything that is wrong with the words.
    pub(crate) fn arguments(&self, words: Words) -> (Map<String, Value>, Vec<BadFlag>) {
        let Words { given, others, mut bad } = words;
        let mut arguments = Map::new();
        for (index, flag) in self.flags.iter().enumerate() {
            let texts: Vec<_> = given.iter().filter(|(at, _)| *at == index).map(|(_, text)| text.as_deref()).collect();
            if texts.is_empty() {
                continue;
            }
            match flag.read(&texts) {
                Ok(value) => {
                    if !insert(&mut arguments, &flag.path, value) {
                        bad.push(BadFlag {
                            flag: format!("--{}", flag.name),
                            problem: "not together with a value of the object around it".to_owned(),
                        });
                    }
                }
                Err(problem) => bad.push(BadFlag { flag: format!("--{}", flag.name), problem }),
            }
        }
        for (name, text) in others {
            let value = text.map_or(Value::Bool(true), |text| typed::read(self.others, &text));
            arguments.insert(name, value);
        }
        (arguments, bad)
    }

    /// Returns the flag of the deepest property on a path such as `filter.tags[0]`, and the rest of the path.
    pub(crate) fn flag_of<'p>(&self, path: &'p str) -> Option<(String, &'p str)> {
        let deepest = self.flags.iter().filter_map(|flag| Some((flag, flag.rest_of(path)?)));
        let (flag, rest) = deepest.min_by_key(|(_, rest)| rest.len())?;
        Some((format!("--{}", flag.name), rest))
    }
}

impl Words {
    fn bad(&mut self, name: &str, problem: &str) {
        self.bad.push(BadFlag { flag: format!("--{name}"), problem: problem.to_owned() });
    }

    /// Returns `true` if the list is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.given.is_empty() && self.others.is_empty() && self.bad.is_empty()
    }
}

impl Flag {
    /// Reads the texts of all occurrences of the flag.
    fn read(&self, texts: &[Option<&str>]) -> Result<Value, String> {
        let text = |index: usize| texts.get(index).copied().flatten().unwrap_or_default();
        match &self.kind {
            Kind::Switch => Ok(Value::Bool(texts.last() == Some(&None))),
            Kind::Value(_) if texts.len() > 1 => Err("given more than once".to_owned()),
            Kind::Value(types) => read_one(*types, text(0)),
            Kind::List(items) => match texts {
                [Some(text)] => {
                    whole_list(items, text).map_or_else(|| read_one(items.of(0), text).map(|one| vec![one].into()), Ok)
                }
                _ => (0..texts.len()).map(|index| read_one(items.of(index), text(index))).collect(),
            },
            Kind::Map(values) => match texts {
                [Some(text)] if text.trim_start().starts_with('{') => read_one(Types::OBJECT, text),
                _ => (0..texts.len()).map(|index| read_entry(*values, text(index))).collect(),
            },
        }
    }

    /// Returns the rest of a path that goes through the property of this flag.
    fn rest_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        let own = self.path.iter().fold(crate::json::path::Path::default(), |path, name| path.property(name));
        let rest = path.strip_prefix(&own.to_string())?;
        (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest)
    }
}

/// Reads one value. JSON that is not complete is reported as such, and not as a string.
fn read_one(types: Types, text: &str) -> Result<Value, String> {
    let value = typed::read(types, text);
    let looks_like_json = text.trim_start().starts_with(['{', '[']);
    if value.is_string() && looks_like_json && !types.intersects(Types::STRING) {
        return match reader::read_text(text) {
            Ok(_) => Ok(value),
            Err(violation) => Err(violation.message),
        };
    }
    Ok(value)
}

/// Returns the array that a single text may be instead of one element. Where an element is an array itself, all elements
/// of the text must be arrays.
pub(super) fn whole_list(items: &Items, text: &str) -> Option<Value> {
    let Value::Array(elements) = typed::read(Types::ARRAY, text) else { return None };
    let is_list = |element: &Value| element.is_array() || !items.of(0).is_within(Types::ARRAY);
    elements.iter().all(is_list).then_some(Value::Array(elements))
}

fn read_entry(values: Types, text: &str) -> Result<(String, Value), String> {
    let (key, text) = text.split_once('=').ok_or("expected KEY=VALUE, or one JSON object")?;
    Ok((key.to_owned(), read_one(values, text)?))
}

/// Inserts a value at a path. Returns `false` if something other than an object is in the way.
fn insert(object: &mut Map<String, Value>, path: &[String], value: Value) -> bool {
    match path {
        [] => false,
        [name] => {
            object.insert(name.clone(), value);
            true
        }
        [name, path @ ..] => {
            let inner = object.entry(name.clone()).or_insert_with(|| Value::Object(Map::new()));
            inner.as_object_mut().is_some_and(|inner| insert(inner, path, value))
        }
    }
}
