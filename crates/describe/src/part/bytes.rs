//! A part as bytes: a line that says what they are, the version of the format, and the tables, compressed.
//!
//! The tables are written by `postcard`, whose encoding of a value is one and only one sequence of bytes, and every table is
//! sorted by its keys: the same content has the same bytes.

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::{Part, PartError};

/// How every part begins.
const MAGIC: &[u8] = b"hotset part\n";
/// The layout behind it; raised whenever it changes.
const VERSION: u32 = 1;
const HEAD_BYTES: usize = MAGIC.len() + size_of::<u32>();
/// zstd's default.
const LEVEL: i32 = 3;
/// No part is smaller than this share of its tables; what claims to be is meant to fill the memory.
const MOST_COMPRESSED: u64 = 1024;
/// What any part may hold.
const LEAST_LIMIT: u64 = 1 << 20;

impl Part {
    /// The part as bytes.
    ///
    /// # Errors
    /// What the compressor says, which is only that there is no memory.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let tables = postcard::to_stdvec(self).map_err(io::Error::other)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let mut encoder = zstd::Encoder::new(bytes, LEVEL)?;
        encoder.include_checksum(true)?;
        encoder.set_pledged_src_size(Some(tables.len() as u64))?;
        io::copy(&mut tables.as_slice(), &mut encoder)?;
        encoder.finish()
    }

    /// Reads the part in the file `path`.
    ///
    /// # Errors
    /// As [`Part::of_bytes`], or the file cannot be read.
    pub fn open(path: &Path) -> Result<Part, PartError> {
        let file = path.display().to_string();
        match fs::read(path) {
            Ok(bytes) => Part::of_bytes(&file, &bytes),
            Err(source) => Err(PartError::Unreadable { file, source }),
        }
    }

    /// Reads the bytes of a part from `file`, which is for messages.
    ///
    /// # Errors
    /// [`PartError`]: not a part, of another version, cut off, or damaged.
    pub fn of_bytes(file: &str, bytes: &[u8]) -> Result<Part, PartError> {
        let body = body(file, bytes)?;
        let tables = decompressed(file, body)?;
        let damaged = |detail: String| PartError::Damaged {
            file: file.to_owned(),
            detail,
        };
        let (part, rest): (Part, _) =
            postcard::take_from_bytes(&tables).map_err(|error| damaged(error.to_string()))?;
        if !rest.is_empty() {
            return Err(damaged(format!("{} bytes too many", rest.len())));
        }
        part.check().map_err(|detail| damaged(detail.to_owned()))?;
        Ok(part)
    }
}

/// What follows the head.
fn body<'a>(file: &str, bytes: &'a [u8]) -> Result<&'a [u8], PartError> {
    let file = || file.to_owned();
    let known = bytes.len().min(MAGIC.len());
    if bytes.is_empty() || bytes[..known] != MAGIC[..known] {
        return Err(PartError::NotAPart { file: file() });
    }
    let Some((head, body)) = bytes.split_at_checked(HEAD_BYTES) else {
        return Err(PartError::Truncated { file: file() });
    };
    let version = &head[MAGIC.len()..];
    let found = version.try_into().map_or(0, u32::from_le_bytes);
    match found == VERSION {
        true => Ok(body),
        false => Err(PartError::OtherVersion {
            file: file(),
            found,
            known: VERSION,
        }),
    }
}

fn decompressed(file: &str, body: &[u8]) -> Result<Vec<u8>, PartError> {
    let limit = LEAST_LIMIT.max((body.len() as u64).saturating_mul(MOST_COMPRESSED));
    let mut tables = Vec::new();
    let decoder = zstd::Decoder::with_buffer(body);
    let read = decoder.and_then(|decoder| decoder.take(limit).read_to_end(&mut tables));
    let file = file.to_owned();
    match read {
        Ok(read) if (read as u64) < limit => Ok(tables),
        Ok(_) => Err(PartError::Damaged {
            file,
            detail: "its tables have no end".into(),
        }),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
            Err(PartError::Truncated { file })
        }
        Err(error) => Err(PartError::Damaged {
            file,
            detail: error.to_string(),
        }),
    }
}
