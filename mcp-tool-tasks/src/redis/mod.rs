//! Tasks in Redis.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::StreamExt as _;
use mcp_tool_runtime::tasks::TaskEngineError;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, FromRedisValue, RedisError, Script};
use tokio::sync::Notify;
use tokio::time::timeout;
use tracing::warn;

use crate::engine::{Engine, QUEUE};
use crate::store::{Beat, BoxError, Held, NewRecord, Record, Store};

/// An engine that keeps its tasks in Redis 6 or newer, so that many machines can share them.
///
/// Redis keeps its data in memory, and loses what it has not written to the disk. A task whose id the client has
/// received survives a crash of the machine only with these settings, and `connect` logs a warning for each that
/// differs:
///
/// | setting | without it |
/// | --- | --- |
/// | `appendonly yes` | a restart loses the tasks since the last snapshot |
/// | `appendfsync always` | a crash of the machine loses up to two seconds of tasks and of their ends |
/// | `maxmemory-policy noeviction` | Redis deletes tasks when its memory is full, instead of refusing new ones |
///
/// All keys begin with `mcp-tool:{QUEUE}:`, and the queue is `mcp-tool` unless [named](Engine::queue). New tasks are
/// announced on a channel with this prefix as its name. The Redis user needs permission for the keys and for the
/// channel. Without the channel, idle workers look for new tasks once a second.
///
/// Replicas may receive a task only after its client has received the id, so a failover can lose the latest tasks. A
/// cluster is not supported.
pub type RedisEngine = Engine<Redis>;

/// A Redis database.
#[derive(Clone)]
pub struct Redis {
    client: Client,
    queue: String,
    /// The connection that all steps share. `None` until a step opens it.
    connection: Arc<Mutex<Option<MultiplexedConnection>>>,
}

impl std::fmt::Debug for Redis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redis").field("queue", &self.queue).finish_non_exhaustive()
    }
}

impl Engine<Redis> {
    /// Connects to a database. The URL looks like `redis://user:password@host/0`, or `rediss://…` with the feature
    /// `tls`.
    ///
    /// # Errors
    ///
    /// Fails if Redis does not answer, or if it refuses the engine's commands, for example because the password or a
    /// permission is missing, or because this Redis is a replica.
    pub async fn connect(url: &str) -> Result<Self, TaskEngineError> {
        let client = Client::open(url).map_err(TaskEngineError::new)?;
        let redis = Redis { client, queue: QUEUE.to_owned(), connection: Arc::default() };
        // Without messages, the step `progress` changes nothing. Run it to find out whether Redis refuses our script.
        redis.step::<()>("progress", &[]).await.map_err(TaskEngineError::new)?;
        redis.check_settings().await.map_err(TaskEngineError::new)?;
        Ok(Self::new(redis))
    }

    /// Sets the name of the queue. Servers that share a database need different queues if their tools differ.
    #[must_use]
    pub fn queue(mut self, name: impl Into<String>) -> Self {
        self.store.queue = name.into();
        self
    }
}

impl Redis {
    /// Logs a warning for each setting with which Redis may lose tasks.
    async fn check_settings(&self) -> Result<(), BoxError> {
        let mut connection = self.connection().await?;
        for (name, needed) in [("appendonly", "yes"), ("appendfsync", "always"), ("maxmemory-policy", "noeviction")] {
            // Hosted Redis services may refuse this command. Skip the check then.
            let answer = redis::cmd("CONFIG").arg("GET").arg(name).query_async(&mut connection).await;
            let Ok((_, value)): Result<(String, String), _> = answer else { return Ok(()) };
            if value != needed {
                warn!("Redis may lose tasks: `{name}` is `{value}`, not `{needed}`");
            }
        }
        Ok(())
    }

    /// Returns the current connection if it still works, or else a new one.
    async fn connection(&self) -> Result<MultiplexedConnection, BoxError> {
        let current = self.slot().clone();
        // A restart of Redis closes the connection. Without this ping, the next command would fail.
        if let Some(mut connection) = current
            && redis::cmd("PING").exec_async(&mut connection).await.is_ok()
        {
            return Ok(connection);
        }
        // Together, the two timeouts equal `PATIENCE`, the time that the engine waits for an answer.
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(Duration::from_secs(1)))
            .set_response_timeout(Some(Duration::from_secs(4)));
        let new = self.client.get_multiplexed_async_connection_with_config(&config).await?;
        *self.slot() = Some(new.clone());
        Ok(new)
    }

    fn slot(&self) -> MutexGuard<'_, Option<MultiplexedConnection>> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the prefix of all keys, which is also the name of the channel. Because of the braces, a cluster or a
    /// proxy hashes only the name of the queue, and so keeps all keys of the queue on one server.
    fn prefix(&self) -> String {
        format!("mcp-tool:{{{}}}:", self.queue)
    }

    /// Runs one step of the script `steps.lua`.
    async fn step<T: FromRedisValue>(&self, name: &str, arguments: &[&str]) -> Result<T, BoxError> {
        static STEPS: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("steps.lua")));
        let mut connection = self.connection().await?;
        let done = STEPS.key(self.prefix()).arg(name).arg(arguments).invoke_async(&mut connection).await;
        // Search the text of the error and not its kind: Redis 6 reports this error with a different kind if it occurs
        // inside a script.
        if done.as_ref().is_err_and(|error: &RedisError| error.to_string().to_uppercase().contains("READONLY")) {
            // After a failover, we are still connected to the old primary. A new connection may reach the new primary.
            *self.slot() = None;
        }
        Ok(done?)
    }
}

