//! Serves the page (`http::Page`) with every tool of the zoo, and with tools that attack it. `tests/page/page.mjs` opens it in a browser.
//!
//! At `/tools` it serves the zoo as plain HTTP (`http::PlainHttp`) for `tests/clients/fuzzing.py`. `GET /stricter` returns the names of the tools
//! whose types refuse some values that their schemas accept.
//!
//! `GET /samples` returns valid arguments for each tool, as texts. The page is at `/deep/path`, without a slash at the end. At `/locked` it is
//! behind a bearer token: `first-token`, and after `GET /next` `second-token`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arbitrary::Unstructured;
use axum::Router;
use axum::extract::Request;
use axum::http::{StatusCode, header::AUTHORIZATION};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::{get, post_service};
use mcp_tool_runtime::{Arguments, BoxFuture, CallToolRequest, Output, ToolHandler, ToolMetadata};
use mcp_tool_runtime::{
    CallContext, Consent, Content, Dispatcher, ResourceLink, Structured, Text, ToolError, http::Page, http::PlainHttp,
    mcp::Tool, mcp::ToolAnnotations, mcp_tool, tools,
};
use mcp_tool_tests::values::{Generator, bytes};
use mcp_tool_tests::zoo::{results, zoo};
use serde_json::{Map, Value, json};

const ATTACK: &str =
    r#"</script><script>document.title = "owned"</script><img src=x onerror="document.title='owned'">"#;

/// A definition whose every text is an attack.
struct Hostile;

impl ToolHandler for Hostile {
    fn definition(&self) -> Tool {
        let schema = json!({
            "type": "object",
            "properties": { ATTACK: { "type": "string", "description": ATTACK, "examples": [ATTACK] }, "__proto__": { "enum": [ATTACK] } },
            "additionalProperties": false,
        });
        Tool::new("hostile", ATTACK, schema).with_title(ATTACK)
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new()
    }

    fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            cx.progress(1.0, 2.0, ATTACK.to_owned());
            if arguments.to_value().as_object().is_some_and(|object| !object.is_empty()) {
                return Err(ToolError::new(ATTACK)
                    .with_code(ATTACK)
                    .with_data(json!({ ATTACK: ATTACK }))
                    .with_additional_prompt_content(ATTACK));
            }
            let link = ResourceLink::new("javascript:document.title='owned'", ATTACK).with_mime_type(ATTACK);
            Ok(Output::content(vec![Content::from(Text::new(ATTACK)), link.into()]))
        })
    }
}

/// A definition with what a form must show with care. The tool returns its arguments.
struct Labelled;

impl ToolHandler for Labelled {
    fn definition(&self) -> Tool {
        let schema = json!({
            "type": "object",
            "properties": {
                "day": { "type": "string", "title": "Day of the visit", "description": "Not a *holiday*, and **never** a `Monday` or snake_case_day.", "examples": ["the first day after the longest night of the year, unless it is a Monday, or the day before it"] },
                "unit": { "enum": [null, "null", "", "metre"] },
                "count": { "type": "integer", "default": 20 },
                "loud": { "type": "boolean" },
                "secret": { "type": "string", "format": "password" },
            },
            "required": ["day", "unit"],
            "additionalProperties": false,
        });
        let annotations = ToolAnnotations::default().with_idempotent_hint(true).with_destructive_hint(false);
        let description = format!("File names such as invoice\u{202e}fdp.exe. {}", "Long. ".repeat(6_000));
        Tool::new("labelled", description, schema).with_annotations(annotations)
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new()
    }

    fn call<'a>(&'a self, _: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move { Output::value(arguments.to_value()) })
    }
}

/// Return a text of this length, as a value and as a block.
#[mcp_tool]
async fn recite(length: usize) -> Structured<String> {
    let text: String = "All work and no play makes Jack a dull boy. ".chars().cycle().take(length).collect();
    Structured::new(text.clone()).without_text().with_content(Text::new(text))
}

