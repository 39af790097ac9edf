//! The kernel sends a block.

use std::fs::File;
use std::io;

use hotset_machine::DrainedSocket;

use super::{Way, blocks};

/// `sendfile`.
pub(super) struct SendFile;

impl Way for SendFile {
    fn name(&self) -> &'static str {
        "sendfile"
    }

    fn copies(&self) -> bool {
        false
    }

    fn send(
        &self,
        file: &File,
        bytes: u64,
        block_bytes: u64,
        socket: &mut DrainedSocket,
    ) -> io::Result<()> {
        blocks(bytes, block_bytes)
            .try_for_each(|(offset, length)| socket.send(file, offset, length))
    }
}
