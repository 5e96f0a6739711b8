//! Standard output, which carries the protocol and nothing else.
//!
//! It is written on its own thread. tokio would write it on a blocking thread, and a runtime waits for its blocking threads before it
//! ends: the process could not end while the client does not read.

use std::io::{self, Write as _};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::AsyncWrite;
use tokio::sync::{mpsc, oneshot};

/// Standard output as an asynchronous stream.
pub(super) struct Stdout {
    chunks: mpsc::UnboundedSender<Vec<u8>>,
    /// The result for each chunk.
    written: mpsc::UnboundedReceiver<io::Result<()>>,
    /// The thread has a chunk that it has not written yet.
    is_writing: bool,
}

/// Takes standard output from the rest of the process. The receiver gets something when the client closes it.
pub(super) fn open() -> io::Result<(Stdout, oneshot::Receiver<()>)> {
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

/// Duplicates standard output for the protocol, and makes standard error the standard output of the process: what a tool, a C library or
/// a child process prints must not reach the client. It stays so until the process ends, because a tool may run for longer than the
/// server. A second server gets the same output.
#[cfg(unix)]
fn take() -> io::Result<std::fs::File> {
    use std::os::fd::AsFd as _;
    use std::sync::{Mutex, PoisonError};

    static TAKEN: Mutex<Option<std::fs::File>> = Mutex::new(None);
    let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
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

/// Waits until nobody can read the output. Returns `false` if the system cannot say so.
#[cfg(unix)]
fn is_closed_at_last(output: &std::fs::File) -> bool {
    use rustix::event::{PollFd, PollFlags, poll};

    // Linux reports both without being asked for. Others watch only what they are asked for.
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
