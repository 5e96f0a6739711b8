"""Programs with one tool: how many crates cargo compiles for each, what a cold build and a release build after a change cost, and how large the program is.

`LOCAL` in the dependencies becomes the path of the runtime in this checkout.
"""

import json
import pathlib
import resource
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BASE = 'serde = { version = "1", features = ["derive"] }\nschemars = "1.2"\nserde_json = "1"\n'
OUR_TOOL = """
/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}
"""
OUR_CALL = f"""use mcp_tool_runtime::{{CallToolRequest, Dispatcher, ProtocolVersion, json, mcp_tool, serde_json, tools}};
{OUR_TOOL}
#[tokio::main(flavor = "current_thread")]
async fn main() {{
    let dispatcher = Dispatcher::builder().tools(tools![add]).build().unwrap();
    let response = dispatcher.call(CallToolRequest::new("add", json!({{"a": 1, "b": 2}}))).await.unwrap();
    println!("{{}}", serde_json::to_string(&response.to_mcp(ProtocolVersion::LATEST)).unwrap());
}}
"""
OUR_STDIO = f"""use mcp_tool_runtime::{{Dispatcher, mcp_tool, stdio, tools}};
{OUR_TOOL}
#[tokio::main(flavor = "current_thread")]
async fn main() {{
    stdio::serve(Dispatcher::builder().tools(tools![add]).build().unwrap()).await.unwrap();
}}
"""
OUR_ASKING = """use mcp_tool_runtime::ask::{Reply, Scripted};
use mcp_tool_runtime::{CallToolRequest, Consent, Dispatcher, ProtocolVersion, json, mcp_tool, serde_json, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(id: u32, #[mcp_tool(ask = "Delete note {id}?")] _sure: Consent) -> u32 {
    id
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let dispatcher = Dispatcher::builder().tools(tools![delete]).build().unwrap();
    let request = CallToolRequest::new("delete", json!({"id": 1})).with_asker(Scripted::new().reply("sure", Reply::yes()));
    let response = dispatcher.call(request).await.unwrap();
    println!("{}", serde_json::to_string(&response.to_mcp(ProtocolVersion::LATEST)).unwrap());
}
"""
OUR_EXPORT = f"""use mcp_tool_runtime::{{Dispatcher, Vendor, json, mcp_tool, serde_json, tools}};
{OUR_TOOL}
#[tokio::main(flavor = "current_thread")]
async fn main() {{
    let dispatcher = Dispatcher::builder().tools(tools![add]).build().unwrap();
    let export = dispatcher.export(Vendor::OpenAiChat);
    let call = json!({{"id": "1", "type": "function", "function": {{"name": "add", "arguments": "{{\\"a\\": 1, \\"b\\": 2}}"}}}});
    let results = export.answer(&json!({{"role": "assistant", "content": null, "tool_calls": [call]}})).await.unwrap();
    println!("{{}} {{}}", serde_json::to_string(export.tools()).unwrap(), serde_json::to_string(&results).unwrap());
}}
"""
# One request without a connection: the HTTP server is not this crate's.
OUR_SERVICE = """use mcp_tool_runtime::{Dispatcher, http::SERVICE, mcp_tool, tools};
use tower_service::Service as _;
TOOL
#[tokio::main(flavor = "current_thread")]
async fn main() {
    let dispatcher = Dispatcher::builder().tools(tools![add]).build().unwrap();
    let request = http::Request::post("http://localhost/add").header("content-type", "application/json");
    let response = SERVICE::new(dispatcher).call(request.body(String::from("{}")).unwrap()).await.unwrap();
    println!("{}", response.status());
}
""".replace("TOOL", OUR_TOOL)
OUR_COMMAND = f"""use mcp_tool_runtime::{{Dispatcher, cli::Cli, mcp_tool, tools}};
{OUR_TOOL}
#[tokio::main(flavor = "current_thread")]
async fn main() -> std::process::ExitCode {{
    Cli::new(Dispatcher::builder().tools(tools![add]).build().unwrap()).run().await
}}
"""
OUR_RMCP = f"""use mcp_tool_runtime::{{Dispatcher, mcp_tool, rmcp::Server, tools}};
use rmcp::{{ServiceExt as _, transport::stdio}};
{OUR_TOOL}
#[tokio::main(flavor = "current_thread")]
async fn main() {{
    let dispatcher = Dispatcher::builder().tools(tools![add]).build().unwrap();
    Server::new(dispatcher).serve(stdio()).await.unwrap().waiting().await.unwrap();
}}
"""
SDK_STDIO = """use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::{ServiceExt as _, tool, tool_router, transport::stdio};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Summands {
    a: i64,
    b: i64,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Sum {
    sum: i64,
}

#[derive(Clone)]
struct Calculator;

#[tool_router(server_handler)]
impl Calculator {
    #[tool(description = "Add two numbers.")]
    async fn add(&self, Parameters(of): Parameters<Summands>) -> Json<Sum> {
        Json(Sum { sum: of.a + of.b })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    Calculator.serve(stdio()).await.unwrap().waiting().await.unwrap();
}
"""
BY_HAND_CALL = """#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Summands {
    a: i64,
    b: i64,
}

fn main() {
    println!("{}", serde_json::to_string(&schemars::schema_for!(Summands)).unwrap());
    let of: Summands = serde_json::from_str("{\\"a\\": 1, \\"b\\": 2}").unwrap();
    println!("{}", of.a + of.b);
}
"""
HTTP = 'http = "1"\ntower-service = "0.3"\n'
TOKIO = 'tokio = { version = "1", features = ["macros", "rt"] }\n'


