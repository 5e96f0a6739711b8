//! One limit held against the definitions of a list.

use std::fmt::Write as _;

use serde_json::Value;

use super::limits::{Check, RETURNED_AS_TEXT};
use super::nodes::{Node, nodes};
use super::{Client, Finding, Limit};
use crate::document::json_pointer::escape_token;
use crate::mcp;

const INPUT: &str = "/inputSchema";
const OUTPUT: &str = "/outputSchema";

/// Adds what the client would refuse or lose by this limit.
pub(super) fn look(limit: &Limit, client: Client, tools: &[mcp::Tool], findings: &mut Vec<Finding>) {
    let finding = |tool: Option<&mcp::Tool>, (place, problem): (String, String)| Finding {
        client: Some(client),
        tool: tool.map(|tool| tool.name.clone()),
        rule: limit.rule,
        severity: limit.severity,
        help: match limit.check {
            Check::Integers if place.starts_with(OUTPUT) => RETURNED_AS_TEXT,
            _ => limit.help,
        },
        place,
        problem,
        source: limit.source,
        date: limit.date,
    };
    if let Check::Tools(most) = limit.check {
        let count = tools.len();
        if count > most {
            let problem = format!("there are {count} tools, and {most} is the most");
            findings.push(finding(None, (String::new(), problem)));
        }
        return;
    }
    for tool in tools {
        let mut problems = Vec::new();
        of_tool(&limit.check, tool, &mut problems);
        findings.extend(problems.into_iter().map(|problem| finding(Some(tool), problem)));
    }
}

/// Where, and what is wrong.
type Problems = Vec<(String, String)>;

fn of_tool(check: &Check, tool: &mcp::Tool, problems: &mut Problems) {
    let input = &tool.input_schema;
    match check {
        Check::Tools(_) => {}
        Check::Name { also, most, starts_with_letter } => {
            let starts = !*starts_with_letter || tool.name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            let problem = name(&tool.name, also, *most)
                .or_else(|| (!starts).then(|| "it does not start with a letter or `_`".to_owned()));
            problems.extend(problem.map(|problem| ("/name".to_owned(), problem)));
        }
        Check::Description(most) => {
            let length = tool.description.as_ref().map_or(0, |text| text.chars().count());
            if length > *most {
                problems.push(("/description".to_owned(), format!("it has {length} characters, and {most} are read")));
            }
        }
        Check::Arguments { also, most } => {
            problems.extend(arguments(input).filter_map(|key| Some((property(key), name(key, also, *most)?))));
        }
        Check::ArgumentsWithout(characters) => {
            let problem = |key: &String| {
                let refused = key.chars().find(|c| characters.contains(*c))?;
                Some((property(key), format!("the name has `{refused}`")))
            };
            problems.extend(arguments(input).filter_map(problem));
        }
        Check::Root(keywords) => {
            let found = keywords.iter().filter(|keyword| input.get(**keyword).is_some());
            problems.extend(found.map(|keyword| (INPUT.to_owned(), format!("the root has `{keyword}`"))));
        }
        Check::BooleanProperties => {
            let sides = [(INPUT, Some(input)), (OUTPUT, tool.output_schema.as_ref())];
            let all = sides.into_iter().filter_map(|(pointer, schema)| Some(nodes(schema?, pointer))).flatten();
            let booleans = all.filter(|node| node.keyword == "properties" && node.schema.is_boolean());
            problems.extend(booleans.map(|node| (node.pointer, format!("the schema is `{}`", node.schema))));
        }
        Check::Integers => {
            let sides = [(INPUT, Some(input)), (OUTPUT, tool.output_schema.as_ref())];
            for (pointer, schema) in sides.into_iter().filter_map(|(pointer, schema)| Some((pointer, schema?))) {
                problems.extend(integers(&nodes(schema, pointer), pointer));
            }
        }
        check => of_input(check, &nodes(input, INPUT), problems),
    }
}

