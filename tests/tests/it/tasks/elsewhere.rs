//! Tasks in reports, in the contract file, on the command line, and behind adapters.

use std::time::Duration;

use mcp_tool_runtime::cli::{Cli, Io};
use mcp_tool_runtime::{
    Dispatcher, Extensions, Tasks, ToolHandler as _, ToolInfo, contract, http, json, mcp_tool, serde_json, stdio, tools,
};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use super::client::{Client, User, modern};
use super::engine::with_context;
use super::queue::Queue;
use super::tools::{Log, builder, wait};
use crate::run::built;

/// Wait a little.
#[mcp_tool(task)]
async fn nap() -> u32 {
    tokio::time::sleep(Duration::from_secs(5)).await;
    5
}

/// Get the name of the user.
#[mcp_tool]
async fn whoami(#[mcp_tool(extension)] user: &User) -> String {
    user.0.clone()
}

mod later {
    /// Wait a little.
    #[mcp_tool_runtime::mcp_tool(task = "required")]
    pub(super) async fn nap() -> u32 {
        5
    }
}

mod earlier {
    /// Wait a little.
    #[mcp_tool_runtime::mcp_tool]
    pub(super) async fn nap() -> u32 {
        5
    }
}

fn rules(dispatcher: &Dispatcher) -> Vec<String> {
    dispatcher.lint(&[]).iter().map(|finding| finding.rule.to_owned()).collect()
}

#[test]
fn lint_reports_a_key_without_effect_and_tasks_that_belong_to_nobody() {
    assert_eq!(rules(&built(Dispatcher::builder().tools(tools![nap]))), ["no-tasks"]);
    let with_tasks = || Dispatcher::builder().tools(tools![nap]).tasks(Tasks::in_memory());
    assert!(rules(&built(with_tasks())).is_empty(), "callers are not told apart");
    assert_eq!(rules(&built(with_tasks().visible(|tool, _| tool.name() == "nap"))), ["no-principal"]);
    let taking = || with_tasks().tools(tools![whoami]);
    assert_eq!(rules(&built(taking())), ["no-principal"]);
    let principal = |extensions: &Extensions| extensions.get::<User>().map(|user| user.0.clone());
    assert!(rules(&built(taking().principal(principal))).is_empty());
}

#[test]
fn tasks_that_belong_to_nobody_beside_a_rule_about_callers_are_an_error() {
    let builder = || Dispatcher::builder().tools(tools![nap]).visible_to::<User>(|_, user| user.is_some());
    let found = crate::run::faults(builder().tasks(Tasks::in_memory()));
    let [only] = found.as_slice() else { panic!("{found:?}") };
    assert!(only.starts_with("tool `nap`: the rule `visible_to::<User>` at "), "{only}");
    assert!(only.contains("add `.principal(…)` to the builder"), "{only}");
    let principal = |extensions: &Extensions| extensions.get::<User>().map(|user| user.0.clone());
    built(builder().tasks(Tasks::in_memory()).principal(principal));
    built(builder());
    built(Dispatcher::builder().tools(tools![earlier::nap]).visible_to::<User>(|_, _| true).tasks(Tasks::in_memory()));
}

#[test]
fn tasks_that_belong_to_nobody_beside_a_rule_that_reads_the_caller_are_an_error() {
    let builder = || Dispatcher::builder().tools(tools![nap, whoami]).tasks(Tasks::in_memory());
    // The rule reads the caller only for the other tool, and may panic without a caller.
    let rule =
        |tool: &ToolInfo, caller: &Extensions| tool.name() == "nap" || caller.get::<User>().expect("a user").0 == "ann";
    let found = crate::run::faults(builder().visible(rule));
    let [only] = found.as_slice() else { panic!("{found:?}") };
    assert!(only.starts_with("tool `nap`: the rule `visible` at "), "{only}");
    assert!(only.contains("add `.principal(…)` to the builder"), "{only}");
    built(builder().visible(rule).principal(|caller| caller.get::<User>().map(|user| user.0.clone())));
    // These rules do not tell callers apart, or tell them apart by what binds the task.
    built(builder().visible(|tool, _| tool.name() == "nap"));
    built(builder().visible(|_, caller| caller.get::<http::Claims>().is_some()));
}

#[test]
fn the_contract_reports_a_tool_that_requires_tasks() {
    let folder = std::env::temp_dir().join(format!("tasks-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("tools.lock.json");
    let errors = |then: Dispatcher, now: Dispatcher| {
        contract::write(&then, &path).expect("written");
        contract::check(&now, &path).err().map(|error| error.errors().to_vec()).unwrap_or_default()
    };
    let of = |tools| built(Dispatcher::builder().tools(tools));
    let requires = ["tool `nap`: it requires clients that support tasks"];
    assert_eq!(errors(of(tools![nap]), of(tools![later::nap])), requires);
    assert_eq!(errors(of(tools![earlier::nap]), of(tools![later::nap])), requires);
    assert!(errors(of(tools![earlier::nap]), of(tools![nap])).is_empty());
    assert!(errors(of(tools![later::nap]), of(tools![earlier::nap])).is_empty());
    contract::write(&of(tools![nap]), &path).expect("written");
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&path).expect("a file")).expect("JSON");
    assert_eq!(written["tools"]["nap"]["task"], "optional");
    std::fs::remove_dir_all(folder).expect("removed");
}

