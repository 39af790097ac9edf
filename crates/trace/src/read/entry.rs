//! A record on its way from a batch to a row.

use super::url::Url;
use crate::formats::Record;
use crate::{Method, Protocol};

/// The id of a name that was not known when it was looked up. No client, object or scope has it.
pub(super) const UNKNOWN: u32 = crate::NO_OBJECT;

/// No record has this time: it lies before any that can be read.
const NO_TIME: i64 = i64::MIN;

/// No record has so many bytes: more than [`crate::size_limits::MAX_OBJECT_BYTES`] are implausible.
const NO_BYTES: u64 = u64::MAX;

/// Ids of the names in a record, as far as they were known when it was parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnownIds {
    pub(super) scope: u32,
    pub(super) client: u32,
    /// The object that the path names in this scope.
    pub(super) object: u32,
}

impl KnownIds {
    pub(super) const NONE: KnownIds = KnownIds {
        scope: UNKNOWN,
        client: UNKNOWN,
        object: UNKNOWN,
    };
}

/// What nearly all rows are made of. One thread makes rows of records that others parsed, each of which travels from
/// one processor's cache to another's: the fewer bytes the better. Names are left behind, since most are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    time_us: i64,
    bytes: u64,
    pub(super) known: KnownIds,
    pub(super) status: u16,
    pub(super) method: Method,
    pub(super) protocol: Protocol,
    /// Whether it asks for a path, without a query.
    pub(super) is_path: bool,
}

impl Fields {
    #[inline]
    pub(super) fn of(record: &Record<'_>, is_path: bool) -> Fields {
        Fields {
            time_us: record.time_us.unwrap_or(NO_TIME),
            bytes: record.bytes.unwrap_or(NO_BYTES),
            known: KnownIds::NONE,
            status: record.status,
            method: record.method,
            protocol: record.protocol,
            is_path,
        }
    }

    #[inline]
    pub(super) fn time_us(&self) -> Option<i64> {
        (self.time_us != NO_TIME).then_some(self.time_us)
    }

    #[inline]
    pub(super) fn bytes(&self) -> Option<u64> {
        (self.bytes != NO_BYTES).then_some(self.bytes)
    }
}

/// What a record is for.
#[derive(Clone, Copy)]
pub(super) enum Target<'a> {
    Url(Url<'a>),
    /// The key of a key-only trace, with the size of its object where that is known.
    Key(u64, Option<u64>),
}

/// The names in a record: places in its block, and from the block's length on in the batch's other texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordNames {
    pub(super) client: Text,
    pub(super) host: Text,
    pub(super) target: TargetPlace,
}

/// A place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    pub(super) start: u32,
    pub(super) length: u32,
}

/// What a record is for, by its place.
#[derive(Clone, Copy, Debug)]
pub(super) enum TargetPlace {
    Url {
        text: Text,
        /// Bytes of the path and of the path with its query, at the start of the text.
        path: u32,
        whole: u32,
    },
    Key(u64, Option<u64>),
}

/// Where names stand.
#[derive(Clone, Copy)]
pub(super) struct Texts<'a> {
    pub(super) block: &'a [u8],
    pub(super) others: &'a [u8],
}

impl<'a> Texts<'a> {
    #[inline]
    pub(super) fn get(self, text: Text) -> &'a [u8] {
        let (start, length) = (text.start as usize, text.length as usize);
        match self.block.get(start..start + length) {
            Some(text) => text,
            None => &self.others[start - self.block.len()..][..length],
        }
    }
}

/// A record of a batch, to be made into a row.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) fields: &'a Fields,
    pub(super) names: &'a RecordNames,
    pub(super) texts: Texts<'a>,
}

impl<'a> Entry<'a> {
    #[inline]
    pub(super) fn client(&self) -> &'a [u8] {
        self.texts.get(self.names.client)
    }

    #[inline]
    pub(super) fn host(&self) -> &'a [u8] {
        self.texts.get(self.names.host)
    }

    #[inline]
    pub(super) fn target(&self) -> Target<'a> {
        match self.names.target {
            TargetPlace::Url { text, path, whole } => {
                let text = self.texts.get(text);
                Target::Url(Url {
                    path: &text[..path as usize],
                    whole: &text[..whole as usize],
                })
            }
            TargetPlace::Key(key, size) => Target::Key(key, size),
        }
    }
}
