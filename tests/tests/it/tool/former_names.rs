//! `formerly`: old names of tools and arguments are accepted and told, and published nowhere.

use mcp_tool_runtime::export::Vendor;
use mcp_tool_runtime::operations::Selection;
use mcp_tool_runtime::{
    CallContext, CallToolRequest, DispatchError, Dispatcher, Extensions, IntoService as _, Next, ProtocolVersion,
    ToolHandler as _, contract, mcp_tool, mcp_tools, middleware, tools,
};
use serde_json::{Value, json};

use crate::lint::contract::File;
use crate::listing::carriers::call_over_each;
use crate::run::{self, LATEST, LEGACY, built, call, exact, faults, mcp, message, now, otc, send, serve, value};

const NOTE: &str = "The tool `get_insights_reference` is now called `get_reference`. Use that name from now on.";

/// Get a page of the reference.
#[mcp_tool(formerly("get_insights_reference"), read_only_hint)]
async fn get_reference(#[mcp_tool(formerly("insight"))] topic: String) -> Result<String, String> {
    if topic.is_empty() { Err("no topic".to_owned()) } else { Ok(topic) }
}

mod before {
    /// Get a page of the reference.
    #[mcp_tool_runtime::mcp_tool(name = "get_reference", read_only_hint)]
    pub(super) async fn without(topic: String) -> Result<String, String> {
        Ok(topic)
    }

    /// Get a page of the reference.
    #[mcp_tool_runtime::mcp_tool(read_only_hint)]
    pub(super) async fn get_insights_reference(insight: String) -> Result<String, String> {
        Ok(insight)
    }
}

#[test]
fn a_call_by_the_old_name_gets_the_same_answer_and_the_new_name() {
    let dispatcher = serve(tools![get_reference]);
    for (arguments, legacy) in [(json!({"topic": "units"}), "units"), (json!({"topic": ""}), "no topic")] {
        let by_new = call(&dispatcher, "get_reference", arguments.clone());
        let by_old = call(&dispatcher, "get_insights_reference", arguments.clone());
        assert_eq!(otc(&by_new), otc(&by_old));
        for version in [LEGACY[0], LEGACY[1], LATEST] {
            let (mut expected, found) = (mcp(&by_new, version), mcp(&by_old, version));
            expected["_meta"]["rs.mcp-tool/renamed_to"] = "get_reference".into();
            let content = expected["content"].as_array_mut().expect("content");
            content.push(json!({"type": "text", "text": NOTE, "annotations": {"audience": ["assistant"]}}));
            assert_eq!(found, expected, "{version}");
            if version != LATEST {
                assert_eq!(found["content"][0]["text"], legacy);
            }
            let params = json!({"name": "get_insights_reference", "arguments": arguments}).to_string();
            let bytes = now(dispatcher.call_json(params.as_bytes(), version)).expect("a result");
            assert_eq!(serde_json::from_slice::<Value>(&bytes).expect("JSON"), expected, "{version}");
        }
    }
}

