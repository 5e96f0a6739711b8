//! The `main` of a program: reads commands from the scripts, one on each line, and answers each with one line.
//!
//! | command | answer |
//! | --- | --- |
//! | `names` | `CONTESTANT:WORKLOAD,WORKLOAD,…` for each contestant |
//! | `answer CONTESTANT WORKLOAD` | the result |
//! | `time CONTESTANT WORKLOAD CALLS` | CPU time of the thread for all calls together, in ns |
//! | `allocations CONTESTANT WORKLOAD CALLS` | allocations of all calls together |
//! | `memory CONTESTANT` | bytes that each of 1,000 tools keeps |
//!
//! With the command-line arguments `exact CONTESTANT WORKLOAD CALLS`, call ids and clocks are fixed. After the same number of warm-up calls,
//! [`exactly_measured`] makes the calls, so that callgrind can count the instructions inside it.

use std::collections::HashMap;
use std::hint::black_box;
use std::io::{BufRead, Write};

use rustix::time::{ClockId, clock_gettime};

use crate::{Workload, allocations};

/// A tool or a list of tools, prepared for a measurement.
pub trait Ready {
    /// Makes the requests for the next `calls` calls, outside the measurement. A workload whose request is not consumed needs none.
    fn stock(&mut self, _calls: u64) {}

    /// Returns `true` if each call consumes a request.
    fn is_stocked(&self) -> bool {
        false
    }

    /// Does the work `calls` times.
    fn run(&mut self, calls: u64);

    /// Drops what [`run`](Self::run) kept, outside the measurement.
    fn tidy(&mut self) {}

    /// Does the work once and returns the result.
    fn answer(&mut self) -> Vec<u8>;
}

/// A library, or one way to use it.
pub struct Contestant {
    /// Its name in the table.
    pub name: &'static str,
    /// Its workloads.
    pub workloads: Vec<Workload>,
    /// Prepares a workload. If `exact`, call ids and clocks are fixed.
    pub prepare: fn(workload: Workload, exact: bool) -> Box<dyn Ready>,
}

impl Contestant {
    fn ready(&self, workload: Workload, exact: bool) -> Box<dyn Ready> {
        assert!(self.workloads.contains(&workload), "`{}` does not do `{}`", self.name, workload.name());
        (self.prepare)(workload, exact)
    }
}

/// The only function whose instructions are counted.
#[inline(never)]
#[unsafe(no_mangle)]
pub extern "Rust" fn exactly_measured(ready: &mut dyn Ready, calls: u64) {
    ready.run(black_box(calls));
}

/// The most requests that are made before they are used. A server has just made the request that it passes on, so the request is in
/// the processor's cache. Of thousands of requests, the first would be in main memory again when its call begins: that made the
/// time of `value-add` 2.8 times as long.
const BATCH: u64 = 32;

/// The `main` of a program.
///
/// # Panics
///
/// Panics if a command is invalid.
pub fn main(contestants: &[Contestant]) {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if let ["exact", name, workload, calls] = words.as_slice() {
        let mut ready = find(contestants, name).ready(named(workload), true);
        let calls = calls.parse().expect("a number of calls");
        ready.stock(calls);
        ready.run(calls);
        ready.tidy();
        ready.stock(calls);
        return exactly_measured(&mut *ready, calls);
    }
    let mut prepared = HashMap::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("lines of text");
        let words: Vec<&str> = line.split(' ').collect();
        println!("{}", answer(contestants, &mut prepared, &words));
        std::io::stdout().flush().expect("somebody listens");
    }
}

fn find<'c>(contestants: &'c [Contestant], name: &str) -> &'c Contestant {
    contestants.iter().find(|contestant| contestant.name == name).unwrap_or_else(|| panic!("no contestant `{name}`"))
}

fn named(workload: &str) -> Workload {
    Workload::named(workload).unwrap_or_else(|| panic!("no workload `{workload}`"))
}

type Prepared = HashMap<(String, Workload), Box<dyn Ready>>;

fn answer(contestants: &[Contestant], prepared: &mut Prepared, words: &[&str]) -> String {
    let mut ready = |name: &str, workload: &str, work: &mut dyn FnMut(&mut dyn Ready)| {
        let (contestant, workload) = (find(contestants, name), named(workload));
        let ready = prepared.entry((name.to_owned(), workload));
        work(&mut **ready.or_insert_with(|| contestant.ready(workload, false)));
    };
    let number = |calls: &str| calls.parse::<u64>().expect("a number of calls");
    match *words {
        ["names"] => {
            let can = |contestant: &Contestant| {
                contestant.workloads.iter().map(|workload| workload.name()).collect::<Vec<_>>()
            };
            let all = contestants.iter().map(|contestant| format!("{}:{}", contestant.name, can(contestant).join(",")));
            all.collect::<Vec<_>>().join(" ")
        }
        ["answer", name, workload] => {
            let mut answer = Vec::new();
            ready(name, workload, &mut |ready| answer = ready.answer());
            String::from_utf8(answer).expect("JSON")
        }
        ["time", name, workload, calls] => {
            let mut time = 0;
            ready(name, workload, &mut |ready| {
                let mut left = number(calls);
                while left > 0 {
                    let now = if ready.is_stocked() { left.min(BATCH) } else { left };
                    ready.stock(now);
                    let started = cpu_time();
                    ready.run(now);
                    time += cpu_time() - started;
                    ready.tidy();
                    left -= now;
                }
            });
            time.to_string()
        }
        ["allocations", name, workload, calls] => {
            let mut times = 0;
            ready(name, workload, &mut |ready| {
                ready.stock(number(calls));
                ready.run(number(calls));
                ready.tidy();
                ready.stock(number(calls));
                times = allocations::counted(|| ready.run(number(calls))).1.times;
                ready.tidy();
            });
            times.to_string()
        }
        ["memory", name] => {
            let prepare = |workload| find(contestants, name).ready(workload, false);
            // Builds once before, so that memory that is allocated only once does not count for a tool.
            drop(prepare(Workload::List1000));
            let few = allocations::counted(|| prepare(Workload::List30)).1.kept;
            let many = allocations::counted(|| prepare(Workload::List1000)).1.kept;
            ((many - few) / 970).to_string()
        }
        _ => panic!("unknown command {words:?}"),
    }
}

/// Returns the CPU time of this thread, in ns.
fn cpu_time() -> i64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}
