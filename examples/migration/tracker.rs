//! The code behind the tools: issues in memory.

use std::sync::Mutex;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How soon an issue should be solved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Some day.
    Low,
    /// In the next release.
    #[default]
    Normal,
    /// Now.
    High,
}

/// What has become of an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Work to do.
    Open,
    /// Done.
    Closed,
}

/// An issue.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Issue {
    /// Its number.
    pub id: u32,
    /// What it is about.
    pub title: String,
    /// How soon it should be solved.
    pub priority: Priority,
    /// What has become of it.
    pub status: Status,
    /// Its labels.
    pub labels: Vec<String>,
    /// Who works on it.
    pub assignee: Option<String>,
    /// How many hours it may take.
    pub estimate: Option<f64>,
    /// What people wrote about it.
    pub comments: Vec<String>,
}

/// What a user of the tracker did wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrackerError {
    /// No issue has this number.
    #[error("there is no issue {0}")]
    UnknownIssue(u32),
    /// The issue has been closed before.
    #[error("issue {0} is closed")]
    Closed(u32),
}

/// All issues.
#[derive(Debug)]
pub struct Tracker {
    issues: Mutex<Vec<Issue>>,
}

impl Tracker {
    /// Returns a tracker with two issues.
    #[must_use]
    pub fn new() -> Self {
        let tracker = Self { issues: Mutex::new(Vec::new()) };
        tracker.create("The door squeaks".to_owned(), Priority::Normal, vec!["door".to_owned()], Some(0.5));
        tracker.create("The lamp is dark".to_owned(), Priority::High, Vec::new(), None);
        tracker
    }

    /// Creates an issue.
    pub fn create(&self, title: String, priority: Priority, labels: Vec<String>, estimate: Option<f64>) -> Issue {
        self.with_all(|issues| {
            let id = u32::try_from(issues.len() + 1).unwrap_or(u32::MAX);
            let (assignee, comments) = (None, Vec::new());
            let issue = Issue { id, title, priority, status: Status::Open, labels, assignee, estimate, comments };
            issues.push(issue.clone());
            issue
        })
    }

    /// Returns an issue.
    ///
    /// # Errors
    ///
    /// If there is none with this number.
    pub fn get(&self, id: u32) -> Result<Issue, TrackerError> {
        self.change(id, |issue| issue.clone())
    }

    /// Returns the first issues with a status and a label.
    pub fn list(&self, status: Option<Status>, label: Option<&str>, limit: usize) -> Vec<Issue> {
        let matches = |issue: &&Issue| {
            status.is_none_or(|status| issue.status == status)
                && label.is_none_or(|label| issue.labels.iter().any(|own| own == label))
        };
        self.with_all(|issues| issues.iter().filter(matches).take(limit).cloned().collect())
    }

    /// Closes an issue.
    ///
    /// # Errors
    ///
    /// If there is no such issue, or it is closed.
    pub fn close(&self, id: u32) -> Result<Issue, TrackerError> {
        self.change(id, |issue| match issue.status {
            Status::Closed => Err(TrackerError::Closed(id)),
            Status::Open => {
                issue.status = Status::Closed;
                Ok(issue.clone())
            }
        })?
    }

    /// Adds a comment to an issue.
    ///
    /// # Errors
    ///
    /// If there is no such issue.
    pub fn comment(&self, id: u32, text: String) -> Result<usize, TrackerError> {
        self.change(id, |issue| {
            issue.comments.push(text);
            issue.comments.len()
        })
    }

    /// Gives an issue to somebody, or to nobody.
    ///
    /// # Errors
    ///
    /// If there is no such issue.
    pub fn assign(&self, id: u32, to: Option<String>) -> Result<Issue, TrackerError> {
        self.change(id, |issue| {
            issue.assignee = to;
            issue.clone()
        })
    }

    /// Replaces a label, and returns in how many issues.
    pub fn rename_label(&self, from: &str, to: &str) -> usize {
        self.with_all(|issues| {
            let labels = issues.iter_mut().flat_map(|issue| &mut issue.labels).filter(|label| label.as_str() == from);
            labels.map(|label| to.clone_into(label)).count()
        })
    }

    /// Returns the mean estimate of all issues with a label. Of no issues it is not a number.
    #[must_use]
    pub fn mean_estimate(&self, label: &str) -> f64 {
        let estimates: Vec<f64> =
            self.list(None, Some(label), usize::MAX).iter().filter_map(|issue| issue.estimate).collect();
        #[allow(clippy::cast_precision_loss, reason = "there are few issues")]
        let count = estimates.len() as f64;
        estimates.iter().sum::<f64>() / count
    }

    /// Returns what the tracker's search service answers, which has no type here.
    #[must_use]
    pub fn search(&self, query: &Value) -> Value {
        let text = query["text"].as_str().unwrap_or_default();
        let hits = self.list(None, None, usize::MAX).into_iter().filter(|issue| issue.title.contains(text));
        json!({"hits": hits.map(|issue| issue.id).collect::<Vec<_>>(), "query": query, "cursor": null})
    }

    /// Returns all issues as text.
    #[must_use]
    pub fn export(&self) -> String {
        self.with_all(|issues| {
            issues.iter().map(|issue| format!("{}. {}", issue.id, issue.title)).collect::<Vec<_>>().join("\n")
        })
    }

    fn change<T>(&self, id: u32, change: impl FnOnce(&mut Issue) -> T) -> Result<T, TrackerError> {
        self.with_all(|issues| {
            issues.iter_mut().find(|issue| issue.id == id).map(change).ok_or(TrackerError::UnknownIssue(id))
        })
    }

    fn with_all<T>(&self, with: impl FnOnce(&mut Vec<Issue>) -> T) -> T {
        with(&mut self.issues.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

impl Default for Tracker {
    fn default() -> Self {
        Self::new()
    }
}

/// The start of a picture: enough for an example.
pub const CHART: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The same in base64, as the SDK takes it.
pub const CHART_BASE64: &str = "iVBORw0KGgo=";