def ours(*features, default=True):
    default = "" if default else ", default-features = false"
    return f"mcp-tool-runtime = {{ path = LOCAL{default}, features = {json.dumps(features)} }}\n" + TOKIO


NOTHING = "serde, serde_json and schemars alone"
BASE_PROGRAM = "mcp-tool, one call"
SERVER = "mcp-tool, a stdio server"
SDK_SERVER = "rmcp 3.11, a stdio server"
RMCP = 'rmcp = { version = "=3.11.0", features = ["transport-io"] }\n'
PROGRAMS = {
    NOTHING: (BASE, BY_HAND_CALL),
    BASE_PROGRAM: (ours(default=False), OUR_CALL),
    # Programs with one feature each, to see what it adds.
    "`tokio`": (ours("tokio", default=False), OUR_CALL),
    "`tracing`": (ours("tracing", default=False), OUR_CALL),
    "`ask`": (ours("ask", default=False), OUR_ASKING),
    "`export`": (ours("export", default=False), OUR_EXPORT),
    "`stdio`: a stdio server": (ours("stdio", default=False), OUR_STDIO),
    "`http`: an endpoint": (ours("http", default=False) + HTTP, OUR_SERVICE.replace("SERVICE", "Endpoint")),
    "`http`: plain HTTP": (ours("http", default=False) + HTTP, OUR_SERVICE.replace("SERVICE", "PlainHttp")),
    "`page`": (ours("page", default=False) + HTTP, OUR_SERVICE.replace("SERVICE", "Page").replace("/add", "/")),
    "`cli`": (ours("cli", default=False), OUR_COMMAND),
    "`rmcp`": (ours("rmcp", default=False) + RMCP, OUR_RMCP),
    SERVER: (ours(), OUR_STDIO),
    SDK_SERVER: (BASE + RMCP + TOKIO, SDK_STDIO),
}
# Their cold builds take as long as that of a stdio server.
NO_COLD_BUILD = {"`http`: an endpoint", "`http`: plain HTTP"}
# A feature, and the program to compare it with.
FEATURES = {name: (name, BASE_PROGRAM) for name in PROGRAMS if name.startswith("`")}


