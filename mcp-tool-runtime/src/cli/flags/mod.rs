//! The flags for the parameters of a tool and their properties, made from the tool's input schema.
//!
//! [`fields`] finds the properties of an object and the values to choose from. [`words`] sorts the words of a command
//! line, and [`values`] turns them into arguments. [`arg`] describes the flags to `clap`, for help and completion.
//!
//! The flag of a property is its path, with `-` for `_`: `filter.max_size` becomes `--filter.max-size`. A property gets
//! no flag if its name is not a shell word or if another flag has the same name. Such a property is set with the JSON
//! of the object around it.

pub(super) mod arg;
mod fields;
mod values;
mod words;

use std::collections::HashSet;

use serde_json::Value;

use crate::arguments::aliases::Alias;
use crate::schema::accepted::Types;
use crate::schema::reference;

use fields::Choices;

pub(super) use arg::{AnyText, any_words, shown};
pub(super) use values::{read_value, resolve};
pub(super) use words::words_of;

/// The maximum number of properties in a flag's path. Deeper properties are set with the JSON of the object around
/// them.
const MAX_DEPTH: usize = 5;
/// The maximum number of flags for one tool. Further properties have no flag, and are set with JSON.
const MAX_FLAGS: usize = 256;

/// The flags of one tool.
#[derive(Debug)]
pub(super) struct Flags {
    all: Vec<Flag>,
    /// The types that an argument may have if the schema does not name it.
    others: Types,
    /// The parameters that have no flag. They are set with `--json`.
    without_flag: Vec<String>,
    /// The aliases and former names of parameters, each with the index of its flag. Help does not show them.
    other_names: Vec<(String, usize)>,
}

/// A flag, and the property that it sets.
#[derive(Debug)]
pub(super) struct Flag {
    /// The path of the property.
    path: Vec<String>,
    /// The name of the flag, without the `--`.
    name: String,
    /// The name of the flag that sets a switch to `false`, such as `no-verbose`.
    negation: Option<String>,
    kind: Kind,
    /// The schema of the property, for help and completion.
    schema: Value,
    choices: Choices,
    /// The pattern of the strings that the flag takes.
    pattern: Option<String>,
    is_required: bool,
}

/// The kind of value that a flag takes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// No value: the flag alone means `true`.
    Switch,
    /// One value, as text or JSON.
    Value(Types),
    /// One element each time the flag is given, or the whole array as JSON.
    List(Items),
    /// One `KEY=VALUE` each time the flag is given, or the whole object as JSON.
    Map(Types),
}

/// The types of the elements of an array: `first` has those of each element with its own schema, and `rest` has those of
/// all later elements.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Items {
    first: Vec<Types>,
    rest: Types,
}

impl Items {
    fn of(&self, index: usize) -> Types {
        self.first.get(index).copied().unwrap_or(self.rest)
    }
}

impl Flags {
    /// Makes the flags for an input schema.
    pub(super) fn new(schema: &Value) -> Self {
        let mut flags = Vec::new();
        add_flags(&mut flags, schema, schema, &[], true, &[]);
        assign_names(&mut flags);
        let has_flag = |name: &String| flags.iter().any(|flag| flag.path == std::slice::from_ref(name));
        let names = fields::fields(schema, schema).into_iter().map(|field| field.name);
        let without_flag = names.filter(|name| !has_flag(name)).collect();
        let others = schema.get("additionalProperties").map_or(Types::ALL, |others| Types::of(others, schema));
        Self { all: flags, others, without_flag, other_names: Vec::new() }
    }

    /// Adds the aliases and former names of parameters, so that they are accepted as the names of flags.
    pub(super) fn with_other_names(mut self, names: &[Alias]) -> Self {
        let index =
            |name: &str| self.all.iter().position(|flag| matches!(flag.path.as_slice(), [only] if only == name));
        self.other_names =
            names.iter().filter_map(|(other, name)| Some((other.replace('_', "-"), index(name)?))).collect();
        self
    }

    /// Returns `true` if the tool takes no arguments.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.without_flag.is_empty() && self.others == Types::NONE
    }

    /// Returns `true` if `--NAME` sets a parameter, and so is not an option of `call`.
    pub(super) fn takes(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Returns the flags of the required top-level parameters, as a usage line shows them.
    pub(super) fn required(&self) -> impl Iterator<Item = String> {
        let required = self.all.iter().filter(|flag| flag.is_required && flag.path.len() == 1);
        required.map(|flag| match flag.value_name() {
            "" => format!("--{}", flag.name),
            value => format!("--{} <{value}>", flag.name),
        })
    }
}

