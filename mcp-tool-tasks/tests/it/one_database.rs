//! What only one of the databases does.

use std::time::{Duration, Instant};

use mcp_tool_tasks::{PostgresEngine, RedisEngine, SqliteEngine};
use serde_json::json;

use crate::behaviour::{SOON, call, double};
use crate::database::{Database, LEASE, Proxy, open};
use crate::worker::{Log, WorkerProcess};

/// After a pause, one worker beats before the others. It must not take them for dead.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suspended_redis_takes_no_task_from_a_living_worker() {
    let Some(database) = Database::redis() else { return };
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let workers = [(); 3].map(|()| WorkerProcess::start(&database.url));
    let calls: Vec<_> = (0..12).map(|_| call("pay", &json!({ "seconds": 20.0, "log": log.0 }))).collect();
    for call in &calls {
        call.submit(&engine).await;
    }
    log.wait_for("start pay", 12);
    // Every worker has beaten for longer than a lease, and would take over the tasks of a dead one.
    tokio::time::sleep(LEASE * 2).await;
    // No step fails, so the workers do not know of it.
    database.signal("STOP");
    tokio::time::sleep(LEASE + LEASE / 5).await;
    database.signal("CONT");
    for call in &calls {
        let end = call.end(&engine, SOON).await;
        assert_eq!(end["completed"]["structuredContent"], "paid", "{end}");
    }
    assert_eq!(log.count("start pay"), 12);
    drop(workers);
}

/// It refuses new tasks, and the others end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_redis_drains() {
    let Some(database) = Database::redis() else { return };
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let memory: String = database.command(redis::cmd("INFO").arg("memory"));
    let used = memory.lines().find_map(|line| line.strip_prefix("used_memory:")?.trim().parse::<u64>().ok()).unwrap();
    let () = database.command(redis::cmd("CONFIG").arg("SET").arg("maxmemory").arg(used + 2_000_000));
    let mut calls = Vec::new();
    loop {
        let call = double(0, 0.0, &log).with("traceparent", json!("x".repeat(20_000)));
        if engine.submit(call.stored()).await.is_err() {
            break;
        }
        calls.push(call);
    }
    engine.cancel(&calls[0].id).await.unwrap();
    let _worker = WorkerProcess::start(&database.url);
    for call in &calls[1..] {
        assert!(call.end(&engine, SOON).await["completed"].is_object());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_that_redis_refuses_is_an_error_and_the_tool_has_run() {
    let Some(database) = Database::redis() else { return };
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let () = database.command(redis::cmd("CONFIG").arg("SET").arg("proto-max-bulk-len").arg(1 << 20));
    let _worker = WorkerProcess::start(&database.url);
    let (task, next) = (call("long", &json!({ "length": 2_000_000 })), double(1, 0.0, &log));
    task.submit(&engine).await;
    next.submit(&engine).await;
    // Some refusals may be those of a database that is full for a while.
    let result = &task.end(&engine, SOON * 3).await["completed"];
    assert_eq!(result["isError"], true);
    // With this code, a tool with `once` does not run again.
    assert_eq!(result["_meta"]["rs.mcp-tool/code"], "result_lost");
    assert!(next.end(&engine, SOON).await["completed"].is_object());
}

/// After a failover, the old primary still answers, and the address leads to the new one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_leaves_a_redis_that_has_become_a_replica() {
    let (Some(old), Some(new)) = (Database::redis(), Database::redis()) else { return };
    let (proxy, log) = (Proxy::start(&old), Log::new());
    let engine = open(&proxy.url).await.unwrap();
    let _worker = WorkerProcess::start(&proxy.url);
    let call = double(1, 0.0, &log);
    call.submit(&engine).await;
    assert!(call.end(&engine, SOON).await["completed"].is_object());

    proxy.lead_to(&new);
    let () = old.command(redis::cmd("REPLICAOF").arg("127.0.0.1").arg("1"));
    let start = Instant::now();
    let call = double(2, 0.0, &log);
    while engine.submit(call.stored()).await.is_err() {
        assert!(start.elapsed() < SOON);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(call.end(&engine, SOON).await["completed"].is_object());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_keeps_what_it_has_confirmed_when_it_is_killed() {
    let Some(mut database) = Database::redis() else { return };
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let calls: Vec<_> = (0..100).map(|number| double(number, 0.0, &log)).collect();
    for call in &calls {
        call.submit(&engine).await;
    }
    database.signal("KILL");
    database.stop();
    database.start();
    let _worker = WorkerProcess::start(&database.url);
    for (number, call) in (0..).zip(&calls) {
        assert_eq!(call.end(&engine, SOON).await["completed"]["structuredContent"], 2 * number);
    }
    assert_eq!(engine.unfinished(None).await.unwrap(), 0);
}

#[tokio::test]
async fn redis_without_the_password_is_an_error() {
    let Some(database) = Database::redis() else { return };
    let () = database.command(redis::cmd("CONFIG").arg("SET").arg("requirepass").arg("secret"));
    let error = RedisEngine::connect(&database.url).await.expect_err("no password").to_string();
    assert!(error.contains("NOAUTH"), "{error}");
    RedisEngine::connect(&format!("{}?pass=secret", database.url)).await.expect("the password");
}

/// A user may lack the permission for the channel. Then workers look for tasks themselves.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_needs_no_channel() {
    let Some(database) = Database::redis() else { return };
    let rules = ["SETUSER", "default", "resetchannels", "resetkeys", "~mcp-tool:*"];
    let () = database.command(redis::cmd("ACL").arg(&rules));
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let _worker = WorkerProcess::start(&database.url);
    let call = double(1, 0.0, &log);
    call.submit(&engine).await;
    assert!(call.end(&engine, SOON).await["completed"].is_object());
}

#[tokio::test]
async fn postgres_that_refuses_says_so() {
    let start = Instant::now();
    let error = PostgresEngine::connect("postgres://tasks@127.0.0.1:1/tasks").await.expect_err("nobody listens");
    assert!(error.to_string().contains("Connection refused"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(9));
}

#[tokio::test]
async fn sqlite_is_opened_by_a_path_and_by_nothing_else() {
    for url in [":memory:", "sqlite::memory:", "sqlite:x.db", "sqlite://x.db", "file:x", "file::memory:?cache=shared"] {
        let error = SqliteEngine::open(url).await.expect_err(url).to_string();
        assert!(error.contains(&format!("`{url}` is not a path")), "{error}");
        assert!(error.contains("`Tasks::in_memory()`"), "{error}");
        assert!(!std::path::Path::new(url).exists());
    }
    let database = Database::sqlite();
    let file = database.url.strip_prefix("sqlite:").unwrap();
    SqliteEngine::open(format!("{file}?mode=rwc")).await.expect("the name of a file");
}

/// The disk is full when the end is stored. Before, sqlx took the connection of the failed commit for one in a transaction: the next attempt
/// stored nothing and succeeded, and the tool ran again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_loses_no_end_of_a_task() {
    let Some(database) = Database::sqlite_on_small_disk() else { return };
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let _worker = WorkerProcess::start(&database.url);
    let calls = [(); 3].map(|()| call("pay", &json!({ "seconds": 1.5, "log": log.0 })));
    for call in &calls {
        call.submit(&engine).await;
    }
    log.wait_for("start pay", 3);
    database.set_full(true);
    tokio::time::sleep(Duration::from_secs(8)).await;
    engine.submit(double(1, 0.0, &log).stored()).await.unwrap_err();
    database.set_full(false);
    for call in &calls {
        assert_eq!(call.end(&engine, SOON).await["completed"]["structuredContent"], "paid");
    }
    assert_eq!(log.count("start pay"), 3);
    let next = double(2, 0.0, &log);
    next.submit(&engine).await;
    assert!(next.end(&engine, SOON).await["completed"].is_object());
}

/// A claim that was not stored is no claim.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_does_not_start_before_its_claim_is_stored() {
    let Some(database) = Database::sqlite_on_small_disk() else { return };
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let calls = [(); 3].map(|()| call("pay", &json!({ "seconds": 0.1, "log": log.0 })));
    for call in &calls {
        call.submit(&engine).await;
    }
    database.set_full(true);
    let _worker = WorkerProcess::start(&database.url);
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert_eq!(log.count("start pay"), 0);
    database.set_full(false);
    for call in &calls {
        assert_eq!(call.end(&engine, SOON).await["completed"]["structuredContent"], "paid");
    }
    assert_eq!(log.count("start pay"), 3);
}

