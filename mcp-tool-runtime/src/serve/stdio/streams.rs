//! Standard input and output as asynchronous streams, and lines of limited length.
//!
//! Each stream has its own thread. tokio would use its blocking threads, and a runtime waits for those before it shuts
//! down, so the process could not end while the client keeps the input open or does not read the output.

use std::io::{self, Write as _};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{mpsc, oneshot};

/// A reader that returns one line at a time. [`next`](Self::next) is cancel safe: a partial line is kept.
pub(super) struct Lines<R> {
    reader: R,
    pub(super) max_bytes: usize,
    line: Vec<u8>,
    /// What is kept of the current line if it is too long.
    outline: Option<Outline>,
    /// `true` if the current line is the first one.
    is_first: bool,
}

/// A line of the input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Message(Vec<u8>),
    /// The [`Outline`] of a message that is too long.
    TooLong(Vec<u8>),
}

/// A JSON object without what is inside its values, such as `{"id":7,"method":"tools/call","params":{}}`. It has the id
/// that the answer needs.
#[derive(Default)]
struct Outline {
    text: Vec<u8>,
    depth: usize,
    /// Where the current string begins in `text`.
    string: Option<usize>,
    is_escaped: bool,
}

impl Outline {
    /// The maximum lengths in bytes of an outline, and of a string in it. A longer string becomes `null`.
    const MAX_BYTES: usize = 64 << 10;
    const MAX_STRING: usize = 4_096;

    fn extend(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let is_inside = self.depth > 1;
            let string = self.string;
            match byte {
                b'"' if string.is_none() => self.string = Some(self.text.len()),
                b'"' if !self.is_escaped => self.string = None,
                b'{' | b'[' if string.is_none() => self.depth += 1,
                b'}' | b']' if string.is_none() => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            self.is_escaped = string.is_some() && byte == b'\\' && !self.is_escaped;
            let is_blank = string.is_none() && byte.is_ascii_whitespace() && self.text.last() == Some(&b' ');
            if (is_inside && self.depth > 1) || is_blank || self.text.len() >= Self::MAX_BYTES {
                continue;
            }
            match string.filter(|start| self.text.len() - start > Self::MAX_STRING) {
                None => self.text.push(if string.is_none() && byte.is_ascii_whitespace() { b' ' } else { byte }),
                Some(start) if self.string.is_none() => self.text.splice(start.., *b"null").for_each(drop),
                Some(_) => {}
            }
        }
    }
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    pub(super) fn new(reader: R, max_bytes: usize) -> Self {
        Self { reader, max_bytes, line: Vec::new(), outline: None, is_first: true }
    }

    /// Returns the next line without its line break, or `None` at the end of the input. The last line needs no line
    /// break.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let chunk = match self.reader.fill_buf().await {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            if chunk.is_empty() {
                return Ok((self.outline.is_some() || !self.line.is_empty()).then(|| self.take()));
            }
            let end = memchr::memchr(b'\n', chunk);
            let part = &chunk[..end.unwrap_or(chunk.len())];
            if self.outline.is_none() && part.len() > self.max_bytes.saturating_sub(self.line.len()) {
                let mut outline = Outline::default();
                outline.extend(&std::mem::take(&mut self.line));
                self.outline = Some(outline);
            }
            match &mut self.outline {
                Some(outline) => outline.extend(part),
                None => self.line.extend_from_slice(part),
            }
            let read = part.len() + usize::from(end.is_some());
            self.reader.consume(read);
            if end.is_some() {
                return Ok(Some(self.take()));
            }
        }
    }

    fn take(&mut self) -> Line {
        let outline = self.outline.take().map(|outline| outline.text);
        let is_too_long = outline.is_some();
        let mut text = outline.unwrap_or_else(|| std::mem::take(&mut self.line));
        // Programs on Windows may write a byte order mark first.
        if std::mem::take(&mut self.is_first) && text.starts_with("\u{feff}".as_bytes()) {
            text.drain(..'\u{feff}'.len_utf8());
        }
        if is_too_long { Line::TooLong(text) } else { Line::Message(text) }
    }
}

