//! Where ext4 keeps what has to be in memory before a file can be read.

use std::sync::Arc;

use super::blocks::PAGE_BYTES;
use crate::policy::column_bytes;

/// Inodes in a page: ext4's take 256 bytes (`mke2fs.conf`, `inode_size`).
const INODES_PER_PAGE: usize = 16;

/// Pages of the inode table that are read together: ext4's `inode_readahead_blks` (`fs/ext4/super.c`).
const INODE_READ_AHEAD_PAGES: usize = 32;

/// Entries in a block of a directory: 8 bytes and a name of 16 characters (`ext4_dir_rec_len`, `fs/ext4/ext4.h`), three
/// quarters full, which is between a block just split and a full one.
const ENTRIES_PER_BLOCK: usize = PAGE_BYTES as usize * 3 / 4 / 24;

/// Places that opening a file for the first time reads where memory has none of them: the root of its directory's index,
/// the block with its entry, and the part of the inode table.
pub const METADATA_PLACES: u32 = 3;

/// Numbers of the places of a file's metadata.
type Places = [u32; METADATA_PLACES as usize];

/// Directories and inodes of files. An inode that was read once is kept: a thousandth of what its file
/// takes. The blocks it came from are pages like those of files, and go when they are not asked for.
#[derive(Clone)]
pub(super) struct Metadata {
    /// Whether each file's inode has been read.
    known: Vec<bool>,
    /// Numbers, behind those of the files, of the places where each file's metadata is.
    places: Arc<Vec<Places>>,
}

impl Metadata {
    /// Metadata of the files of `pages`, to which the pages of the metadata are added. Files are in the directories
    /// `directory_of`, in the order of their numbers.
    pub fn lay_out(pages: &mut Vec<u64>, directory_of: &[u16]) -> Self {
        Self {
            known: vec![false; pages.len()],
            places: Arc::new(places(pages, directory_of)),
        }
    }

    /// Places to read before `file` can be; none once its inode is known.
    #[inline]
    pub fn open(&mut self, file: u32) -> Option<Places> {
        let known = std::mem::replace(&mut self.known[file as usize], true);
        (!known).then(|| self.places[file as usize])
    }

    pub fn files(&self) -> usize {
        self.known.len()
    }

    pub fn memory_bytes(&self) -> usize {
        column_bytes(&self.known) + column_bytes(&self.places)
    }
}

/// Numbers the places of all files' metadata from the end of `pages` on, and puts their pages there.
fn places(pages: &mut Vec<u64>, directory_of: &[u16]) -> Vec<Places> {
    let mut places = vec![Places::default(); pages.len()];
    let count = directory_of
        .iter()
        .max()
        .map_or(0, |&last| usize::from(last) + 1);
    let mut directories = vec![Vec::new(); count];
    for (file, &directory) in directory_of.iter().take(pages.len()).enumerate() {
        directories[usize::from(directory)].push(file);
    }
    for files in directories {
        let blocks = files.len().div_ceil(ENTRIES_PER_BLOCK);
        let root = pages.len();
        pages.extend(std::iter::repeat_n(1, 1 + blocks));
        for inodes in files.chunks(INODES_PER_PAGE * INODE_READ_AHEAD_PAGES) {
            let table = pages.len() as u32;
            pages.push(inodes.len().div_ceil(INODES_PER_PAGE) as u64);
            for &file in inodes {
                // Entries are spread over the blocks by a hash of their names.
                let block = spread(file) % blocks;
                places[file] = [root as u32, (root + 1 + block) as u32, table];
            }
        }
    }
    places
}

/// Scatters numbers that are close together: Knuth's multiplicative hashing, by 2^64 over the golden ratio.
fn spread(number: usize) -> usize {
    ((number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}
