//! Indirect blocks: every block of a file has an entry of its own (ext2, ext3; blocks of 4 KiB).

use hotset_cache::PAGE_BYTES;

use super::layout::{Layout, MapBlock, Place};

/// Blocks that the inode itself lists (`EXT3_NDIR_BLOCKS`).
const DIRECT: u64 = 12;
/// Entries of an indirect block of 4 KiB, 4 bytes each.
const ENTRIES: u64 = 1024;

/// Blocks are listed one by one; the block that lists a run of 1024 lies before them, where the allocator put it when it came
/// to them (`ext4_alloc_branch` in `fs/ext4/indirect.c`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Indirect;

impl Indirect {
    /// The run that `page` is in; none where the inode lists it.
    pub fn run(page: u64) -> Option<u64> {
        page.checked_sub(DIRECT).map(|behind| behind / ENTRIES)
    }

    /// The first page of a run.
    pub fn first_page(run: u64) -> u64 {
        DIRECT + run * ENTRIES
    }
}

impl Layout for Indirect {
    fn place(&self, page: u64) -> Place {
        let Some(behind) = page.checked_sub(DIRECT) else {
            return Place {
                offset: page * PAGE_BYTES,
                pages: DIRECT - page,
                map_block: None,
            };
        };
        let run = behind / ENTRIES;
        Place {
            offset: (page + blocks_before(run)) * PAGE_BYTES,
            pages: ENTRIES - behind % ENTRIES,
            map_block: Some(MapBlock {
                number: run,
                offset: (Self::first_page(run) + blocks_before(run) - 1) * PAGE_BYTES,
            }),
        }
    }

    fn bytes(&self, pages: u64) -> u64 {
        let last = self.place(pages.saturating_sub(1));
        last.offset + PAGE_BYTES
    }

    /// Those that list data; the few that list them are always in memory with them.
    fn map_blocks(&self, pages: u64) -> u64 {
        pages.saturating_sub(DIRECT).div_ceil(ENTRIES)
    }
}

/// Blocks of the file system's own that lie before the data of a run: one for each run so far, and those that list them, the
/// first with the second run.
fn blocks_before(run: u64) -> u64 {
    let lists = run.div_ceil(ENTRIES);
    let lists_of_lists = u64::from(run > ENTRIES);
    run + 1 + lists + lists_of_lists
}
