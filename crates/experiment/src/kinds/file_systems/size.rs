//! How outcomes and tables name files of one size.

use hotset_outcome::{GroupKey, GroupKind};
pub(super) use hotset_probe::size_name;

/// The group of files of one size.
pub(super) fn size_group(bytes: u64) -> GroupKey {
    GroupKey::new(GroupKind::Size, size_name(bytes))
}
