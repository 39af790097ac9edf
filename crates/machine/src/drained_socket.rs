//! A local socket whose other end is emptied as fast as bytes come.

use std::io::{self, Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

use rustix::fs::sendfile;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

use crate::FileMapping;

/// Bytes that the other end reads at a time.
const READ_BYTES: usize = 64 << 10;

/// A Unix stream socket. A thread reads what is written to it, on the same processor as the thread that opened it: what both do takes
/// its time one after the other, so that times of blocks can be added. Meanwhile that thread stays on its processor too.
#[derive(Debug)]
pub struct DrainedSocket {
    socket: UnixStream,
    drain: Option<JoinHandle<()>>,
    drained_bytes: Arc<AtomicU64>,
    sent_bytes: u64,
    /// Processors that the opening thread had before.
    processors: CpuSet,
}

impl DrainedSocket {
    /// A socket and the thread at its other end. Use it in the thread that opens it.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn open() -> io::Result<Self> {
        let processors = sched_getaffinity(None)?;
        let mut one = CpuSet::new();
        one.set(sched_getcpu());
        let (socket, other) = UnixStream::pair()?;
        let mut opened = Self {
            socket,
            drain: None,
            drained_bytes: Arc::new(AtomicU64::new(0)),
            sent_bytes: 0,
            processors,
        };
        sched_setaffinity(None, &one)?;
        let counted = Arc::clone(&opened.drained_bytes);
        // It inherits the processor.
        let drain = thread::Builder::new().spawn(move || drain(other, &counted))?;
        opened.drain = Some(drain);
        Ok(opened)
    }

    /// Writes all of a buffer.
    ///
    /// # Errors
    /// What write(2) says.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sent_bytes += bytes.len() as u64;
        self.socket.write_all(bytes)
    }

    /// Writes bytes of a mapped file from where they are mapped.
    ///
    /// # Errors
    /// Bytes that the mapping does not have, and what write(2) says.
    pub fn write_mapped(&mut self, file: &FileMapping, offset: u64, bytes: u64) -> io::Result<()> {
        let mut done = 0;
        while done < bytes {
            let left = (bytes - done) as usize;
            done += file.write(offset + done, left, &self.socket)? as u64;
        }
        self.sent_bytes += bytes;
        Ok(())
    }

    /// Has the kernel send bytes of a file (`sendfile`).
    ///
    /// # Errors
    /// A file that ends before, and what sendfile(2) says.
    pub fn send(&mut self, file: impl AsFd, offset: u64, bytes: u64) -> io::Result<()> {
        let (mut at, end) = (offset, offset + bytes);
        while at < end {
            let left = (end - at) as usize;
            if sendfile(&self.socket, &file, Some(&mut at), left)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        self.sent_bytes += bytes;
        Ok(())
    }

    /// Waits until the other end has all that was sent.
    pub fn wait(&self) {
        let is_alive = || self.drain.as_ref().is_some_and(|it| !it.is_finished());
        while self.drained_bytes.load(Ordering::Acquire) < self.sent_bytes && is_alive() {
            thread::yield_now();
        }
    }
}

impl Drop for DrainedSocket {
    fn drop(&mut self) {
        let _shut = self.socket.shutdown(Shutdown::Both);
        if let Some(drain) = self.drain.take() {
            let _ended = drain.join();
        }
        let _restored = sched_setaffinity(None, &self.processors);
    }
}

/// Reads until the other side is shut.
fn drain(mut socket: UnixStream, drained_bytes: &AtomicU64) {
    let mut buffer = vec![0; READ_BYTES];
    while let Ok(bytes @ 1..) = socket.read(&mut buffer) {
        drained_bytes.fetch_add(bytes as u64, Ordering::Release);
    }
}
