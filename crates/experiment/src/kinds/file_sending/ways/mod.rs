//! The ways of handing a file to a socket, a file each.

mod mmap_write;
mod read_write;
mod sendfile;

use std::fs::File;
use std::io;

use hotset_machine::DrainedSocket;

/// A way of handing a file to a socket.
pub(super) trait Way: Sync {
    /// As results call it.
    fn name(&self) -> &'static str;

    /// The engine of fio that reads alike, for the model.
    fn engine(&self) -> &'static str {
        "psync"
    }

    /// Whether the program writes to the socket, so that the kernel copies.
    fn copies(&self) -> bool {
        true
    }

    /// Hands the first `bytes` of `file` over, by blocks.
    ///
    /// # Errors
    /// What the system refuses.
    fn send(
        &self,
        file: &File,
        bytes: u64,
        block_bytes: u64,
        socket: &mut DrainedSocket,
    ) -> io::Result<()>;
}

/// All ways, in the order in which they are measured and shown.
pub(super) const WAYS: [&dyn Way; 3] = [
    &read_write::ReadWrite,
    &mmap_write::MmapWrite,
    &sendfile::SendFile,
];

/// Offset and length of each block of `bytes`; the last one may be shorter.
fn blocks(bytes: u64, block_bytes: u64) -> impl Iterator<Item = (u64, u64)> {
    let step = usize::try_from(block_bytes).unwrap_or(usize::MAX);
    let offsets = (0..bytes).step_by(step);
    offsets.map(move |offset| (offset, block_bytes.min(bytes - offset)))
}
