//! Tools of mcp-tool in an agent of [rig](https://crates.io/crates/rig).
//!
//! ```console
//! $ cargo run --manifest-path examples/rig/Cargo.toml
//! ```
//!
//! The model answers from a script, so the example needs no key. The rest is what an agent of yours would have: [`rig_tools`] makes a
//! tool of rig from each tool of a dispatcher. Its schema, its checks and its errors are those of the dispatcher.

use mcp_tool_runtime::{CallToolRequest, CallToolResponse, DispatchError, Dispatcher, json, mcp_tool, serde_json, tools};
use rig::AgentBuilder;
use rig::core::message::{EmptyToolName, ToolName};
use rig::tool::{DynamicTool, ToolErrorKind, ToolExecutionError, ToolOutput};
use rig_core::test_utils::{MockCompletionModel, MockTurn};
use serde_json::Value;

/// Get the temperature at a place, in degrees Celsius.
#[mcp_tool(read_only_hint)]
async fn temperature(
    /// City name.
    city: String,
) -> Result<f64, String> {
    if city == "Paris" { Ok(22.5) } else { Err(format!("no city is called {city}")) }
}

/// Returns the tools of a dispatcher as tools of rig.
fn rig_tools(dispatcher: &Dispatcher) -> Result<Vec<DynamicTool>, EmptyToolName> {
    let tool = |tool: &mcp_tool_runtime::mcp::Tool| {
        let (dispatcher, name) = (dispatcher.clone(), tool.name.clone());
        let description = tool.description.clone().unwrap_or_default();
        Ok(DynamicTool::new(ToolName::new(&*tool.name)?, description, tool.input_schema.clone(), move |arguments| {
            let (dispatcher, request) = (dispatcher.clone(), CallToolRequest::new(name.clone(), arguments));
            Box::pin(async move { output(dispatcher.call(request).await) })
        }))
    };
    dispatcher.list().iter().map(tool).collect()
}

/// Writes a result for rig. The model reads the error as the dispatcher would show it, and rig learns whether to try again.
fn output(called: Result<CallToolResponse, DispatchError>) -> Result<ToolOutput, ToolExecutionError> {
    let response = called.map_err(|error| ToolExecutionError::invalid_args(error.to_string()))?;
    if let Some(error) = response.error() {
        let feedback = match error.additional_prompt_content() {
            Some(help) => format!("{}\n\n{help}", error.message()),
            None => error.message().to_owned(),
        };
        let error = ToolExecutionError::new(ToolErrorKind::Other, error.message()).with_retryable(error.can_retry());
        return Err(error.with_model_feedback(feedback));
    }
    Ok(match response.value().map(|value| serde_json::from_str(value.get())) {
        Some(Ok(Value::String(text))) => ToolOutput::text(text),
        Some(Ok(value)) => ToolOutput::json(value),
        _ => ToolOutput::json(Value::Null),
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dispatcher = Dispatcher::builder().tools(tools![temperature]).build()?;
    let model = MockCompletionModel::from_turns([
        MockTurn::tool_call("1", "temperature", json!({ "town": "Paris" })),
        MockTurn::tool_call("2", "temperature", json!({ "city": "Paris" })),
        MockTurn::text("It is 22.5 degrees in Paris."),
    ]);
    let agent = AgentBuilder::new(model.clone()).dynamic_tools(rig_tools(&dispatcher)?).build();
    let answer = agent.prompt("How warm is it in Paris?").max_turns(5).await?;

    let requests = model.requests();
    println!("the tools:  {}", serde_json::to_string(&requests[0].tools)?);
    println!("the answer: {answer}");
    // What the model got for its first call, whose argument has a wrong name, and for the second one.
    let told = serde_json::to_string(&requests[2].chat_history)?;
    println!("the calls:  {told}");
    for expected in ["city: required, but missing", "town: not known", "22.5"] {
        assert!(told.contains(expected), "{expected:?} is not in {told}");
    }
    Ok(())
}
