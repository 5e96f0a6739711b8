//! Tasks: calls that outlast their request (feature `tasks`).
//!
//! [`Tasks`] says where the tasks of a server live. [`TaskEngine`] is what keeps them if that is not the process: implement it for a
//! job queue, or take one from the package `mcp-tool-tasks`. The guide `long_work` explains both.

// The running of tasks is in `dispatcher`, and their messages are in `mcp` and `serve`.

pub(crate) mod context;
mod engine;
mod id;
mod memory;
mod settings;

pub(crate) use engine::RunStored;
pub use engine::{
    StoredCall, TaskEnd, TaskEngine, TaskEngineError, TaskMonitor, TaskRecord, TaskRunner, TaskState, WorkerSettings,
};
pub(crate) use id::{is_task_id, new_task_id};
pub(crate) use memory::{LastReport, MemoryTasks, Snapshot, status_message};
pub use settings::Tasks;
