//! Each workload as a divan benchmark, for `cargo bench`.

use bench_ours::{contestants, library};
use bench_workloads::Workload;
use divan::Bencher;

fn main() {
    divan::main();
}

fn measured(bencher: Bencher<'_, '_>, contestant: &str, workload: &str) {
    let contestants = contestants();
    let contestant = contestants.iter().find(|known| known.name == contestant).expect("a contestant");
    let mut ready = (contestant.prepare)(Workload::named(workload).expect("a workload"), false);
    bencher.bench_local(|| ready.run(1));
}

const CALLS: [&str; 8] = ["add", "add-30", "add-1000", "bare-add", "message-add", "order", "search", "text"];

#[divan::bench(args = CALLS)]
fn floor(bencher: Bencher<'_, '_>, workload: &str) {
    measured(bencher, "floor", workload);
}

#[divan::bench(args = CALLS)]
fn checked(bencher: Bencher<'_, '_>, workload: &str) {
    measured(bencher, "checked", workload);
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn build_1000(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| library::dispatcher(Workload::Build1000, true));
}
