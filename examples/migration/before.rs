//! The tracker with the official Rust SDK.

use std::sync::Arc;

use mcp_tool_migration::tracker::{CHART_BASE64, Issue, Priority, Status, Tracker, TrackerError};
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{
    CallToolResult, ContentBlock, JsonObject, ProgressNotificationParam, RequestMetaObject, ResourceContents,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData as McpError, RoleServer, ServerHandler, ServiceExt as _, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
struct CreateIssue {
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
}

#[derive(Deserialize, JsonSchema)]
struct IssueNumber {
    /// The number of the issue.
    id: u32,
}

#[derive(Deserialize, JsonSchema)]
struct ListIssues {
    /// Only issues with this status.
    status: Option<Status>,
    /// Only issues with this label.
    label: Option<String>,
    /// How many issues to return.
    #[serde(default = "twenty")]
    limit: u8,
}

fn twenty() -> u8 {
    20
}

#[derive(Deserialize, JsonSchema)]
struct Comment {
    /// The number of the issue.
    id: u32,
    /// The comment.
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Assign {
    /// The number of the issue.
    id: u32,
    /// The name of a person; nobody without it.
    to: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct RenameLabel {
    /// The label.
    from: String,
    /// Its new name.
    to: String,
}

#[derive(Serialize, JsonSchema)]
struct Renamed {
    /// In how many issues.
    issues: usize,
}

#[derive(Deserialize, JsonSchema)]
struct Label {
    /// The label.
    label: String,
}

#[derive(Serialize, JsonSchema)]
struct Mean {
    /// Hours.
    hours: f64,
}

#[derive(Deserialize, JsonSchema)]
struct ImportIssues {
    /// The title of each issue.
    titles: Vec<String>,
}

#[derive(Clone)]
struct TrackerServer {
    tracker: Arc<Tracker>,
}

#[allow(clippy::needless_pass_by_value, reason = "so it is an argument of `map_err`")]
fn mcp_error(error: TrackerError) -> McpError {
    match error {
        TrackerError::UnknownIssue(id) => McpError::resource_not_found(error.to_string(), Some(json!({"id": id}))),
        TrackerError::Closed(_) => McpError::invalid_params(error.to_string(), None),
    }
}

#[tool_router]
impl TrackerServer {
    #[tool(description = "Create an issue.", annotations(title = "New issue", destructive_hint = false))]
    async fn create_issue(&self, Parameters(new): Parameters<CreateIssue>) -> Json<Issue> {
        Json(self.tracker.create(new.title, new.priority, new.labels.unwrap_or_default(), new.estimate))
    }

    #[tool(description = "Get an issue.", annotations(read_only_hint = true))]
    async fn get_issue(
        &self,
        Parameters(IssueNumber { id }): Parameters<IssueNumber>,
    ) -> Result<Json<Issue>, McpError> {
        self.tracker.get(id).map(Json).map_err(mcp_error)
    }

    #[tool(description = "List issues.", annotations(read_only_hint = true))]
    async fn list_issues(&self, Parameters(filter): Parameters<ListIssues>) -> Json<Vec<Issue>> {
        Json(self.tracker.list(filter.status, filter.label.as_deref(), filter.limit.into()))
    }

    #[tool(description = "Close an issue.", annotations(idempotent_hint = false))]
    async fn close_issue(
        &self,
        Parameters(IssueNumber { id }): Parameters<IssueNumber>,
    ) -> Result<CallToolResult, McpError> {
        match self.tracker.close(id) {
            Ok(issue) => Ok(CallToolResult::success(vec![ContentBlock::text(format!("closed: {}", issue.title))])),
            Err(error @ TrackerError::Closed(_)) => {
                Ok(CallToolResult::error(vec![ContentBlock::text(error.to_string())]))
            }
            Err(error) => Err(mcp_error(error)),
        }
    }

    #[tool(description = "Comment on an issue.")]
    async fn comment(&self, Parameters(Comment { id, text }): Parameters<Comment>) -> Result<String, String> {
        let count = self.tracker.comment(id, text).map_err(|error| error.to_string())?;
        Ok(format!("{count} comments"))
    }

    #[tool(description = "Give an issue to somebody, or to nobody.")]
    async fn assign(&self, Parameters(Assign { id, to }): Parameters<Assign>) -> Result<Json<Issue>, McpError> {
        self.tracker.assign(id, to).map(Json).map_err(mcp_error)
    }

    /// Rename a label in all issues.
    #[tool]
    fn rename_label(&self, Parameters(RenameLabel { from, to }): Parameters<RenameLabel>) -> Json<Renamed> {
        Json(Renamed { issues: self.tracker.rename_label(&from, &to) })
    }

    /// Compute the mean estimate of the issues with a label.
    #[tool]
    async fn mean_estimate(&self, Parameters(Label { label }): Parameters<Label>) -> Json<Mean> {
        Json(Mean { hours: self.tracker.mean_estimate(&label) })
    }

    /// Show the last comment on an issue.
    #[tool]
    async fn last_comment(&self, Parameters(IssueNumber { id }): Parameters<IssueNumber>) -> Result<String, McpError> {
        let issue = self.tracker.get(id).map_err(mcp_error)?;
        // A bug: an issue may have no comments.
        Ok(issue.comments[issue.comments.len() - 1].clone())
    }

    /// Search with the query language of the tracker.
    #[tool]
    async fn search(&self, query: JsonObject) -> Result<CallToolResult, McpError> {
        Ok(CallToolResult::structured(self.tracker.search(&Value::Object(query))))
    }

    /// Import issues, with progress.
    #[tool]
    async fn import_issues(
        &self,
        Parameters(ImportIssues { titles }): Parameters<ImportIssues>,
        context: RequestContext<RoleServer>,
    ) -> Result<String, McpError> {
        let count = titles.len();
        for (done, title) in titles.into_iter().enumerate() {
            self.tracker.create(title, Priority::default(), Vec::new(), None);
            if let Some(token) = context.meta.get_progress_token() {
                #[allow(clippy::cast_precision_loss, reason = "there are few titles")]
                let progress = ProgressNotificationParam::new(token, (done + 1) as f64).with_total(count as f64);
                let _ = context.peer.notify_progress(progress).await;
            }
        }
        Ok(format!("{count} issues imported"))
    }

    /// Export all issues.
    #[tool(annotations(read_only_hint = true))]
    async fn export_issues(&self) -> Result<CallToolResult, McpError> {
        let text = ResourceContents::text(self.tracker.export(), "tracker://issues");
        Ok(CallToolResult::success(vec![ContentBlock::text("all issues"), ContentBlock::resource(text)]))
    }

    /// Draw a chart of all issues.
    #[tool(annotations(read_only_hint = true))]
    async fn chart(&self) -> Result<CallToolResult, McpError> {
        Ok(CallToolResult::success(vec![ContentBlock::image(CHART_BASE64, "image/png")]))
    }

    /// Say who is asking, as far as the client says it.
    #[tool]
    async fn whoami(&self, meta: RequestMetaObject) -> String {
        meta.get("com.example/user").and_then(Value::as_str).unwrap_or("nobody").to_owned()
    }

    /// Forget all drafts.
    #[tool]
    async fn forget_drafts(&self) {}
}

#[tool_handler]
impl ServerHandler for TrackerServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build()).with_instructions("An issue tracker.")
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = TrackerServer { tracker: Arc::new(Tracker::new()) };
    server.serve(rmcp::transport::stdio()).await?.waiting().await?;
    Ok(())
}
