//! This library, and the floor: hand-written functions that do the same without validation.

pub mod build;
pub mod floor;
pub mod library;
mod registered;
mod served;

use bench_workloads::serve::{self, Contestant};

/// Whether this build validates arguments and results.
pub const CHECKED: bool = cfg!(feature = "validate");

/// Returns all contestants of this build.
#[must_use]
pub fn contestants() -> Vec<Contestant> {
    let name = if CHECKED { "checked" } else { "unchecked" };
    let floor = Contestant { name: "floor", workloads: floor::workloads(), prepare: floor::prepare };
    vec![floor, Contestant { name, workloads: library::workloads(), prepare: library::prepare }]
}

/// The `main` of both programs.
pub fn main() {
    serve::main(&contestants());
}
