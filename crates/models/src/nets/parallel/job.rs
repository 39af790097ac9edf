//! What is read of a parallel file system or written, and on what.

use crate::remote::pvfs::{ReceiveCost, Striping};

/// A file that each of several clients reads or writes block by block, and what it is on.
#[derive(Clone, Debug)]
pub struct ParallelJob {
    /// Whether it is written.
    pub writes: bool,
    /// Where blocks begin, in their order.
    pub offsets: Vec<u64>,
    /// What is read from each, or written.
    pub block_bytes: u64,
    /// Whether programs begin anew after the last block.
    pub repeats: bool,
    /// Clients, each with a file of its own. Files begin on one server after the other.
    pub clients: u32,
    /// Servers.
    pub servers: u32,
    /// How files are divided.
    pub striping: Striping,
    /// What a call takes of a processor at each end, nanoseconds.
    pub call_ns: u64,
    /// What a byte does.
    pub ns_per_byte: f64,
    /// What taking a packet into a receive buffer takes.
    pub receive: ReceiveCost,
    /// How long a packet is on the wire, nanoseconds.
    pub delay_ns: u64,
}

impl ParallelJob {
    /// What servers answer to the block that begins at `from`: a chunk for each part of a strip that they read, or once for all that one writes.
    pub(super) fn answers(&self, from: u64) -> u64 {
        let end = from + self.block_bytes;
        match self.writes {
            true => self.striping.parts(from..end).count() as u64,
            false => {
                let strip_bytes = self.striping.strip_bytes;
                (end - 1) / strip_bytes - from / strip_bytes + 1
            }
        }
    }
}
