//! How outcomes and tables name files of one size.

use hotset_outcome::{GroupKey, GroupKind};

/// The group of files of one size.
pub(super) fn size_group(bytes: u64) -> GroupKey {
    GroupKey::new(GroupKind::Size, size_name(bytes))
}

/// A size as the documents' tables write it.
pub(super) fn size_name(bytes: u64) -> String {
    match bytes {
        bytes if bytes > 0 && bytes.is_multiple_of(1 << 20) => format!("{}M", bytes >> 20),
        bytes if bytes > 0 && bytes.is_multiple_of(1 << 10) => format!("{}K", bytes >> 10),
        bytes => bytes.to_string(),
    }
}
