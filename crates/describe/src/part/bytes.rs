//! A part as bytes: a line that says what they are, the version of the format, and the tables, compressed.
//!
//! The tables are written by `postcard`, whose encoding of a value is one and only one sequence of bytes, and every table is
//! sorted by its keys: the same content has the same bytes.

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Part, PartError};

/// How tables are told to be what they are.
pub(super) struct Format {
    /// How they begin.
    pub(super) magic: &'static [u8],
    /// The layout behind it; raised whenever it changes.
    pub(super) version: u32,
    /// Bytes that the tables may have, however well they are compressed.
    pub(super) least_limit: u64,
}

const PART: Format = Format {
    magic: b"hotset part\n",
    version: 1,
    least_limit: 1 << 20,
};
/// zstd's default.
const LEVEL: i32 = 3;
/// No part is smaller than this share of its tables; what claims to be is meant to fill the memory.
const MOST_COMPRESSED: u64 = 1024;

impl Part {
    /// The part as bytes.
    ///
    /// # Errors
    /// What the compressor says, which is only that there is no memory.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        PART.write(self)
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
        let part: Part = PART.read(file, bytes)?;
        part.check().map_err(|detail| damaged(file, detail))?;
        Ok(part)
    }
}

pub(super) fn damaged(file: &str, detail: impl ToString) -> PartError {
    PartError::Damaged {
        file: file.to_owned(),
        detail: detail.to_string(),
    }
}

impl Format {
    /// Tables as bytes.
    pub(super) fn write(&self, tables: &impl Serialize) -> io::Result<Vec<u8>> {
        let tables = postcard::to_stdvec(tables).map_err(io::Error::other)?;
        let mut bytes = self.magic.to_vec();
        bytes.extend(self.version.to_le_bytes());
        let mut encoder = zstd::Encoder::new(bytes, LEVEL)?;
        encoder.include_checksum(true)?;
        encoder.set_pledged_src_size(Some(tables.len() as u64))?;
        io::copy(&mut tables.as_slice(), &mut encoder)?;
        encoder.finish()
    }

    /// Tables of bytes from `file`, which is for messages; what they say is not checked.
    pub(super) fn read<T: DeserializeOwned>(
        &self,
        file: &str,
        bytes: &[u8],
    ) -> Result<T, PartError> {
        let tables = self.decompressed(file, self.body(file, bytes)?)?;
        let (read, rest) =
            postcard::take_from_bytes(&tables).map_err(|error| damaged(file, error))?;
        match rest.len() {
            0 => Ok(read),
            more => Err(damaged(file, format!("{more} bytes too many"))),
        }
    }

    /// What follows the head.
    fn body<'a>(&self, file: &str, bytes: &'a [u8]) -> Result<&'a [u8], PartError> {
        let file = || file.to_owned();
        let known = bytes.len().min(self.magic.len());
        if bytes.is_empty() || bytes[..known] != self.magic[..known] {
            return Err(PartError::NotAPart(file()));
        }
        let head_bytes = self.magic.len() + size_of::<u32>();
        let Some((head, body)) = bytes.split_at_checked(head_bytes) else {
            return Err(PartError::Truncated(file()));
        };
        let version = &head[self.magic.len()..];
        let found = version.try_into().map_or(0, u32::from_le_bytes);
        match found == self.version {
            true => Ok(body),
            false => Err(PartError::OtherVersion {
                file: file(),
                found,
                known: self.version,
            }),
        }
    }

    fn decompressed(&self, file: &str, body: &[u8]) -> Result<Vec<u8>, PartError> {
        let most = (body.len() as u64).saturating_mul(MOST_COMPRESSED);
        let limit = self.least_limit.max(most);
        let mut tables = Vec::new();
        let decoder = zstd::Decoder::with_buffer(body);
        let read = decoder.and_then(|decoder| decoder.take(limit).read_to_end(&mut tables));
        match read {
            Ok(read) if (read as u64) < limit => Ok(tables),
            Ok(_) => Err(damaged(file, "its tables have no end")),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                Err(PartError::Truncated(file.to_owned()))
            }
            Err(error) => Err(damaged(file, error)),
        }
    }
}
