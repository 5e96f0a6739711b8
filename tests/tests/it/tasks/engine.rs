//! Tasks in an engine: a front stores calls, and workers run them.

use std::time::Duration;

use mcp_tool_runtime::tasks::{TaskEnd, TaskEngine as _, TaskState};
use mcp_tool_runtime::{
    Dispatcher, DispatcherBuilder, Extensions, Tasks, ToolHandler as _, json, mcp_tool, middleware, tools,
};
use serde_json::Value;

use super::client::{Client, User};
use super::protocol::assert_valid;
use super::queue::Queue;
use super::tools::{Log, builder};
use crate::run::{built, faults, polled};

pub(super) fn with_context(builder: DispatcherBuilder) -> DispatcherBuilder {
    builder.task_context(
        |extensions: &Extensions| extensions.get::<User>().cloned(),
        |user: User, extensions| extensions.insert(user),
    )
}

fn front(queue: &Queue) -> Dispatcher {
    built(with_context(builder(&Log::default())).tasks(Tasks::on(queue.clone())))
}

/// Starts a worker.
fn work(queue: &Queue, builder: DispatcherBuilder) {
    let worker = built(builder).worker(queue.clone());
    tokio::spawn(async move { worker.run().await.expect("no error") });
}

/// Starts a worker, and returns what its tools do.
fn worker(queue: &Queue) -> Log {
    let log = Log::default();
    work(queue, with_context(builder(&log)));
    log
}

#[tokio::test(start_paused = true)]
async fn k16_a_worker_runs_what_a_front_stores() {
    let queue = Queue::default();
    let front = front(&queue);
    let client = Client::new(&front).of_user("ann");
    // There is no worker yet.
    let created = client.call("wait", json!({"seconds": 5})).await;
    assert_valid("CreateTaskResult", &created);
    let id = created["taskId"].as_str().expect("an id");
    assert_eq!(client.get(id).await["status"], "working");
    worker(&queue);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(client.get(id).await["statusMessage"], "half");
    let task = client.end(id).await;
    assert_valid("GetTaskResult", &task);
    let here = Client::new(&built(builder(&Log::default()))).call("wait", json!({"seconds": 5})).await;
    for key in ["resultType", "content", "structuredContent", "isError"] {
        assert_eq!(task["result"][key], here[key]);
    }
    assert_eq!(
        task["result"]["_meta"]["io.modelcontextprotocol/serverInfo"],
        here["_meta"]["io.modelcontextprotocol/serverInfo"]
    );
    assert_eq!(task["result"]["_meta"]["rs.mcp-tool/call_id"], queue.rows()[0].call.call_id);
    // A call that ends soon is answered with its result, also if that is an error.
    assert_eq!(client.call("wait", json!({"seconds": 0})).await["structuredContent"], 0);
    // The extensions are those that `task_context` restores.
    let id = client.start("who_am_i", json!({})).await;
    assert_eq!(client.end(&id).await["result"]["structuredContent"], "ann");
    // Strangers see nothing.
    let stranger = Client::new(&front).of_user("bob").send("tasks/get", json!({"taskId": id})).await;
    let unknown = client.send("tasks/get", json!({"taskId": "0".repeat(32)})).await;
    assert_eq!(stranger["error"], unknown["error"]);
    assert_eq!(stranger["error"]["code"], -32602);
}

#[tokio::test(start_paused = true)]
async fn the_timeout_of_a_task_does_not_count_its_wait_for_a_permit_of_the_worker() {
    let queue = Queue::default();
    let client = Client::new(&front(&queue));
    work(&queue, with_context(builder(&Log::default())).max_concurrency(1));
    let long = client.start("wait", json!({"seconds": 50})).await;
    let nap = client.start("nap", json!({})).await;
    client.end(&long).await;
    let result = client.end(&nap).await["result"].take();
    assert_eq!(result["structuredContent"], 1_000, "{result}");
}

