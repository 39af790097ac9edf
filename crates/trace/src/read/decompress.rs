//! Compressed logs, told by their first bytes: a rotated log is often renamed, rarely rewritten.

use std::io::{self, BufReader, Read};

/// Bytes of a compressed file that are read at once.
const COMPRESSED_BYTES: usize = 256 * 1024;

/// Longest signature below, in bytes.
const SIGNATURE_BYTES: usize = 10;

/// Compression of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstd,
    Bzip2,
    Xz,
}

impl Compression {
    /// Signatures: RFC 1952 §2.3.1 (with deflate, the only method), RFC 8878 §3.1.1, the bzip2 block
    /// and end-of-stream magics, the .xz file format §2.1.1.1.
    fn of(head: &[u8]) -> Compression {
        match head {
            [0x1f, 0x8b, 8, ..] => Compression::Gzip,
            // pzstd begins with a frame that is skipped (RFC 8878 §3.1.2).
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Compression::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] if is_bzip2_block(rest) => {
                Compression::Bzip2
            }
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Compression::Xz,
            _ => Compression::None,
        }
    }
}

fn is_bzip2_block(bytes: &[u8]) -> bool {
    const BLOCK: [u8; 6] = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
    const END_OF_STREAM: [u8; 6] = [0x17, 0x72, 0x45, 0x38, 0x50, 0x90];
    bytes.starts_with(&BLOCK) || bytes.starts_with(&END_OF_STREAM)
}

/// The bytes that a file holds.
pub(super) struct Content {
    /// Decompressed. A stream that ends early fails with [`io::ErrorKind::UnexpectedEof`], a damaged one
    /// with another kind.
    pub(super) bytes: Box<dyn Read + Send>,
    /// How they were compressed.
    pub(super) compression: Compression,
}

/// Decompresses `file`, if its first bytes say that it is compressed.
pub(super) fn content(mut file: impl Read + Send + 'static) -> io::Result<Content> {
    let mut head = [0; SIGNATURE_BYTES];
    let length = fill(&mut file, &mut head)?;
    let compression = Compression::of(&head[..length]);
    let whole = io::Cursor::new(head).take(length as u64).chain(file);
    let bytes = decoder(compression, whole)?;
    Ok(Content { bytes, compression })
}

fn decoder(
    compression: Compression,
    whole: impl Read + Send + 'static,
) -> io::Result<Box<dyn Read + Send>> {
    if compression == Compression::None {
        return Ok(Box::new(whole));
    }
    let whole = BufReader::with_capacity(COMPRESSED_BYTES, whole);
    Ok(match compression {
        Compression::None => Box::new(whole),
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(whole)),
        Compression::Zstd => Box::new(zstd::Decoder::with_buffer(whole)?),
        Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(whole)),
        Compression::Xz => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(whole)),
    })
}

/// Reads until `buffer` is full or the input ends, so that what is read does not depend on how a
/// pipe or a decoder cuts it; the number of bytes read.
pub(super) fn fill(input: &mut (impl Read + ?Sized), buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
