//! Tasks: calls that outlast their request (feature `tasks`).
//!
//! [`Tasks`] configures where a server stores its tasks. To store them outside the process, implement [`TaskEngine`]
//! for a job queue, or use an engine from the crate `mcp-tool-tasks`. The guide `long_work` explains both.

// `dispatcher` runs tasks, and `mcp` and `serve` handle the messages about them.

mod engine;
#[cfg(feature = "tasks")]
mod memory;
#[cfg(feature = "tasks")]
mod running;
pub(crate) mod settings;
mod snapshot;

pub(crate) use engine::RunStored;
pub use engine::{
    StoredCall, TaskEnd, TaskEngine, TaskEngineError, TaskMonitor, TaskRecord, TaskRunner, TaskState, WorkerSettings,
};
#[cfg(feature = "tasks")]
pub(crate) use memory::{Claim, MemoryTasks};
#[cfg(feature = "tasks")]
pub(crate) use running::{IfStopped, LastReport, status_message};
pub use settings::Tasks;
pub(crate) use snapshot::Snapshot;
