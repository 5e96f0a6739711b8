//! A strict call sends `null` for each property that it leaves out, so a tool for which `null` may mean something else
//! is not strict.

#![allow(clippy::option_option, reason = "the outer one is absence, the inner one is `null`")]
#![allow(dead_code, reason = "only `Debug` reads the fields")]

use std::collections::BTreeMap;

use mcp_tool_runtime::export::{Export, Vendor};
use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use super::{now, parts, serve};

/// What `serde_with::rust::double_option` does.
mod double_option {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Option<T>>, D::Error> {
        Option::deserialize(deserializer).map(Some)
    }

    pub(super) fn serialize<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }
}

const fn missing() -> Option<Option<String>> {
    None
}

/// `#[serde(default)]` on the field.
#[derive(Debug, Default, Deserialize, JsonSchema)]
struct Field {
    #[serde(default, deserialize_with = "double_option::deserialize")]
    due: Option<Option<String>>,
}

/// `#[serde(default)]` on the struct.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
struct Container {
    #[serde(deserialize_with = "double_option::deserialize")]
    due: Option<Option<String>>,
}

/// A default by path.
#[derive(Debug, Deserialize, JsonSchema)]
struct ByPath {
    #[serde(default = "missing", deserialize_with = "double_option::deserialize")]
    due: Option<Option<String>>,
}

/// A default of the struct by path.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default = "container")]
struct ContainerByPath {
    #[serde(deserialize_with = "double_option::deserialize")]
    due: Option<Option<String>>,
}

const fn container() -> ContainerByPath {
    ContainerByPath { due: None }
}

/// With a module, for which schemars must be told the type.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Module {
    #[serde(default, with = "double_option")]
    #[schemars(with = "Option<String>")]
    due: Option<Option<String>>,
}

/// As `serde_with` documents it. schemars says nothing about the default.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Skipped {
    /// The date. `null` clears it.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "double_option")]
    #[schemars(with = "Option<String>")]
    due: Option<Option<String>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Day {
    Monday,
    Tuesday,
}

/// Its field is not `Serialize`, so schemars shows no default.
#[derive(Debug, Deserialize, JsonSchema)]
struct Unwritable {
    #[serde(default, deserialize_with = "double_option::deserialize")]
    due: Option<Option<Day>>,
}

/// A type with a value for `null`.
#[derive(Debug, Default, Serialize)]
enum Patch {
    Clear,
    Set(String),
    #[default]
    #[serde(untagged)]
    Missing,
}

impl<'de> Deserialize<'de> for Patch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}

