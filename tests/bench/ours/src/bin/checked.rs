//! The build that checks arguments and results.

fn main() {
    bench_ours::main();
}
