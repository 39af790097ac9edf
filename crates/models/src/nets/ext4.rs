//! "ext4": extents map long runs of blocks. The inode lists the first four, so that files below 512 MiB need no block that maps.

use hotset_petri::Page;

use super::block_map::{BlockMap, Names, block_map};
use crate::file_system::Extents;

/// Adds ext4. It knows where the first `known_pages` of the file are.
pub(super) fn ext4(page: &mut Page<'_>, known_pages: u64, places: &BlockMap<'_>) {
    let names = Names {
        page: "ext4",
        read: "read extent block",
        known: "extent blocks",
    };
    block_map(page, &names, Extents::EXT4, known_pages, places);
}
