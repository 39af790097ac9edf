//! What handing blocks to a local socket takes: of memory that is of no file, and of the large file in the page cache.

use std::fs::File;
use std::path::Path;

use hotset_machine::{DrainedSocket, MachineError, OnFile};
use serde::Serialize;

use crate::buffer::{Buffer, WALKED_BYTES};
use crate::sampling::{Sampling, time_us};
use crate::scratch::{Scratch, buffer, evict_surely};
use crate::{Figure, Probe, ProbeError};

/// Sent for one sample, bytes: one of the largest blocks.
const SPAN_BYTES: u64 = 16 << 20;

/// Handing blocks of one size to a local socket, whose other end a thread on the same processor empties.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SentBlocks {
    /// Their size.
    pub bytes: u64,
    /// Written from a buffer that was just used.
    pub written: Figure,
    /// Written from memory that is not in the processor's caches.
    pub cold: Figure,
    /// Of the store's file in the page cache, not in the processor's caches, by `sendfile`.
    pub sent: Figure,
}

/// Figures that [`measure`] makes.
pub(crate) fn figures(probe: &Probe) -> usize {
    3 * probe.blocks.len()
}

/// Measures each size.
///
/// # Errors
/// When the file cannot be read or does not stay in memory, or the system refuses a socket.
pub(crate) fn measure(
    probe: &Probe,
    scratch: &Scratch,
    sampling: &Sampling,
) -> Result<Vec<SentBlocks>, ProbeError> {
    let path = &scratch.large;
    // Read anew in one go, it lies in memory as read-ahead puts it, and not as the readers before had its blocks.
    if scratch.is_evictable {
        evict_surely(path)?;
    }
    let most = probe.blocks.iter().copied().max().unwrap_or(0);
    let sender = &mut Sender {
        walked: buffer(WALKED_BYTES.min(probe.large_bytes).max(most)),
        scratch,
        path,
        file: File::open(path).on("open", path)?,
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
const SOCKET: &str = "a local socket";

/// What is sent, and where to.
struct Sender<'s> {
    scratch: &'s Scratch,
    walked: Vec<u8>,
    path: &'s Path,
    file: File,
    socket: DrainedSocket,
    /// Where the walk through memory or the file has come to.
    at: u64,
}

impl Sender<'_> {
    fn written(&mut self, block: u64) -> Result<f64, ProbeError> {
        let mut buffer = Buffer::of_malloc(block);
        self.span(block, |it, _| {
            it.socket.write(buffer.bytes()).on("write to", SOCKET)
        })
    }

    fn cold(&mut self, block: u64) -> Result<f64, ProbeError> {
        self.span(block, |it, place| {
            let bytes = &it.walked[place as usize..(place + block) as usize];
            it.socket.write(bytes).on("write to", SOCKET)
        })
    }

    fn sent(&mut self, block: u64) -> Result<f64, ProbeError> {
        self.scratch.load(&self.file, self.path)?;
        self.span(block, |it, place| {
            it.socket.send(&it.file, place, block).on("send", it.path)
        })
    }

    /// Has `hand_over` done for blocks one after the other, until the other end has them all; what a block took.
    fn span(
        &mut self,
        block: u64,
        mut hand_over: impl FnMut(&mut Self, u64) -> Result<(), MachineError>,
    ) -> Result<f64, ProbeError> {
        let blocks = (SPAN_BYTES / block).max(1);
        let took = time_us(|| {
            for _ in 0..blocks {
                let place = self.advance(block);
                hand_over(self, place)?;
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
