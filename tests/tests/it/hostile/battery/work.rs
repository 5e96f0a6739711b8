//! The work of an answer, in instructions. `python3 tests/tests/it/hostile/work.py` runs the test under callgrind, counts the
//! instructions of each [`counted_call`], and holds them to a constant for each byte. Without callgrind the test only calls.

use std::io::Write as _;

use mcp_tool_runtime::Dispatcher;

use super::answers::{answer, check};
use super::{Class, bases, dispatcher};
use crate::run::LATEST;

/// The sizes of the arguments in bytes. Work that grows with their square shows in the larger one.
const SIZES: [usize; 2] = [1_000, 16_000];

/// The size where nothing is counted.
const UNCOUNTED: [usize; 1] = [2_000];

/// The file to which the test writes what it calls, one line for each call: tool, class, bytes.
const LIST: &str = "HOSTILE_CALLS";

/// Count only the calls of one tool in this many.
const EVERY: &str = "HOSTILE_EVERY";

/// Marks the end of the preparations. Callgrind does not count them.
#[inline(never)]
fn before_call() {
    std::hint::black_box(());
}

#[inline(never)]
fn counted_call(dispatcher: &Dispatcher, params: &[u8]) -> Vec<u8> {
    crate::run::now(dispatcher.call_json(params, LATEST)).expect("a result")
}

#[test]
fn i4_the_work_is_linear_in_the_bytes() {
    let mut list = std::env::var_os(LIST).map(|path| std::fs::File::create(path).expect("a file"));
    let sizes = if list.is_some() { &SIZES[..] } else { &UNCOUNTED };
    let dispatcher = dispatcher(true);
    let every = std::env::var(EVERY).map_or(1, |every| every.parse().expect("a number"));
    for (name, base) in bases(&dispatcher).into_iter().rev().step_by(every) {
        // The first call also builds what later calls reuse, so it is not counted.
        answer(&dispatcher, &name, &Class::WrongElements.arguments(&base, 500), LATEST);
        for class in Class::ALL {
            for &size in sizes {
                let params = super::answers::params(&name, &class.arguments(&base, size));
                before_call();
                let bytes = counted_call(&dispatcher, params.as_bytes());
                check(&bytes);
                if let Some(list) = &mut list {
                    writeln!(list, "{name} {class:?} {}", params.len()).expect("a line");
                }
            }
        }
    }
}
