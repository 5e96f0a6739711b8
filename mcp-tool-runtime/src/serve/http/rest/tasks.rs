//! Runs calls as tasks over plain HTTP (feature `tasks`) if the request has `Prefer: respond-async` (RFC 7240), and
//! answers requests about tasks.

use ::http::header::{CACHE_CONTROL, HeaderName, LOCATION, RETRY_AFTER};
use ::http::{HeaderMap, HeaderValue, Method, Response, StatusCode};

use super::super::Body;
use super::super::problem::Problem;
use super::{json_response, result};
use crate::dispatcher::{PreparedCall, Rejection, TaskAnswer, TaskError};
use crate::serve::protocol::error_parts;
use crate::tasks::Snapshot;
use crate::{Dispatcher, Extensions};

const PREFER: HeaderName = HeaderName::from_static("prefer");
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// Returns `true` if the client sends `Prefer: respond-async`, and so accepts a task instead of the result.
pub(super) fn is_preferred(extensions: &Extensions) -> bool {
    let Some(headers) = extensions.get::<HeaderMap>() else { return false };
    let values = headers.get_all(PREFER).iter().filter_map(|value| value.to_str().ok());
    let mut preferences = values.flat_map(|value| value.split(','));
    preferences.any(|preference| {
        let name = preference.split([';', '=']).next().unwrap_or_default();
        name.trim().eq_ignore_ascii_case("respond-async")
    })
}

/// Runs a call for a client that accepts a task instead of the result. Only a call to a tool with tasks can become a
/// task.
pub(in super::super) async fn run(
    dispatcher: &Dispatcher,
    prepared: Result<PreparedCall<'_, '_>, Rejection<'_>>,
) -> Result<TaskAnswer, TaskError> {
    Ok(TaskAnswer::Ended(match prepared {
        Ok(call) if call.task_use().is_some() => return dispatcher.run_as_task(call).await,
        Ok(mut call) => dispatcher.run(&mut call).await?,
        Err(rejection) => rejection.into_response()?,
    }))
}

/// Runs a call that may become a task, and writes the response.
pub(super) async fn call(
    dispatcher: &Dispatcher,
    prepared: Result<PreparedCall<'_, '_>, Rejection<'_>>,
) -> Result<Response<Body>, Problem> {
    let snapshot = match run(dispatcher, prepared).await? {
        TaskAnswer::Ended(response) => return Ok(result(&response)),
        TaskAnswer::Task(snapshot) => snapshot,
    };
    let mut response = document(&snapshot);
    *response.status_mut() = StatusCode::ACCEPTED;
    let headers = response.headers_mut();
    // This URL is relative to the path of the tool.
    headers.extend(HeaderValue::from_str(&format!("tasks/{}", snapshot.id)).ok().map(|location| (LOCATION, location)));
    headers.insert(PREFERENCE_APPLIED, HeaderValue::from_static("respond-async"));
    Ok(response)
}

/// Answers a request about a task, for plain HTTP and for the page.
pub(in super::super) async fn respond(
    dispatcher: &Dispatcher,
    id: &str,
    method: &Method,
    extensions: Extensions,
) -> Result<Response<Body>, Problem> {
    match *method {
        Method::GET | Method::HEAD => Ok(document(&dispatcher.find_task(id, &extensions).await?)),
        Method::DELETE => {
            dispatcher.cancel_task(id, &extensions).await?;
            Ok(Body::empty_response(StatusCode::NO_CONTENT))
        }
        _ => Err(Problem::not_allowed("read a task with GET, cancel it with DELETE", "GET, HEAD, DELETE")),
    }
}

fn document(snapshot: &Snapshot) -> Response<Body> {
    let mut response = json_response(snapshot.plain());
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if snapshot.end.is_none() {
        headers.insert(RETRY_AFTER, HeaderValue::from(snapshot.poll_every.as_secs().max(1)));
    }
    response
}

impl From<TaskError> for Problem {
    fn from(error: TaskError) -> Self {
        let status = match &error {
            TaskError::Dispatch(error) => return error.clone().into(),
            TaskError::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
            TaskError::Unknown => StatusCode::NOT_FOUND,
            TaskError::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        };
        let problem = Problem::new(status, error_parts(error).1);
        if status == StatusCode::SERVICE_UNAVAILABLE {
            return problem.with_header(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        problem
    }
}
