//! The build that validates arguments and results.

fn main() {
    bench_ours::main();
}
