//! The page cache of Linux as the planner runs it: files by their parts, and the directories and inodes of files that are
//! opened for the first time.

use std::mem;

use hotset_cache::{CacheError, LinuxPageCache, StoreRead};

use crate::Workload;
use crate::problem::{Problem, Served};
use crate::scan::FileCache;

/// Inodes in a page: ext4's take 256 bytes (`mke2fs.conf`, `inode_size`).
const INODES_PER_PAGE: usize = 16;

/// Pages of the inode table that are read together: ext4's `inode_readahead_blks` (`fs/ext4/super.c`).
const INODE_READ_AHEAD_PAGES: usize = 32;

const GROUP: usize = INODES_PER_PAGE * INODE_READ_AHEAD_PAGES;

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
    /// Number in the cache of each object's group of inodes, behind the objects.
    group: Vec<u32>,
}

impl Linux {
    /// An empty cache without room. Files lie in the order of their numbers, each site's by themselves. Where reading
    /// `metadata` costs nothing, it is left out.
    ///
    /// # Errors
    /// Files of more pages than can be followed.
    pub fn new(workload: &Workload, pages: &[u64], metadata: bool) -> Result<Self, CacheError> {
        if !metadata {
            return Ok(Self {
                cache: LinuxPageCache::new(0, pages)?,
                metadata: None,
            });
        }
        let (group, inodes) = groups(workload);
        let tables = inodes
            .iter()
            .map(|count| count.div_ceil(INODES_PER_PAGE) as u64);
        let all: Vec<u64> = pages.iter().copied().chain(tables).collect();
        Ok(Self {
            cache: LinuxPageCache::new(0, &all)?,
            metadata: Some(Metadata {
                known: vec![false; pages.len()],
                group,
            }),
        })
    }

    /// Gives it `pages` of memory.
    pub fn resize(&mut self, pages: u64) {
        self.cache.resize(pages);
    }

    /// Whether opening `object` reads its directory and inode from the store.
    fn opens_cold(&mut self, object: u32) -> bool {
        let Some(metadata) = &mut self.metadata else {
            return false;
        };
        let index = object as usize;
        let known = mem::replace(&mut metadata.known[index], true);
        !known && self.cache.read(metadata.group[index]).pages > 0
    }
}

/// The group of inodes that each object's is in, numbered behind the objects, and how many are in each.
fn groups(workload: &Workload) -> (Vec<u32>, Vec<usize>) {
    let objects = workload.sizes.len();
    let mut open: Vec<Option<usize>> = vec![None; workload.sites.len()];
    let mut inodes: Vec<usize> = Vec::new();
    let group = (0..objects as u32).map(|object| {
        let last = &mut open[workload.site(object)];
        let group = match *last {
            Some(group) if inodes[group] < GROUP => group,
            _ => {
                inodes.push(0);
                inodes.len() - 1
            }
        };
        *last = Some(group);
        inodes[group] += 1;
        (objects + group) as u32
    });
    (group.collect(), inodes)
}

impl FileCache for Linux {
    fn serve(&mut self, problem: &Problem, object: u32) -> Served {
        let whole = problem.pages[object as usize];
        let cold = self.opens_cold(object);
        match self.cache.read(object) {
            _ if cold => Served::Cold,
            StoreRead { pages: 0, .. } => Served::Hit,
            StoreRead { pages, gaps: 1 } if pages == whole => Served::Miss,
            part => Served::Part(part),
        }
    }
}
