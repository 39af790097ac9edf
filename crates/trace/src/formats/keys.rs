//! Key-only traces: nothing but the keys of the requests, as binary integers back to back.

use super::evidence::Evidence;
use super::head::Head;
use super::{Format, FormatKind, Framing, Record, Reject, RequestTarget};
use crate::{Method, Protocol};

impl FormatKind {
    /// Keys of 4 bytes, little endian.
    pub const KEYS_U32LE: FormatKind = kind::<4, false>("keys-u32le");
    /// Keys of 4 bytes, big endian.
    pub const KEYS_U32BE: FormatKind = kind::<4, true>("keys-u32be");
    /// Keys of 8 bytes, little endian.
    pub const KEYS_U64LE: FormatKind = kind::<8, false>("keys-u64le");
    /// Keys of 8 bytes, big endian.
    pub const KEYS_U64BE: FormatKind = kind::<8, true>("keys-u64be");
}

const fn kind<const WIDTH: usize, const IS_BIG_ENDIAN: bool>(name: &'static str) -> FormatKind {
    FormatKind::of::<Keys<WIDTH, IS_BIG_ENDIAN>>(name, 1)
        .key_only()
        .known_by(|_, head| evidence((WIDTH, IS_BIG_ENDIAN), head))
}

/// How the integers are laid out: their bytes, and whether the first is the most significant.
type KeyLayout = (usize, bool);

const LAYOUTS: [KeyLayout; 4] = [(4, false), (4, true), (8, false), (8, true)];

/// The key that `record` spells; `None` when it has another width.
fn read((width, is_big_endian): KeyLayout, record: &[u8]) -> Option<u64> {
    match (width, is_big_endian) {
        (4, false) => Some(u32::from_le_bytes(record.try_into().ok()?).into()),
        (4, true) => Some(u32::from_be_bytes(record.try_into().ok()?).into()),
        (_, false) => Some(u64::from_le_bytes(record.try_into().ok()?)),
        (_, true) => Some(u64::from_be_bytes(record.try_into().ok()?)),
    }
}

/// Reads a key-only trace. Every request is a GET answered 200 of unknown size.
#[derive(Default)]
struct Keys<const WIDTH: usize, const IS_BIG_ENDIAN: bool>;

impl<const WIDTH: usize, const IS_BIG_ENDIAN: bool> Format for Keys<WIDTH, IS_BIG_ENDIAN> {
    fn framing(&self) -> Framing {
        Framing::Fixed(WIDTH)
    }

    fn parse_record<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let key = read((WIDTH, IS_BIG_ENDIAN), record).ok_or(Reject::Truncated)?;
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
    let mut others = LAYOUTS
        .into_iter()
        .filter_map(|other| largest_small_key(other, head));
    if others.any(|other| other < largest) {
        return None;
    }
    let (width, _) = layout;
    let count = head.records(width)?.len();
    let why = format!("the first {count} integers of {width} bytes are at most {largest}");
    Some(Evidence::of_all(count, why))
}

/// The largest key in this layout when all are small and not all are equal, and, for 4 bytes, when the
/// words do not alternate with zeros as keys of 8 bytes would.
fn largest_small_key(layout: KeyLayout, head: &Head<'_>) -> Option<u64> {
    const SMALL_U32: u64 = 1 << 24;
    const SMALL_U64: u64 = 1 << 32;
    let (width, _) = layout;
    let limit = match width {
        4 => SMALL_U32,
        _ => SMALL_U64,
    };
    let records = head.records(width)?;
    let keys = || records.clone().filter_map(|record| read(layout, record));
    let (smallest, largest) = (keys().min()?, keys().max()?);
    let small = smallest < largest && largest < limit;
    let halves = |parity: usize| keys().skip(parity).step_by(2).all(|key| key == 0);
    let alternates = width == 4 && (halves(0) || halves(1));
    (small && !alternates).then_some(largest)
}