impl Store for Redis {
    async fn submit(&self, record: NewRecord<'_>) -> Result<(), BoxError> {
        let keep_for = record.keep_for.to_string();
        let arguments = [Some(record.id), Some(record.call), Some(&keep_for), record.principal];
        self.step("submit", &arguments.into_iter().flatten().collect::<Vec<_>>()).await
    }

    async fn submit_to(&self, record: NewRecord<'_>, worker: &str, replaced: Option<&str>) -> Result<bool, BoxError> {
        let keep_for = record.keep_for.to_string();
        let arguments = [worker, replaced.unwrap_or_default(), record.id, record.call, &keep_for];
        self.step("submit_to", &arguments.into_iter().chain(record.principal).collect::<Vec<_>>()).await
    }

    async fn get(&self, id: &str) -> Result<Option<Record>, BoxError> {
        let (call, message, outcome, updated_at, is_overdue): (Option<_>, _, _, Option<_>, _) =
            self.step("get", &[id]).await?;
        let record = |(call, updated_at)| Record { call, message, outcome, updated_at, is_overdue };
        Ok(call.zip(updated_at).map(record))
    }

    async fn end_waiting(&self, id: &str, end: &str) -> Result<bool, BoxError> {
        self.step("end_waiting", &[id, end]).await
    }

    async fn ask_to_cancel(&self, id: &str) -> Result<(), BoxError> {
        self.step("ask_to_cancel", &[id]).await
    }

    async fn unfinished(&self, principal: Option<&str>) -> Result<i64, BoxError> {
        self.step("unfinished", principal.as_slice()).await
    }

    async fn beat(&self, worker: &str, silent: &[Beat]) -> Result<Vec<Beat>, BoxError> {
        let mut arguments = vec![worker];
        arguments.extend(silent.iter().flat_map(|(worker, beat)| [worker.as_str(), beat]));
        self.step("beat", &arguments).await
    }

    async fn claim(&self, worker: &str, at_most: usize) -> Result<usize, BoxError> {
        self.step("claim", &[worker, &at_most.to_string()]).await
    }

    async fn held(&self, worker: &str) -> Result<Vec<Held>, BoxError> {
        let held: Vec<(String, i64, bool, bool)> = self.step("held", &[worker]).await?;
        let held =
            held.into_iter().map(|(id, repeats, cancelled, unfinished)| Held { id, repeats, cancelled, unfinished });
        Ok(held.collect())
    }

    async fn progress(&self, worker: &str, messages: &[(&str, String)]) -> Result<(), BoxError> {
        // The script passes the messages to a Lua function as arguments, and Lua allows only a few thousand of them, so
        // send the messages in parts.
        for messages in messages.chunks(1_000) {
            let mut arguments = vec![worker];
            arguments.extend(messages.iter().flat_map(|(id, message)| [*id, message]));
            self.step::<()>("progress", &arguments).await?;
        }
        Ok(())
    }

    async fn give_back(&self, worker: &str, id: &str) -> Result<(), BoxError> {
        self.step("give_back", &[worker, id]).await
    }

    async fn end(&self, worker: &str, ends: &[(&str, Option<&str>)]) -> Result<(), BoxError> {
        let mut arguments = vec![worker];
        arguments.extend(ends.iter().flat_map(|(id, end)| [*id, end.unwrap_or_default()]));
        self.step("acknowledge", &arguments).await
    }

    /// Deletes nothing. Redis itself deletes expired tasks, and the worker that takes over a dead worker's tasks
    /// deletes the dead worker's entry.
    async fn sweep(&self) -> Result<bool, BoxError> {
        Ok(false)
    }

    async fn listen(&self, changed: &Notify) -> Result<(), BoxError> {
        let mut listener = self.client.get_async_pubsub().await?;
        listener.subscribe(self.prefix()).await?;
        let mut messages = listener.on_message();
        changed.notify_one();
        // Fail after a minute without a message, so that the worker connects again. If the connection has broken
        // silently, or the server has become a replica, no more messages arrive.
        while timeout(Duration::from_mins(1), messages.next()).await?.is_some() {
            changed.notify_one();
        }
        Ok(())
    }
}
