//! Metrics for Prometheus: a counter of calls by tool, outcome and carrier, and a histogram of durations by tool.

use axum::extract::State;
use axum::http::StatusCode;
use mcp_tool_runtime::operations::CallRecord;
use prometheus::{Error, HistogramOpts, HistogramVec, IntCounterVec, Opts, Registry, TextEncoder};

/// The metrics of this server.
#[derive(Clone)]
pub(crate) struct Metrics {
    registry: Registry,
    calls: IntCounterVec,
    seconds: HistogramVec,
}

impl Metrics {
    pub(crate) fn new() -> Result<Self, Error> {
        let calls = Opts::new("mcp_tool_calls_total", "Calls, by tool, outcome and carrier.");
        let calls = IntCounterVec::new(calls, &["tool", "outcome", "carrier"])?;
        let seconds = HistogramOpts::new("mcp_tool_seconds", "How long the tools ran.")
            .buckets(vec![0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0]);
        let seconds = HistogramVec::new(seconds, &["tool"])?;
        let registry = Registry::new();
        registry.register(Box::new(calls.clone()))?;
        registry.register(Box::new(seconds.clone()))?;
        Ok(Self { registry, calls, seconds })
    }

    /// Returns the function that counts a call.
    pub(crate) fn observer(&self) -> impl Fn(&CallRecord) + Send + Sync + 'static {
        let (calls, seconds) = (self.calls.clone(), self.seconds.clone());
        move |call| {
            // A name that no tool has is no label.
            let tool = call.tool().unwrap_or("unknown");
            calls.with_label_values(&[tool, call.outcome().as_str(), call.carrier().as_str()]).inc();
            seconds.with_label_values(&[tool]).observe(call.duration().as_secs_f64());
        }
    }
}

/// Answers `GET /metrics`.
pub(crate) async fn show(State(metrics): State<Metrics>) -> Result<String, StatusCode> {
    let families = metrics.registry.gather();
    TextEncoder::new().encode_to_string(&families).map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
}
