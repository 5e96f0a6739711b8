//! Fields of the author's types that the schema requires and the type does not, or the other way round.

use mcp_tool_runtime::lint::Severity;
use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

use crate::run::serve;

#[derive(Deserialize)]
struct Date(String);

fn date(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "format": "date"})
}

fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Date>, D::Error> {
    Option::deserialize(deserializer)
}

/// When.
#[derive(Deserialize, JsonSchema)]
struct Period {
    /// Required by schemars only.
    #[schemars(schema_with = "date")]
    from: Option<Date>,
    /// Required by serde only.
    #[serde(deserialize_with = "read")]
    #[schemars(with = "Option<String>")]
    to: Option<Date>,
    /// Optional for both.
    #[serde(default, deserialize_with = "read")]
    #[schemars(schema_with = "date")]
    at: Option<Date>,
    /// Required by both.
    #[schemars(length(min = 3))]
    name: String,
}

impl Period {
    fn text(&self) -> String {
        let texts = [&self.from, &self.to, &self.at].map(|date| date.as_ref().map_or("", |date| &date.0));
        format!("{}{}", texts.concat(), self.name)
    }
}

fn places(dispatcher: &Dispatcher) -> Vec<(String, Severity, String)> {
    let findings = dispatcher.lint(&[]);
    assert!(findings.iter().all(|finding| finding.rule() == "presence" && finding.client().is_none()), "{findings:?}");
    findings.iter().map(|found| (found.place().to_owned(), found.severity(), found.problem().to_owned())).collect()
}

const REQUIRED: &str = "the schema requires it, and the type accepts a call without it";
const REFUSED: &str = "the schema does not require it, and the type refuses a call without it";

#[test]
fn t17_a_field_that_only_one_of_serde_and_schemars_requires_is_found() {
    /// List the notes.
    #[mcp_tool]
    async fn list(#[mcp_tool(arguments)] period: Period) -> String {
        period.text()
    }

    assert_eq!(
        places(&serve(tools![list])),
        [
            ("/inputSchema/properties/from".to_owned(), Severity::Advice, REQUIRED.to_owned()),
            ("/inputSchema/properties/to".to_owned(), Severity::Lost, REFUSED.to_owned()),
        ]
    );
}

#[test]
fn t17_a_field_inside_lists_and_optional_values_is_found() {
    /// List the notes.
    #[mcp_tool]
    async fn list(
        limit: u8,
        periods: Option<Vec<Period>>,
        #[schemars(schema_with = "date")] day: Option<Date>,
    ) -> String {
        let texts: Vec<_> = periods.iter().flatten().map(Period::text).collect();
        format!("{limit} {texts:?} {}", day.map_or_else(String::new, |day| day.0))
    }

    let items = "/inputSchema/properties/periods/items/properties";
    let found: Vec<_> = places(&serve(tools![list])).into_iter().map(|(place, ..)| place).collect();
    assert_eq!(found, [format!("{items}/from"), format!("{items}/to")]);
}

#[test]
fn t17_a_recursive_type_and_a_refusing_type_are_not_reported() {
    /// A branch.
    #[derive(Deserialize, JsonSchema)]
    struct Branch {
        name: String,
        branches: Vec<Branch>,
        parent: Option<Box<Branch>>,
    }

    /// It refuses every made-up value.
    #[derive(Deserialize, JsonSchema)]
    #[serde(try_from = "String")]
    struct Word(String);

    impl TryFrom<String> for Word {
        type Error = &'static str;

        fn try_from(text: String) -> Result<Self, Self::Error> {
            if text == "word" { Ok(Self(text)) } else { Err("not the word") }
        }
    }

    /// Climb.
    #[mcp_tool]
    async fn climb(
        branch: Branch,
        word: Option<Word>,
        #[schemars(regex(pattern = "^[0-9]{4}$"))] code: String,
    ) -> usize {
        let parent = branch.parent.map_or(0, |parent| parent.name.len());
        branch.branches.len() + branch.name.len() + parent + word.map_or(0, |word| word.0.len()) + code.len()
    }

    assert_eq!(serve(tools![climb]).lint(&[]), []);
}