#[tokio::test]
async fn a_file_that_cannot_be_written_is_not_opened() {
    let Some(database) = Database::sqlite_on_small_disk() else { return };
    let file = database.url.strip_prefix("sqlite:").unwrap();
    drop(SqliteEngine::open(file).await.unwrap());
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(database.mount("remount,ro"));
    SqliteEngine::open(file).await.unwrap_err();
}

/// A worker that is suspended in a transaction keeps its locks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_of_a_dead_worker_is_taken_over_while_its_row_is_locked() {
    let Some(database) = Database::postgres() else { return };
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let dead = WorkerProcess::start(&database.url);
    let call = double(1, 60.0, &log);
    call.submit(&engine).await;
    log.wait_for("start 1", 1);
    tokio::time::sleep(Duration::from_millis(500)).await;
    let pool = sqlx::PgPool::connect(&database.url).await.unwrap();
    let mut transaction = pool.begin().await.unwrap();
    sqlx::query("UPDATE mcp_tool_tasks SET message = 'half'").execute(&mut *transaction).await.unwrap();
    dead.kill();
    let _other = WorkerProcess::start(&database.url);
    log.wait_for("start 1", 2);
    transaction.rollback().await.unwrap();
}

/// Nothing can be stored in a file that is deleted, so the worker does not wait until it can.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_ends_although_its_file_is_deleted() {
    let database = Database::sqlite();
    let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
    let mut worker = WorkerProcess::start(&database.url);
    call("pay", &json!({ "seconds": 2.0, "log": log.0 })).submit(&engine).await;
    log.wait_for("start pay", 1);
    std::fs::remove_file(database.url.strip_prefix("sqlite:").unwrap()).unwrap();
    worker.close();
    worker.wait();
    assert!(worker.warnings.lines().iter().any(|line| line.contains("the ends of tasks are lost")));
}
