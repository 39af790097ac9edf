//! Reading files past the page cache.

use rustix::fs::{Mode, OFlags, open};
use std::fs::File;
use std::io;
use std::path::Path;

/// What buffers, offsets and lengths of direct reads are multiples of: no disk has larger sectors (open(2), `O_DIRECT`).
const ALIGNMENT: usize = 4096;
/// Bytes of a read: as many as Linux reads ahead of a program that reads a file in order (`read_ahead_kb` is 128 by default).
const READ_BYTES: usize = 128 << 10;

/// Opens a file whose reads go to its disk, whatever is in the page cache.
///
/// # Errors
/// When there is no such file, or its file system has no such reads.
pub(crate) fn open_direct(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::DIRECT | OFlags::CLOEXEC;
    Ok(open(path, flags, Mode::empty())?.into())
}

/// A buffer that direct reads accept.
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    start: usize,
}

impl Buffer {
    pub fn new() -> Self {
        let bytes = vec![0; READ_BYTES + ALIGNMENT];
        let start = bytes.as_ptr().align_offset(ALIGNMENT);
        Self { bytes, start }
    }

    pub fn as_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..self.start + READ_BYTES]
    }
}
