//! What a log that is read alone has to tell of requests that depend on other logs.

use super::not_found::NotFoundCount;
use super::objects::SizeEvidence;
use serde::{Deserialize, Serialize};

/// What a log that is read alone has to tell beside its rows.
#[derive(Debug, Default)]
pub struct Evidence {
    /// Its path without the marks of compression and rotation.
    pub log: String,
    /// Which site rule takes its files by their names; the number of rules where none does.
    pub log_rule: usize,
    /// Time of the first request in its first file, by which logs are merged; the smallest number where none has a time.
    /// Microseconds since 1970-01-01 UTC.
    pub begins_us: i64,
    /// Hash of the first 256 KiB of each file, decompressed.
    pub heads: Vec<u64>,
    /// Whether a file holds keys and nothing of HTTP.
    pub has_keys: bool,
    /// Virtual hosts in lower case, without ports; empty where none is logged. Scopes are their indices.
    pub hosts: Vec<Vec<u8>>,
    /// What is known of the sizes of objects, by object id.
    pub sizes: Vec<SizeEvidence>,
    /// The first read of each spelling of a file, in the order of rows.
    pub first_reads: Vec<FirstRead>,
    /// Requests for files that none before them has read, in the order of rows.
    pub unread: Vec<UnreadRequest>,
    /// All paths answered 404; none where there are too many to be counted exactly.
    pub not_found: Option<Vec<NotFoundCount>>,
    /// Whether each site rule took a request.
    pub used_rules: Vec<bool>,
}

/// The first read of a file by one spelling of its path.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FirstRead {
    /// Index of [`Evidence::hosts`].
    pub scope: u32,
    /// The spelling, where it is not the object's path.
    pub target: Option<Box<[u8]>>,
    /// The object.
    pub object: u32,
    /// The row.
    pub row: u64,
}

/// A request (HEAD, or answered 304) that is for a file only if a request before it has read one by this spelling.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnreadRequest {
    /// Index of [`Evidence::hosts`].
    pub scope: u32,
    /// The spelling.
    pub target: Box<[u8]>,
    /// Whether it was answered 304.
    pub is_not_modified: bool,
    /// The row.
    pub row: u64,
}

/// First reads as they are found.
#[derive(Default)]
pub(super) struct FirstUses {
    /// The row that is made next.
    pub(super) row: u64,
    pub(super) read: Vec<FirstRead>,
    pub(super) unread: Vec<UnreadRequest>,
}
