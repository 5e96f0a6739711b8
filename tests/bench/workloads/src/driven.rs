//! Runs asynchronous calls on one thread.

use std::hint::black_box;

use tokio::runtime::{Builder, Runtime};

use crate::serve::Ready;

struct Driven<C> {
    runtime: Runtime,
    call: C,
}

/// Prepares a call on a runtime. The same runtime runs the calls, and is entered once for many calls.
///
/// # Panics
///
/// Panics if the runtime cannot be built.
pub fn driven<C>(make: impl AsyncFnOnce() -> C) -> Box<dyn Ready>
where
    C: AsyncFnMut() -> Vec<u8> + 'static,
{
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let call = runtime.block_on(make());
    Box::new(Driven { runtime, call })
}

impl<C: AsyncFnMut() -> Vec<u8>> Ready for Driven<C> {
    fn run(&mut self, calls: u64) {
        self.runtime.block_on(async {
            for _ in 0..calls {
                black_box((self.call)().await);
            }
        });
    }

    fn answer(&mut self) -> Vec<u8> {
        self.runtime.block_on((self.call)())
    }
}
