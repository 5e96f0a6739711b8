//! Tasks: calls that outlast their request (feature `tasks`).

mod engine;

pub use engine::{
    StoredCall, TaskEnd, TaskEngine, TaskEngineError, TaskMonitor, TaskRecord, TaskRunner, TaskState, WorkerSettings,
};
