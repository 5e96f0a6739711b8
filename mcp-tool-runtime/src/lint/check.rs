//! Checks the definitions of a list of tools against one limit.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::limits::{RETURNED_AS_TEXT, Requirement, listed};
use super::{Client, Finding, Limit, Reader, complexity};
use crate::json::path::escape_token;
use crate::mcp;
use crate::schema::accepted::is_never;
use crate::schema::keys;
use crate::schema::walk::{self, has_type, strings};

/// The pointer to the input schema in a definition.
pub(crate) const INPUT: &str = "/inputSchema";
const OUTPUT: &str = "/outputSchema";

/// Adds a finding for everything that the client refuses or loses because of this limit.
pub(super) fn check(limit: &Limit, client: Client, tools: &[mcp::Tool], findings: &mut Vec<Finding>) {
    let finding = |tool: &str, place, problem| Finding::of_limit(limit, Reader::Client(client), tool, place, problem);
    if let Requirement::Tools(most) = limit.requirement {
        if tools.len() > most {
            let problem = format!("there are {} tools; at most {most} are accepted", tools.len());
            findings.push(Finding { tool: None, ..finding("", String::new(), problem) });
        }
        return;
    }
    for tool in tools {
        findings.extend(problems(limit, tool).into_iter().map(|(place, problem)| {
            let is_returned = matches!(limit.requirement, Requirement::SafeIntegers) && place.starts_with(OUTPUT);
            let finding = finding(&tool.name, place, problem);
            if is_returned { Finding { help: RETURNED_AS_TEXT, ..finding } } else { finding }
        }));
    }
}

/// JSON pointers into the definition, each with what is wrong at that place.
type Problems = Vec<(String, String)>;

/// Returns the violations of this limit in one definition.
pub(crate) fn problems(limit: &Limit, tool: &mcp::Tool) -> Problems {
    let mut problems = Vec::new();
    let input = &tool.input_schema;
    let schemas = [(INPUT, Some(input)), (OUTPUT, tool.output_schema.as_ref())].into_iter();
    let schemas = schemas.filter_map(|(pointer, schema)| Some((pointer, nodes(schema?, pointer))));
    match &limit.requirement {
        Requirement::Tools(_) => {}
        Requirement::Name(alphabet) => {
            problems.extend(alphabet.problem(&tool.name).map(|problem| ("/name".to_owned(), problem)));
        }
        Requirement::Description(most) => {
            let length = tool.description.as_ref().map_or(0, |text| text.chars().count());
            if length > *most {
                problems.push(("/description".to_owned(), format!("it has {length} characters; {most} are read")));
            }
        }
        Requirement::Arguments(alphabet) => {
            problems.extend(keys(input, "properties").filter_map(|key| Some((property(key), alphabet.problem(key)?))));
        }
        Requirement::ArgumentsWithout(characters) => {
            let problem = |key: &String| {
                let refused = key.chars().find(|c| characters.contains(*c))?;
                Some((property(key), format!("the name contains `{refused}`")))
            };
            problems.extend(keys(input, "properties").filter_map(problem));
        }
        Requirement::RootWithout(keywords) => {
            let found = keywords.iter().filter(|keyword| input.get(**keyword).is_some());
            problems.extend(found.map(|keyword| (INPUT.to_owned(), format!("the root has `{keyword}`"))));
        }
        Requirement::NoBooleansIn(keyword) => {
            let booleans = schemas
                .flat_map(|(_, nodes)| nodes)
                .filter(|node| node.keyword == *keyword && node.schema.is_boolean());
            problems.extend(booleans.map(|node| (node.pointer, format!("the schema is `{}`", node.schema))));
        }
        Requirement::SafeIntegers => problems.extend(schemas.filter_map(|(pointer, nodes)| integers(&nodes, pointer))),
        Requirement::NoRecursion => {
            let name = complexity::recursive_definition(input);
            problems.extend(name.map(|name| (INPUT.to_owned(), format!("`{name}` contains itself"))));
        }
        requirement => check_input(requirement, &nodes(input, INPUT), &mut problems),
    }
    problems
}