impl JsonSchema for Patch {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Patch".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["string", "null"]})
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct OfType {
    #[serde(default)]
    due: Patch,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Outer {
    id: u8,
    #[serde(flatten)]
    field: Field,
}

#[derive(Debug, Deserialize, JsonSchema)]
enum External {
    Edit(Field),
    Close,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Internal {
    Edit(Field),
    Set {
        #[serde(default, deserialize_with = "double_option::deserialize")]
        due: Option<Option<String>>,
    },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Edit(Field),
    Close(bool),
}

/// A plain field.
#[derive(Debug, Deserialize, JsonSchema)]
struct Plain {
    due: Option<String>,
    limit: Option<u8>,
}

/// A plain field with an attribute that it does not need.
#[derive(Debug, Deserialize, JsonSchema)]
struct Defaulted {
    #[serde(default)]
    due: Option<String>,
}

/// A double option that nothing shows.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Hidden {
    #[serde(default, skip_serializing_if = "Option::is_none", with = "double_option")]
    #[schemars(with = "Option<String>")]
    due: Option<Option<String>>,
}

macro_rules! update_tools {
    ($($name:ident: $ty:ty,)+) => {$(
        /// Change something.
        #[mcp_tool]
        async fn $name(change: $ty) -> String {
            format!("{change:?}")
        }
    )+};
}

update_tools! {
    field: Field,
    of_container: Container,
    by_path: ByPath,
    container_by_path: ContainerByPath,
    module: Module,
    skipped: Skipped,
    of_type: OfType,
    listed: Vec<Field>,
    optional: Option<Field>,
    outer: Outer,
    external: External,
    internal: Internal,
    untagged: Untagged,
    mapped: BTreeMap<String, Field>,
    plain: Plain,
    defaulted: Defaulted,
    hidden: Hidden,
}

/// Change something.
#[mcp_tool]
async fn unwritable(
    /// A `null` in it clears a value.
    change: Unwritable,
) -> String {
    format!("{change:?}")
}

/// Change something.
#[mcp_tool]
async fn flat(#[serde(flatten)] change: Field) -> String {
    format!("{change:?}")
}

/// Change something.
#[mcp_tool]
async fn whole(#[mcp_tool(arguments)] change: Field) -> String {
    format!("{change:?}")
}

/// Returns what the tool says about the arguments that a model writes.
fn answer(export: &Export, tool: &str, arguments: &Value) -> String {
    let call = json!({"id": "1", "type": "function", "function": {"name": tool, "arguments": arguments.to_string()}});
    let message = json!({"role": "assistant", "tool_calls": [call]});
    now(export.answer(&message)).expect("an answer")[0]["content"].as_str().expect("a text").to_owned()
}

fn exported(dispatcher: &Dispatcher, tool: &str) -> (Value, bool) {
    let export = dispatcher.export(Vendor::OpenAiChat);
    let found = export.tools().iter().map(|tool| parts(tool, Vendor::OpenAiChat)).find(|(name, ..)| name == tool);
    found.map(|(_, schema, strict)| (schema, strict)).expect("the tool")
}

#[test]
fn i3_a_field_whose_null_may_be_a_value_is_not_strict_and_its_null_arrives() {
    let tools = tools![
        field,
        of_container,
        by_path,
        container_by_path,
        module,
        skipped,
        unwritable,
        of_type,
        listed,
        optional,
        outer,
        external,
        internal,
        untagged,
        mapped,
        flat,
        whole,
    ];
    let dispatcher = serve(tools);
    for vendor in [Vendor::OpenAiChat, Vendor::OpenAiResponses] {
        let export = dispatcher.export(vendor);
        for tool in dispatcher.list() {
            let found = export.findings().iter().find(|found| found.tool.as_deref() == Some(&tool.name));
            let found = found.unwrap_or_else(|| panic!("{} has no finding", tool.name)).to_string();
            assert!(found.contains("without `strict`"), "{found}");
        }
    }
    let export = dispatcher.export(Vendor::OpenAiChat);
    for (tool, change) in [
        ("field", json!({"due": null})),
        ("of_container", json!({"due": null})),
        ("by_path", json!({"due": null})),
        ("container_by_path", json!({"due": null})),
        ("module", json!({"due": null})),
        ("skipped", json!({"due": null})),
        ("unwritable", json!({"due": null})),
        ("of_type", json!({"due": null})),
        ("listed", json!([{"due": null}])),
        ("optional", json!({"due": null})),
        ("outer", json!({"id": 1, "due": null})),
        ("external", json!({"Edit": {"due": null}})),
        ("internal", json!({"kind": "Edit", "due": null})),
        ("internal", json!({"kind": "Set", "due": null})),
        ("untagged", json!({"due": null})),
        ("mapped", json!({"a": {"due": null}})),
    ] {
        assert!(!exported(&dispatcher, tool).1, "{tool}");
        let given = json!({"change": change});
        let text = answer(&export, tool, &given);
        assert!(text.contains("due: Some(None)") || text.contains("due: Clear"), "{tool}: {text}");
        let finding = export.findings().iter().find(|found| {
            found.tool.as_deref() == Some(tool) && found.rule == "strict-optional" && found.problem.contains("`due`")
        });
        let finding = finding.unwrap_or_else(|| panic!("{tool}: {:?}", export.findings())).to_string();
        assert!(
            finding.contains(
                "`null` may have a meaning of its own: if it clears a field, keep it so; for a plain `Option`, remove \
                 `#[serde(default)]` from the field or its struct"
            ),
            "{finding}"
        );
    }
    for tool in ["flat", "whole"] {
        assert!(!exported(&dispatcher, tool).1, "{tool}");
        assert!(answer(&export, tool, &json!({"due": null})).contains("due: Some(None)"), "{tool}");
        assert!(answer(&export, tool, &json!({})).contains("due: None"), "{tool}");
    }
    // What programs read is in no export.
    for vendor in Vendor::ALL {
        let text = json!(dispatcher.export(*vendor).tools()).to_string();
        assert!(!text.contains("x-mcp-tool"), "{text}");
    }
}

#[test]
fn i3_a_plain_field_is_strict_and_the_model_is_told_what_null_means() {
    let dispatcher = serve(tools![plain, hidden]);
    let export = dispatcher.export(Vendor::OpenAiChat);
    assert_eq!(export.findings(), []);
    let (schema, strict) = exported(&dispatcher, "plain");
    assert!(strict);
    assert_eq!(
        schema["properties"]["change"],
        json!({
            "description": "A plain field. (`null`: not set)",
            "type": "object",
            "properties": {
                "due": { "type": ["string", "null"] },
                "limit": { "type": ["integer", "null"], "minimum": 0, "maximum": 255 }
            },
            "required": ["due", "limit"],
            "additionalProperties": false
        })
    );
    let nulls = json!({"change": {"due": null, "limit": null}});
    assert_eq!(answer(&export, "plain", &nulls), "Plain { due: None, limit: None }");
    // The schema does not show that `null` clears this field, so the export tells the model that it means "not set".
    let (schema, strict) = exported(&dispatcher, "hidden");
    assert!(strict && schema.to_string().contains("(`null`: not set)"), "{schema}");
    let null = json!({"change": {"due": null}});
    assert_eq!(answer(&export, "hidden", &null), "Hidden { due: None }");
    // Without `strict`, a model that writes `null` means it.
    let export = export.strict(mcp_tool_runtime::export::Strict::Off);
    assert_eq!(answer(&export, "hidden", &null), "Hidden { due: Some(None) }");
}

#[test]
fn t8_a_field_with_a_default_that_it_does_not_need_loses_strict_with_what_to_write() {
    let dispatcher = serve(tools![defaulted]);
    let export = dispatcher.export(Vendor::OpenAiResponses);
    let [finding] = export.findings() else { panic!("{:?}", export.findings()) };
    assert_eq!(finding.place, "/inputSchema/properties/change");
    assert_eq!(
        finding.help,
        "a strict call sends `null` for what it leaves out, and here `null` may have a meaning of its own: if it \
         clears a field, keep it so; for a plain `Option`, remove `#[serde(default)]` from the field or its struct, and \
         speak of no `null` in the descriptions"
    );
    // Other vendors have optional properties.
    let export = dispatcher.export(Vendor::Anthropic).strict(mcp_tool_runtime::export::Strict::WhereLossless);
    assert_eq!((export.findings(), &export.tools()[0]["strict"]), (&[][..], &json!(true)));
}