/// Adds a flag for each property of an object, and for the properties of objects in it. `references` lists the
/// references on the path to the object.
fn add_flags(
    flags: &mut Vec<Flag>,
    root: &Value,
    object: &Value,
    path: &[String],
    is_required: bool,
    references: &[String],
) {
    for field in fields::fields(object, root) {
        if flags.len() >= MAX_FLAGS {
            return;
        }
        let path = [path, &[field.name]].concat();
        let is_required = is_required && field.is_required;
        let schema = field.schema;
        let types = Types::of(&schema, root);
        let kind = Kind::of(&schema, types, root);
        flags.push(Flag {
            path: path.clone(),
            name: String::new(),
            negation: None,
            choices: Choices::of(&schema, &kind, root),
            pattern: fields::pattern(&schema, &kind, root),
            kind,
            schema: schema.clone(),
            is_required,
        });
        // Follow each reference only once on a path, because a recursive type contains itself.
        let inner = references_in(&schema);
        let is_recursive = inner.iter().any(|reference| references.contains(reference));
        if types.intersects(Types::OBJECT) && path.len() < MAX_DEPTH && !is_recursive {
            add_flags(flags, root, &schema, &path, is_required, &[references, &inner].concat());
        }
    }
}

impl Kind {
    fn of(schema: &Value, types: Types, root: &Value) -> Self {
        let target = reference::follow(schema, root);
        if types == Types::BOOLEAN {
            return Self::Switch;
        }
        if types == Types::ARRAY {
            let first = target["prefixItems"].as_array().into_iter().flatten();
            let rest = target.get("items").map_or(Types::ALL, |items| Types::of(items, root));
            return Self::List(Items { first: first.map(|item| Types::of(item, root)).collect(), rest });
        }
        // If the keys of a map are numbers, the schema of its values is in `patternProperties`, under a pattern for the
        // keys.
        let of_pattern = || target.get("patternProperties")?.as_object()?.values().next();
        let values = target.get("additionalProperties").filter(|values| values.is_object()).or_else(of_pattern);
        match values.filter(|_| types == Types::OBJECT && fields::fields(target, root).is_empty()) {
            Some(values) => Self::Map(Types::of(values, root)),
            None => Self::Value(types),
        }
    }
}

/// Returns the `$ref` of a schema, and the `$ref`s directly in its `anyOf`, `oneOf` and `allOf`.
fn references_in(schema: &Value) -> Vec<String> {
    let branches = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|keyword| schema[keyword].as_array()).flatten();
    let references = [schema].into_iter().chain(branches).filter_map(|schema| schema["$ref"].as_str());
    references.map(str::to_owned).collect()
}

/// Names the flags and the negations of switches, and removes each flag whose name is taken or cannot be typed.
fn assign_names(flags: &mut Vec<Flag>) {
    flags.retain(|flag| flag.path.iter().all(|name| is_word(name)));
    let written: Vec<_> = flags.iter().map(|flag| flag.path.join(".")).collect();
    let exact: HashSet<_> = written.iter().cloned().collect();
    let mut taken = HashSet::new();
    for (flag, exact_name) in flags.iter_mut().zip(&written) {
        let name = exact_name.replace('_', "-");
        // If there are both `file-path` and `file_path`, each keeps its own spelling.
        let name = if exact.contains(&name) { exact_name.clone() } else { name };
        if taken.insert(name.clone()) {
            flag.name = name;
        }
    }
    flags.retain(|flag| !flag.name.is_empty());
    for flag in flags.iter_mut().filter(|flag| flag.kind == Kind::Switch) {
        let (object, property) = flag.name.split_at(flag.name.rfind('.').map_or(0, |dot| dot + 1));
        let negation = format!("{object}no-{property}");
        if taken.insert(negation.clone()) {
            flag.negation = Some(negation);
        } else {
            flag.kind = Kind::Value(Types::BOOLEAN);
        }
    }
}

/// Returns `true` if a property of this name can have a flag.
fn is_word(name: &str) -> bool {
    // A leading `_` would become `-`, which `clap` refuses.
    name.starts_with(char::is_alphanumeric) && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c))
}
