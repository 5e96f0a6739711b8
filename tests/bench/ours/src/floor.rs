//! The floor: for each tool a hand-written function that reads the bytes of `params` and writes the bytes of the result. It serves only
//! this tool and does not validate its arguments.

use std::borrow::Cow;
use std::hint::black_box;
use std::time::{Duration, Instant};

use bench_workloads::orders::{self, order};
use bench_workloads::searches::{Query, search};
use bench_workloads::serve::Ready;
use bench_workloads::{Summands, Words, Workload, add, requests};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

/// The workloads of the floor. A list is a copy of prepared bytes.
pub const WORKLOADS: &[Workload] = if super::CHECKED { &Workload::ALL } else { Workload::ALL.split_at(9).0 };

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
        Uuid::now_v7().hyphenated().encode_lower(buffer)
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
        super::library::STILL_ID
    }

    fn now() {}

    fn since((): ()) -> Duration {
        super::library::STILL_FOR
    }
}

#[derive(Deserialize)]
struct Params<'a, T> {
    #[serde(borrow, rename = "name")]
    _name: Cow<'a, str>,
    arguments: T,
}

#[derive(Deserialize)]
struct Message<'a> {
    id: u64,
    #[serde(borrow, rename = "method")]
    _method: Cow<'a, str>,
    #[serde(borrow)]
    params: &'a RawValue,
}

/// Reads and writes whole messages.
fn message<S: Stamps>(message: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
    let message: Message<'_> = serde_json::from_slice(message)?;
    let result = call::<S>("add")(message.params.get().as_bytes())?;
    let mut bytes = Vec::with_capacity(64 + result.len());
    bytes.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    serde_json::to_writer(&mut bytes, &message.id)?;
    bytes.extend_from_slice(br#","result":"#);
    bytes.extend_from_slice(&result);
    bytes.push(b'}');
    Ok(bytes)
}

/// Reads the arguments, runs the tool and writes the result.
///
/// # Errors
///
/// Returns an error if the bytes are not a request for the tool.
fn answer<'a, S, A, R>(params: &'a [u8], shape: Shape, tool: impl FnOnce(A) -> R) -> Result<Vec<u8>, serde_json::Error>
where
    S: Stamps,
    A: Deserialize<'a>,
    R: Serialize,
{
    let params: Params<'a, A> = serde_json::from_slice(params)?;
    let started = S::now();
    let value = serde_json::to_string(&tool(params.arguments))?;
    let duration = S::since(started);
    let mut bytes = Vec::with_capacity(256 + 2 * value.len() + value.len() / 8);
    bytes.extend_from_slice(br#"{"content":[{"type":"text","text":"#);
    match shape {
        // The text block of a string is its JSON.
        Shape::Text => bytes.extend_from_slice(value.as_bytes()),
        Shape::Wrapped | Shape::Object => serde_json::to_writer(&mut bytes, &value)?,
    }
    bytes.extend_from_slice(br#"}],"structuredContent":"#);
    match shape {
        Shape::Object => bytes.extend_from_slice(value.as_bytes()),
        Shape::Wrapped | Shape::Text => {
            bytes.extend_from_slice(br#"{"result":"#);
            bytes.extend_from_slice(value.as_bytes());
            bytes.push(b'}');
        }
    }
    bytes.extend_from_slice(br#","isError":false,"_meta":{"rs.mcp-tool/call_id":""#);
    bytes.extend_from_slice(S::id(&mut [0; 36]).as_bytes());
    bytes.extend_from_slice(br#"","rs.mcp-tool/duration":"#);
    serde_json::to_writer(&mut bytes, &(duration.as_secs_f64() * 1_000.0))?;
    bytes.extend_from_slice(b"}}");
    Ok(bytes)
}

/// The format of a result before 2026-07-28.
#[derive(Clone, Copy)]
enum Shape {
    /// The value is the structured content.
    Object,
    /// The value is wrapped in an object.
    Wrapped,
    /// The value is wrapped in an object, and the text is the string itself.
    Text,
}

type Call = fn(&[u8]) -> Result<Vec<u8>, serde_json::Error>;

fn call<S: Stamps>(tool: &'static str) -> Call {
    match tool {
        "order" => |params| answer::<S, orders::Arguments, _>(params, Shape::Object, order),
        "search" => |params| answer::<S, Query, _>(params, Shape::Object, |query| search(&query)),
        "text" => |params| answer::<S, Words, _>(params, Shape::Text, |words| words.text),
        _ => |params| answer::<S, Summands, _>(params, Shape::Wrapped, |summands| add(&summands)),
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
    match workload {
        Workload::List30 | Workload::List1000 => {
            Box::new(Written(super::library::dispatcher(workload, exact).list_json(super::library::VERSION).to_vec()))
        }
        Workload::Build30 | Workload::Build1000 | Workload::BuildApart => super::build::parts(workload),
        Workload::Message => {
            let call = if exact { message::<Still> } else { message::<Real> };
            Box::new(Function { call, asked: requests::message(workload) })
        }
        _ => {
            let call = if exact { call::<Still>(workload.tool()) } else { call::<Real>(workload.tool()) };
            Box::new(Function { call, asked: requests::params(workload) })
        }
    }
}
