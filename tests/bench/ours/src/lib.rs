//! This library, and the floor: hand-written functions that do the same without validation.

pub mod build;
pub mod floor;
pub mod library;
mod registered;
mod served;

use bench_workloads::serve::{self, Contestant};

/// Returns all contestants of this package.
#[must_use]
pub fn contestants() -> Vec<Contestant> {
    let floor = Contestant { name: "floor", workloads: floor::workloads(), prepare: floor::prepare };
    vec![floor, Contestant { name: "checked", workloads: library::workloads(), prepare: library::prepare }]
}

/// The `main` of the program.
pub fn main() {
    serve::main(&contestants());
}
