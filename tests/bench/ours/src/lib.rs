//! This library, and the floor: hand-written functions that do the same without validation.

pub mod build;
mod endpoint;
pub mod floor;
pub mod library;

use bench_workloads::serve::{self, Contestant};

/// Whether this build validates arguments and results.
pub const CHECKED: bool = cfg!(feature = "validate");

/// Returns all contestants of this build.
#[must_use]
pub fn contestants() -> Vec<Contestant> {
    let name = if CHECKED { "checked" } else { "unchecked" };
    let floor = Contestant { name: "floor", workloads: floor::WORKLOADS, prepare: floor::prepare };
    vec![floor, Contestant { name, workloads: library::WORKLOADS, prepare: library::prepare }]
}

/// The `main` of both programs.
pub fn main() {
    serve::main(&contestants());
}
