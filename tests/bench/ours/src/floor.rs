//! The floor: for each tool a hand-written function that reads the bytes of `params` and writes the bytes of the result. It serves only
//! this tool and does not validate its arguments.

use std::borrow::Cow;
use std::hint::black_box;
use std::time::{Duration, Instant};

use bench_workloads::orders::{self, order};
use bench_workloads::searches::{Query, search};
use bench_workloads::serve::Ready;
use bench_workloads::{Level, Summands, Words, Workload, add, requests};
use mcp_tool_runtime::{CallId, ProtocolVersion};
use serde::{Deserialize, Serialize};

use crate::library;

/// Returns the workloads of the floor. A list is a copy of prepared bytes.
#[must_use]
pub fn workloads() -> Vec<Workload> {
    let is_floored = |workload: &Workload| workload.level() != Level::Value;
    Workload::all().filter(is_floored).collect()
}

/// The source of call ids and of the time.
pub trait Stamps {
    /// A point in time.
    type Moment: Copy;

    /// Writes an id.
    fn id(buffer: &mut [u8; 36]) -> &str;

    /// Now.
    fn now() -> Self::Moment;

    /// Returns the time since `moment`.
    fn since(moment: Self::Moment) -> Duration;
}

/// Real ids and the real clock.
pub struct Real;

impl Stamps for Real {
    type Moment = Instant;

    fn id(buffer: &mut [u8; 36]) -> &str {
        // The ids of this library, which cost less than those of `uuid`.
        buffer.copy_from_slice(CallId::generate().as_str().as_bytes());
        std::str::from_utf8(buffer).expect("a UUID")
    }

    fn now() -> Instant {
        Instant::now()
    }

    fn since(moment: Instant) -> Duration {
        moment.elapsed()
    }
}

/// A fixed id and a fixed clock.
pub struct Still;

impl Stamps for Still {
    type Moment = ();

    fn id(_: &mut [u8; 36]) -> &str {
        library::STILL_ID
    }

    fn now() {}

    fn since((): ()) -> Duration {
        library::STILL_FOR
    }
}

#[derive(Deserialize)]
struct Params<'a, T> {
    #[serde(borrow, rename = "name")]
    name: Cow<'a, str>,
    arguments: T,
    /// Read only where nothing else says the version.
    #[serde(borrow, default, rename = "_meta")]
    meta: Meta<'a>,
}

/// What a server of one tool needs of `_meta`.
#[derive(Default, Deserialize)]
struct Meta<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>"))]
struct Message<'a, T> {
    id: u64,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Params<'a, T>,
}

/// The property that `_meta` has in a response of 2026-07-28.
const SERVER_INFO: &str = concat!(
    r#","io.modelcontextprotocol/serverInfo":{"name":""#,
    env!("CARGO_PKG_NAME"),
    r#"","version":""#,
    env!("CARGO_PKG_VERSION"),
    r#""}"#
);

/// Reads and writes whole messages.
fn message<'a, S, A, R>(message: &'a [u8], shape: Shape, tool: fn(A) -> R) -> Result<Vec<u8>, serde_json::Error>
where
    S: Stamps,
    A: Deserialize<'a>,
    R: Serialize,
{
    let Message::<'a, A> { id, method, params } = serde_json::from_slice(message)?;
    let version = params.meta.version.parse().unwrap_or(ProtocolVersion::V2025_06_18);
    assert_eq!(method, "tools/call");
    let mut bytes = Vec::with_capacity(512);
    bytes.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    serde_json::to_writer(&mut bytes, &id)?;
    bytes.extend_from_slice(br#","result":"#);
    write::<S, R>(&mut bytes, shape, version, SERVER_INFO, || tool(params.arguments))?;
    bytes.push(b'}');
    Ok(bytes)
}

/// Reads the arguments, runs the tool and writes the result.
fn answer<'a, S, A, R>(
    params: &'a [u8],
    version: ProtocolVersion,
    shape: Shape,
    tool: fn(A) -> R,
) -> Result<Vec<u8>, serde_json::Error>
where
    S: Stamps,
    A: Deserialize<'a>,
    R: Serialize,
{
    let params: Params<'a, A> = serde_json::from_slice(params)?;
    black_box(params.name);
    let mut bytes = Vec::new();
    write::<S, R>(&mut bytes, shape, version, "", || tool(params.arguments))?;
    Ok(bytes)
}

