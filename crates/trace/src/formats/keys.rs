//! Key-only traces: nothing but the keys of the requests, as binary integers back to back.

use super::{Format, Framing, Record, Reject, Target};
use crate::{Method, Protocol};

/// How the integers are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyLayout {
    /// 4 bytes, little endian.
    U32Le,
    /// 4 bytes, big endian.
    U32Be,
    /// 8 bytes, little endian.
    U64Le,
    /// 8 bytes, big endian.
    U64Be,
}

impl KeyLayout {
    /// Every layout.
    pub const ALL: [KeyLayout; 4] = [
        KeyLayout::U32Le,
        KeyLayout::U32Be,
        KeyLayout::U64Le,
        KeyLayout::U64Be,
    ];

    /// Bytes of one key.
    pub fn width(self) -> usize {
        match self {
            KeyLayout::U32Le | KeyLayout::U32Be => 4,
            KeyLayout::U64Le | KeyLayout::U64Be => 8,
        }
    }

    /// The key that `record` spells; `None` when it has another width.
    pub fn read(self, record: &[u8]) -> Option<u64> {
        match self {
            KeyLayout::U32Le => Some(u32::from_le_bytes(record.try_into().ok()?).into()),
            KeyLayout::U32Be => Some(u32::from_be_bytes(record.try_into().ok()?).into()),
            KeyLayout::U64Le => Some(u64::from_le_bytes(record.try_into().ok()?)),
            KeyLayout::U64Be => Some(u64::from_be_bytes(record.try_into().ok()?)),
        }
    }
}

/// Reads a key-only trace. Every request is a GET answered 200 of unknown size.
#[derive(Clone, Copy, Debug)]
pub struct Keys(pub KeyLayout);

impl Format for Keys {
    fn name(&self) -> &'static str {
        match self.0 {
            KeyLayout::U32Le => "keys-u32le",
            KeyLayout::U32Be => "keys-u32be",
            KeyLayout::U64Le => "keys-u64le",
            KeyLayout::U64Be => "keys-u64be",
        }
    }

    fn framing(&self) -> Framing {
        Framing::Fixed(self.0.width())
    }

    fn parse<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let key = self.0.read(record).ok_or(Reject::Truncated)?;
        Ok(Some(read_of(Target::Key(key), None, None)))
    }
}

/// The request of a trace that knows keys, and perhaps times and sizes, alone: a successful GET.
pub(super) fn read_of(target: Target<'_>, time_us: Option<i64>, size: Option<u64>) -> Record<'_> {
    Record {
        time_us,
        client: b"",
        host: b"",
        method: Method::Get,
        target,
        protocol: Protocol::Unknown,
        status: 200,
        bytes: size,
        size,
    }
}
