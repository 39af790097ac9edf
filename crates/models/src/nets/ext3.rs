//! "ext3": indirect blocks map the blocks of a file one by one, and are read from the disk as any block.

use hotset_petri::Page;

use super::block_map::{BlockMap, Names, block_map};
use crate::file_system::Indirect;

/// Adds ext3. It knows where the first `known_pages` of the file are.
pub(super) fn ext3(page: &mut Page<'_>, known_pages: u64, places: &BlockMap<'_>) {
    let names = Names {
        page: "ext3",
        read: "read indirect block",
        known: "indirect blocks",
    };
    block_map(page, &names, Indirect, known_pages, places);
}
