//! The build that does not check arguments and results.

fn main() {
    bench_ours::main();
}
