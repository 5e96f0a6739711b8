//! How fast the engines are: `cargo test --release --features postgres,redis -- --ignored --nocapture --test-threads 1 figures`.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use mcp_tool_runtime::tasks::TaskEngine as _;
use serde_json::json;

use crate::behaviour::{call, latencies};
use crate::database::{Database, open};
use crate::worker::{Log, WorkerProcess};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures"]
async fn figures() {
    const TASKS: u32 = 4_000;

    let databases =
        [("SQLite", Some(Database::sqlite())), ("Postgres", Database::postgres()), ("Redis", Database::redis())];
    for (name, database) in databases {
        let Some(database) = database else { continue };
        let (engine, log) = (open(&database.url).await.unwrap(), Log::new());
        let worker = WorkerProcess::start(&database.url);
        let waited = latencies(&engine, &log, 200).await;
        let before = worker.time();
        tokio::time::sleep(Duration::from_secs(20)).await;
        let idle = worker.time().saturating_sub(before).as_secs_f64() / 20.0;
        drop(worker);

        let workers = [(); 4].map(|()| WorkerProcess::start(&database.url));
        tokio::time::sleep(Duration::from_secs(2)).await;
        for worker in &workers {
            worker.signal("STOP");
        }
        let nothing = Log::new();
        for _ in 0..TASKS / 20 {
            let calls = [(); 20].map(|()| call("fail", &json!({ "log": nothing.0 })));
            join_all(calls.iter().map(|call| call.submit(&engine))).await;
        }
        for worker in &workers {
            worker.signal("CONT");
        }
        let start = Instant::now();
        while engine.unfinished(None).await.unwrap() > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let rate = f64::from(TASKS) / start.elapsed().as_secs_f64();
        let (median, worst) = (waited[waited.len() / 2], waited[waited.len() - 1]);
        println!(
            "{name}: from submit to start {median:?} (worst {worst:?}), idle {:.2} %, {rate:.0} empty tasks a second",
            idle * 100.0
        );
    }
}