/// Removes what says that the tool has another name. Some carriers quote the JSON once more.
fn without_the_new_name(answer: &str) -> String {
    let note = format!(",{}", json!({"type": "text", "text": NOTE, "annotations": {"audience": ["assistant"]}}));
    let told =
        [&*note, r#""rs.mcp-tool/renamed_to":"get_reference","#, r#","rs.mcp-tool/renamed_to":"get_reference""#, NOTE];
    let plain =
        told.into_iter().fold(answer.replace("\\n", "").replace('\\', ""), |answer, text| answer.replace(text, ""));
    plain.replace("get_insights_reference", "get_reference").split_whitespace().collect()
}

#[tokio::test(start_paused = true)]
async fn every_carrier_answers_alike_by_both_names() {
    let dispatcher = built(exact().tools(tools![get_reference]));
    let mut told = 0;
    for (new, old) in
        [(json!({"topic": "units"}), json!({"insight": "units"})), (json!({"topic": 1}), json!({"insight": 1}))]
    {
        let by_new = call_over_each(&dispatcher, None, "get_reference", &new).await;
        let by_old = call_over_each(&dispatcher, None, "get_insights_reference", &old).await;
        for ((carrier, new), (_, old)) in by_new.iter().zip(&by_old) {
            // The router of the SDK knows the present names alone.
            if carrier == "rmcp_routes" {
                assert!(old.contains("tool not found"), "{old}");
                continue;
            }
            told += usize::from(
                old.contains("get_reference\\\"") || old.contains("get_reference\"") || old.contains("is now called"),
            );
            println!("{carrier}\n  {new}\n  {old}");
            let (old, new) = (without_the_new_name(old), without_the_new_name(new));
            // The command line tells the new name in a note of its own.
            assert!(old == new || carrier == "cli" && old.contains(&new), "{carrier}:\n{old}\n{new}");
        }
    }
    assert!(told > 10, "{told}");
}

#[test]
fn an_argument_is_accepted_by_either_name_but_not_by_both() {
    let dispatcher = serve(tools![get_reference]);
    assert_eq!(value(&dispatcher, "get_reference", json!({"insight": "units"})), "units");
    assert_eq!(
        message(&dispatcher, "get_reference", json!({"insight": "units", "topic": "units"})),
        "invalid arguments: insight: the same argument as `topic`; give one of them"
    );
    assert_eq!(
        message(&dispatcher, "get_reference", json!({"insight": 1})),
        "invalid arguments: topic: expected a string, got an integer"
    );
}

#[test]
fn lists_documents_and_exports_do_not_have_the_old_names() {
    let (with, without) = (serve(tools![get_reference]), serve(tools![before::without]));
    for version in [LEGACY[0], LEGACY[1], LATEST] {
        assert_eq!(with.list_json(version), without.list_json(version));
    }
    assert_eq!(with.openapi().to_string(), without.openapi().to_string());
    for vendor in [Vendor::OpenAiResponses, Vendor::OpenAiChat, Vendor::Anthropic, Vendor::Gemini, Vendor::Bedrock] {
        assert_eq!(with.export(vendor).tools(), without.export(vendor).tools());
    }
}

#[test]
fn a_model_that_remembers_the_old_name_is_answered_and_told() {
    let export = serve(tools![get_reference]).export(Vendor::Anthropic);
    let calls = [("get_insights_reference", "insight"), ("get_reference", "topic")]
        .map(|(name, argument)| json!({"type": "tool_use", "id": name, "name": name, "input": {argument: "units"}}));
    let answer = now(export.answer(&json!({"role": "assistant", "content": calls}))).expect("an answer");
    let content = &answer[0]["content"];
    assert_eq!(content[0]["content"], json!([{"type": "text", "text": "units"}, {"type": "text", "text": NOTE}]));
    assert_eq!(content[1]["content"], json!([{"type": "text", "text": "units"}]));
}

#[test]
fn a_caller_who_may_not_see_the_tool_learns_of_neither_name() {
    let dispatcher = built(exact().tools(tools![get_reference]).visible(|tool, _| tool.name() != "get_reference"));
    for name in ["get_reference", "get_insights_reference"] {
        let error = now(dispatcher.call(CallToolRequest::new(name, json!({})))).expect_err("hidden");
        assert_eq!(error, DispatchError::UnknownTool { name: name.to_owned(), did_you_mean: None });
    }
    let refusing = built(
        exact()
            .tools(tools![get_reference])
            .visible_to(|_: &mcp_tool_runtime::ToolInfo, _: Option<&u8>| mcp_tool_runtime::Visibility::Refused("no")),
    );
    let [new, old] = ["get_reference", "get_insights_reference"].map(|name| call(&refusing, name, json!({})));
    assert_eq!(old.error().map(ToString::to_string), new.error().map(ToString::to_string));
    assert!(dispatcher.seen_by(&Extensions::new()).list().is_empty());
}

#[test]
fn middlewares_and_the_tool_know_only_the_new_name() {
    let log = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = std::sync::Arc::clone(&log);
    let logging = middleware::from_fn(move |request: &mut CallToolRequest, cx: &CallContext, next: Next<'_>| {
        seen.lock().expect("a log").push((request.name.clone(), cx.tool_name().to_owned()));
        next.run(request, cx)
    });
    let dispatcher = built(exact().tools(tools![get_reference]).middleware(logging));
    let request = || CallToolRequest::new("get_insights_reference", json!({"topic": "units"}));
    let result = mcp(&send(&dispatcher, request()), LATEST);
    assert_eq!(result["_meta"]["rs.mcp-tool/renamed_to"], "get_reference");
    let params = br#"{"name": "get_insights_reference", "arguments": {"topic": "units"}}"#;
    now(dispatcher.call_json(params, ProtocolVersion::LATEST)).expect("a result");
    let names = ("get_reference".to_owned(), "get_reference".to_owned());
    assert_eq!(*log.lock().expect("a log"), [names.clone(), names]);
}

