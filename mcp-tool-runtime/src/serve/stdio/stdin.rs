//! Standard input, read on a thread of its own.
//!
//! tokio would read it on a blocking thread, and a runtime waits for its blocking threads before it ends: the process could
//! not end while the client keeps the input open.

use std::io::{self, BufRead as _};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncBufRead, AsyncRead, ReadBuf};
use tokio::sync::mpsc;

/// Standard input as an asynchronous stream.
pub(super) struct Stdin {
    chunks: mpsc::Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    /// The number of bytes of `chunk` that are consumed.
    used: usize,
}

impl Stdin {
    /// Starts the thread. A chunk that it reads after this value is dropped is lost.
    pub(super) fn open() -> io::Result<Self> {
        let (send, chunks) = mpsc::channel(1);
        std::thread::Builder::new().name("mcp-tool-stdin".to_owned()).spawn(move || read(&send))?;
        Ok(Self { chunks, chunk: Vec::new(), used: 0 })
    }
}

fn read(send: &mpsc::Sender<io::Result<Vec<u8>>>) {
    let mut input = io::stdin().lock();
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

impl AsyncBufRead for Stdin {
    fn poll_fill_buf(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.get_mut();
        if this.used == this.chunk.len()
            && let Some(chunk) = ready!(this.chunks.poll_recv(cx))
        {
            (this.chunk, this.used) = (chunk?, 0);
        }
        Poll::Ready(Ok(&this.chunk[this.used..]))
    }

    fn consume(self: Pin<&mut Self>, bytes: usize) {
        self.get_mut().used += bytes;
    }
}

impl AsyncRead for Stdin {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let chunk = ready!(self.as_mut().poll_fill_buf(cx))?;
        let bytes = chunk.len().min(into.remaining());
        into.put_slice(&chunk[..bytes]);
        self.consume(bytes);
        Poll::Ready(Ok(()))
    }
}
