//! What is read of a parallel file system, and on what.

use crate::remote::pvfs::Striping;

/// A file that each of several clients reads block by block, and what it is read on.
#[derive(Clone, Debug)]
pub struct ParallelReadJob {
    /// Where blocks begin, in the order in which they are read.
    pub offsets: Vec<u64>,
    /// What is read from each.
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
    /// What taking a packet into a receive buffer takes, nanoseconds.
    pub receive_ns: u64,
    /// How long a packet is on the wire, nanoseconds.
    pub delay_ns: u64,
}

impl ParallelReadJob {
    /// Chunks of the block that begins at `from`: the parts of strips that servers read for it.
    pub(super) fn chunks(&self, from: u64) -> u64 {
        let strip_bytes = self.striping.strip_bytes;
        (from + self.block_bytes - 1) / strip_bytes - from / strip_bytes + 1
    }
}