class Program:
    """One program in a package of its own."""

    def __init__(self, crates, name):
        dependencies, text = PROGRAMS[name]
        self.crates, self.package = crates, f"program-{list(PROGRAMS).index(name)}"
        self.crate = crates.folder / self.package
        (self.crate / "src").mkdir(parents=True, exist_ok=True)
        runtime = json.dumps(str(ROOT / "mcp-tool-runtime"))
        (self.crate / "Cargo.toml").write_text(
            f'[package]\nname = "{self.package}"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n'
            f"[profile.release]\nstrip = true\n\n[dependencies]\n{dependencies.replace('LOCAL', runtime)}"
        )
        (self.crate / "src" / "main.rs").write_text(text)
        shutil.copy(ROOT / "Cargo.lock", self.crate / "Cargo.lock")
        self.cargo("fetch")

    def cargo(self, *arguments):
        done = subprocess.run(["cargo", *arguments], cwd=self.crate, env=self.crates.environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr[:2000])
        return done.stdout

    def packages(self):
        """The number of crates that cargo compiles for the program."""
        names = self.cargo("tree", "--edges", "normal,build", "--prefix", "none", "--format", "{p}").splitlines()
        return len({name.removesuffix(" (*)").split(" (")[0] for name in names} - {f"{self.package} v0.0.0", ""})

    def cold_build(self):
        """CPU seconds of a debug build from an empty target directory."""
        cold = self.crates.folder / "cold"
        shutil.rmtree(cold, ignore_errors=True)
        seconds = self.seconds("build", "--quiet", "--target-dir", str(cold))
        shutil.rmtree(cold)
        return seconds

    def release(self):
        """CPU seconds of another release build after a change of the program, and the size of the stripped program in MiB."""
        release = self.crates.folder / "release"
        build = ("build", "--quiet", "--release", "--target-dir", str(release))
        self.cargo(*build)
        (self.crate / "src" / "main.rs").touch()
        return self.seconds(*build), (release / "release" / self.package).stat().st_size / 2**20

    def seconds(self, *arguments):
        """The CPU seconds of a command of cargo and everything that it starts."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cargo(*arguments)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def programs(crates, options):
    """Measures PROGRAMS, and prints the rows of the README and of the guide."""
    measured = {}
    for name in (name for name in PROGRAMS if options.only in name):
        program = Program(crates, name)
        cold = not (options.crates or options.sizes or name in NO_COLD_BUILD)
        release = (None, None) if options.crates else program.release()
        measured[name] = (program.packages(), program.cold_build() if cold else None, *release)
        print(row(name, *measured[name]), file=sys.stderr, flush=True)

    print("Guide `performance`:\n\n| program | crates | cold build | release build after a change | binary |\n| --- | --- | --- | --- | --- |")
    for name in (NOTHING, BASE_PROGRAM, SERVER, SDK_SERVER):
        if name in measured:
            print(row(name, *measured[name]))
    print("\n| feature | crates | cold build | binary |\n| --- | --- | --- | --- |")
    for feature, (program, without) in FEATURES.items():
        if program in measured and without in measured:
            crates_, cold, _, size = (difference(*pair) for pair in zip(measured[program], measured[without]))
            print(row(feature, crates_, cold, size, sign="+"))
    if SERVER in measured and SDK_SERVER in measured:
        print("\nREADME:\n\n| | mcp-tool | rmcp |\n| --- | --- | --- |")
        ours_, theirs = (", ".join(cells(*measured[name])) for name in (SERVER, SDK_SERVER))
        print(f"| a stdio server: crates, CPU time of a cold build and of a release build after a change, size of the binary | {ours_} | {theirs} |")
        if measured[SDK_SERVER][1]:
            print(f"\ncold build, ours ÷ rmcp's: {measured[SERVER][1] / measured[SDK_SERVER][1]:.2f}")
    return True


def difference(figure, other):
    return None if figure is None or other is None else figure - other


def cells(crates, *figures, sign=""):
    """Formats a number of crates, seconds and, at the end, a size."""
    *seconds, size = figures
    seconds = ["" if figure is None else f"{figure:{sign}.{0 if abs(figure) > 9 or sign else 1}f} s" for figure in seconds]
    texts = (f"{crates:{sign}d}" if crates else "0", *seconds, "" if size is None else f"{size:{sign}.2f} MiB")
    return [text.replace("+0 s", "0 s").replace("-0 s", "0 s") for text in texts]


def row(name, *figures, sign=""):
    return "| " + " | ".join([name, *cells(*figures, sign=sign)]) + " |"
