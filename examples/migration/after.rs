//! The tracker with `mcp-tool`.

use mcp_tool_migration::tracker::{CHART, Issue, Priority, Status, Tracker, TrackerError};
use mcp_tool_runtime::{
    CallContext, Content, Dispatcher, EmbeddedResource, Image, IntoToolError, Text, ToolError, mcp_tool, mcp_tools,
    rmcp::Server,
};
use rmcp::{ServiceExt as _, transport::stdio};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

#[derive(Serialize, JsonSchema)]
struct Renamed {
    /// In how many issues.
    issues: usize,
}

#[derive(Serialize, JsonSchema)]
struct Mean {
    /// Hours.
    hours: f64,
}

/// What a model reads when a tool fails.
struct Failure(TrackerError);

impl From<TrackerError> for Failure {
    fn from(error: TrackerError) -> Self {
        Self(error)
    }
}

impl IntoToolError for Failure {
    fn into_tool_error(self) -> ToolError {
        ToolError::new(self.0.to_string())
    }
}

struct TrackerServer {
    tracker: Tracker,
}

#[mcp_tools]
impl TrackerServer {
    /// Create an issue.
    #[mcp_tool(title = "New issue", destructive_hint = false)]
    async fn create_issue(
        &self,
        /// What it is about.
        #[schemars(length(min = 1, max = 80))]
        title: String,
        /// How soon it should be solved.
        #[serde(default)]
        priority: Priority,
        /// Its labels.
        labels: Option<Vec<String>>,
        /// How many hours it may take.
        #[schemars(range(min = 0.25, max = 40.0))]
        estimate: Option<f64>,
    ) -> Issue {
        self.tracker.create(title, priority, labels.unwrap_or_default(), estimate)
    }

    /// Get an issue.
    #[mcp_tool(read_only_hint)]
    async fn get_issue(
        &self,
        /// The number of the issue.
        id: u32,
    ) -> Result<Issue, Failure> {
        Ok(self.tracker.get(id)?)
    }

    /// List issues.
    #[mcp_tool(read_only_hint)]
    async fn list_issues(
        &self,
        /// Only issues with this status.
        status: Option<Status>,
        /// Only issues with this label.
        label: Option<&str>,
        /// How many issues to return.
        #[mcp_tool(default = 20)]
        limit: u8,
    ) -> Vec<Issue> {
        self.tracker.list(status, label, limit.into())
    }

    /// Close an issue.
    #[mcp_tool(idempotent_hint = false)]
    async fn close_issue(
        &self,
        /// The number of the issue.
        id: u32,
    ) -> Result<Text, Failure> {
        Ok(Text::new(format!("closed: {}", self.tracker.close(id)?.title)))
    }

    /// Comment on an issue.
    #[mcp_tool]
    async fn comment(
        &self,
        /// The number of the issue.
        id: u32,
        /// The comment.
        text: String,
    ) -> Result<Text, String> {
        let count = self.tracker.comment(id, text).map_err(|error| error.to_string())?;
        Ok(Text::new(format!("{count} comments")))
    }

    /// Give an issue to somebody, or to nobody.
    #[mcp_tool]
    async fn assign(
        &self,
        /// The number of the issue.
        id: u32,
        /// The name of a person; nobody without it.
        to: Option<String>,
    ) -> Result<Issue, Failure> {
        Ok(self.tracker.assign(id, to)?)
    }

    /// Rename a label in all issues.
    #[mcp_tool]
    async fn rename_label(
        &self,
        /// The label.
        from: &str,
        /// Its new name.
        to: &str,
    ) -> Renamed {
        Renamed { issues: self.tracker.rename_label(from, to) }
    }

    /// Compute the mean estimate of the issues with a label.
    #[mcp_tool]
    async fn mean_estimate(
        &self,
        /// The label.
        label: &str,
    ) -> Mean {
        Mean { hours: self.tracker.mean_estimate(label) }
    }

    /// Show the last comment on an issue.
    #[mcp_tool]
    async fn last_comment(
        &self,
        /// The number of the issue.
        id: u32,
    ) -> Result<Text, Failure> {
        let issue = self.tracker.get(id)?;
        // A bug: an issue may have no comments.
        Ok(Text::new(&issue.comments[issue.comments.len() - 1]))
    }

    /// Search with the query language of the tracker.
    #[mcp_tool]
    async fn search(&self, #[mcp_tool(arguments)] query: Map<String, Value>) -> Map<String, Value> {
        match self.tracker.search(&Value::Object(query)) {
            Value::Object(answer) => answer,
            _ => Map::new(),
        }
    }

    /// Import issues, with progress.
    #[mcp_tool]
    async fn import_issues(
        &self,
        /// The title of each issue.
        titles: Vec<String>,
        #[mcp_tool(context)] cx: &CallContext,
    ) -> Text {
        let count = titles.len();
        for (done, title) in titles.into_iter().enumerate() {
            self.tracker.create(title, Priority::default(), Vec::new(), None);
            #[allow(clippy::cast_precision_loss, reason = "there are few titles")]
            cx.progress(done + 1, count, None);
        }
        Text::new(format!("{count} issues imported"))
    }

    /// Export all issues.
    #[mcp_tool(read_only_hint)]
    async fn export_issues(&self) -> Vec<Content> {
        let text = EmbeddedResource::text("tracker://issues", self.tracker.export()).with_mime_type("text/plain");
        vec![Text::new("all issues").into(), text.into()]
    }

    /// Draw a chart of all issues.
    #[mcp_tool(read_only_hint)]
    async fn chart(&self) -> Image {
        Image::new(CHART, "image/png")
    }

    /// Say who is asking, as far as the client says it.
    #[mcp_tool]
    async fn whoami(&self, #[mcp_tool(context)] cx: &CallContext) -> Text {
        Text::new(cx.meta().get("com.example/user").and_then(Value::as_str).unwrap_or("nobody"))
    }

    /// Forget all drafts.
    #[mcp_tool]
    async fn forget_drafts(&self) {}
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dispatcher = Dispatcher::builder()
        .service(TrackerServer { tracker: Tracker::new() })
        .info("rmcp", "3.9.0")
        .instructions("An issue tracker.")
        .build()?;
    let server = Server::new(dispatcher);
    server.serve(stdio()).await?.waiting().await?;
    Ok(())
}