/// Wait until the caller cancels, and say so on standard error.
#[mcp_tool]
async fn wait_for_cancel(#[mcp_tool(context)] cx: &CallContext) {
    struct OnDrop;
    impl Drop for OnDrop {
        fn drop(&mut self) {
            eprintln!("cancelled");
        }
    }
    let _on_drop = OnDrop;
    for step in 1..=100_u8 {
        cx.progress(f64::from(step), 100.0, format!("step {step}"));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Ask for a colour, then for consent.
#[mcp_tool]
async fn paint(
    thing: String,
    #[mcp_tool(ask = "Which colour has {thing}?")]
    #[schemars(length(min = 3))]
    colour: String,
    #[mcp_tool(ask = "Paint {thing} {colour}?")] _sure: Consent,
) -> String {
    format!("{thing} is {colour}")
}

/// Fail with a message for the model.
#[mcp_tool]
async fn fail() -> Result<(), ToolError> {
    Err(ToolError::new("the paint is dry").with_retry_after(Duration::from_millis(1_500)).with_code("dry"))
}

/// Returns valid arguments for each tool: some made from the type, some from the schema.
async fn samples(dispatcher: &Dispatcher) -> Value {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut all = Map::new();
    for specimen in zoo() {
        let schema = specimen.handler.definition().input_schema;
        let generator = Generator::new(&schema);
        let made = (0..8).map(|_| generator.value(&mut rng)).collect::<Vec<_>>();
        let arbitrary = (0..8).filter_map(|_| (specimen.arbitrary)(&mut Unstructured::new(&bytes(&mut rng))));
        let mut samples = Vec::new();
        for sample in made.into_iter().chain(arbitrary.collect::<Vec<_>>()) {
            // As texts: not every JavaScript engine reads integers of 64 bits exactly.
            let text = sample.to_string();
            let response = dispatcher.call(CallToolRequest::new(specimen.name, sample.clone())).await;
            // The dispatcher also accepts `null` for what is optional, and aliases. Neither is in the schema, so no form has it.
            if jsonschema::is_valid(&schema, &sample) && response.is_ok_and(|response| response.is_success()) {
                samples.push(Value::from(text));
            }
        }
        all.insert(specimen.name.to_owned(), samples.into());
    }
    all.into()
}

static IS_NEXT: AtomicBool = AtomicBool::new(false);

async fn authenticate(request: Request, next: Next) -> Result<Response, StatusCode> {
    let token = if IS_NEXT.load(Ordering::Relaxed) { "Bearer second-token" } else { "Bearer first-token" };
    let is_valid = request.headers().get(AUTHORIZATION).is_some_and(|value| value == token);
    if is_valid { Ok(next.run(request).await) } else { Err(StatusCode::UNAUTHORIZED) }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dispatcher = Dispatcher::builder()
        .tools(zoo().into_iter().map(|specimen| specimen.handler))
        .tools(results())
        .tools(tools![wait_for_cancel, paint, fail, recite])
        .tool(Hostile)
        .tool(Labelled)
        .max_result_bytes(16 << 20)
        .info("zoo", "1.0.0")
        .title("The zoo")
        .instructions(ATTACK)
        .build()?;
    let samples = samples(&dispatcher).await.to_string();
    let stricter = zoo().into_iter().filter(|specimen| specimen.stricter.is_some()).map(|specimen| specimen.name);
    let stricter = stricter.collect::<Value>().to_string();
    let plain =
        Dispatcher::builder().tools(zoo().into_iter().map(|specimen| specimen.handler)).tools(results()).build()?;
    let page = Page::new(dispatcher);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("open http://{}/deep/path", listener.local_addr()?);
    let locked = post_service(page.clone()).layer(from_fn(authenticate)).get_service(page.document());
    let application = Router::new()
        .route("/samples", get(async move || samples))
        .route("/stricter", get(async move || stricter))
        .route("/next", get(async || IS_NEXT.store(true, Ordering::Relaxed)))
        .route("/locked", locked)
        .nest_service("/tools", PlainHttp::new(plain))
        .nest_service("/deep/path", page);
    Ok(axum::serve(listener, application).await?)
}
