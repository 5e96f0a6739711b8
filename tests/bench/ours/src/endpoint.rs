//! The protocol of the slim endpoint without its transport: reads and writes whole messages.

use std::hint::black_box;

use bench_workloads::serve::Ready;
use bench_workloads::{Workload, requests};
use mcp_tool_runtime::protocol::Protocol;

use crate::library::{dispatcher, finished};

struct Messages {
    protocol: Protocol,
    message: Vec<u8>,
}

impl Messages {
    fn call(&self) -> Vec<u8> {
        finished(self.protocol.answer(&self.message)).expect("a request has a response")
    }
}

impl Ready for Messages {
    fn run(&mut self, calls: u64) {
        for _ in 0..calls {
            black_box(self.call());
        }
    }

    fn answer(&mut self) -> Vec<u8> {
        self.call()
    }
}

/// Returns the protocol, prepared for calls with one message.
pub(crate) fn messages(workload: Workload, exact: bool) -> Box<dyn Ready> {
    let protocol = Protocol::new(dispatcher(workload, exact));
    Box::new(Messages { protocol, message: requests::message(workload) })
}
