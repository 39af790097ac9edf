//! Numbers, texts and bytes as messages have them (XDR, RFC 4506): numbers of four or eight bytes, the largest first; bytes behind their
//! length, padded to a multiple of four.

use super::fault::Fault;

const UNIT: usize = 4;

/// Adds a number.
pub(super) fn put_u32(message: &mut Vec<u8>, number: u32) {
    message.extend_from_slice(&number.to_be_bytes());
}

/// Adds a long number.
pub(super) fn put_u64(message: &mut Vec<u8>, number: u64) {
    message.extend_from_slice(&number.to_be_bytes());
}

/// Adds bytes behind their length, which is below 4 GiB.
pub(super) fn put_bytes(message: &mut Vec<u8>, bytes: &[u8]) {
    put_u32(message, bytes.len() as u32);
    message.extend_from_slice(bytes);
    let padded = message.len() + bytes.len().next_multiple_of(UNIT) - bytes.len();
    message.resize(padded, 0);
}

/// Reads values one behind the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'m> {
    message: &'m [u8],
    at: usize,
}

impl<'m> Reader<'m> {
    /// From the start of a message.
    pub fn new(message: &'m [u8]) -> Self {
        Self { message, at: 0 }
    }

    /// Where in the message the next value begins.
    pub fn at(&self) -> usize {
        self.at
    }

    /// So many bytes.
    pub fn take(&mut self, count: usize) -> Result<&'m [u8], Fault> {
        let left = self.message.get(self.at..).unwrap_or_default();
        let taken = left.get(..count).ok_or(Fault::Short)?;
        self.at += count;
        Ok(taken)
    }

    /// A number.
    pub fn u32(&mut self) -> Result<u32, Fault> {
        let bytes = self.take(4)?.first_chunk().ok_or(Fault::Short)?;
        Ok(u32::from_be_bytes(*bytes))
    }

    /// A long number.
    pub fn u64(&mut self) -> Result<u64, Fault> {
        let bytes = self.take(8)?.first_chunk().ok_or(Fault::Short)?;
        Ok(u64::from_be_bytes(*bytes))
    }

    /// Yes or no.
    pub fn flag(&mut self) -> Result<bool, Fault> {
        match self.u32()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Fault::NoFlag),
        }
    }

    /// Bytes behind their length, of at most so many.
    pub fn bytes(&mut self, most: usize) -> Result<&'m [u8], Fault> {
        let length = self.u32()? as usize;
        if length > most {
            return Err(Fault::TooLong);
        }
        let padded = self.take(length.next_multiple_of(UNIT))?;
        padded.get(..length).ok_or(Fault::Short)
    }
}
