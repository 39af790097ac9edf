//! What `fwrite` of the C library asks the kernel for.
//!
//! Followed are `_IO_new_file_xsputn` and `_IO_new_file_overflow` in `libio/fileops.c` of glibc 2.36, for a stream that only writes. The
//! first block goes past the buffer. From then on the buffer is filled first: a block of 64 KiB is a write of 4 KiB and one of 60 KiB.

use hotset_petri::Colour;

use crate::nets::stdio::STDIO_BYTES;

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutStep {
    /// So many bytes are taken into the buffer.
    Keep(u64),
    /// These are written: from the buffer, or from the program's own memory.
    Write {
        /// First byte.
        offset: u64,
        /// How many.
        bytes: u64,
        /// Whether from the buffer.
        of_buffer: bool,
    },
}

/// The buffer of a stream.
#[derive(Clone, Debug)]
pub(super) struct OutBuffer {
    /// Bytes of it; 0 of a stream without one.
    bytes: u64,
    /// The byte of the file behind what was handed over.
    position: u64,
    /// Bytes before that which are in the buffer.
    filled: u64,
    /// Whether the stream has written since it was opened or another place was sought (`_IO_CURRENTLY_PUTTING`).
    is_putting: bool,
    /// Whether the buffer was emptied for the block at hand, whose whole pages go past it.
    is_emptied: bool,
}

impl Colour for OutBuffer {}

impl OutBuffer {
    /// That of a stream just opened, which has one or not.
    pub fn new(has_any: bool) -> Self {
        Self {
            bytes: if has_any { STDIO_BYTES } else { 0 },
            position: 0,
            filled: 0,
            is_putting: false,
            is_emptied: false,
        }
    }

    /// Whether something of it was not written.
    pub fn has_any(&self) -> bool {
        self.filled > 0
    }

    /// What a program that writes the bytes from `at` to `end` of a file, at least one, comes to next.
    pub fn step(&mut self, at: u64, end: u64) -> OutStep {
        if self.position != at {
            // It seeks.
            if self.has_any() {
                return self.empty(false);
            }
            (self.position, self.is_putting) = (at, false);
        }
        let room = match self.is_putting && !self.is_emptied {
            true => self.bytes - self.filled,
            false => 0,
        };
        if room > 0 {
            return self.keep(room.min(end - at));
        }
        if self.has_any() {
            self.is_emptied = true;
            return self.empty(true);
        }
        self.is_putting = true;
        let whole = match self.bytes {
            0 => end - at,
            bytes => (end - at) / bytes * bytes,
        };
        if whole == 0 {
            return self.keep(end - at);
        }
        self.is_emptied = true;
        self.position += whole;
        OutStep::Write {
            offset: at,
            bytes: whole,
            of_buffer: false,
        }
    }

    /// The block at hand was taken or written.
    pub fn end_block(&mut self) {
        self.is_emptied = false;
    }

    /// Writes what is in it, which is something (`fflush`). `is_putting`: the stream goes on where it is.
    pub fn empty(&mut self, is_putting: bool) -> OutStep {
        self.is_putting = is_putting;
        let bytes = std::mem::take(&mut self.filled);
        OutStep::Write {
            offset: self.position - bytes,
            bytes,
            of_buffer: true,
        }
    }

    fn keep(&mut self, bytes: u64) -> OutStep {
        self.position += bytes;
        self.filled += bytes;
        OutStep::Keep(bytes)
    }
}