#[tokio::test(start_paused = true)]
async fn a_tool_keeps_its_task_behind_adapters_and_in_merged_builders() {
    let other = Dispatcher::builder().tools(tools![nap]);
    let log = Log::default();
    let dispatcher =
        Dispatcher::builder().tool(wait {}.with_name("pause").with_fixed("seconds", 5)).merge_with_prefix("b_", other);
    let client = Client::new(&built(dispatcher.state(log).tasks(Tasks::in_memory())));
    for name in ["pause", "b_nap"] {
        let id = client.start(name, json!({})).await;
        assert_eq!(client.end(&id).await["result"]["structuredContent"], 5);
    }
}

#[test]
fn a_merged_builder_cannot_set_tasks() {
    let other = Dispatcher::builder().tools(tools![nap]).tasks(Tasks::in_memory());
    let error = Dispatcher::builder().merge(other).build().expect_err("an error");
    assert!(error.to_string().contains("a merged builder sets `tasks`"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn the_command_line_waits_and_runs_the_tasks_of_an_engine() {
    let run = async |tasks: Tasks, words: &[&str]| {
        let cli = Cli::new(built(with_context(builder(&Log::default())).tasks(tasks)));
        let io = Io::captured("");
        let code = cli.run_with(words.iter().copied(), &io).await;
        (format!("{code:?}"), io.output(), io.errors())
    };
    let (_, output, errors) = run(Tasks::in_memory(), &["call", "render"]).await;
    assert_eq!((output.as_str(), errors.as_str()), ("\"rendered\"\n", ""));
    let (_, help, _) = run(Tasks::on(Queue::default()), &["help"]).await;
    assert!(help.contains("worker"), "{help}");
    let (_, help, _) = run(Tasks::in_memory(), &["help"]).await;
    assert!(!help.contains("worker"), "{help}");
    let (_, _, errors) = run(Tasks::in_memory(), &["worker"]).await;
    assert!(errors.contains("unknown command `worker`"), "{errors}");
}

/// Service managers and containers end a process with SIGTERM.
#[cfg(unix)]
#[tokio::test]
async fn the_worker_of_the_command_line_ends_its_tasks_on_sigterm() {
    let queue = Queue::default();
    let log = Log::default();
    let dispatcher = built(with_context(builder(&log)).tasks(Tasks::on(queue.clone())));
    let io = Io::captured("");
    let cli = Cli::new(dispatcher.clone());
    let terminates = async {
        let id = Client::new(&dispatcher).start("wait", json!({"seconds": 2})).await;
        let pid = std::process::id().to_string();
        let sent = std::process::Command::new("kill").args(["-TERM", &pid]).status();
        assert!(sent.expect("kill runs").success());
        id
    };
    let (code, id) = tokio::join!(cli.run_with(["worker"], &io), terminates);
    assert_eq!((format!("{code:?}"), io.errors()), ("ExitCode(unix_exit_status(0))".to_owned(), String::new()));
    assert_eq!(Client::new(&dispatcher).end(&id).await["result"]["structuredContent"], 2);
}

#[tokio::test(start_paused = true)]
async fn k13_progress_ends_where_the_task_begins() {
    let dispatcher = built(builder(&Log::default()).tasks(Tasks::in_memory()));
    let (near, far) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(far);
    let server = tokio::spawn(stdio::Server::new(dispatcher).serve_on(input, output));
    let (reader, mut writer) = tokio::io::split(near);
    let mut lines = BufReader::new(reader).lines();
    let mut send = async |method: &str, mut params: Value| {
        params["_meta"] = modern(&json!({"io.modelcontextprotocol/tasks": {}}));
        params["_meta"]["progressToken"] = json!("p");
        let message = json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params});
        writer.write_all(format!("{message}\n").as_bytes()).await.expect("sent");
    };
    let mut receive = async || -> Value {
        serde_json::from_str(&lines.next_line().await.expect("no error").expect("a line")).expect("JSON")
    };
    send("tools/call", json!({"name": "wait", "arguments": {"seconds": 5}})).await;
    let report = receive().await;
    assert_eq!((&report["method"], &report["params"]["message"]), (&json!("notifications/progress"), &json!("half")));
    let created = receive().await;
    assert_eq!(created["result"]["resultType"], "task", "{created}");
    // Its second report is after the id of the task.
    tokio::time::sleep(Duration::from_secs(10)).await;
    send("tasks/get", json!({"taskId": created["result"]["taskId"]})).await;
    let task = receive().await;
    assert_eq!((&task["id"], &task["result"]["status"]), (&json!("tasks/get"), &json!("completed")));
    server.abort();
}
