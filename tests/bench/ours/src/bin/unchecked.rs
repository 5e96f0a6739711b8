//! The build that does not validate arguments and results.

fn main() {
    bench_ours::main();
}
