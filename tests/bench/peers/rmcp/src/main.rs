//! The program of the official SDK.

fn main() {
    bench_workloads::serve::main(&bench_rmcp::contestants());
}
