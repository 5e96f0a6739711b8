//! Standard input, read on its own thread.
//!
//! tokio would read it on a blocking thread, and a runtime waits for its blocking threads before it ends: the process could
//! not end while the client keeps the input open.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::mpsc;

/// Standard input as an asynchronous stream.
pub(super) struct Stdin {
    chunks: mpsc::Receiver<io::Result<Vec<u8>>>,
    /// The rest of the last chunk.
    chunk: Vec<u8>,
}

impl Stdin {
    /// Starts the thread. A chunk that it reads after this value is dropped is lost.
    pub(super) fn open() -> io::Result<Self> {
        let (send, chunks) = mpsc::channel(1);
        std::thread::Builder::new().name("mcp-tool-stdin".to_owned()).spawn(move || read(io::stdin().lock(), &send))?;
        Ok(Self { chunks, chunk: Vec::new() })
    }
}

fn read(mut input: impl io::BufRead, send: &mpsc::Sender<io::Result<Vec<u8>>>) {
    loop {
        let chunk = match input.fill_buf() {
            Ok([]) => return,
            Ok(chunk) => Ok(chunk.to_vec()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let read = chunk.as_ref().map(Vec::len);
        let is_last = read.is_err();
        input.consume(read.unwrap_or_default());
        if send.blocking_send(chunk).is_err() || is_last {
            return;
        }
    }
}

impl AsyncRead for Stdin {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.chunk.is_empty()
            && let Some(chunk) = ready!(this.chunks.poll_recv(cx))
        {
            this.chunk = chunk?;
        }
        let rest = this.chunk.split_off(this.chunk.len().min(into.remaining()));
        into.put_slice(&this.chunk);
        this.chunk = rest;
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::Waker;

    use tokio::io::{AsyncBufReadExt as _, BufReader};

    use super::*;

    /// An input that gives these parts and errors, and then ends.
    struct Input(Vec<io::Result<&'static [u8]>>);

    impl io::Read for Input {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            self.0.remove(0).map(|part| {
                into[..part.len()].copy_from_slice(part);
                part.len()
            })
        }
    }

    #[test]
    fn an_interrupted_read_is_repeated_and_another_error_is_the_last_chunk() {
        let (send, mut chunks) = mpsc::channel(4);
        let [interrupted, reset] = [io::ErrorKind::Interrupted, io::ErrorKind::ConnectionReset].map(io::Error::from);
        let parts = vec![Ok(&b"first"[..]), Err(interrupted), Ok(b"second"), Err(reset), Ok(b"never read")];
        read(io::BufReader::new(Input(parts)), &send);
        drop(send);
        let chunks: Vec<_> =
            std::iter::from_fn(|| chunks.blocking_recv()).map(|chunk| chunk.map_err(|error| error.kind())).collect();
        assert_eq!(chunks, [Ok(b"first".to_vec()), Ok(b"second".to_vec()), Err(io::ErrorKind::ConnectionReset)]);
    }

    #[test]
    fn each_byte_of_a_chunk_is_read_once() {
        let (send, chunks) = mpsc::channel(1);
        send.try_send(Ok(b"one\ntwo\nthree\n".to_vec())).expect("room");
        drop(send);
        let mut lines = BufReader::with_capacity(5, Stdin { chunks, chunk: Vec::new() }).lines();
        for expected in [Some("one"), Some("two"), Some("three"), None] {
            let mut next = pin!(lines.next_line());
            let Poll::Ready(line) = next.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
                panic!("it waits")
            };
            assert_eq!(line.expect("no error").as_deref(), expected);
        }
    }
}
