//! Runs asynchronous calls on one thread.

use std::hint::black_box;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream};
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

/// Prepares calls over an in-memory pipe: writes the request as one line and reads one line. `serve` starts a server on the other
/// end of the pipe, as a task of the current runtime.
///
/// # Panics
///
/// Panics if the server closes the pipe.
pub fn piped(mut request: Vec<u8>, serve: impl FnOnce(DuplexStream) + 'static) -> Box<dyn Ready> {
    request.push(b'\n');
    driven(async move || {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        serve(theirs);
        let (reader, mut writer) = tokio::io::split(ours);
        let mut reader = BufReader::new(reader);
        async move || {
            writer.write_all(&request).await.expect("a pipe");
            let mut line = Vec::new();
            reader.read_until(b'\n', &mut line).await.expect("a pipe");
            line.pop();
            line
        }
    })
}