/// Standard input as an asynchronous stream.
pub(super) struct Stdin {
    chunks: mpsc::Receiver<io::Result<Vec<u8>>>,
    /// The part of the last chunk that has not been read yet.
    chunk: Vec<u8>,
}

impl Stdin {
    /// Starts the thread that reads the input. If this value is dropped, the next chunk that the thread reads is lost.
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

/// Standard output as an asynchronous stream.
pub(super) struct Stdout {
    chunks: mpsc::UnboundedSender<Vec<u8>>,
    /// The results of writing the chunks, one result for each chunk.
    written: mpsc::UnboundedReceiver<io::Result<()>>,
    /// `true` if the thread has a chunk that it has not written yet.
    is_writing: bool,
}

/// Opens standard output for the protocol. On Unix, the rest of the process can then no longer write to it, and the
/// receiver is notified when the client closes it.
pub(super) fn open_stdout() -> io::Result<(Stdout, oneshot::Receiver<()>)> {
    let mut output = take()?;
    let (close, closed) = oneshot::channel();
    #[cfg(unix)]
    {
        let output = output.try_clone()?;
        std::thread::Builder::new().name("mcp-tool-watch".to_owned()).spawn(move || {
            if is_closed_at_last(&output) {
                let _ = close.send(());
            }
        })?;
    }
    #[cfg(not(unix))]
    drop::<oneshot::Sender<()>>(close);
    let (chunks, mut unwritten) = mpsc::unbounded_channel::<Vec<u8>>();
    let (results, written) = mpsc::unbounded_channel();
    std::thread::Builder::new().name("mcp-tool-stdout".to_owned()).spawn(move || {
        while let Some(chunk) = unwritten.blocking_recv() {
            drop(results.send(output.write_all(&chunk).and_then(|()| output.flush())));
        }
    })?;
    Ok((Stdout { chunks, written, is_writing: false }, closed))
}

/// Duplicates standard output for the protocol, and makes standard error the standard output of the process: what a
/// tool, a C library or a child process prints must not reach the client. This lasts until the process ends, because a
/// tool may run for longer than the server. A second server gets the same output.
#[cfg(unix)]
fn take() -> io::Result<std::fs::File> {
    use std::os::fd::AsFd as _;
    use std::sync::Mutex;

    static TAKEN: Mutex<Option<std::fs::File>> = Mutex::new(None);
    let mut taken = crate::call::lock(&TAKEN);
    if let Some(output) = &*taken {
        return output.try_clone();
    }
    let output = std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?);
    rustix::stdio::dup2_stdout(io::stderr())?;
    taken.insert(output).try_clone()
}

#[cfg(not(unix))]
fn take() -> io::Result<io::Stdout> {
    Ok(io::stdout())
}

/// Waits until nobody can read the output any more. Returns `false` if the system cannot tell.
#[cfg(unix)]
fn is_closed_at_last(output: &std::fs::File) -> bool {
    use rustix::event::{PollFd, PollFlags, poll};

    // Ask for `HUP`, because some systems report it only on request. Linux reports `ERR` and `HUP` in any case.
    let mut watched = [PollFd::new(output, PollFlags::HUP)];
    while poll(&mut watched, None) == Err(rustix::io::Errno::INTR) {}
    watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

impl AsyncWrite for Stdout {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.as_mut().poll_flush(cx))?;
        self.is_writing = self.chunks.send(bytes.to_vec()).is_ok();
        Poll::Ready(if self.is_writing { Ok(bytes.len()) } else { Err(io::ErrorKind::BrokenPipe.into()) })
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.is_writing {
            return Poll::Ready(Ok(()));
        }
        let written = ready!(self.written.poll_recv(cx));
        self.is_writing = false;
        Poll::Ready(written.unwrap_or_else(|| Err(io::ErrorKind::BrokenPipe.into())))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::Waker;
    use tokio::io::BufReader;

    /// An input that yields these parts and errors, and then ends.
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
