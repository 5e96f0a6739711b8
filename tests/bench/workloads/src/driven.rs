//! Runs asynchronous calls on one thread.

use std::hint::black_box;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
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

/// Prepares calls over an in-memory pipe: writes the request as one line and reads until a line ends. `serve` starts a server on the
/// other end of the pipe, as a task of the current runtime.
///
/// # Panics
///
/// Panics if the server closes the pipe.
pub fn piped(mut request: Vec<u8>, serve: impl FnOnce(DuplexStream) + 'static) -> Box<dyn Ready> {
    request.push(b'\n');
    driven(async move || {
        let (mut client, server) = tokio::io::duplex(1 << 20);
        serve(server);
        async move || {
            client.write_all(&request).await.expect("a pipe");
            // The server writes nothing after the line. Searching for its end would cost more than some servers do.
            let mut line = Vec::with_capacity(1 << 18);
            while line.last() != Some(&b'\n') {
                assert!(client.read_buf(&mut line).await.expect("a pipe") > 0);
            }
            line.pop();
            line
        }
    })
}
