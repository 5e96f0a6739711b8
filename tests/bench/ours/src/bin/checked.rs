//! This library and the floor.

fn main() {
    bench_ours::main();
}
