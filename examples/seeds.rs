//! The tools that the Open Tool Calling and Model Context Protocol documents use as their examples.
//!
//! `cargo run --example seeds` prints the definition of each tool. `cargo run --example seeds -- --otc` calls them and
//! prints the Open Tool Calling responses, one on each line.

use chrono::{DateTime, Utc};
use mcp_tool_examples::seed_tools;
use mcp_tool_runtime::{CallToolRequest, Dispatcher, json, serde_json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dispatcher = Dispatcher::builder().tools(seed_tools::all()).expose_developer_messages(true).build()?;
    if !std::env::args().any(|argument| argument == "--otc") {
        println!("{:#}", json!(dispatcher.list()));
        return Ok(());
    }
    seed_tools::fix_clock("2023-10-05T12:00:00Z".parse::<DateTime<Utc>>()?);
    let requests = [
        json!({"tool_id": "Calculator.Add@1.0.0", "input": {"a": 10, "b": 5}}),
        json!({"tool_id": "Doorbell.Ring@0.1.0", "input": {"doorbell_id": "doorbell42"}}),
        json!({"tool_id": "System.GetTimestamp@1.0.0"}),
        json!({
            "tool_id": "Gmail.GetEmails@1.2.0",
            "trace_id": "trace_123",
            "input": {"query": "is:unread"},
            "context": {"authorization": [{"id": "google", "token": "ya29.a0AfH6SMC..."}], "user_id": "user_123"},
        }),
        json!({
            "tool_id": "SMS.Send@0.1.2",
            "input": {"to": "+5556051234567", "message": "Hello from OXP!"},
            "context": {"secrets": [{"id": "TWILIO_API_KEY", "value": "TWILIO_SECRET_VALUE"}]},
        }),
        json!({"tool_id": "Doorbell.Ring@0.1.0", "input": {"doorbell_id": "doorbell84"}}),
        json!({"tool_id": "Doorbell.Ring@0.1.0", "input": {"doorbell_id": "doorbell1"}}),
        json!({"tool_id": "get_weather_data", "input": {"location": "San Francisco", "units": "fahrenheit"}}),
        json!({"tool_id": "list_users", "input": {"limit": 2}}),
        json!({"tool_id": "find_resource", "input": {"name": "Alice"}}),
        json!({"tool_id": "calculate_bmi", "input": {"height_cm": 180, "weight_kg": 75}}),
    ];
    for request in requests {
        let request: CallToolRequest = serde_json::from_value(request)?;
        println!("{}", serde_json::to_string(&dispatcher.call(request).await?.to_otc())?);
    }
    Ok(())
}