fn of_input(check: &Check, nodes: &[Node<'_>], problems: &mut Problems) {
    let mut each = |problem: &dyn Fn(&Node<'_>) -> Option<String>| {
        problems.extend(nodes.iter().filter_map(|node| Some((node.pointer.clone(), problem(node)?))));
    };
    match check {
        Check::Keywords(keywords) => each(&|node| {
            // How an object inside another one is closed is the subject of another limit.
            let closes = node.keyword == "additionalProperties" && is_never(node.schema);
            let found = keywords.iter().find(|keyword| !closes && node.schema.get(**keyword).is_some());
            found.map(|keyword| format!("it has `{keyword}`"))
        }),
        Check::Formats(known) => each(&|node| {
            let format = node.schema.get("format")?.as_str()?;
            (!known.contains(&format)).then(|| format!("its format is `{format}`"))
        }),
        Check::Items => each(&|node| {
            let lacks = admits(node.schema, "array") && node.schema.get("items").is_none();
            lacks.then(|| "it is an array without `items`".to_owned())
        }),
        Check::TypeLists => {
            each(&|node| node.schema.get("type")?.as_array().map(|_| "its `type` is a list".to_owned()));
        }
        Check::RequiredWithoutProperty => each(&|node| {
            let lost = names(node.schema, "required").find(|name| node.schema["properties"].get(name).is_none())?;
            Some(format!("`{lost}` is required and no property"))
        }),
        Check::OptionalProperties => each(&|node| {
            let required: Vec<_> = names(node.schema, "required").collect();
            let keys = node.schema.get("properties")?.as_object()?.keys().map(String::as_str);
            let optional: Vec<_> = keys.filter(|key| !required.contains(key)).collect();
            (!optional.is_empty()).then(|| format!("{} not required", listed(&optional)))
        }),
        Check::OpenObjects => each(&|node| {
            let is_object = admits(node.schema, "object") || node.schema.get("properties").is_some();
            let rest = node.schema.get("additionalProperties");
            if !is_object || rest == Some(&Value::Bool(false)) {
                return None;
            }
            Some(match rest {
                Some(rest) if is_never(rest) => {
                    "it is closed by `\"additionalProperties\": {\"not\": {}}`, and only a literal `false` is read"
                        .to_owned()
                }
                Some(_) => "it takes further members".to_owned(),
                None => "it does not say `\"additionalProperties\": false`".to_owned(),
            })
        }),
        Check::Nesting(most) => each(&|node| {
            // Told where the bound is passed, not at all that is deeper.
            let passes = node.objects == most + 1 && node.schema.get("properties").is_some();
            passes.then(|| format!("more than {most} objects stand inside each other"))
        }),
        Check::LongEnum { values, characters } => each(&|node| {
            let texts: Vec<_> = names(node.schema, "enum").collect();
            let length: usize = texts.iter().map(|text| text.chars().count()).sum();
            (texts.len() > *values && length > *characters)
                .then(|| format!("its {} values have {length} characters, and {characters} is the most", texts.len()))
        }),
        Check::Properties(most) => total(nodes, *most, "properties", properties, problems),
        Check::EnumValues(most) => total(nodes, *most, "values in enums", enum_values, problems),
        Check::Characters(most) => total(nodes, *most, "characters in names and values", characters, problems),
        _ => {}
    }
}

/// A number that is counted over the whole schema.
fn total(nodes: &[Node<'_>], most: usize, what: &str, count: fn(&Value) -> usize, problems: &mut Problems) {
    let count: usize = nodes.iter().map(|node| count(node.schema)).sum();
    if count > most {
        problems.push((INPUT.to_owned(), format!("it has {count} {what}, and {most} is the most")));
    }
}

fn properties(schema: &Value) -> usize {
    schema.get("properties").and_then(Value::as_object).map_or(0, serde_json::Map::len)
}

fn enum_values(schema: &Value) -> usize {
    schema.get("enum").and_then(Value::as_array).map_or(0, Vec::len)
}

fn characters(schema: &Value) -> usize {
    let keys = ["properties", "$defs", "definitions"].into_iter();
    let keys = keys.filter_map(|keyword| schema.get(keyword)?.as_object()).flat_map(serde_json::Map::keys);
    let values = names(schema, "enum").chain(schema.get("const").and_then(Value::as_str));
    keys.map(String::as_str).chain(values).map(|text| text.chars().count()).sum()
}

/// One problem for all integers of a schema: there may be many, and what to think of is the same.
fn integers(nodes: &[Node<'_>], root: &str) -> Option<(String, String)> {
    let wide: Vec<_> = nodes.iter().filter(|node| is_wide(node.schema)).collect();
    let first = wide.first()?;
    let place = if wide.len() == 1 { first.pointer.clone() } else { root.to_owned() };
    let mut problem = String::from("a value beyond ±2^53 arrives rounded");
    if wide.len() > 1 {
        let places: Vec<_> = wide.iter().map(|node| &node.pointer[root.len()..]).collect();
        let _ = write!(problem, " at {}", listed(&places));
    }
    Some((place, problem))
}

/// Whether a schema admits integers that a double does not hold.
fn is_wide(schema: &Value) -> bool {
    const MOST: f64 = 9_007_199_254_740_991.0;
    let bound = |keywords: [&str; 2]| keywords.into_iter().find_map(|keyword| schema.get(keyword)?.as_f64());
    let is_fixed = schema.get("enum").is_some() || schema.get("const").is_some();
    let low = bound(["minimum", "exclusiveMinimum"]).is_some_and(|low| low >= -MOST);
    let high = bound(["maximum", "exclusiveMaximum"]).is_some_and(|high| high <= MOST);
    admits(schema, "integer") && !is_fixed && !(low && high)
}

/// What keeps a name from being used.
fn name(name: &str, also: &str, most: usize) -> Option<String> {
    let refused = name.chars().find(|c| !c.is_ascii_alphanumeric() && !also.contains(*c));
    if let Some(character) = refused {
        return Some(format!("the name has `{character}`"));
    }
    let length = name.chars().count();
    (length > most).then(|| format!("the name has {length} characters, and {most} is the most"))
}

/// The first few, between backticks.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<_> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

fn arguments(schema: &Value) -> impl Iterator<Item = &String> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(key, _)| key)
}

fn property(key: &str) -> String {
    format!("{INPUT}/properties/{}", escape_token(key))
}

/// The strings of a list.
fn names<'s>(schema: &'s Value, keyword: &str) -> impl Iterator<Item = &'s str> {
    schema.get(keyword).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Whether `type` has this word.
