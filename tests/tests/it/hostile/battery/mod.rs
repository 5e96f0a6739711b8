//! Every tool under every class of hostile arguments, over every server.

mod answers;
mod classes;
mod servers;
mod tools;
mod work;

use mcp_tool_runtime::{Dispatcher, ToolHandler};
use mcp_tool_tests::size;
use mcp_tool_tests::values::Generator;
use mcp_tool_tests::zoo::zoo;
use serde_json::Value;

use answers::answer;
use classes::Class;

use crate::run::{self, LATEST};

fn handlers() -> Vec<Box<dyn ToolHandler>> {
    zoo().into_iter().map(|specimen| specimen.handler).chain(tools::tools()).collect()
}

fn dispatcher(lax: bool) -> Dispatcher {
    run::built(run::exact().tools(handlers()).lax(lax).max_argument_bytes(1 << 22).max_result_bytes(1 << 23))
}

/// Returns arguments of each tool that are as large as the generator makes them.
fn bases(dispatcher: &Dispatcher) -> Vec<(String, Value)> {
    let by_hand = tools::bases();
    let base = |tool: &mcp_tool_runtime::mcp::Tool| {
        if let Some((_, value)) = by_hand.iter().find(|(name, _)| *name == tool.name) {
            return value.clone();
        }
        let mut rng = fastrand::Rng::with_seed(16);
        let generator = Generator::new(&tool.input_schema);
        let mut values: Vec<_> = (0..40).map(|_| generator.value(&mut rng)).filter(Value::is_object).collect();
        values.sort_by_key(|value| value.to_string().len());
        values.iter().rfind(|value| value.to_string().len() < 400).cloned().unwrap_or_else(|| serde_json::json!({}))
    };
    dispatcher.list().iter().map(|tool| (tool.name.clone(), base(tool))).collect()
}

#[test]
fn i4_every_tool_answers_every_class_of_hostile_arguments() {
    let (mut refused, mut accepted) = (0, 0);
    for lax in [false, true] {
        let dispatcher = dispatcher(lax);
        for (name, base) in bases(&dispatcher) {
            for class in Class::ALL {
                for bytes in [500, size(5_000, 20_000)] {
                    let result = answer(&dispatcher, &name, &class.arguments(&base, bytes), LATEST);
                    *if result["isError"] == true { &mut refused } else { &mut accepted } += 1;
                }
            }
        }
    }
    assert!(refused > 1_000 && accepted > 100, "{refused} refused, {accepted} accepted");
}
