//! The page cache of Linux as the planner runs it: files by their parts, and the directories and inodes of files that are
//! opened for the first time.

use std::mem;

use hotset_cache::{CacheError, LinuxPageCache, StoreRead};

use crate::Catalogue;
use crate::problem::{Problem, Served};
use crate::scan::FileCache;

/// Inodes in a page: ext4's take 256 bytes (`mke2fs.conf`, `inode_size`).
const INODES_PER_PAGE: usize = 16;

/// Pages of the inode table that are read together: ext4's `inode_readahead_blks` (`fs/ext4/super.c`).
const INODE_READ_AHEAD_PAGES: usize = 32;

/// Entries in a block of a directory: 8 bytes and a name of 16 characters (`ext4_dir_rec_len`, `fs/ext4/ext4.h`), three
/// quarters full, which is between a block just split and a full one.
const ENTRIES_PER_BLOCK: usize = 4096 * 3 / 4 / 24;

/// Places that opening a file for the first time reads where memory has none of them: the root of its directory's index,
/// the block with its entry, and the part of the inode table.
pub(crate) const METADATA_PLACES: u32 = 3;

/// The page cache of a node.
#[derive(Clone)]
pub(crate) struct Linux {
    cache: LinuxPageCache,
    metadata: Option<Metadata>,
}

/// What has to be in memory before a file can be read. An inode that was read once is kept: a thousandth of what its file
/// takes. The blocks it came from are pages like those of files, and go when they are not asked for.
#[derive(Clone)]
struct Metadata {
    /// Whether each object's inode has been read.
    known: Vec<bool>,
    /// Numbers in the cache, behind the objects, of the places where each object's metadata is.
    places: Vec<[u32; METADATA_PLACES as usize]>,
}

impl Linux {
    /// An empty cache without room. Each site's files are taken to be in one directory, in the order of their numbers.
    /// Where reading `metadata` costs nothing, it is left out.
    ///
    /// # Errors
    /// Files of more pages than can be followed.
    pub fn new(files: &Catalogue, pages: &[u64], metadata: bool) -> Result<Self, CacheError> {
        if !metadata {
            return Ok(Self {
                cache: LinuxPageCache::new(0, pages)?,
                metadata: None,
            });
        }
        let mut all = pages.to_vec();
        let places = places(files, &mut all);
        Ok(Self {
            cache: LinuxPageCache::new(0, &all)?,
            metadata: Some(Metadata {
                known: vec![false; pages.len()],
                places,
            }),
        })
    }

    /// Gives it `pages` of memory.
    pub fn resize(&mut self, pages: u64) {
        self.cache.resize(pages);
    }

    /// Places that opening `object` reads before its data.
    fn open(&mut self, object: u32) -> u32 {
        let Some(metadata) = &mut self.metadata else {
            return 0;
        };
        let index = object as usize;
        if mem::replace(&mut metadata.known[index], true) {
            return 0;
        }
        let mut missing = |place: u32| u32::from(self.cache.read(place).pages > 0);
        metadata.places[index].into_iter().map(&mut missing).sum()
    }
}

/// Numbers the places of all objects' metadata from the end of `pages` on, and puts their pages there.
fn places(files: &Catalogue, pages: &mut Vec<u64>) -> Vec<[u32; METADATA_PLACES as usize]> {
    let objects = pages.len();
    let mut places = vec![[0; METADATA_PLACES as usize]; objects];
    let mut directories = vec![Vec::new(); files.sites.len()];
    for object in 0..objects {
        directories[files.site(object as u32)].push(object);
    }
    for entries in directories {
        let blocks = entries.len().div_ceil(ENTRIES_PER_BLOCK);
        let root = pages.len();
        pages.extend(std::iter::repeat_n(1, 1 + blocks));
        for inodes in entries.chunks(INODES_PER_PAGE * INODE_READ_AHEAD_PAGES) {
            let table = pages.len() as u32;
            pages.push(inodes.len().div_ceil(INODES_PER_PAGE) as u64);
            for &object in inodes {
                // Entries are spread over the blocks by a hash of their names.
                let block = spread(object) % blocks;
                places[object] = [root as u32, (root + 1 + block) as u32, table];
            }
        }
    }
    places
}

/// Scatters numbers that are close together: Knuth's multiplicative hashing, by 2^64 over the golden ratio.
fn spread(number: usize) -> usize {
    ((number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

impl FileCache for Linux {
    fn serve(&mut self, problem: &Problem, object: u32) -> Served {
        let whole = problem.pages[object as usize];
        let missing = self.open(object);
        match self.cache.read(object) {
            _ if missing > 0 => Served::Cold(missing),
            StoreRead { pages: 0, .. } => Served::Hit,
            StoreRead { pages, gaps: 1 } if pages == whole => Served::Miss,
            part => Served::Part(part),
        }
    }
}
