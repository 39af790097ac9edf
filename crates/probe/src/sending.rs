//! What handing blocks to a local socket takes, from memory that is of no file.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use hotset_machine::{DrainedSocket, OnFile};
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use serde::Serialize;

use crate::buffer::Buffer;
use crate::sampling::{Sampling, time_us};
use crate::{Figure, Probe, ProbeError};

/// Sent for one sample, bytes: one of the largest blocks.
const SPAN_BYTES: u64 = 16 << 20;
/// Memory that is walked through, bytes: twice the 32 MiB of an AMD EPYC's last cache, so that it is in none when its turn comes again.
const WALKED_BYTES: u64 = 64 << 20;

/// Handing blocks of one size to a local socket, whose other end a thread on the same processor empties.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SentBlocks {
    /// Their size.
    pub bytes: u64,
    /// Written from a buffer that was just used.
    pub written: Figure,
    /// Written from memory that is not in the processor's caches.
    pub cold: Figure,
    /// Pages of such memory, by `sendfile`.
    pub sent: Figure,
}

/// Figures that [`measure`] makes.
pub(crate) fn figures(probe: &Probe) -> usize {
    3 * probe.blocks.len()
}

/// Measures each size.
///
/// # Errors
/// When the system has no memory for it, or refuses a socket.
pub(crate) fn measure(probe: &Probe, sampling: &Sampling) -> Result<Vec<SentBlocks>, ProbeError> {
    let most = probe.blocks.iter().copied().max().unwrap_or(0);
    let walked_bytes = WALKED_BYTES.min(probe.large_bytes).max(most);
    let sender = &mut Sender {
        walked: vec![1; walked_bytes as usize],
        file: memory_file(walked_bytes).on("make", MEMORY)?,
        socket: DrainedSocket::open().on("open", SOCKET)?,
        at: 0,
    };
    let block = |&bytes: &u64| {
        Ok(SentBlocks {
            bytes,
            written: sampling.figure(|_| sender.written(bytes))?,
            cold: sampling.figure(|_| sender.cold(bytes))?,
            sent: sampling.figure(|_| sender.sent(bytes))?,
        })
    };
    probe.blocks.iter().map(block).collect()
}

/// What errors call what has no path.
const MEMORY: &str = "a file in memory";
const SOCKET: &str = "a local socket";

/// A file that is memory and nothing else (memfd_create(2)).
fn memory_file(bytes: u64) -> io::Result<File> {
    let file = File::from(memfd_create("hotset", MemfdFlags::CLOEXEC)?);
    ftruncate(&file, bytes)?;
    let piece = vec![1; 1 << 20];
    for offset in (0..bytes).step_by(piece.len()) {
        let length = (bytes - offset).min(piece.len() as u64);
        file.write_all_at(&piece[..length as usize], offset)?;
    }
    Ok(file)
}

/// What is sent, and where to.
struct Sender {
    walked: Vec<u8>,
    file: File,
    socket: DrainedSocket,
    /// Where the walk through memory has come to.
    at: u64,
}

impl Sender {
    fn written(&mut self, block: u64) -> Result<f64, ProbeError> {
        let mut buffer = Buffer::of_malloc(block);
        self.span(block, |it, _| it.socket.write(buffer.bytes()))
    }

    fn cold(&mut self, block: u64) -> Result<f64, ProbeError> {
        self.span(block, |it, place| {
            it.socket
                .write(&it.walked[place as usize..(place + block) as usize])
        })
    }

    fn sent(&mut self, block: u64) -> Result<f64, ProbeError> {
        self.span(block, |it, place| it.socket.send(&it.file, place, block))
    }

    /// Has `hand_over` done for blocks one after the other, until the other end has them all; what a block took.
    fn span(
        &mut self,
        block: u64,
        mut hand_over: impl FnMut(&mut Self, u64) -> io::Result<()>,
    ) -> Result<f64, ProbeError> {
        let blocks = (SPAN_BYTES / block).max(1);
        let took = time_us(|| {
            for _ in 0..blocks {
                let place = self.advance(block);
                hand_over(self, place).on("write to", SOCKET)?;
            }
            self.socket.wait();
            Ok(())
        });
        Ok(took? / blocks as f64)
    }

    /// The place of the next block.
    fn advance(&mut self, block: u64) -> u64 {
        if self.at + block > self.walked.len() as u64 {
            self.at = 0;
        }
        self.at += block;
        self.at - block
    }
}
