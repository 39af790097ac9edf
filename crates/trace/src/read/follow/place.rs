//! How far a log has been read.

use serde::{Deserialize, Serialize};

/// Bytes before a place by which it is found again: more than a line's fields that vary.
const ANCHOR_BYTES: usize = 256;

/// A place in a log between two lines, which survives that the log is renamed, copied or compressed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file system and the inode of the file, as far as known.
    pub(super) identity: Option<(u64, u64)>,
    /// Bytes of the file before the place, decompressed.
    pub(super) offset: u64,
    /// The last of these bytes. A file with other bytes there is another one, or was written anew.
    #[serde(with = "hexadecimal")]
    anchor: Vec<u8>,
}

impl Place {
    /// The beginning of a file.
    pub(super) fn start_of(identity: Option<(u64, u64)>) -> Place {
        Place {
            identity,
            ..Place::default()
        }
    }

    /// The same place in another file, or in one yet to be found.
    pub(super) fn in_file(&self, identity: Option<(u64, u64)>) -> Place {
        let mut place = self.clone();
        place.identity = identity;
        place
    }

    /// Bytes that are compared to find the place.
    pub(super) fn anchor(&self) -> &[u8] {
        &self.anchor
    }

    /// Where these bytes begin.
    pub(super) fn anchor_offset(&self) -> u64 {
        self.offset - self.anchor.len() as u64
    }

    /// Moves on behind `bytes`, which were read.
    pub(super) fn advance(&mut self, bytes: &[u8]) {
        self.offset += bytes.len() as u64;
        let kept = ANCHOR_BYTES
            .saturating_sub(bytes.len())
            .min(self.anchor.len());
        self.anchor.drain(..self.anchor.len() - kept);
        self.anchor
            .extend_from_slice(&bytes[bytes.len().saturating_sub(ANCHOR_BYTES)..]);
    }

    /// Whether a saved place can be one.
    pub(super) fn is_sound(&self) -> bool {
        self.anchor.len() as u64 == self.offset.min(ANCHOR_BYTES as u64)
    }
}

/// Bytes as text.
mod hexadecimal {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        serializer.serialize_str(&digits)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        let byte = |pair: &[u8; 2]| Some(digit(pair[0])? << 4 | digit(pair[1])?);
        let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
        bytes
            .filter(|_| rest.is_empty())
            .ok_or_else(|| D::Error::custom("not pairs of hexadecimal digits"))
    }
}
