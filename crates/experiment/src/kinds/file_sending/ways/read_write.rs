//! A block is read into a buffer, and written from there.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use hotset_machine::DrainedSocket;

use super::{Way, blocks};

/// `read` and `write`.
pub(super) struct ReadWrite;

impl Way for ReadWrite {
    fn name(&self) -> &'static str {
        "read-write"
    }

    fn send(
        &self,
        file: &File,
        bytes: u64,
        block_bytes: u64,
        socket: &mut DrainedSocket,
    ) -> io::Result<()> {
        let mut buffer = vec![1; block_bytes as usize];
        blocks(bytes, block_bytes).try_for_each(|(offset, length)| {
            let block = &mut buffer[..length as usize];
            file.read_exact_at(block, offset)?;
            socket.write(block)
        })
    }
}
