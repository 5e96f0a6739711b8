//! A dispatcher of selected tools is the one that its author would have built with these tools alone.

use fastrand::Rng;
use mcp_tool_runtime::cli::{Cli, Io};
use mcp_tool_runtime::operations::Selection;
use mcp_tool_runtime::tool::ShapedTool;
use mcp_tool_runtime::{
    CallContext, Dispatcher, Extensions, ProtocolVersion, ToolHandler as _, export::Vendor, mcp_tool,
};
use mcp_tool_tests::size;
use serde_json::{Value, json};

use crate::listing::carriers::call_over_each;
use crate::listing::transports::{Carrier, request};
use crate::run::{built, exact, names, now};

/// Answer.
#[mcp_tool(read_only_hint)]
async fn read() -> &'static str {
    "it ran"
}

/// Answer.
#[mcp_tool]
async fn write() -> &'static str {
    "it ran"
}

/// Call another tool.
#[mcp_tool(read_only_hint, tags("relay"))]
async fn relay(name: String, #[mcp_tool(context)] cx: &CallContext) -> String {
    match cx.call(name, json!({})).await {
        Ok(response) => response.deserialize().expect("a text"),
        Err(error) => error.to_string(),
    }
}

pub(super) const NAMES: [&str; 6] = ["note_a", "notes_a", "note_ab", "order_a", "order_b", "x"];
pub(super) const TAGS: [&str; 3] = ["staff", "beta", "loud"];

/// Returns some of these, at random.
pub(super) fn some(rng: &mut Rng, from: &[&'static str]) -> Vec<&'static str> {
    from.iter().copied().filter(|_| rng.bool()).collect()
}

/// A random tool.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub(super) name: &'static str,
    pub(super) tags: Vec<&'static str>,
    pub(super) is_read_only: bool,
}

impl Sample {
    pub(super) fn all(rng: &mut Rng) -> Vec<Self> {
        // Each tag is on some tool, so that it can be selected.
        let tags = |rng: &mut Rng, name| if name == "x" { TAGS.to_vec() } else { some(rng, &TAGS) };
        NAMES.map(|name| Self { name, tags: tags(rng, name), is_read_only: rng.bool() }).to_vec()
    }

    pub(super) fn tool(&self) -> ShapedTool {
        let tool = if self.is_read_only { read {}.with_name(self.name) } else { write {}.with_name(self.name) };
        tool.with_tags(self.tags.iter().copied())
    }
}

/// A selection as data, so that a test can compute what it keeps.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) is_read_only: bool,
    pub(super) tags: Option<Vec<&'static str>>,
    pub(super) only: Option<Vec<&'static str>>,
    pub(super) without: Vec<&'static str>,
}

