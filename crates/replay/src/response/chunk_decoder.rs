//! The chunked transfer coding (RFC 9112, section 7.1), line by line.

use httparse::Status;

use super::kept::keep;
use super::malformed::Malformed;

/// Longest line of a chunk's size with its extensions, or of a trailer, bytes: as for a head, a line
/// without end must end.
const MAX_LINE_BYTES: usize = 64 * 1024;

const BROKEN: Malformed = Malformed("its chunks are broken");

/// What comes next of a chunked body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ChunkDecoder {
    /// The line of a chunk's size.
    #[default]
    Size,
    /// So many bytes of data.
    Data(u64),
    /// The line end behind the data.
    DataEnd,
    /// A line of the trailers; an empty one is the last.
    Trailer,
    Complete,
}

/// What was read.
pub(super) struct Read {
    /// Bytes used.
    pub used: usize,
    /// Bytes of the body among them.
    pub data: u64,
}

impl ChunkDecoder {
    /// Takes the next bytes. `line` keeps what there is of a line, and `body` the data, where it is kept.
    pub fn read(
        &mut self,
        bytes: &[u8],
        line: &mut Vec<u8>,
        mut body: Option<&mut Vec<u8>>,
    ) -> Result<Read, Malformed> {
        let (mut used, mut data) = (0, 0);
        while used < bytes.len() && *self != ChunkDecoder::Complete {
            if let ChunkDecoder::Data(left) = *self {
                let taken = left.min((bytes.len() - used) as u64);
                self.discarded(taken);
                if let Some(body) = body.as_deref_mut() {
                    keep(body, &bytes[used..used + taken as usize]);
                }
                data += taken;
                used += taken as usize;
            } else {
                used += self.read_line(&bytes[used..], line)?;
            }
        }
        Ok(Read { used, data })
    }

    /// Bytes of data left of the current chunk.
    pub fn discardable(self) -> u64 {
        match self {
            ChunkDecoder::Data(left) => left,
            _ => 0,
        }
    }

    /// Takes bytes of data unseen.
    pub fn discarded(&mut self, bytes: u64) {
        let left = self.discardable().saturating_sub(bytes);
        *self = match left {
            0 => ChunkDecoder::DataEnd,
            left => ChunkDecoder::Data(left),
        };
    }

    /// Takes bytes up to the end of the line.
    fn read_line(&mut self, bytes: &[u8], line: &mut Vec<u8>) -> Result<usize, Malformed> {
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(bytes.len(), |end| end + 1);
        line.extend_from_slice(&bytes[..used]);
        if line.len() > MAX_LINE_BYTES {
            return Err(Malformed("a line of its chunks has no end"));
        }
        if end.is_some() {
            *self = self.after(line)?;
            line.clear();
        }
        Ok(used)
    }

    /// What comes after `line`, which may end without a carriage return.
    fn after(self, line: &mut Vec<u8>) -> Result<Self, Malformed> {
        line.pop();
        line.pop_if(|byte| *byte == b'\r');
        match self {
            ChunkDecoder::Size => {
                line.extend_from_slice(b"\r\n");
                Ok(match size(line).ok_or(BROKEN)? {
                    0 => ChunkDecoder::Trailer,
                    size => ChunkDecoder::Data(size),
                })
            }
            ChunkDecoder::DataEnd if line.is_empty() => Ok(ChunkDecoder::Size),
            ChunkDecoder::Trailer if line.is_empty() => Ok(ChunkDecoder::Complete),
            ChunkDecoder::Trailer => Ok(ChunkDecoder::Trailer),
            _ => Err(BROKEN),
        }
    }
}

/// The size that a line says. To httparse a line without digits says 0.
fn size(line: &[u8]) -> Option<u64> {
    line.first().filter(|first| first.is_ascii_hexdigit())?;
    match httparse::parse_chunk_size(line) {
        Ok(Status::Complete((_, size))) => Some(size),
        _ => None,
    }
}
