//! The chunked transfer coding (RFC 9112, section 7.1).

use super::Malformed;

/// Longest line of a chunk's size with its extensions, or of trailers, bytes: as for a head, a line
/// without end must end.
const MAX_LINE_BYTES: u32 = 64 * 1024;

/// How far a chunked body has been read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunked {
    state: State,
    /// Size being read, or bytes left of the chunk.
    left: u64,
    /// Bytes of the current line, or of all trailers.
    line_bytes: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the first digit of a size.
    SizeStart,
    Size,
    /// After the size, up to the end of the line: white space and extensions.
    Extension,
    Data,
    /// The line end after the data: nothing of it seen, its carriage return seen.
    DataEnd,
    DataEndLine,
    /// At the start of a line of trailers; within one; after the carriage return of the last line.
    TrailerStart,
    Trailer,
    LastLine,
    Complete,
}

/// What was read.
pub(super) struct Read {
    /// Bytes used.
    pub used: usize,
    /// Bytes of the body among them.
    pub data: u64,
    /// Whether the body has ended.
    pub complete: bool,
}

impl Default for Chunked {
    fn default() -> Self {
        Self {
            state: State::SizeStart,
            left: 0,
            line_bytes: 0,
        }
    }
}

impl Chunked {
    pub fn read(&mut self, bytes: &[u8]) -> Result<Read, Malformed> {
        let (mut used, mut data) = (0, 0);
        while used < bytes.len() && self.state != State::Complete {
            if self.state == State::Data {
                let taken = self.left.min((bytes.len() - used) as u64);
                self.discarded(taken);
                data += taken;
                used += taken as usize;
            } else {
                self.step(bytes[used])?;
                used += 1;
            }
        }
        Ok(Read {
            used,
            data,
            complete: self.state == State::Complete,
        })
    }

    /// Bytes of data left of the current chunk.
    pub fn discardable(&self) -> u64 {
        if self.state == State::Data {
            self.left
        } else {
            0
        }
    }

    /// Takes bytes of data unseen.
    pub fn discarded(&mut self, bytes: u64) {
        self.left = self.left.saturating_sub(bytes);
        if self.left == 0 {
            self.state = State::DataEnd;
        }
    }

    /// Takes a byte of the coding.
    fn step(&mut self, byte: u8) -> Result<(), Malformed> {
        self.line_bytes += 1;
        if self.line_bytes > MAX_LINE_BYTES {
            return Err(Malformed("a line of its chunks has no end"));
        }
        self.state = match (self.state, byte) {
            (State::SizeStart | State::Size, digit) if digit.is_ascii_hexdigit() => {
                self.add_digit(digit)?
            }
            (State::Size, b' ' | b'\t' | b';' | b'\r') => State::Extension,
            (State::Size | State::Extension, b'\n') => self.begin_chunk(),
            (State::Extension, _) => State::Extension,
            (State::DataEnd, b'\r') => State::DataEndLine,
            (State::DataEnd | State::DataEndLine, b'\n') => self.begin_size(),
            (State::TrailerStart, b'\r') => State::LastLine,
            (State::TrailerStart | State::LastLine, b'\n') => State::Complete,
            (State::Trailer, b'\n') => State::TrailerStart,
            (State::TrailerStart | State::Trailer | State::LastLine, _) => State::Trailer,
            _ => return Err(Malformed("its chunks are broken")),
        };
        Ok(())
    }

    fn add_digit(&mut self, digit: u8) -> Result<State, Malformed> {
        let value = u64::from((digit as char).to_digit(16).unwrap_or_default());
        if self.left >> 60 != 0 {
            return Err(Malformed("a chunk is larger than 2^64 bytes"));
        }
        self.left = self.left << 4 | value;
        Ok(State::Size)
    }

    /// After the line of the size.
    fn begin_chunk(&mut self) -> State {
        self.line_bytes = 0;
        if self.left == 0 {
            State::TrailerStart
        } else {
            State::Data
        }
    }

    /// After the line end that follows the data.
    fn begin_size(&mut self) -> State {
        *self = Self::default();
        State::SizeStart
    }
}
