//! Checks with random values, for every tool in the zoo, that schemas, types and validators agree (rule T17):
//!
//! - [`published`]: a dispatcher accepts exactly what its input schemas accept, and sends only what its output schemas accept.
//! - [`results`]: every value of a type is a valid result.
//! - [`exported`]: a dispatcher accepts whatever an exported schema accepts, and an exported schema says what the published one says.
//!
//! | variable | meaning | default |
//! | --- | --- | --- |
//! | `AGREEMENT_VALUES` | the number of values for each tool | 100 |
//! | `AGREEMENT_SEED` | the seed, which is combined with the name of each tool | 1 |
//! | `AGREEMENT_TOOL` | the only tool to check | all |
//! | `AGREEMENT_VALIDATOR` | the command of a second validator, which reads schemas and values with the verdict, one a line | none |
//! | `EXPORT_VALUES` | the number of values for each tool and export | 20 |

mod echoes;
mod exported;
mod published;
mod results;

use std::env;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use fastrand::Rng;

/// The maximum number of disagreements that are printed for one tool.
const MAX_PRINTED: usize = 5;

fn number(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

fn random(seed: u64, tool: &str) -> Rng {
    Rng::with_seed(tool.bytes().fold(seed, |seed, byte| seed.rotate_left(5) ^ u64::from(byte)))
}

/// Returns the output of a future that never waits.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future waits"),
    }
}
