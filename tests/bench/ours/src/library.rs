//! This library, used as its documentation shows.

use std::hint::black_box;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bench_workloads::serve::Ready;
use bench_workloads::{Level, TOOLS, Workload, prefixes, requests};
use mcp_tool_runtime::{
    CallId, CallToolRequest, Dispatcher, DispatcherBuilder, ExactCalls, Extensions, ProtocolVersion, ToolHandler, tools,
};

use crate::registered::{Apart, Desk, add, convert, order, search, text};

/// Returns the workloads of this library.
#[must_use]
pub fn workloads() -> Vec<Workload> {
    Workload::all().collect()
}

/// Returns the protocol version of a workload's request and result.
#[must_use]
pub fn version(workload: Workload) -> ProtocolVersion {
    match workload.level() {
        Level::Bare => ProtocolVersion::V2025_11_25,
        _ => ProtocolVersion::V2026_07_28,
    }
}

/// The id of every call in an exact measurement.
pub const STILL_ID: &str = "019ab2f0-7a4c-7c3e-9d51-2f4b8c6d1e00";

/// The duration of every call in an exact measurement.
pub const STILL_FOR: Duration = Duration::ZERO;

/// The caller of a list, as a server attaches it to a request.
struct Caller {
    is_staff: bool,
}

/// Tools of which only callers from the staff see half.
fn ruled(workload: Workload) -> DispatcherBuilder {
    let count = workload.tools();
    let is_for_staff = |index: usize| match workload {
        Workload::ListBlock => index >= count / 2,
        Workload::ListMixed => index % 2 == 1,
        _ => false,
    };
    let tools = prefixes(count.max(TOOLS.len())).flat_map(|prefix| {
        let tools = TOOLS.into_iter().zip(tools![add, order, search, text, convert]);
        tools.map(move |(name, tool)| tool.with_name(format!("{prefix}{name}")))
    });
    let tools = tools.take(count).enumerate();
    let tools = tools.map(|(index, tool)| if is_for_staff(index) { tool.with_tags(["staff"]) } else { tool });
    tools.fold(Dispatcher::builder(), DispatcherBuilder::tool).visible(|tool, extensions| {
        !tool.tags().contains("staff") || extensions.get::<Caller>().is_some_and(|caller| caller.is_staff)
    })
}

fn builder(workload: Workload) -> DispatcherBuilder {
    if workload.level() == Level::Ruled {
        return ruled(workload);
    }
    let mut builder = Dispatcher::builder();
    if workload.level() == Level::Recorded {
        let count = AtomicU64::new(0);
        builder = builder.on_call(move |_| _ = count.fetch_add(1, Ordering::Relaxed));
    }
    if workload == Workload::BuildApart {
        return prefixes(workload.tools()).fold(builder, |builder, prefix| {
            let apart = |tool| -> Box<dyn ToolHandler> { Box::new(Apart { prefix: prefix.clone(), tool }) };
            builder.tools(tools![add, order, search, text, convert].into_iter().map(apart))
        });
    }
    if workload.tools() < TOOLS.len() {
        return builder.tools(match workload.tool() {
            "order" => tools![order],
            "search" => tools![search],
            "text" => tools![text],
            _ => tools![add],
        });
    }
    many(workload.tools())
}

/// Returns a builder with the five tools, and the same under prefixes.
fn many(tools: usize) -> DispatcherBuilder {
    let builder = Dispatcher::builder().tools(tools![add, order, search, text, convert]);
    prefixes(tools).skip(1).fold(builder, |builder, prefix| builder.service_with_prefix(&prefix, Desk))
}

/// Returns a dispatcher with this number of tools, a multiple of five.
///
/// # Panics
///
/// Panics if `build` fails.
#[must_use]
pub fn dispatcher_of(tools: usize) -> Dispatcher {
    many(tools).build().expect("sound tools")
}

/// Returns the dispatcher for a workload.
///
/// # Panics
///
/// Panics if `build` fails.
#[must_use]
pub fn dispatcher(workload: Workload, exact: bool) -> Dispatcher {
    let mut builder = builder(workload);
    if exact {
        let id = CallId::new(STILL_ID).expect("a valid id");
        builder = builder.exact_calls(ExactCalls::new(id, Duration::ZERO));
    }
    builder.build().expect("sound tools")
}

