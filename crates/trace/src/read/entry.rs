//! A record on its way from a batch to a row.

use super::url::Url;
use crate::{Method, Protocol};

/// The id of a name that was not known when it was looked up. No client, object or scope has it.
pub(super) const UNKNOWN: u32 = crate::NO_OBJECT;

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

/// What a record is for.
#[derive(Clone, Copy)]
pub(super) enum Wanted<'a> {
    Url(Url<'a>),
    Key(u64),
}

/// A record of a batch, to be made into a row.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) time_us: Option<i64>,
    pub(super) client: &'a [u8],
    pub(super) host: &'a [u8],
    pub(super) wanted: Wanted<'a>,
    pub(super) method: Method,
    pub(super) protocol: Protocol,
    pub(super) status: u16,
    pub(super) bytes: Option<u64>,
    pub(super) size: Option<u64>,
    pub(super) known: KnownIds,
}