/// Runs the tool and writes the result.
fn write<S: Stamps, R: Serialize>(
    bytes: &mut Vec<u8>,
    shape: Shape,
    version: ProtocolVersion,
    more_meta: &str,
    run: impl FnOnce() -> R,
) -> Result<(), serde_json::Error> {
    let started = S::now();
    let value = serde_json::to_string(&run())?;
    let duration = S::since(started);
    let is_legacy = version < ProtocolVersion::V2026_07_28;
    bytes.reserve(320 + 2 * value.len() + value.len() / 8);
    bytes.extend_from_slice(if is_legacy { b"{" } else { br#"{"resultType":"complete","# });
    bytes.extend_from_slice(br#""content":[{"type":"text","text":"#);
    match shape {
        // The text block of a string is its JSON.
        Shape::Text if is_legacy => bytes.extend_from_slice(value.as_bytes()),
        Shape::Wrapped | Shape::Object | Shape::Text => serde_json::to_writer(&mut *bytes, &value)?,
    }
    bytes.extend_from_slice(br#"}],"structuredContent":"#);
    match shape {
        Shape::Wrapped | Shape::Text if is_legacy => {
            bytes.extend_from_slice(br#"{"result":"#);
            bytes.extend_from_slice(value.as_bytes());
            bytes.push(b'}');
        }
        Shape::Object | Shape::Wrapped | Shape::Text => bytes.extend_from_slice(value.as_bytes()),
    }
    bytes.extend_from_slice(br#","isError":false,"_meta":{"rs.mcp-tool/call_id":""#);
    bytes.extend_from_slice(S::id(&mut [0; 36]).as_bytes());
    bytes.extend_from_slice(br#"","rs.mcp-tool/duration":"#);
    serde_json::to_writer(&mut *bytes, &(duration.as_secs_f64() * 1_000.0))?;
    bytes.extend_from_slice(more_meta.as_bytes());
    bytes.extend_from_slice(b"}}");
    Ok(())
}

/// The format of a result.
#[derive(Clone, Copy)]
enum Shape {
    /// The value is the structured content.
    Object,
    /// Before 2026-07-28 the value is wrapped in an object.
    Wrapped,
    /// The same, and the text is the string itself.
    Text,
}

type Call = fn(&[u8]) -> Result<Vec<u8>, serde_json::Error>;

/// Returns the function for messages with calls of a tool.
pub(crate) fn messages<S: Stamps>(tool: &str) -> Call {
    match tool {
        "order" => |bytes| message::<S, orders::Arguments, _>(bytes, Shape::Object, order),
        "search" => |bytes| message::<S, Query, _>(bytes, Shape::Object, |query| search(&query)),
        "text" => |bytes| message::<S, Words, _>(bytes, Shape::Text, |words| words.text),
        _ => |bytes| message::<S, Summands, _>(bytes, Shape::Wrapped, |summands| add(&summands)),
    }
}

/// Returns the function for the `params` of calls of a tool, for requests of 2026-07-28 or of 2025-11-25.
fn params<S: Stamps>(tool: &str, is_legacy: bool) -> Call {
    const NEW: ProtocolVersion = ProtocolVersion::V2026_07_28;
    const OLD: ProtocolVersion = ProtocolVersion::V2025_11_25;
    match (tool, is_legacy) {
        ("order", false) => |bytes| answer::<S, orders::Arguments, _>(bytes, NEW, Shape::Object, order),
        ("order", true) => |bytes| answer::<S, orders::Arguments, _>(bytes, OLD, Shape::Object, order),
        ("search", false) => |bytes| answer::<S, Query, _>(bytes, NEW, Shape::Object, |query| search(&query)),
        ("search", true) => |bytes| answer::<S, Query, _>(bytes, OLD, Shape::Object, |query| search(&query)),
        ("text", false) => |bytes| answer::<S, Words, _>(bytes, NEW, Shape::Text, |words| words.text),
        ("text", true) => |bytes| answer::<S, Words, _>(bytes, OLD, Shape::Text, |words| words.text),
        (_, false) => |bytes| answer::<S, Summands, _>(bytes, NEW, Shape::Wrapped, |summands| add(&summands)),
        (_, true) => |bytes| answer::<S, Summands, _>(bytes, OLD, Shape::Wrapped, |summands| add(&summands)),
    }
}

struct Function {
    call: Call,
    asked: Vec<u8>,
}

impl Ready for Function {
    fn run(&mut self, calls: u64) {
        for _ in 0..calls {
            black_box((self.call)(black_box(&self.asked)).is_ok());
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        (self.call)(&self.asked).expect("a valid request")
    }
}

struct Written(Vec<u8>);

impl Ready for Written {
    fn run(&mut self, calls: u64) {
        for _ in 0..calls {
            black_box(black_box(&self.0).clone());
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.0.clone()
    }
}

/// Returns the function for a workload.
#[must_use]
pub fn prepare(workload: Workload, exact: bool) -> Box<dyn Ready> {
    let tool = workload.tool();
    let message = if exact { messages::<Still> } else { messages::<Real> };
    match workload {
        Workload::List30 | Workload::List1000 => {
            Box::new(Written(library::dispatcher(workload, exact).list_json(library::version(workload)).to_vec()))
        }
        Workload::ListBlock | Workload::ListMixed => Box::new(Written(library::prepare(workload, exact).answer())),
        Workload::Build30 | Workload::Build1000 | Workload::BuildApart => super::build::parts(workload),
        Workload::Call(Level::Message, _) => {
            Box::new(Function { call: message(tool), asked: requests::message(workload) })
        }
        Workload::Call(Level::Http | Level::Recorded, _) => {
            crate::served::http(workload, crate::served::Floor::new(message(tool)))
        }
        Workload::Call(Level::Stdio, _) => crate::served::floor_on_stdio(workload, message(tool)),
        Workload::Call(..) | Workload::Add30 | Workload::Add1000 => {
            let params = if exact { params::<Still> } else { params::<Real> };
            let call = params(tool, workload.level() == Level::Bare);
            Box::new(Function { call, asked: requests::params(workload) })
        }
    }
}