/// Returns the output of a future that is ready at once. It is pinned by the caller, because a server does not move it either.
///
/// # Panics
///
/// Panics if it is not.
pub fn finished<F: Future>(future: Pin<&mut F>) -> F::Output {
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("every tool is ready at once"),
    }
}

struct Calls {
    dispatcher: Dispatcher,
    version: ProtocolVersion,
    params: Vec<u8>,
}

impl Ready for Calls {
    fn run(&mut self, calls: u64) {
        for _ in 0..calls {
            black_box(finished(pin!(self.dispatcher.call_json(black_box(&self.params), self.version))).is_ok());
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        finished(pin!(self.dispatcher.call_json(&self.params, self.version))).expect("a known tool")
    }
}

/// Calls with a value, whose result becomes a value and then bytes. The requests are made outside the measurement.
struct Values {
    dispatcher: Dispatcher,
    version: ProtocolVersion,
    request: CallToolRequest,
    stock: Vec<CallToolRequest>,
}

impl Values {
    fn call(&self, request: CallToolRequest) -> Vec<u8> {
        let response = finished(pin!(self.dispatcher.call(request))).expect("a known tool");
        serde_json::to_vec(&response.to_mcp(self.version)).expect("a result")
    }
}

impl Ready for Values {
    fn stock(&mut self, calls: u64) {
        self.stock = (0..calls).map(|_| self.request.clone()).collect();
    }

    fn is_stocked(&self) -> bool {
        true
    }

    fn run(&mut self, calls: u64) {
        for _ in 0..calls {
            let request = self.stock.pop().expect("enough requests");
            black_box(self.call(request));
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.call(self.request.clone())
    }
}

/// The bytes of a list are prepared, so this measures their copy into the response.
struct List(Dispatcher, ProtocolVersion);

impl Ready for List {
    fn run(&mut self, calls: u64) {
        for _ in 0..calls {
            black_box(black_box(&self.0).list_json(self.1).to_vec());
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.0.list_json(self.1).to_vec()
    }
}

/// A list is put together for each caller.
struct ListFor {
    dispatcher: Dispatcher,
    caller: Extensions,
    version: ProtocolVersion,
}

impl ListFor {
    fn new(dispatcher: Dispatcher, version: ProtocolVersion) -> Self {
        let mut caller = Extensions::new();
        caller.insert(Caller { is_staff: false });
        Self { dispatcher, caller, version }
    }
}

impl Ready for ListFor {
    fn run(&mut self, calls: u64) {
        for _ in 0..calls {
            black_box(black_box(&self.dispatcher).seen_by(&self.caller).list_json(self.version));
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.dispatcher.seen_by(&self.caller).list_json(self.version)
    }
}

/// Keeps each dispatcher until `tidy`, so that dropping it is not measured.
struct Build {
    workload: Workload,
    built: Vec<Dispatcher>,
}

impl Ready for Build {
    fn run(&mut self, calls: u64) {
        for _ in 0..calls {
            self.built.push(dispatcher(black_box(self.workload), true));
        }
    }

    fn tidy(&mut self) {
        self.built.clear();
    }

    fn answer(&mut self) -> Vec<u8> {
        dispatcher(self.workload, true).list_json(version(self.workload)).to_vec()
    }
}

/// Returns this library, prepared for a workload.
#[must_use]
pub fn prepare(workload: Workload, exact: bool) -> Box<dyn Ready> {
    let version = version(workload);
    let dispatcher = || dispatcher(workload, exact);
    match workload {
        Workload::Call(Level::Message, _) => crate::served::messages(workload, exact),
        Workload::Call(Level::Http | Level::Recorded, _) => crate::served::endpoint(workload, exact),
        Workload::Call(Level::Stdio, _) => crate::served::stdio(workload, exact),
        Workload::Call(Level::Value, _) => {
            let request = serde_json::from_slice(&requests::params(workload)).expect("a request");
            Box::new(Values { dispatcher: dispatcher(), version, request, stock: Vec::new() })
        }
        Workload::Call(..) | Workload::Add30 | Workload::Add1000 => {
            Box::new(Calls { dispatcher: dispatcher(), version, params: requests::params(workload) })
        }
        Workload::List30 | Workload::List1000 => Box::new(List(dispatcher(), version)),
        Workload::ListBlock | Workload::ListMixed => Box::new(ListFor::new(dispatcher(), version)),
        Workload::Build30 | Workload::Build1000 | Workload::BuildApart => {
            Box::new(Build { workload, built: Vec::new() })
        }
    }
}