fn admits(schema: &Value, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == kind,
        Some(Value::Array(kinds)) => kinds.iter().any(|one| one == kind),
        _ => false,
    }
}

/// Whether a schema is the one that stands for `false` below the root (rule T4).
fn is_never(schema: &Value) -> bool {
    schema.as_object().is_some_and(|schema| schema.len() == 1 && schema.get("not") == Some(&serde_json::json!({})))
}

/// The constraints that only a validator holds. Those of a type that says more than its JSON type are listed too: no
/// schema tells which of both it is.
#[cfg(not(feature = "validate"))]
pub(super) fn not_enforced(tools: &[mcp::Tool]) -> Vec<Finding> {
    const CONSTRAINTS: [&str; 13] = [
        "minLength",
        "maxLength",
        "pattern",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minItems",
        "maxItems",
        "uniqueItems",
        "minProperties",
        "maxProperties",
    ];
    let of = |tool: &mcp::Tool| {
        let nodes = nodes(&tool.input_schema, INPUT);
        let constrained = |node: &&Node<'_>| {
            let constraint = |keyword: &&str| node.schema.get(*keyword).is_some() && !by_its_type(node.schema, keyword);
            CONSTRAINTS.iter().any(constraint)
        };
        let places: Vec<_> = nodes.iter().filter(constrained).map(|node| &node.pointer[INPUT.len()..]).collect();
        (!places.is_empty()).then(|| Finding {
            client: None,
            tool: Some(tool.name.clone()),
            rule: "not-enforced",
            severity: super::Severity::Lost,
            place: INPUT.to_owned(),
            problem: format!("what it says beyond the types is not enforced at {}", listed(&places)),
            help: "turn the feature `validate` on, or check it in the tool",
            source: "",
            date: "",
        })
    };
    tools.iter().filter_map(of).collect()
}

/// Whether a constraint is one that the types of Rust hold: the bounds of an integer type, the length of a tuple.
#[cfg(not(feature = "validate"))]
fn by_its_type(schema: &Value, keyword: &str) -> bool {
    let bounds = (schema.get("minimum").and_then(Value::as_i64), schema.get("maximum").and_then(Value::as_i64));
    match keyword {
        "minimum" | "maximum" => matches!(
            bounds,
            (Some(-128), Some(127))
                | (Some(-32_768), Some(32_767))
                | (Some(-2_147_483_648), Some(2_147_483_647))
                | (Some(0 | 1), Some(255 | 65_535 | 4_294_967_295) | None)
        ),
        "minItems" | "maxItems" => schema.get("minItems") == schema.get("maxItems"),
        _ => false,
    }
}

#[cfg(all(test, not(feature = "validate")))]
mod tests {
    use serde_json::json;

    use crate::{Dispatcher, mcp_tool, tools};

    #[test]
    fn what_only_a_validator_holds_is_told() {
        /// Constrained by types alone.
        #[mcp_tool]
        async fn typed(a: u8, b: i32, c: Option<u64>, d: (bool, bool)) {
            let _ = (a, b, c, d);
        }

        /// Constrained by words.
        #[mcp_tool]
        async fn worded(#[schemars(length(min = 1))] a: String, #[schemars(range(max = 9))] b: u8, c: Vec<String>) {
            let _ = (a, b, c);
        }

        let dispatcher = Dispatcher::builder().tools(tools![typed, worded]).build().expect("two tools");
        let findings = dispatcher.lint(&[]);
        let [only] = findings.as_slice() else { panic!("{findings:?}") };
        assert_eq!((only.client(), only.tool(), only.rule()), (None, Some("worded"), "not-enforced"));
        assert!(only.problem().ends_with("at `/properties/a`, `/properties/b`"), "{only}");
        assert_eq!(only.place(), "/inputSchema");
        assert!(only.to_string().starts_with("this server loses something of `worded` at /inputSchema: "), "{only}");
        assert_eq!(dispatcher.list()[1].input_schema["properties"]["a"], json!({"type": "string", "minLength": 1}));
    }
}