#[test]
fn prefixes_of_blocks_builders_and_services_are_before_old_names_too() {
    struct Notes;

    #[mcp_tools(prefix = "notes_")]
    impl Notes {
        /// Create a note.
        #[mcp_tool(formerly("add"))]
        async fn create(&self, #[mcp_tool(formerly("text"))] body: String) -> String {
            body
        }
    }

    let check = |dispatcher: &Dispatcher, prefix: &str| {
        let names = ["create", "add"].map(|name| format!("{prefix}{name}"));
        assert_eq!(run::names(dispatcher), [names[0].as_str()]);
        for name in names {
            assert_eq!(value(dispatcher, &name, json!({"text": "a"})), "a", "{name}");
        }
    };
    check(&built(exact().service(Notes)), "notes_");
    check(&built(exact().service_with_prefix("my_", Notes)), "my_notes_");
    check(&built(exact().merge_with_prefix("their_", Dispatcher::builder().service(Notes))), "their_notes_");
    check(&built(exact().service_with_prefix("my_", Notes.with_tags(["beta"]))), "my_notes_");
    // Another name is that of another tool.
    let shaped = Notes.method("create", |tool| tool.with_name("write").with_former_names(["create"]));
    let dispatcher = built(exact().service_with_prefix("my_", shaped));
    assert_eq!(value(&dispatcher, "my_create", json!({"body": "a"})), "a");
    for name in ["my_add", "my_notes_add", "my_notes_create"] {
        assert!(now(dispatcher.call(CallToolRequest::new(name, json!({})))).is_err(), "{name}");
    }
}

#[test]
fn a_selection_has_the_old_names_of_its_tools_alone() {
    let whole = built(exact().tool(before::without {}.with_name("first")).tool(get_reference {}));
    let without = |name| whole.selected(&Selection::new().without([name])).expect("a selection");
    let dispatcher = without("first");
    assert_eq!(value(&dispatcher, "get_insights_reference", json!({"insight": "a"})), "a");
    let request = CallToolRequest::new("get_insights_reference", json!({"insight": "a"}));
    assert!(now(without("get_reference").call(request)).is_err());
}

#[test]
fn a_name_that_leads_to_two_tools_is_a_fault() {
    let other = || before::without {}.with_name("other");
    assert_eq!(
        faults(exact().tools(tools![get_reference, before::get_insights_reference])),
        ["tool `get_reference`: there is a tool with its former name `get_insights_reference`: a call by that name \
          reaches only that tool"]
    );
    assert_eq!(
        faults(exact().tool(get_reference {}).tool(other().with_former_names(["get_insights_reference"]))),
        [
            "tool `other`: its former name `get_insights_reference` is also one of `get_reference`: remove it from one of them"
        ]
    );
    assert_eq!(
        faults(exact().tool(other().with_former_names(["not valid"]))),
        [
            "tool `other`: its former name `not valid` is not valid: a name has 1 to 128 of the characters A-Z a-z 0-9 _ . -"
        ]
    );
}

