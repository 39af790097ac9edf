//! What a program wants on the device before it goes on.

use std::ops::Range;

use crate::write_back::PageSync;

/// What a sync brings to the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncKind {
    /// Data, and all else that was changed of the file (`fsync`, `O_SYNC`).
    All,
    /// Data, and what it takes to find it (`fdatasync`, `O_DSYNC`). The time of the last change is none of that.
    Data,
    /// Pages of data, and nothing else (`sync_file_range`).
    Pages(PageSync),
}

impl SyncKind {
    /// What is done with pages.
    pub(super) fn pages(self) -> PageSync {
        match self {
            Self::All | Self::Data => PageSync::WRITTEN,
            Self::Pages(pages) => pages,
        }
    }
}

/// All bytes of a file.
pub const WHOLE_FILE: Range<u64> = 0..u64::MAX;
