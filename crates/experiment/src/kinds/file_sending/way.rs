//! The ways of handing a file to a socket.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use hotset_machine::{DrainedSocket, FileMapping};
use hotset_models::fio::Delivery;

/// A way of handing a file to a socket.
pub(super) struct Way {
    /// As results call it.
    pub name: &'static str,
    /// The engine of fio that reads alike, for the model.
    pub engine: &'static str,
    /// What it does beyond reading, for the model.
    pub delivery: Delivery,
    send: fn(&File, Blocks, &mut DrainedSocket) -> io::Result<()>,
}

/// All ways, in the order in which they are measured and shown.
pub(super) static WAYS: [Way; 3] = [
    Way {
        name: "read-write",
        engine: "psync",
        delivery: Delivery::Written,
        send: read_and_write,
    },
    Way {
        name: "mmap-write",
        engine: "mmap",
        delivery: Delivery::Written,
        send: map_and_write,
    },
    Way {
        name: "sendfile",
        engine: "psync",
        delivery: Delivery::Sent,
        send: send_by_kernel,
    },
];

impl Way {
    /// Hands the first `bytes` of `file` over, by blocks.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn send(
        &self,
        file: &File,
        bytes: u64,
        block_bytes: u64,
        socket: &mut DrainedSocket,
    ) -> io::Result<()> {
        let blocks = Blocks { bytes, block_bytes };
        (self.send)(file, blocks, socket)
    }
}

/// The blocks of so many bytes.
#[derive(Clone, Copy)]
struct Blocks {
    bytes: u64,
    block_bytes: u64,
}

impl Blocks {
    /// Offset and length of each; the last one may be shorter.
    fn iter(self) -> impl Iterator<Item = (u64, u64)> {
        let step = usize::try_from(self.block_bytes).unwrap_or(usize::MAX);
        let offsets = (0..self.bytes).step_by(step);
        offsets.map(move |offset| (offset, self.block_bytes.min(self.bytes - offset)))
    }
}

/// A block is read into a buffer, and written from there.
fn read_and_write(file: &File, blocks: Blocks, socket: &mut DrainedSocket) -> io::Result<()> {
    let mut buffer = vec![1; blocks.block_bytes as usize];
    blocks.iter().try_for_each(|(offset, length)| {
        let block = &mut buffer[..length as usize];
        file.read_exact_at(block, offset)?;
        socket.write(block)
    })
}

/// The file is mapped, and a block written from where it is mapped.
fn map_and_write(file: &File, blocks: Blocks, socket: &mut DrainedSocket) -> io::Result<()> {
    let mapping = FileMapping::of(file)?;
    let mut blocks = blocks.iter();
    blocks.try_for_each(|(offset, length)| socket.write_mapped(&mapping, offset, length))
}

/// The kernel sends a block.
fn send_by_kernel(file: &File, blocks: Blocks, socket: &mut DrainedSocket) -> io::Result<()> {
    let mut blocks = blocks.iter();
    blocks.try_for_each(|(offset, length)| socket.send(file, offset, length))
}
