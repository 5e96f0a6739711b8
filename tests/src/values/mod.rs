//! Generates arguments from a schema or by mutation. The same seed gives the same arguments.

mod edges;
mod generate;
mod mutate;
mod text;

pub use generate::Generator;
pub use mutate::mutate;

use fastrand::Rng;

fn pick<'a, T>(rng: &mut Rng, from: &'a [T]) -> &'a T {
    &from[rng.usize(..from.len())]
}

/// Generates bytes for `arbitrary`, with runs of the same byte. Runs of `ff` and `00` are edge values of most types.
#[must_use]
pub fn bytes(rng: &mut Rng) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(512);
    while bytes.len() < 512 {
        let byte = match rng.u8(..8) {
            0 => 0,
            1 => 0xff,
            2 => 0x7f,
            3 => 0x80,
            4 => rng.u8(b'0'..=b'z'),
            _ => rng.u8(..),
        };
        let run = if rng.bool() { 1 } else { rng.usize(1..=16) };
        bytes.extend(std::iter::repeat_n(byte, run));
    }
    bytes
}
