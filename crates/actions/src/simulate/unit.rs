//! What a cache's size is counted in.

use std::borrow::Cow;
use std::str::FromStr;

use hotset_cache::{PAGE_BYTES, PolicyKind};

/// What a cache is filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Pages of 4 KiB.
    Pages,
}

impl Unit {
    /// `bytes` or `pages`.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Bytes => "bytes",
            Unit::Pages => "pages",
        }
    }

    /// The page cache works in pages; the other policies are those of object caches.
    pub fn of(policy: PolicyKind) -> Unit {
        if policy == PolicyKind::TwoList {
            Unit::Pages
        } else {
            Unit::Bytes
        }
    }

    /// How many each of these sizes takes.
    pub fn of_sizes(self, bytes: &[u64]) -> Cow<'_, [u64]> {
        match self {
            Unit::Bytes => bytes.into(),
            Unit::Pages => bytes.iter().map(|size| size.div_ceil(PAGE_BYTES)).collect(),
        }
    }

    /// Bytes of one.
    pub fn bytes(self) -> u64 {
        match self {
            Unit::Bytes => 1,
            Unit::Pages => PAGE_BYTES,
        }
    }

    /// How many fit into `bytes`.
    pub fn of_capacity(self, bytes: u64) -> u64 {
        bytes / self.bytes()
    }
}

impl FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Unit, String> {
        match text {
            "bytes" => Ok(Unit::Bytes),
            "pages" => Ok(Unit::Pages),
            _ => Err(format!("{text:?} is no unit: use bytes or pages")),
        }
    }
}
