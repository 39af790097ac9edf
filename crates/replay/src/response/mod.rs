//! Reading HTTP/1 responses in pieces, by RFC 9112, for answers to GET.
//!
//! The head is httparse's work; what its fields mean for the body's length, and the chunked coding, are
//! read here, sizes of chunks by httparse. Bodies are counted, and kept only where that is asked for.

mod chunk_decoder;
mod head;
mod kept;
mod malformed;

use chunk_decoder::ChunkDecoder;
use head::{Framing, Head};
pub use malformed::Malformed;

/// Longest head that is read, bytes. Servers send below 16 KiB; a head without end must not fill memory.
pub const MAX_HEAD_BYTES: usize = 64 * 1024;

/// One response that is being received.
#[derive(Debug, Default)]
pub struct Response {
    /// The bytes of a head, or of a line of chunks, that come in more than one piece.
    partial: Vec<u8>,
    state: State,
    status: u16,
    keep_alive: bool,
    body_bytes: u64,
    /// The body, where it is kept.
    body: Option<Vec<u8>>,
}

#[derive(Clone, Copy, Debug, Default)]
enum State {
    #[default]
    Head,
    Length(u64),
    Chunked(ChunkDecoder),
    UntilClose,
    Complete,
}

impl Response {
    /// Forgets everything, for the next response.
    pub fn reset(&mut self) {
        self.partial.clear();
        self.state = State::Head;
        self.status = 0;
        self.keep_alive = false;
        self.body_bytes = 0;
        if let Some(body) = &mut self.body {
            body.clear();
        }
    }

    /// From now on keeps the first 4 MiB of each body.
    pub fn keep_body(&mut self) {
        self.body.get_or_insert_default();
    }

    /// What is kept of the body; empty where none is kept.
    pub fn body(&self) -> &[u8] {
        self.body.as_deref().unwrap_or_default()
    }

    /// Takes the next bytes; how many of them belong to this response.
    ///
    /// # Errors
    /// [`Malformed`]: nothing that follows can be understood either.
    pub fn read(&mut self, bytes: &[u8]) -> Result<usize, Malformed> {
        let mut used = 0;
        while used < bytes.len() && !self.is_complete() {
            used += self.read_part(&bytes[used..])?;
        }
        Ok(used)
    }

    /// Takes bytes of the head or of the body.
    fn read_part(&mut self, bytes: &[u8]) -> Result<usize, Malformed> {
        match &mut self.state {
            State::Head => self.read_head(bytes),
            State::Chunked(chunked) => {
                let read = chunked.read(bytes, &mut self.partial, self.body.as_mut())?;
                self.body_bytes += read.data;
                if *chunked == ChunkDecoder::Complete {
                    self.state = State::Complete;
                }
                Ok(read.used)
            }
            _ => {
                let taken = self.certain_body().min(bytes.len() as u64);
                if let Some(body) = &mut self.body {
                    kept::keep(body, &bytes[..taken as usize]);
                }
                self.discarded(taken);
                Ok(taken as usize)
            }
        }
    }

    fn read_head(&mut self, bytes: &[u8]) -> Result<usize, Malformed> {
        let before = self.partial.len();
        if before == 0 {
            return match Head::parse(bytes)? {
                Some((head, length)) => self.begin(head, length),
                None => self.keep(bytes),
            };
        }
        self.keep(bytes)?;
        // A head that comes byte by byte is not parsed again at each of them.
        if !has_empty_line(&self.partial[before.saturating_sub(3)..]) {
            return Ok(bytes.len());
        }
        let Some((head, length)) = Head::parse(&self.partial)? else {
            return Ok(bytes.len());
        };
        self.partial.clear();
        self.begin(head, length)?;
        Ok(length.saturating_sub(before).min(bytes.len()))
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<usize, Malformed> {
        let room = MAX_HEAD_BYTES.saturating_sub(self.partial.len());
        // What follows the head in the same piece is no part of it: the last piece may exceed the room.
        if room == 0 || (bytes.len() > room && !has_empty_line(&bytes[..room])) {
            return Err(Malformed("its head has no end"));
        }
        self.partial.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// The head of `length` bytes is there: the body begins, or after 1xx the next head.
    fn begin(&mut self, head: Head, length: usize) -> Result<usize, Malformed> {
        if length > MAX_HEAD_BYTES {
            return Err(Malformed("its head has no end"));
        }
        if head.is_interim() {
            return Ok(length);
        }
        self.status = head.status;
        self.keep_alive = head.keep_alive;
        self.state = match head.framing {
            Framing::Length(0) => State::Complete,
            Framing::Length(bytes) => State::Length(bytes),
            Framing::Chunked => State::Chunked(ChunkDecoder::default()),
            Framing::UntilClose => State::UntilClose,
        };
        Ok(length)
    }

    /// How many of the next bytes are certain to be nothing but body that nobody keeps.
    pub fn discardable(&self) -> u64 {
        match self.body {
            Some(_) => 0,
            None => self.certain_body(),
        }
    }

    fn certain_body(&self) -> u64 {
        match self.state {
            State::Length(left) => left,
            State::UntilClose => u64::MAX,
            State::Chunked(chunked) => chunked.discardable(),
            State::Head | State::Complete => 0,
        }
    }

    /// Takes `bytes` that were received without being looked at, at most [`Response::discardable`].
    pub fn discarded(&mut self, bytes: u64) {
        self.body_bytes = self.body_bytes.saturating_add(bytes);
        match &mut self.state {
            State::Length(left) => {
                *left = left.saturating_sub(bytes);
                if *left == 0 {
                    self.state = State::Complete;
                }
            }
            State::Chunked(chunked) => chunked.discarded(bytes),
            State::Head | State::UntilClose | State::Complete => {}
        }
    }

    /// The connection was closed. Whether the response is complete by that.
    pub fn close(&mut self) -> bool {
        if matches!(self.state, State::UntilClose) {
            self.state = State::Complete;
        }
        self.is_complete()
    }

    /// Whether the last byte has come.
    pub fn is_complete(&self) -> bool {
        matches!(self.state, State::Complete)
    }

    /// The status; 0 before the end of the head.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Whether the server keeps the connection open after this response.
    pub fn keep_alive(&self) -> bool {
        self.keep_alive
    }

    /// Bytes of the body so far, without the chunked coding.
    pub fn body_bytes(&self) -> u64 {
        self.body_bytes
    }
}

/// Whether an empty line is in `bytes`; line ends may lack the carriage return, as httparse allows.
fn has_empty_line(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|pair| pair == b"\n\n") || bytes.windows(3).any(|three| three == b"\n\r\n")
}
