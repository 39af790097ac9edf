//! What a cache's size is counted in.

use std::borrow::Cow;

use hotset_cache::{PAGE_BYTES, PolicyKind};

/// What a cache is filled in.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Unit {
    Bytes,
    Pages,
}

impl Unit {
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
