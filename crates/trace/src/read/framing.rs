//! Cuts a stream into records: lines, or blocks of a fixed length.

use super::decompress::{BLOCK_BYTES, fill};
use crate::formats::{BYTE_ORDER_MARK, Framing};
use std::io::{self, Read};

/// A longer line is rejected. Servers accept request lines and headers of some 8 KiB each (Apache's
/// LimitRequestLine, nginx's large_client_header_buffers) and escape a byte to four characters at most,
/// so a line of a log stays well below.
pub(super) const MAX_LINE_BYTES: usize = 1024 * 1024;

/// Bytes kept of a line that is too long, to show it.
const KEPT_BYTES: usize = 256;

/// What [`Frames::advance`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// A record.
    Record,
    /// A line longer than [`MAX_LINE_BYTES`], of which only the head is kept.
    TooLong,
    /// The input ends within a fixed-length record.
    Partial,
    /// No more records.
    End,
}

/// Records of a stream, one at a time, in one reused buffer.
pub(super) struct Frames {
    input: Box<dyn Read>,
    buffer: Vec<u8>,
    /// Bytes of the buffer that are read and not yet cut.
    start: usize,
    end: usize,
    /// The current record.
    frame: std::ops::Range<usize>,
    at_end: bool,
    number: u64,
    framing: Framing,
}

impl Frames {
    /// Reads the first block; records are cut as lines until [`Frames::cut_by`] says otherwise.
    pub(super) fn new(mut input: Box<dyn Read>) -> io::Result<Frames> {
        let mut buffer = vec![0; BLOCK_BYTES];
        let end = fill(&mut input, &mut buffer)?;
        let at_end = end < buffer.len();
        Ok(Frames {
            input,
            buffer,
            start: 0,
            end,
            frame: 0..0,
            at_end,
            number: 0,
            framing: Framing::Lines,
        })
    }

    /// The bytes read and not yet cut: at the beginning, the first block.
    pub(super) fn block(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Length of the whole stream, where the first block already holds it.
    pub(super) fn whole_length(&self) -> Option<u64> {
        self.at_end.then_some(self.end as u64)
    }

    /// Replaces the block by the next one, to see whether it can be read.
    pub(super) fn next_block_only(&mut self) -> io::Result<()> {
        self.start = self.end;
        self.refill()
    }

    /// Sets how records are told apart. A byte order mark before the first line is passed over: editors
    /// and Windows tools leave one, which would become a part of the first field.
    pub(super) fn cut_by(&mut self, framing: Framing) {
        self.framing = framing;
        if framing == Framing::Lines
            && self.number == 0
            && self.block().starts_with(BYTE_ORDER_MARK)
        {
            self.start += BYTE_ORDER_MARK.len();
        }
    }

    /// The current record.
    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.frame.clone()]
    }

    /// Number of the current record, from 1.
    #[inline]
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Moves to the next record.
    #[inline]
    pub(super) fn advance(&mut self) -> io::Result<Frame> {
        match self.framing {
            Framing::Lines => self.next_line(),
            Framing::Fixed(length) => self.next_block(length),
        }
    }

    #[inline]
    fn next_line(&mut self) -> io::Result<Frame> {
        let mut searched = 0;
        loop {
            let rest = &self.buffer[self.start..self.end];
            if let Some(found) = memchr::memchr(b'\n', &rest[searched..]) {
                let length = searched + found;
                return Ok(self.take(length, length + 1));
            }
            searched = rest.len();
            if self.at_end {
                return Ok(if searched == 0 {
                    Frame::End
                } else {
                    self.take(searched, searched)
                });
            }
            if searched >= MAX_LINE_BYTES {
                return self.skip_line();
            }
            self.refill()?;
        }
    }

    /// Makes the first `length` bytes the current record and goes on behind the first `used`.
    #[inline]
    fn take(&mut self, length: usize, used: usize) -> Frame {
        let mut end = self.start + length;
        if self.framing == Framing::Lines && end > self.start && self.buffer[end - 1] == b'\r' {
            end -= 1;
        }
        self.frame = self.start..end;
        self.start += used;
        self.number += 1;
        Frame::Record
    }

    fn next_block(&mut self, length: usize) -> io::Result<Frame> {
        let length = length.max(1);
        while self.end - self.start < length && !self.at_end {
            self.refill()?;
        }
        let rest = self.end - self.start;
        if rest >= length {
            return Ok(self.take(length, length));
        }
        if rest == 0 {
            return Ok(Frame::End);
        }
        self.take(rest, rest);
        Ok(Frame::Partial)
    }

    /// Moves what is left to the front and reads on; doubles the buffer when a record fills it.
    #[cold]
    fn refill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.end, 0);
        }
        self.end += fill(&mut self.input, &mut self.buffer[self.end..])?;
        self.at_end = self.end < self.buffer.len();
        Ok(())
    }

    /// Skips the rest of a line that is too long; its head becomes the current record.
    #[cold]
    fn skip_line(&mut self) -> io::Result<Frame> {
        self.buffer
            .copy_within(self.start..self.start + KEPT_BYTES, 0);
        self.frame = 0..KEPT_BYTES;
        self.number += 1;
        loop {
            let read = fill(&mut self.input, &mut self.buffer[KEPT_BYTES..])?;
            self.end = KEPT_BYTES + read;
            self.at_end = self.end < self.buffer.len();
            let line_end = memchr::memchr(b'\n', &self.buffer[KEPT_BYTES..self.end]);
            self.start = line_end.map_or(self.end, |found| KEPT_BYTES + found + 1);
            if line_end.is_some() || self.at_end {
                return Ok(Frame::TooLong);
            }
        }
    }
}
