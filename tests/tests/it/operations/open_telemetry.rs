//! The recipe of the guide, read back by OpenTelemetry's own exporter.

use mcp_tool_runtime::operations::CallRecord;
use mcp_tool_runtime::protocol::Protocol;
use mcp_tool_runtime::{Dispatcher, json, mcp_tool, tools};
use opentelemetry::KeyValue;
use opentelemetry::metrics::MeterProvider as _;
use opentelemetry_sdk::metrics::data::{AggregatedMetrics, MetricData};
use opentelemetry_sdk::metrics::{InMemoryMetricExporter, SdkMeterProvider};

use crate::run::{built, now};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[test]
fn the_metric_has_the_name_the_unit_and_the_attributes_of_the_conventions() {
    let exporter = InMemoryMetricExporter::default();
    let meters = SdkMeterProvider::builder().with_periodic_exporter(exporter.clone()).build();
    let boundaries = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];
    let duration = meters
        .meter("my-server")
        .f64_histogram("mcp.server.operation.duration")
        .with_unit("s")
        .with_boundaries(boundaries.to_vec())
        .build();
    let builder = Dispatcher::builder().tools(tools![add]).on_call(move |call: &CallRecord| {
        let attributes: Vec<_> =
            call.attributes().into_iter().map(|(name, value)| KeyValue::new(name, value)).collect();
        duration.record((call.waited() + call.duration()).as_secs_f64(), &attributes);
    });
    let protocol = Protocol::new(built(builder));
    for (name, arguments) in
        [("add", json!({"a": 1, "b": 2})), ("add", json!({})), ("add", json!({})), ("ad", json!({}))]
    {
        let params = json!({"name": name, "arguments": arguments});
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
        now(protocol.answer(request.as_bytes())).expect("an answer");
    }
    meters.force_flush().expect("an export");
    let finished = exporter.get_finished_metrics().expect("the metrics");
    let metric = finished[0].scope_metrics().next().and_then(|scope| scope.metrics().next()).expect("a metric");
    assert_eq!((metric.name(), metric.unit()), ("mcp.server.operation.duration", "s"));
    let AggregatedMetrics::F64(MetricData::Histogram(histogram)) = metric.data() else { panic!("a histogram") };
    assert!(histogram.data_points().all(|point| point.bounds().eq(boundaries)), "the boundaries are in seconds");
    let mut points: Vec<_> = histogram
        .data_points()
        .map(|point| {
            let mut attributes: Vec<_> =
                point.attributes().map(|pair| format!("{}={}", pair.key, pair.value)).collect();
            attributes.sort();
            (attributes.join(" "), point.count())
        })
        .collect();
    points.sort();
    let call = "gen_ai.operation.name=execute_tool";
    let expected = [
        (
            format!(
                "error.type=-32602 {call} mcp.method.name=tools/call mcp.protocol.version=2025-06-18 rpc.response.status_code=-32602"
            ),
            1,
        ),
        (
            format!(
                "error.type=tool_error {call} gen_ai.tool.name=add mcp.method.name=tools/call mcp.protocol.version=2025-06-18"
            ),
            2,
        ),
        (format!("{call} gen_ai.tool.name=add mcp.method.name=tools/call mcp.protocol.version=2025-06-18"), 1),
    ];
    assert_eq!(points, expected);
}