#[tokio::test(start_paused = true)]
async fn k3_what_is_wrong_is_answered_by_the_front_and_not_stored() {
    let queue = Queue::default();
    let front = front(&queue);
    let client = Client::new(&front);
    let refused = client.call("wait", json!({"seconds": "x"})).await;
    assert_eq!(refused["content"][0]["text"], "invalid arguments: seconds: expected an integer, got a string");
    assert_eq!(client.send("tools/call", json!({"name": "who_am_i"})).await["error"]["code"], -32603);
    assert_eq!(client.send("tools/call", json!({"name": "wai"})).await["error"]["code"], -32602);
    assert!(queue.rows().is_empty());
}

#[tokio::test(start_paused = true)]
async fn k16_after_the_death_of_its_worker_only_a_repeatable_tool_runs_again() {
    let queue = Queue::default();
    let client = Client::new(&front(&queue));
    let log = worker(&queue);
    let (wait, render) = (client.start("wait", json!({"seconds": 5})).await, client.start("render", json!({})).await);
    queue.put_back();
    let wait = client.end(&wait).await;
    assert_eq!((&wait["status"], &wait["result"]["isError"]), (&json!("completed"), &json!(true)), "{wait}");
    let text = wait["result"]["content"][0]["text"].as_str().expect("a text");
    assert!(text.starts_with("the outcome of `wait` is not known"), "{text}");
    assert_eq!(client.end(&render).await["result"]["structuredContent"], "rendered");
    assert_eq!(log.lines().iter().filter(|line| *line == "render starts").count(), 2);

    // At most three times.
    let render = client.start("render", json!({})).await;
    for _ in 0..5 {
        queue.put_back();
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let end = client.end(&render).await;
    assert_eq!(end["result"]["isError"], true, "{end}");
    assert_eq!(log.lines().iter().filter(|line| *line == "render starts").count(), 5);
}

/// In a rolling deploy, workers of two versions run side by side.
#[tokio::test(start_paused = true)]
async fn k16_a_worker_leaves_a_call_that_it_cannot_run() {
    // It has no such tool, or no context, or reads another context.
    let other = |builder: DispatcherBuilder| {
        builder.task_context(|_| None::<u8>, |number: u8, extensions: &mut Extensions| extensions.insert(number))
    };
    for builder in [Dispatcher::builder(), builder(&Log::default()), other(builder(&Log::default()))] {
        let queue = Queue::default();
        let client = Client::new(&front(&queue)).of_user("ann");
        work(&queue, builder);
        let id = client.start("who_am_i", json!({})).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        let task = client.get(&id).await;
        assert_valid("GetTaskResult", &task);
        assert_eq!(task["status"], "working");
        worker(&queue);
        let task = client.end(&id).await;
        // It is the first attempt: this tool would not run again.
        assert_eq!(task["result"]["structuredContent"], "ann", "{task}");
    }
}

#[tokio::test(start_paused = true)]
async fn k16_an_extension_that_is_not_restored_fails_the_task() {
    let queue = Queue::default();
    let lossy = || builder(&Log::default()).task_context(|_| None::<u8>, |_, _| ());
    let front = built(lossy().tasks(Tasks::on(queue.clone())));
    let client = Client::new(&front).of_user("ann");
    work(&queue, lossy());
    let answer = client.send("tools/call", json!({"name": "who_am_i"})).await;
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
}

#[test]
fn k16_an_extension_that_no_worker_can_have_is_an_error() {
    let stored = || builder(&Log::default()).tasks(Tasks::on(Queue::default()));
    let found = faults(stored());
    let [only] = found.as_slice() else { panic!("{found:?}") };
    assert!(only.starts_with("tool `who_am_i`: it needs the extension `"), "{only}");
    assert!(only.contains("User`") && only.contains("add `.task_context(save, restore)` to the builder"), "{only}");
    assert!(!only.contains("Option"), "{only}");
    built(with_context(stored()));
    built(builder(&Log::default()).tasks(Tasks::in_memory()));
    // A middleware runs in the worker, and may attach the extension.
    built(stored().middleware(middleware::from_fn(|request, cx, next| Box::pin(next.run(request, cx)))));
}

/// The second one would replace what the first one saves.
#[test]
fn k16_a_second_task_context_is_an_error() {
    let twice = with_context(with_context(builder(&Log::default()))).tasks(Tasks::on(Queue::default()));
    assert_eq!(faults(twice), ["`task_context` is set twice; save all that the tools read in one struct"]);
}

/// Without `task_context`, the tool would run for an anonymous caller.
#[test]
fn k16_an_extension_that_every_worker_lacks_is_an_error_even_if_it_may_be_missing() {
    /// Get the name of the user, if there is one.
    #[mcp_tool(task)]
    async fn who(#[mcp_tool(extension)] user: Option<&User>) -> bool {
        user.is_some()
    }

    /// Greet the user, if there is one.
    #[mcp_tool(once = "1m")]
    async fn greet(#[mcp_tool(extension)] user: Option<&User>) -> bool {
        user.is_some()
    }

    /// Take a name.
    #[mcp_tool(task)]
    async fn named(name: Option<String>) -> bool {
        name.is_some()
    }

    fn name(extensions: &Extensions) -> Option<String> {
        extensions.get::<User>().map(|user| user.0.clone())
    }

    let principal = || Dispatcher::builder().principal(name);
    let tools = || {
        [principal().tool(who {}), principal().tool(greet {}), principal().tool(named {}.with_fixed_from("name", name))]
    };
    let stored = |builder: DispatcherBuilder| builder.tasks(Tasks::on(Queue::default()));
    let optional = "it takes an `Option` of the extension `it::tasks::client::User`";
    for (builder, reads) in tools().into_iter().zip([optional, optional, "`with_fixed_from` reads extensions"]) {
        let found = faults(stored(builder));
        let [only] = found.as_slice() else { panic!("{found:?}") };
        assert!(only.contains(&format!(": {reads}, and its calls are stored in an engine")), "{only}");
        assert!(only.contains("add `.task_context(save, restore)` to the builder"), "{only}");
        assert!(only.contains("or `.task_context(|_| None::<()>, |(), _| ())`"), "{only}");
    }
    for builder in tools() {
        built(stored(with_context(builder)));
    }
    for builder in tools() {
        built(stored(builder.task_context(|_| None::<()>, |(), _| ())));
    }
    for builder in tools() {
        built(builder.tasks(Tasks::in_memory()));
    }
    // Few middlewares attach extensions, and nobody would notice that they are missing.
    let passing = middleware::from_fn(|request, cx, next| Box::pin(next.run(request, cx)));
    assert_eq!(faults(stored(principal().tool(who {}).middleware(passing))).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn k8_a_cancel_reaches_the_worker() {
    let queue = Queue::default();
    let client = Client::new(&front(&queue));
    let waiting = client.start("wait", json!({"seconds": 50})).await;
    client.result("tasks/cancel", json!({"taskId": waiting})).await;
    assert_eq!(client.get(&waiting).await["status"], "cancelled");
    let log = worker(&queue);
    let running = client.start("wait", json!({"seconds": 50})).await;
    client.result("tasks/cancel", json!({"taskId": running})).await;
    assert_eq!(client.end(&running).await["status"], "cancelled");
    assert_eq!(log.lines(), ["wait is over"]);
}

#[tokio::test(start_paused = true)]
async fn k15_a_client_that_leaves_before_it_has_the_id_cancels_the_stored_call() {
    let queue = Queue::default();
    let client = Client::new(&front(&queue));
    {
        let mut call = Box::pin(client.call("wait", json!({"seconds": 50})));
        assert!(polled(call.as_mut()).is_none());
    }
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(client.get(&queue.rows()[0].call.task_id).await["status"], "cancelled");
}

#[tokio::test(start_paused = true)]
async fn k17_an_engine_that_fails_is_an_error_that_names_nothing() {
    let queue = Queue::default();
    let client = Client::new(&front(&queue));
    let id = client.start("wait", json!({"seconds": 5})).await;
    queue.set_down(true);
    let call = client.call("wait", json!({"seconds": 5})).await;
    assert_eq!((&call["isError"], &call["_meta"]["rs.mcp-tool/can_retry"]), (&json!(true), &json!(true)));
    assert_eq!(call["content"][0]["text"], "the call could not be recorded; try again later");
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let error = client.send(method, json!({"taskId": id, "inputResponses": {}})).await["error"].take();
        let expected = json!({"code": -32603, "message": "the tasks cannot be reached at the moment; try again later"});
        assert_eq!(error, expected);
    }
    queue.set_down(false);
    assert_eq!(client.get(&id).await["status"], "working");
}

/// The task is there, and it will run. With an error the client would call again.
#[tokio::test(start_paused = true)]
async fn k17_an_engine_that_fails_after_it_has_stored_the_call_is_no_error() {
    let queue = Queue::default();
    let client = Client::new(&front(&queue));
    let fails_later = async {
        while queue.rows().is_empty() {
            tokio::task::yield_now().await;
        }
        queue.set_down(true);
        queue.put_back();
    };
    let (id, ()) = tokio::join!(client.start("wait", json!({"seconds": 5})), fails_later);
    queue.set_down(false);
    assert_eq!(client.get(&id).await["status"], "working");
}

async fn assert_first_is_cancelled(queue: &Queue) {
    let id = queue.rows()[0].call.task_id.clone();
    let record = queue.get(&id).await.expect("the queue works").expect("a task");
    assert!(matches!(record.state, TaskState::Ended(TaskEnd::Cancelled(_))), "{record:?}");
}

/// The client calls again, so the call must not run twice.
#[tokio::test(start_paused = true)]
async fn k17_a_call_whose_storing_was_not_confirmed_is_cancelled() {
    let queue = Queue::default();
    queue.set_unconfirmed();
    let call = Client::new(&front(&queue)).call("wait", json!({"seconds": 5})).await;
    assert_eq!(call["isError"], true);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_first_is_cancelled(&queue).await;
}

#[tokio::test(start_paused = true)]
async fn k17_an_unconfirmed_call_is_cancelled_as_soon_as_the_engine_answers_again() {
    let queue = Queue::default();
    queue.set_unconfirmed();
    let client = Client::new(&front(&queue));
    let mut call = Box::pin(client.call("wait", json!({"seconds": 5})));
    assert!(polled(call.as_mut()).is_some_and(|call| call["isError"] == true));
    queue.set_down(true);
    tokio::time::sleep(Duration::from_secs(10)).await;
    queue.set_down(false);
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_first_is_cancelled(&queue).await;
}

#[tokio::test(start_paused = true)]
async fn k17_a_call_that_is_stored_after_its_error_is_cancelled() {
    let queue = Queue::default();
    queue.set_late();
    let call = Client::new(&front(&queue)).call("wait", json!({"seconds": 50})).await;
    assert_eq!(call["isError"], true);
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert_first_is_cancelled(&queue).await;
}

#[tokio::test(start_paused = true)]
async fn k17_abandoned_calls_do_not_besiege_an_engine_that_is_down() {
    let queue = Queue::default();
    let client = Client::new(&front(&queue));
    queue.set_down(true);
    for _ in 0..50 {
        assert_eq!(client.call("wait", json!({"seconds": 5})).await["isError"], true);
    }
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert!(queue.requests() < 12, "{}", queue.requests());
    queue.set_down(false);
    // Each call is looked for twice, and then forgotten.
    tokio::time::sleep(Duration::from_secs(100)).await;
    let requests = queue.requests();
    assert!(requests < 12 + 2 * 50, "{requests}");
    tokio::time::sleep(Duration::from_secs(1000)).await;
    assert_eq!(queue.requests(), requests);
}

#[tokio::test(start_paused = true)]
async fn k14_calls_side_by_side_keep_the_bounds() {
    let queue = Queue::default();
    let front =
        built(with_context(builder(&Log::default())).tasks(Tasks::on(queue.clone()).max_tasks_per_principal(2)));
    let ann = Client::new(&front).of_user("ann");
    let mut calls: Vec<_> = (0..20).map(|_| Box::pin(ann.call("wait", json!({"seconds": 5})))).collect();
    for call in &mut calls {
        assert!(polled(call.as_mut()).is_none());
    }
    let mut refused = 0;
    for call in calls {
        refused += usize::from(call.await["isError"] == true);
    }
    assert_eq!(refused, 18);
    assert_eq!(queue.rows().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn k17_a_call_behind_one_that_waits_for_the_engine_is_refused() {
    let queue = Queue::default();
    queue.set_hanging();
    let front = built(with_context(builder(&Log::default())).tasks(Tasks::on(queue.clone()).max_tasks(2)));
    let client = Client::new(&front);
    let mut first = Box::pin(client.call("wait", json!({"seconds": 5})));
    assert!(polled(first.as_mut()).is_none());
    let second = client.call("wait", json!({"seconds": 5})).await;
    assert_eq!(second["content"][0]["text"], "the call could not be recorded; try again later");
}

#[tokio::test(start_paused = true)]
async fn k14_an_engine_bounds_the_tasks_that_have_not_ended() {
    let queue = Queue::default();
    let tasks = Tasks::on(queue.clone()).max_tasks(3).max_tasks_per_principal(2);
    let front = built(with_context(builder(&Log::default())).tasks(tasks));
    let (ann, bob) = (Client::new(&front).of_user("ann"), Client::new(&front).of_user("bob"));
    let mut ids = Vec::new();
    for _ in 0..2 {
        ids.push(ann.start("wait", json!({"seconds": 5})).await);
    }
    let refused = ann.call("wait", json!({"seconds": 5})).await;
    assert_eq!((&refused["isError"], &refused["_meta"]["rs.mcp-tool/retry_after_ms"]), (&json!(true), &json!(1_000)));
    bob.start("wait", json!({"seconds": 5})).await;
    assert_eq!(bob.call("wait", json!({"seconds": 5})).await["isError"], true);
    ann.result("tasks/cancel", json!({"taskId": ids[0]})).await;
    ann.start("wait", json!({"seconds": 5})).await;
}

/// Add one, slowly.
#[mcp_tool(task)]
async fn add_one(number: u32) -> u32 {
    tokio::time::sleep(Duration::from_secs(5)).await;
    number + 1
}

#[tokio::test(start_paused = true)]
async fn layers_run_in_the_worker_and_may_change_the_arguments() {
    let queue = Queue::default();
    let tools = || {
        Dispatcher::builder().tools(tools![add_one]).middleware(middleware::from_fn(|request, cx, next| {
            let arguments: &mut Value = request.arguments.get_or_insert_default();
            arguments["number"] = json!(arguments["number"].as_str().expect("a text").len());
            Box::pin(next.run(request, cx))
        }))
    };
    let client = Client::new(&built(tools().tasks(Tasks::on(queue.clone()))));
    work(&queue, tools());
    let id = client.start("add_one", json!({"number": "four"})).await;
    assert_eq!(client.end(&id).await["result"]["structuredContent"], 5);
}

/// Greet the user, slowly.
#[mcp_tool(task)]
async fn greet_slowly(#[mcp_tool(extension)] user: &User) -> String {
    tokio::time::sleep(Duration::from_secs(5)).await;
    user.0.clone()
}

#[tokio::test(start_paused = true)]
async fn a_middleware_may_attach_an_extension_in_the_worker() {
    let queue = Queue::default();
    let tools = || {
        Dispatcher::builder().tools(tools![greet_slowly]).middleware(middleware::from_fn(|request, cx, next| {
            request.extensions.insert(User("ann".to_owned()));
            Box::pin(next.run(request, cx))
        }))
    };
    let client = Client::new(&built(tools().tasks(Tasks::on(queue.clone()))));
    work(&queue, tools());
    let id = client.start("greet_slowly", json!({})).await;
    assert_eq!(client.end(&id).await["result"]["structuredContent"], "ann");
}
