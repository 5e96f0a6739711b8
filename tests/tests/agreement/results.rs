//! Every value of a type is a valid result.

use std::fmt::Write as _;

use mcp_tool_runtime::{CallToolRequest, Dispatcher, ProtocolVersion};
use mcp_tool_tests::oracle::validator;
use mcp_tool_tests::zoo;
use serde_json::json;

use super::{MAX_PRINTED, now, number};

/// Calls tools that return random values of types. Each value must be a valid result, in every version.
#[test]
fn t17_every_value_of_a_type_is_a_valid_result() {
    let values = number("AGREEMENT_VALUES", 100);
    let dispatcher = Dispatcher::builder().tools(zoo::results()).build().unwrap_or_else(|error| panic!("{error}"));
    let mut failures = String::new();
    for (index, tool) in dispatcher.list().iter().enumerate() {
        let listed = ProtocolVersion::ALL.map(|version| {
            let schema = dispatcher.list_for(version)[index].output_schema.as_ref();
            (version, validator(schema.expect("an output schema")))
        });
        let mut problems = 0;
        for seed in 0..values {
            let request = CallToolRequest::new(tool.name.as_str(), json!({ "seed": seed }));
            let response = now(dispatcher.call(request)).expect("a response");
            let problem = match response.error() {
                Some(error) => Some(format!("{} {:?}", error.message(), error.developer_message())),
                None => listed.iter().find_map(|(version, validator)| {
                    let result = serde_json::to_value(response.to_mcp(*version)).expect("JSON");
                    let value = &result["structuredContent"];
                    (!validator.is_valid(value)).then(|| format!("{version}: {value} is not valid"))
                }),
            };
            if let Some(problem) = problem {
                problems += 1;
                if problems <= MAX_PRINTED {
                    let _ = writeln!(failures, "{} {seed}: {problem}", tool.name);
                }
            }
        }
    }
    println!("{} types, {} values", dispatcher.list().len(), values * dispatcher.list().len() as u64);
    assert!(failures.is_empty(), "{failures}");
}
