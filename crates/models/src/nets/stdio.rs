//! What `fread` of the C library asks the kernel for.
//!
//! Followed is `_IO_file_xsgetn` in `libio/fileops.c` of glibc 2.36. A program that jumps to another place has the buffer filled
//! from a multiple of its size, as `_IO_new_file_seekoff` does.

/// Bytes of a stream's buffer: `st_blksize` of the file, 4 KiB on ext3, ext4 and xfs (`_IO_file_doallocate`).
pub const STDIO_BYTES: u64 = 4096;

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StdioStep {
    /// So many bytes are in the buffer and are handed on.
    Copy(u64),
    /// These are read: into the program's own memory, or into the buffer.
    Read {
        /// First byte.
        offset: u64,
        /// How many.
        bytes: u64,
        /// Whether into the buffer.
        into_buffer: bool,
    },
}

/// The buffer of a stream.
#[derive(Clone, Debug, Default)]
pub struct Stdio {
    /// The byte of the file that the buffer begins with.
    start: u64,
    /// Bytes in it.
    filled: u64,
}

impl Stdio {
    /// What a program that wants the bytes from `at` to `end` of a file comes to next.
    pub fn step(&mut self, at: u64, end: u64) -> StdioStep {
        let wanted = end - at;
        if (self.start..self.start + self.filled).contains(&at) {
            return StdioStep::Copy(wanted.min(self.start + self.filled - at));
        }
        if wanted >= STDIO_BYTES {
            return StdioStep::Read {
                offset: at,
                bytes: wanted - wanted % STDIO_BYTES,
                into_buffer: false,
            };
        }
        self.start = at - at % STDIO_BYTES;
        self.filled = STDIO_BYTES;
        StdioStep::Read {
            offset: self.start,
            bytes: STDIO_BYTES,
            into_buffer: true,
        }
    }
}
