//! Tools with `once`: the same call is one act, over several servers and kills.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use mcp_tool_runtime::{CallToolRequest, CallToolResponse, Dispatcher, ProtocolVersion, Tasks, mcp_tool, tools};
use serde_json::{Value, json};

use crate::database::{Database, open};
use crate::worker::{Log, note};

/// Pays, which nobody wants twice.
#[mcp_tool(once = "10m")]
async fn pay_once(amount: i64, seconds: f64, log: String) -> i64 {
    note(&log, &format!("pay {amount}"));
    tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
    amount
}

/// Fails twice, then pays.
#[mcp_tool(once = "10m")]
async fn pay_at_last(log: String) -> Result<usize, String> {
    note(&log, "try");
    let tries = std::fs::read_to_string(&log).unwrap().lines().count();
    if tries < 3 { Err(format!("busy {tries}")) } else { Ok(tries) }
}

/// A server, which stores its calls and has no worker.
async fn server(url: &str) -> Dispatcher {
    let tasks = Tasks::on(open(url).await.unwrap());
    Dispatcher::builder()
        .tools(tools![pay_once, pay_at_last])
        .principal(|extensions| extensions.get::<String>().cloned())
        .tasks(tasks)
        .build()
        .unwrap()
}

fn request(name: &str, arguments: Value) -> CallToolRequest {
    CallToolRequest::new(name, arguments)
}

fn is_replayed(response: &CallToolResponse) -> bool {
    response.to_mcp(ProtocolVersion::LATEST).meta.contains_key("rs.mcp-tool/replayed")
}

pub(crate) async fn calls_over_two_servers_are_one_act(database: Database) {
    let log = Log::new();
    let servers = [server(&database.url).await, server(&database.url).await];
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..60 {
        let server = servers[number % 2].clone();
        let user = ["ann", "bob"][number % 3 / 2].to_owned();
        let arguments = json!({ "amount": 5, "seconds": 0.5, "log": log.0 });
        let request = request("pay_once", arguments).with_extension(user.clone());
        calls.spawn(async move { (user, server.call(request).await.unwrap()) });
    }
    let answers = calls.join_all().await;
    assert!(answers.iter().all(|(_, response)| response.deserialize::<i64>().unwrap() == 5));
    for user in ["ann", "bob"] {
        let first = answers.iter().filter(|(of, response)| of == user && !is_replayed(response));
        assert_eq!(first.count(), 1, "{user}");
    }
    assert_eq!(log.count("pay 5"), 2, "one for each caller");
    let later =
        request("pay_once", json!({ "amount": 5, "seconds": 0.5, "log": log.0 })).with_extension("ann".to_owned());
    assert!(is_replayed(&server(&database.url).await.call(later).await.unwrap()));
    assert_eq!(log.count("pay 5"), 2);
}

pub(crate) async fn a_failure_is_tried_again(database: Database) {
    let log = Log::new();
    for (number, expected) in [Err("busy 1"), Err("busy 2"), Ok(3), Ok(3)].into_iter().enumerate() {
        let response = server(&database.url).await.call(request("pay_at_last", json!({ "log": log.0 }))).await.unwrap();
        match expected {
            Ok(tries) => assert_eq!(response.deserialize::<usize>().ok(), Some(tries), "{number}"),
            Err(text) => assert_eq!(response.error().map(mcp_tool_runtime::ToolError::message), Some(text), "{number}"),
        }
    }
    assert_eq!(log.count("try"), 3);
}

pub(crate) async fn an_act_of_a_killed_server_is_not_done_again(database: Database) {
    let log = Log::new();
    let mut killed = ServerProcess::start(&database.url, &log);
    log.wait_for("pay 7", 1);
    killed.kill();
    // Nobody else serves, and nobody works. The call waits until the dead server is noticed.
    let arguments = json!({ "amount": 7, "seconds": 600.0, "log": log.0 });
    for _ in 0..2 {
        let response = server(&database.url).await.call(request("pay_once", arguments.clone())).await.unwrap();
        let error = response.error().expect("the outcome is not known");
        assert_eq!(error.code(), Some("outcome_unknown"), "{error}");
    }
    assert_eq!(log.count("pay 7"), 1);
}

/// Not a test: a server that is killed.
#[test]
#[ignore = "started by the tests"]
fn process() {
    let (Ok(url), Ok(log)) = (std::env::var("SERVER_DATABASE"), std::env::var("SERVER_LOG")) else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let arguments = json!({ "amount": 7, "seconds": 600.0, "log": log });
        server(&url).await.call(request("pay_once", arguments)).await.unwrap();
    });
}

struct ServerProcess(Child);

impl ServerProcess {
    fn start(url: &str, log: &Log) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.env("SERVER_DATABASE", url).env("SERVER_LOG", &log.0);
        command.args(["--exact", "once::process", "--ignored", "--nocapture"]).stdout(Stdio::null());
        Self(command.spawn().unwrap())
    }

    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
