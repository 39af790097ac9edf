//! The file is mapped, and a block written from where it is mapped.

use std::fs::File;
use std::io;

use hotset_machine::{DrainedSocket, FileMapping};

use super::{Way, blocks};

/// `mmap` and `write`.
pub(super) struct MmapWrite;

impl Way for MmapWrite {
    fn name(&self) -> &'static str {
        "mmap-write"
    }

    fn engine(&self) -> &'static str {
        "mmap"
    }

    fn send(
        &self,
        file: &File,
        bytes: u64,
        block_bytes: u64,
        socket: &mut DrainedSocket,
    ) -> io::Result<()> {
        let mapping = FileMapping::of(file)?;
        blocks(bytes, block_bytes)
            .try_for_each(|(offset, length)| socket.write_mapped(&mapping, offset, length))
    }
}
