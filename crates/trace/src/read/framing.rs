//! Cuts a stream into blocks of whole records: lines, or records of a fixed length.

use super::decompress::fill;
use crate::formats::{BYTE_ORDER_MARK, Framing};
use std::io::{self, Cursor, Read};

/// A longer line is rejected. Servers accept request lines and headers of some 8 KiB each (Apache's
/// LimitRequestLine, nginx's large_client_header_buffers) and escape a byte to four characters at most,
/// so a line of a log stays well below.
pub(super) const MAX_LINE_BYTES: usize = 1024 * 1024;

/// Bytes kept of a line that is too long, to show it.
pub(super) const KEPT_BYTES: usize = 256;

/// A stream whose first bytes are known.
pub(super) struct Frames {
    input: Box<dyn Read + Send>,
    head: Vec<u8>,
    is_whole: bool,
}

impl Frames {
    /// Reads the first `head_bytes` bytes.
    pub(super) fn new(mut input: Box<dyn Read + Send>, head_bytes: usize) -> io::Result<Frames> {
        let mut head = vec![0; head_bytes];
        let length = fill(&mut input, &mut head)?;
        head.truncate(length);
        let is_whole = length < head_bytes;
        Ok(Frames {
            input,
            head,
            is_whole,
        })
    }

    /// The first bytes.
    pub(super) fn head(&self) -> &[u8] {
        &self.head
    }

    /// The first records: the first bytes without a byte order mark before the first line. Editors and Windows
    /// tools leave one, which would become a part of the first field.
    pub(super) fn records(&self, framing: Framing) -> &[u8] {
        let mark = match framing {
            Framing::Lines => BYTE_ORDER_MARK,
            Framing::Fixed(_) => b"",
        };
        self.head.strip_prefix(mark).unwrap_or(&self.head)
    }

    /// Length of the whole stream, where its first bytes are all.
    pub(super) fn whole_length(&self) -> Option<u64> {
        self.is_whole.then_some(self.head.len() as u64)
    }

    /// Replaces the first bytes by the next ones, to see whether they can be read.
    pub(super) fn look_on(&mut self) -> io::Result<()> {
        fill(&mut self.input, &mut self.head).map(|_| ())
    }

    /// Blocks of about `block_bytes` bytes, from the first record.
    pub(super) fn blocks(self, framing: Framing, block_bytes: usize) -> Blocks {
        let head = self.records(framing).to_vec();
        let input = Box::new(Cursor::new(head).chain(self.input));
        Blocks::new(input, framing, block_bytes)
    }
}

/// A run of whole records. The last of a stream may be cut off.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The records, and behind them what a block before left in the buffer.
    buffer: Vec<u8>,
    length: usize,
    /// Whether it is the head of one line that is too long.
    pub(super) is_too_long: bool,
    /// Whether nothing follows it.
    pub(super) is_last: bool,
}

impl Block {
    /// The records.
    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.length]
    }
}

/// The blocks of a stream, one after the other.
pub(super) struct Blocks {
    input: Box<dyn Read + Send>,
    framing: Framing,
    block_bytes: usize,
    /// The beginning of a record that goes on in the next block.
    carried: Vec<u8>,
    at_end: bool,
}

impl Blocks {
    /// Those of a stream that begins with a record.
    pub(super) fn new(input: Box<dyn Read + Send>, framing: Framing, block_bytes: usize) -> Blocks {
        Blocks {
            input,
            framing,
            block_bytes: block_bytes.max(1),
            carried: Vec::new(),
            at_end: false,
        }
    }

    /// Reads the next block into the buffer of `block`; false at the end of the stream.
    pub(super) fn next(&mut self, block: &mut Block) -> io::Result<bool> {
        let is_some = self.cut(block)?;
        block.is_last = self.at_end && self.carried.is_empty();
        Ok(is_some)
    }

    fn cut(&mut self, block: &mut Block) -> io::Result<bool> {
        let buffer = &mut block.buffer;
        let mut filled = self.carried.len();
        let mut wanted = self.block_bytes.max(filled + 1);
        if buffer.len() < wanted {
            buffer.resize(wanted, 0);
        }
        buffer[..filled].copy_from_slice(&self.carried);
        self.carried.clear();
        block.is_too_long = false;
        let mut searched = 0;
        loop {
            filled += self.read(&mut buffer[filled..wanted])?;
            if let Some(end) = self.end_of_records(&buffer[..filled], searched) {
                self.carried.extend_from_slice(&buffer[end..filled]);
                block.length = end;
                return Ok(true);
            }
            if self.at_end {
                block.length = filled;
                return Ok(filled > 0);
            }
            if self.framing == Framing::Lines && filled > MAX_LINE_BYTES {
                self.skip_line(buffer)?;
                block.length = KEPT_BYTES;
                block.is_too_long = true;
                return Ok(true);
            }
            searched = filled;
            wanted = 2 * filled;
            buffer.resize(wanted.max(buffer.len()), 0);
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at_end {
            return Ok(0);
        }
        let read = fill(&mut self.input, buffer)?;
        self.at_end = read < buffer.len();
        Ok(read)
    }

    /// Where the last whole record in `bytes` ends; none where there is none. No line ends before `searched`.
    fn end_of_records(&self, bytes: &[u8], searched: usize) -> Option<usize> {
        match self.framing {
            Framing::Lines => {
                memchr::memrchr(b'\n', &bytes[searched..]).map(|at| searched + at + 1)
            }
            Framing::Fixed(length) => {
                let end = bytes.len() - bytes.len() % length.max(1);
                (end > 0).then_some(end)
            }
        }
    }

    /// Skips the rest of a line, whose head stays in `buffer`.
    #[cold]
    fn skip_line(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        loop {
            let read = self.read(&mut buffer[KEPT_BYTES..])?;
            let skipped = &buffer[KEPT_BYTES..KEPT_BYTES + read];
            if let Some(at) = memchr::memchr(b'\n', skipped) {
                self.carried.extend_from_slice(&skipped[at + 1..]);
                return Ok(());
            }
            if self.at_end {
                return Ok(());
            }
        }
    }
}
