//! The slim endpoint without its transport: from one message to the other.

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
        finished(self.protocol.answer(&self.message)).expect("a request has an answer")
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

/// The protocol, ready to be given the same message again and again.
pub(crate) fn messages(workload: Workload, exact: bool) -> Box<dyn Ready> {
    let protocol = Protocol::new(dispatcher(workload, exact));
    Box::new(Messages { protocol, message: requests::message(workload) })
}
