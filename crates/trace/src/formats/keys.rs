//! Key-only traces: nothing but the keys of the requests, as binary integers back to back.

use super::evidence::Evidence;
use super::head::Head;
use super::{Format, FormatKind, Framing, Record, Reject, RequestTarget};
use crate::{Method, Protocol};

impl FormatKind {
    /// Keys of 4 bytes, little endian.
    pub const KEYS_U32LE: FormatKind = FormatKind {
        name: "keys-u32le",
        fields: 1,
        is_key_only: true,
        parser: || Box::new(Keys(KeyLayout::U32Le)),
        evidence: |_, head| evidence(KeyLayout::U32Le, head),
    };
    /// Keys of 4 bytes, big endian.
    pub const KEYS_U32BE: FormatKind = FormatKind {
        name: "keys-u32be",
        fields: 1,
        is_key_only: true,
        parser: || Box::new(Keys(KeyLayout::U32Be)),
        evidence: |_, head| evidence(KeyLayout::U32Be, head),
    };
    /// Keys of 8 bytes, little endian.
    pub const KEYS_U64LE: FormatKind = FormatKind {
        name: "keys-u64le",
        fields: 1,
        is_key_only: true,
        parser: || Box::new(Keys(KeyLayout::U64Le)),
        evidence: |_, head| evidence(KeyLayout::U64Le, head),
    };
    /// Keys of 8 bytes, big endian.
    pub const KEYS_U64BE: FormatKind = FormatKind {
        name: "keys-u64be",
        fields: 1,
        is_key_only: true,
        parser: || Box::new(Keys(KeyLayout::U64Be)),
        evidence: |_, head| evidence(KeyLayout::U64Be, head),
    };
}

/// How the integers are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyLayout {
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
    const ALL: [KeyLayout; 4] = [
        KeyLayout::U32Le,
        KeyLayout::U32Be,
        KeyLayout::U64Le,
        KeyLayout::U64Be,
    ];

    /// Bytes of one key.
    fn width(self) -> usize {
        match self {
            KeyLayout::U32Le | KeyLayout::U32Be => 4,
            KeyLayout::U64Le | KeyLayout::U64Be => 8,
        }
    }

    /// The key that `record` spells; `None` when it has another width.
    fn read(self, record: &[u8]) -> Option<u64> {
        match self {
            KeyLayout::U32Le => Some(u32::from_le_bytes(record.try_into().ok()?).into()),
            KeyLayout::U32Be => Some(u32::from_be_bytes(record.try_into().ok()?).into()),
            KeyLayout::U64Le => Some(u64::from_le_bytes(record.try_into().ok()?)),
            KeyLayout::U64Be => Some(u64::from_be_bytes(record.try_into().ok()?)),
        }
    }
}

/// Reads a key-only trace. Every request is a GET answered 200 of unknown size.
struct Keys(KeyLayout);

impl Format for Keys {
    fn framing(&self) -> Framing {
        Framing::Fixed(self.0.width())
    }

    fn carries_state(&self) -> bool {
        false
    }

    fn parse_record<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let key = self.0.read(record).ok_or(Reject::Truncated)?;
        Ok(Some(read_of(RequestTarget::Key(key), None, None)))
    }
}

/// The request of a trace that knows keys, and perhaps times and sizes, alone: a successful GET.
pub(super) fn read_of(
    target: RequestTarget<'_>,
    time_us: Option<i64>,
    size: Option<u64>,
) -> Record<'_> {
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
        took_us: None,
    }
}

/// A key of a dense or nearly dense numbering leaves the upper quarter (4 bytes) or half (8 bytes) of its
/// bytes zero; in a wrong layout other bytes come out on top. The layout of the smallest largest key wins.
fn evidence(layout: KeyLayout, head: &Head<'_>) -> Option<Evidence> {
    let largest = largest_small_key(layout, head)?;
    let mut others = KeyLayout::ALL
        .into_iter()
        .filter_map(|other| largest_small_key(other, head));
    if others.any(|other| other < largest) {
        return None;
    }
    let width = layout.width();
    let count = head.records(width)?.len();
    let why = format!("the first {count} integers of {width} bytes are at most {largest}");
    Some(Evidence::of_all(count, why))
}

/// The largest key in this layout when all are small and not all are equal, and, for 4 bytes, when the
/// words do not alternate with zeros as keys of 8 bytes would.
fn largest_small_key(layout: KeyLayout, head: &Head<'_>) -> Option<u64> {
    const SMALL_U32: u64 = 1 << 24;
    const SMALL_U64: u64 = 1 << 32;
    let limit = match layout.width() {
        4 => SMALL_U32,
        _ => SMALL_U64,
    };
    let records = head.records(layout.width())?;
    let keys = || records.clone().filter_map(|record| layout.read(record));
    let (smallest, largest) = (keys().min()?, keys().max()?);
    let small = smallest < largest && largest < limit;
    let halves = |parity: usize| keys().skip(parity).step_by(2).all(|key| key == 0);
    let alternates = layout.width() == 4 && (halves(0) || halves(1));
    (small && !alternates).then_some(largest)
}