impl Choice {
    pub(super) fn random(rng: &mut Rng) -> Self {
        let sometimes =
            |rng: &mut Rng, from: &[&'static str]| if rng.u8(..3) == 0 { Some(some(rng, from)) } else { None };
        Self {
            is_read_only: rng.u8(..3) == 0,
            tags: sometimes(rng, &TAGS),
            only: sometimes(rng, &NAMES),
            without: sometimes(rng, &NAMES).unwrap_or_default(),
        }
    }

    pub(super) fn keeps(&self, tool: &Sample) -> bool {
        (!self.is_read_only || tool.is_read_only)
            && self.tags.as_ref().is_none_or(|tags| tool.tags.iter().any(|tag| tags.contains(tag)))
            && self.only.as_ref().is_none_or(|only| only.contains(&tool.name))
            && !self.without.contains(&tool.name)
    }

    pub(super) fn selection(&self) -> Selection {
        let selection = if self.is_read_only { Selection::new().read_only() } else { Selection::new() };
        let selection = self.tags.iter().fold(selection, |selection, tags| selection.tags(tags.iter().copied()));
        let selection = self.only.iter().fold(selection, |selection, only| selection.only(only.iter().copied()));
        selection.without(self.without.iter().copied())
    }

    /// Returns the words that choose the same on a command line.
    fn words(&self) -> Vec<String> {
        let list = |name: &str, all: &[&str]| (!all.is_empty()).then(|| format!("--{name}={}", all.join(",")));
        let lists = [("tags", self.tags.as_deref()), ("only", self.only.as_deref()), ("without", Some(&*self.without))];
        let lists = lists.into_iter().filter_map(|(name, all)| list(name, all?));
        self.is_read_only.then(|| "--read-only".to_owned()).into_iter().chain(lists).collect()
    }
}

fn dispatcher(tools: impl IntoIterator<Item = ShapedTool>) -> Dispatcher {
    let builder = exact().info("tests", "1.0.0").max_result_bytes(10_000);
    built(tools.into_iter().fold(builder, mcp_tool_runtime::DispatcherBuilder::tool))
}

/// Returns all lists and documents.
async fn lists(dispatcher: &Dispatcher) -> Vec<String> {
    let mut lists = vec![
        format!("{:?}", dispatcher.list_otc("1.0.0").map_err(|error| error.to_string())),
        dispatcher.openapi().to_string(),
    ];
    for version in ProtocolVersion::ALL {
        lists.push(String::from_utf8_lossy(dispatcher.list_json(version)).into_owned());
        for carrier in Carrier::ALL {
            lists.push(carrier.ask(dispatcher, None, version, &request(version, "tools/list", json!({}))).await);
        }
    }
    for vendor in Vendor::ALL {
        lists.push(Value::from(dispatcher.export(*vendor).tools().to_vec()).to_string());
    }
    lists
}

async fn run(cli: &Cli, words: &[impl AsRef<str>]) -> String {
    let io = Io::captured("");
    let code = cli.run_with(words.iter().map(AsRef::as_ref), &io).await;
    format!("{code:?}\n{}\n{}", io.output(), io.errors())
}

#[tokio::test]
async fn selected_tools_are_all_there_is_on_every_carrier() {
    let mut rng = Rng::with_seed(53);
    let mut left_out = 0;
    let rounds = size(50, 500);
    for round in 0..rounds {
        let tools = Sample::all(&mut rng);
        let choice = Choice::random(&mut rng);
        let kept: Vec<_> = tools.iter().filter(|tool| choice.keeps(tool)).collect();
        left_out += tools.len() - kept.len();
        let all = dispatcher(tools.iter().map(Sample::tool));
        let selected = all.selected(&choice.selection()).unwrap_or_else(|error| panic!("{choice:?}: {error}"));
        let twin = dispatcher(kept.iter().map(|tool| tool.tool()));
        assert_eq!(names(&selected), kept.iter().map(|tool| tool.name).collect::<Vec<_>>(), "{choice:?}");
        assert_eq!(lists(&selected).await, lists(&twin).await, "{choice:?}");
        assert_eq!(names(&all), NAMES, "the dispatcher itself stays as it is");

        let tool = rng.choice(&tools).expect("a tool");
        let answers = call_over_each(&selected, None, tool.name, &json!({})).await;
        for (carrier, answer) in &answers {
            assert_eq!(answer.contains("it ran"), choice.keeps(tool), "{carrier} {choice:?} {tool:?}: {answer}");
        }
        assert_eq!(answers, call_over_each(&twin, None, tool.name, &json!({})).await, "{choice:?}");

        // An empty list is no option.
        if round % 5 == 0 && [&choice.tags, &choice.only].into_iter().flatten().all(|list| !list.is_empty()) {
            let (cli, twin) = (Cli::new(all), Cli::new(twin));
            for command in ["list", "call --help", "openapi", "export gemini", "completions fish", "call no_te"] {
                let command: Vec<_> = command.split(' ').map(str::to_owned).collect();
                let words = [choice.words(), command.clone()].concat();
                let (answer, expected) = (run(&cli, &words).await, run(&twin, &command).await);
                assert_eq!(answer, expected, "{words:?}");
            }
        }
    }
    assert!(left_out > rounds, "{left_out}");
}

#[test]
fn a_tool_calls_only_selected_tools() {
    let all = dispatcher([read {}.with_name("read"), write {}.with_name("write"), relay {}.with_name("relay")]);
    let selected = all.selected(&Selection::new().read_only()).expect("known names");
    for (dispatcher, name, expected) in
        [(&all, "write", "it ran"), (&selected, "read", "it ran"), (&selected, "write", "unknown tool `write`")]
    {
        let request = mcp_tool_runtime::CallToolRequest::new("relay", json!({"name": name}));
        let response = now(dispatcher.call(request)).expect("a response");
        assert_eq!(response.deserialize::<String>().expect("a text"), expected);
    }
}

#[test]
fn a_name_or_a_tag_that_no_tool_has_is_an_error_with_a_suggestion() {
    let all = dispatcher([read {}.with_name("get_note").with_tags(["notes"]), write {}.with_name("delete_note")]);
    let selection = Selection::new().tags(["note", "others"]).only(["get_notes"]).without(["delete_note", "drop\nall"]);
    let error = all.selected(&selection).expect_err("unknown names");
    assert_eq!(
        error.errors(),
        [
            "no tool has the tag `note`; did you mean `notes`?",
            "no tool has the tag `others`",
            "no tool is named `get_notes`; did you mean `get_note`?",
            "no tool is named `drop\\nall`",
        ]
    );
    assert_eq!(error.to_string(), error.errors().join("\n"));
}

#[test]
fn a_renamed_tool_is_also_meant_by_its_old_name() {
    let all = dispatcher([
        read {}.with_name("get_note").with_former_names(["read_note"]),
        write {}.with_name("delete_note").with_former_names(["remove_note"]),
    ]);
    let kept = |selection: Selection| names(&all.selected(&selection).expect("known names")).join(" ");
    assert_eq!(kept(Selection::new().only(["read_note"])), "get_note");
    assert_eq!(kept(Selection::new().without(["remove_note"])), "get_note");
    assert_eq!(kept(Selection::new().only(["get_note", "remove_note"]).without(["read_note"])), "delete_note");
    // A suggestion is a present name.
    let error = all.selected(&Selection::new().only(["read_notes"])).expect_err("an unknown name");
    assert_eq!(error.errors(), ["no tool is named `read_notes`"]);
}

#[test]
fn conditions_of_one_kind_add_up_and_conditions_of_two_kinds_narrow() {
    let all = dispatcher([
        read {}.with_name("a").with_tags(["red"]),
        write {}.with_name("b").with_tags(["red", "blue"]),
        read {}.with_name("c").with_tags(["blue"]),
        read {}.with_name("d"),
    ]);
    let kept = |selection: Selection| names(&all.selected(&selection).expect("known names")).join("");
    assert_eq!(kept(Selection::new()), "abcd");
    assert_eq!(kept(Selection::new().tags(["red"]).tags(["blue"])), "abc");
    assert_eq!(kept(Selection::new().only(["a"]).only(["d"])), "ad");
    assert_eq!(kept(Selection::new().tags(["red", "blue"]).read_only()), "ac");
    assert_eq!(kept(Selection::new().tags(["red"]).only(["a", "d"])), "a");
    assert_eq!(kept(Selection::new().only(["a", "b"]).without(["a"])), "b");
    assert_eq!(kept(Selection::new().only([""; 0])), "", "nothing is chosen");
    let once = all.selected(&Selection::new().read_only()).expect("known names");
    assert_eq!(names(&once.selected(&Selection::new().without(["c"])).expect("known names")), ["a", "d"]);
}

#[test]
fn rules_still_decide_who_sees_a_selected_tool() {
    struct Staff;
    let builder = exact().tool(read {}.with_name("a")).tool(read {}.with_name("b")).tool(write {}.with_name("c"));
    let all = built(builder.visible(|tool, caller| tool.name() != "b" || caller.get::<Staff>().is_some()));
    let selected = all.selected(&Selection::new().read_only()).expect("known names");
    let seen = |extensions: &Extensions| {
        selected.seen_by(extensions).list().iter().map(|tool| &*tool.name).collect::<String>()
    };
    assert_eq!(seen(&Extensions::new()), "a");
    let mut staff = Extensions::new();
    staff.insert(Staff);
    assert_eq!(seen(&staff), "ab");
}
