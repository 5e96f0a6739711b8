//! Progress reports: the token of the request, and the notifications.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::params::RequestParams;
use crate::Progress;
use crate::call::ProgressSink;

/// The maximum length of a progress token as JSON text. Every report repeats the token.
const MAX_TOKEN_BYTES: usize = 1_024;

/// Returns the progress token of a request. A call with an invalid or too long token runs without reports.
pub(crate) fn progress_token(params: &RequestParams<'_>) -> Option<Value> {
    let token = params.meta.as_ref()?.progress_token.filter(|token| token.len() <= MAX_TOKEN_BYTES)?;
    let token: Value = serde_json::from_str(token).ok()?;
    (token.is_string() || token.is_i64() || token.is_u64()).then_some(token)
}

/// Creates a sink that turns each report into a message.
pub(crate) fn progress_sink(token: Value, send: impl Fn(Vec<u8>) + Send + Sync + 'static) -> ProgressSink {
    Arc::new(move |progress| send(report(&token, progress)))
}

fn report(token: &Value, progress: Progress) -> Vec<u8> {
    let mut params = Map::new();
    params.insert("progressToken".to_owned(), token.clone());
    params.insert("progress".to_owned(), progress.done.into());
    params.extend(progress.total.map(|total| ("total".to_owned(), total.into())));
    params.extend(progress.message.map(|message| ("message".to_owned(), message.into())));
    json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params }).to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_progress_token_is_a_string_or_an_integer_that_is_not_too_long() {
        let settings = crate::call::settings::Settings::default();
        let read = |token: &str| {
            let text = format!(r#"{{"_meta":{{"progressToken":{token}}}}}"#);
            let mut params = RequestParams::default();
            params.read_text(&text, &settings).expect("JSON").expect("params");
            progress_token(&params)
        };
        for token in ["\"mine\"", "\"\"", "5", "-5", "18446744073709551615"] {
            assert_eq!(read(token).map(|token| token.to_string()).as_deref(), Some(token));
        }
        for token in ["1.5", "true", "null", "[]", "{}"] {
            assert_eq!(read(token), None, "{token}");
        }
        assert!(read(&format!("{:?}", "x".repeat(1_022))).is_some());
        assert!(read(&format!("{:?}", "x".repeat(1_023))).is_none());
    }
}