fn check_input(requirement: &Requirement, nodes: &[Node<'_>], problems: &mut Problems) {
    let mut each = |problem: &dyn Fn(&Node<'_>) -> Option<String>| {
        problems.extend(nodes.iter().filter_map(|node| Some((node.pointer.clone(), problem(node)?))));
    };
    match requirement {
        Requirement::WithoutKeywords(keywords) => each(&|node| {
            // An object can be closed by `"additionalProperties": {"not": {}}`. Skip this `not`, because
            // `ClosedObjects` checks it.
            let closes = node.keyword == "additionalProperties" && is_never(node.schema);
            let found =
                keywords.iter().copied().flatten().find(|keyword| !closes && node.schema.get(**keyword).is_some());
            found.map(|keyword| format!("it contains `{keyword}`"))
        }),
        Requirement::OnlyKeywords(keywords) => each(&|node| {
            let mut found = node.schema.as_object()?.keys();
            let other = found.find(|keyword| !keywords.iter().any(|group| group.contains(&keyword.as_str())))?;
            Some(format!("it contains `{other}`"))
        }),
        Requirement::Formats(known) => each(&|node| {
            let format = node.schema.get("format")?.as_str()?;
            (!known.contains(&format)).then(|| format!("its format is `{format}`"))
        }),
        Requirement::Items => each(&|node| {
            let lacks = has_type(node.schema, "array") && node.schema.get("items").is_none();
            lacks.then(|| "the array has no `items`".to_owned())
        }),
        Requirement::SingleTypes => {
            each(&|node| node.schema.get("type")?.as_array().map(|_| "its `type` is a list".to_owned()));
        }
        Requirement::RequiredAreProperties => each(&|node| {
            let lost =
                strings(node.schema.get("required")).find(|name| node.schema["properties"].get(name).is_none())?;
            Some(format!("`{lost}` is required and is not a property"))
        }),
        Requirement::AllPropertiesRequired => each(&|node| {
            let required: Vec<_> = strings(node.schema.get("required")).collect();
            let keys = node.schema.get("properties")?.as_object()?.keys().map(String::as_str);
            let optional: Vec<_> = keys.filter(|key| !required.contains(key)).collect();
            (!optional.is_empty()).then(|| format!("not required: {}", listed(&optional)))
        }),
        Requirement::ClosedObjects => each(&|node| {
            let is_object = has_type(node.schema, "object") || node.schema.get("properties").is_some();
            let rest = node.schema.get("additionalProperties");
            if !is_object || rest == Some(&Value::Bool(false)) {
                return None;
            }
            Some(match rest {
                Some(rest) if is_never(rest) => {
                    "it is closed by `\"additionalProperties\": {\"not\": {}}`; only `false` is accepted".to_owned()
                }
                Some(_) => "it accepts additional properties".to_owned(),
                None => "it has no `\"additionalProperties\": false`".to_owned(),
            })
        }),
        Requirement::Nesting(most) => each(&|node| {
            // Report the first object that is too deep, not the objects inside it.
            let is_first_too_deep = node.nesting == most + 1 && node.schema.get("properties").is_some();
            is_first_too_deep.then(|| format!("more than {most} objects are nested"))
        }),
        Requirement::LongEnum { values, characters } => each(&|node| {
            let texts: Vec<_> = strings(node.schema.get("enum")).collect();
            let length: usize = texts.iter().map(|text| text.chars().count()).sum();
            (texts.len() > *values && length > *characters).then(|| {
                format!("its {} values have {length} characters; at most {characters} are accepted", texts.len())
            })
        }),
        Requirement::Typed => each(&|node| {
            let is_boolean = node.schema.is_boolean() && node.keyword != "additionalProperties";
            (is_boolean || is_untyped(node.schema)).then(|| "it accepts values of any type".to_owned())
        }),
        Requirement::LoneReferences => each(&|node| {
            let reference = node.schema.get("$ref")?.as_str()?;
            let beside = node.schema.as_object()?.keys().find(|keyword| !matches!(keyword.as_str(), "$ref" | "$defs"));
            if let Some(beside) = beside {
                return Some(format!("`{beside}` is beside a `$ref`"));
            }
            let leads_to_definition = reference.strip_prefix("#/$defs/").is_some_and(|name| !name.contains('/'));
            (!leads_to_definition).then(|| format!("`{reference}` does not lead to a definition in `$defs`"))
        }),
        Requirement::MinItems(most) => each(&|node| {
            let found = node.schema.get("minItems")?.as_u64()?;
            (found > *most).then(|| format!("`minItems` is {found}; at most {most} is accepted"))
        }),
        Requirement::ScalarEnums => each(&|node| {
            let has_other = fixed_values(node.schema).any(|value| value.is_array() || value.is_object());
            has_other.then(|| "a value of its enum is an array or an object".to_owned())
        }),
        Requirement::Patterns(most) => {
            each(&|node| complexity::problem_of_pattern(node.schema.get("pattern")?.as_str()?, *most));
        }

        Requirement::Properties(most) => {
            let properties = |schema: &Value| schema["properties"].as_object().map_or(0, Map::len);
            total(nodes, *most, "properties", properties, problems);
        }
        Requirement::EnumValues(most) => {
            let values = |schema: &Value| schema["enum"].as_array().map_or(0, Vec::len);
            total(nodes, *most, "values in enums", values, problems);
        }
        Requirement::Characters(most) => total(nodes, *most, "characters in names and values", characters, problems),
        _ => {}
    }
}

/// Returns the values in `enum` and `const`.
fn fixed_values(schema: &Value) -> impl Iterator<Item = &Value> {
    let listed = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    listed.chain(schema.get("const"))
}

/// Adds a problem if the sum of `count` over all subschemas is more than `most`.
fn total(nodes: &[Node<'_>], most: usize, what: &str, count: fn(&Value) -> usize, problems: &mut Problems) {
    let count: usize = nodes.iter().map(|node| count(node.schema)).sum();
    if count > most {
        problems.push((INPUT.to_owned(), format!("it has {count} {what}; at most {most} are accepted")));
    }
}

fn characters(schema: &Value) -> usize {
    let keys = ["properties", "$defs", "definitions"].into_iter();
    let keys = keys.filter_map(|keyword| schema.get(keyword)?.as_object()).flat_map(Map::keys);
    let values = strings(schema.get("enum")).chain(schema.get("const").and_then(Value::as_str));
    keys.map(String::as_str).chain(values).map(|text| text.chars().count()).sum()
}

/// If integers in a schema can be too large for a double, returns a single problem for all of them, because the advice
/// is the same for each.
fn integers(nodes: &[Node<'_>], root: &str) -> Option<(String, String)> {
    let wide: Vec<_> = nodes.iter().filter(|node| is_wide(node.schema)).collect();
    let first = wide.first()?;
    let place = if wide.len() == 1 { first.pointer.clone() } else { root.to_owned() };
    let mut problem = String::from("values beyond ±2^53 are rounded");
    if wide.len() > 1 {
        let places: Vec<_> = wide.iter().map(|node| &node.pointer[root.len()..]).collect();
        let _ = write!(problem, " at {}", listed(&places));
    }
    Some((place, problem))
}

/// Returns `true` if a schema accepts an integer that a double may not represent exactly.
fn is_wide(schema: &Value) -> bool {
    const MOST: f64 = 9_007_199_254_740_991.0;
    let bound = |keywords: [&str; 2]| keywords.into_iter().find_map(|keyword| schema.get(keyword)?.as_f64());
    let mut fixed = fixed_values(schema).filter_map(Value::as_f64).peekable();
    if fixed.peek().is_some() {
        return fixed.any(|value| value.abs() > MOST);
    }
    let low = bound(["minimum", "exclusiveMinimum"]).is_some_and(|low| low >= -MOST);
    let high = bound(["maximum", "exclusiveMaximum"]).is_some_and(|high| high <= MOST);
    has_type(schema, "integer") && !(low && high)
}

fn property(key: &str) -> String {
    format!("{INPUT}/properties/{}", escape_token(key))
}

/// Returns `true` if no keyword of the schema says which types it accepts. Returns `false` for `true`, `false` and
/// schemas that accept nothing.
fn is_untyped(schema: &Value) -> bool {
    let typed = ["type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"];
    !is_never(schema) && !schema.is_boolean() && typed.iter().all(|keyword| schema.get(keyword).is_none())
}

/// Returns `true` if the description of a schema has the word `null`.
pub(crate) fn describes_null(schema: &Value) -> bool {
    let text = walk::keyword_or_null(schema, "description").as_str().unwrap_or_default();
    text.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case("null"))
}

pub(crate) struct Node<'a> {
    pub(crate) schema: &'a Value,
    pub(crate) pointer: String,
    /// The keyword that contains the schema; empty at the root.
    pub(crate) keyword: &'a str,
    /// The number of schemas with `properties` on the path from the root or a definition to this schema, including both
    /// ends.
    pub(crate) nesting: usize,
}

/// Returns the root and all subschemas, each after its parent. Rule T16 limits how many subschemas the schema of a tool
/// can have.
pub(crate) fn nodes<'a>(root: &'a Value, pointer: &str) -> Vec<Node<'a>> {
    let mut found = Vec::new();
    let nesting = usize::from(root.get("properties").is_some());
    let mut pending = vec![Node { schema: root, pointer: pointer.to_owned(), keyword: "", nesting }];
    while let Some(node) = pending.pop() {
        let before = pending.len();
        walk::visit_children(node.schema, |place, schema| {
            let keyword = place.keyword;
            let pointer = format!("{}/{}", node.pointer, place.pointer());
            let outer = if matches!(keyword, "$defs" | "definitions") { 0 } else { node.nesting };
            let nesting = outer + usize::from(schema.get("properties").is_some());
            pending.push(Node { schema, pointer, keyword, nesting });
        });
        pending[before..].reverse();
        found.push(node);
    }
    found
}