#[test]
fn a_contract_accepts_a_rename_that_old_clients_do_not_notice() {
    /// Get a page of the reference.
    #[mcp_tool(formerly("get_insights_reference"))]
    async fn get_reference_of(#[mcp_tool(formerly("insight"))] topic: u8) -> String {
        topic.to_string()
    }

    let path = File::new("former");
    contract::write(&serve(tools![before::get_insights_reference]), &path.0).expect("a file");
    assert_eq!(contract::check(&serve(tools![get_reference]), &path.0), Ok(()));
    let error = contract::check(&serve(tools![before::without]), &path.0).expect_err("renamed");
    assert_eq!(
        error.errors(),
        ["tool `get_insights_reference`: it is gone; if it was renamed, put the old name into the tool's `formerly`"]
    );

    let error = contract::check(&serve(tools![get_reference_of]), &path.0).expect_err("another type");
    assert_eq!(
        error.errors(),
        ["tool `get_insights_reference`, argument `topic`: `type` was \"string\" and is \"integer\""]
    );
}

#[test]
fn a_contract_notices_that_a_former_name_is_gone() {
    let path = File::new("former-gone");
    contract::write(&serve(tools![get_reference]), &path.0).expect("a file");
    assert_eq!(contract::check(&serve(tools![get_reference]), &path.0), Ok(()));
    let error = contract::check(&serve(tools![before::without]), &path.0).expect_err("gone");
    assert_eq!(
        error.errors(),
        [
            "tool `get_reference`: its former name `get_insights_reference` is gone",
            "tool `get_reference`, argument `topic`: its former name `insight` is gone"
        ]
    );
    // Another tool has the former name now, and it does not know the argument `topic`.
    let error = contract::check(&serve(tools![before::without, before::get_insights_reference]), &path.0);
    let errors = error.expect_err("another tool");
    assert!(errors.errors()[0].starts_with("tool `get_reference`, argument `topic`: its former name"), "{errors}");
    assert!(errors.errors()[1].starts_with("tool `get_insights_reference`, argument `"), "{errors}");
}

#[test]
fn a_contract_notices_that_a_former_name_of_an_argument_leads_elsewhere() {
    mod then {
        /// Find a note.
        #[mcp_tool_runtime::mcp_tool(name = "find")]
        pub(super) async fn one(#[mcp_tool(formerly("insight"))] topic: String) -> String {
            topic
        }

        /// Find a note.
        #[mcp_tool_runtime::mcp_tool(name = "find")]
        pub(super) async fn two(a: Option<u32>, b: Option<String>) -> String {
            format!("{a:?} {b:?}")
        }
    }
    mod now {
        /// Find a note.
        #[mcp_tool_runtime::mcp_tool(name = "find")]
        pub(super) async fn own(topic: String, insight: Option<String>) -> String {
            format!("{topic} {insight:?}")
        }

        /// Find a note.
        #[mcp_tool_runtime::mcp_tool(name = "find")]
        pub(super) async fn other(topic: String, #[mcp_tool(formerly("insight"))] view: Option<String>) -> String {
            format!("{topic} {view:?}")
        }

        /// Find a note.
        #[mcp_tool_runtime::mcp_tool(name = "find")]
        pub(super) async fn merged(#[mcp_tool(formerly("a", "b"))] c: Option<u32>) -> String {
            format!("{c:?}")
        }
    }

    let path = File::new("former-elsewhere");
    let errors = |then: Dispatcher, now: Dispatcher| {
        contract::write(&then, &path.0).expect("a file");
        contract::check(&now, &path.0).expect_err("broken").errors().to_vec()
    };
    let leads_to = |name| format!("tool `find`, argument `topic`: its former name `insight` leads to `{name}` now");
    assert_eq!(errors(serve(tools![then::one]), serve(tools![now::own])), [leads_to("insight")]);
    assert_eq!(errors(serve(tools![then::one]), serve(tools![now::other])), [leads_to("view")]);
    assert_eq!(
        errors(serve(tools![then::two]), serve(tools![now::merged])),
        ["tool `find`, argument `b`: it was accepted and is refused now"]
    );
}

/// Look something up.
#[mcp_tool(formerly("look_up"), limit = "1/day")]
async fn find_word() {}

#[test]
fn a_call_over_a_limit_is_told_the_new_name_too() {
    let dispatcher = serve(tools![find_word]);
    for is_limited in [false, true] {
        let response = call(&dispatcher, "look_up", json!({}));
        let result = mcp(&response, LATEST).to_string();
        assert_eq!(response.error().is_some(), is_limited);
        assert!(result.contains("The tool `look_up` is now called `find_word`."), "{result}");
    }
}
