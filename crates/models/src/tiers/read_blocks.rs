//! What a server has read of a file into a buffer of its own, where it reads more at a time than it sends.

use super::message::PIECE_BYTES;
use super::system::Mounted;
use crate::remote::Part;
use crate::storage::{OpenFile, Read};

/// Bytes of a file of a store that a server reads at a time; nothing where that is what it sends at a time.
pub(crate) fn block_bytes(mounts: &[Option<Mounted>], store: usize) -> Option<u64> {
    let export = mounts.get(store)?.as_ref()?.export;
    let is_parallel = matches!(export.part, Some(Part::Parallel(_)));
    let bytes = export.mount.read_bytes;
    (is_parallel && bytes > PIECE_BYTES).then_some(bytes)
}

/// Blocks of a file that is being sent.
pub(crate) struct Blocks {
    /// The file, as the server reads it.
    pub file: OpenFile,
    /// All of its bytes, and those of a block.
    bytes: u64,
    block_bytes: u64,
    /// The block that has begun to be read.
    under_way: Option<Read>,
    /// Where the first begins that has not.
    next: u64,
}

impl Blocks {
    /// Those of a file of so many bytes, of which nothing is read yet.
    pub fn new(file: OpenFile, bytes: u64, block_bytes: u64) -> Self {
        Self {
            file,
            bytes,
            block_bytes,
            under_way: None,
            next: 0,
        }
    }

    /// What has yet to be read before the byte at `offset` is sent; nothing where the buffer has it.
    pub fn wanted(&mut self, offset: u64) -> Option<Read> {
        if let Some(read) = self.under_way.take() {
            return Some(read);
        }
        if offset < self.next || self.next >= self.bytes {
            return None;
        }
        let bytes = self.block_bytes.min(self.bytes - self.next);
        let read = Read::new(self.next, bytes);
        self.next += bytes;
        Some(read)
    }

    /// A block waits for some of its bytes.
    pub fn waits(&mut self, read: Read) {
        self.under_way = Some(read);
    }
}
