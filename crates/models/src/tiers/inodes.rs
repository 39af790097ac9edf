//! Inodes: a page of the file system has some of them. Finding a file reads the page with its inode where that is not in memory.
//!
//! Pages are files of their own behind all others. Which of them has a file's inode is spread evenly: files are often numbered by their
//! popularity, and file systems know nothing of that.

use hotset_cache::PAGE_BYTES;
use hotset_scenario::Profile;

use crate::page_cache::StoredFile;

/// Spreads numbers: 2^64 divided by the golden ratio (D. Knuth, "The Art of Computer Programming", volume 3, section 6.4).
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The inodes of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inodes {
    /// Number of the first page, and how many there are.
    first: u32,
    pages: u32,
    inode_bytes: u64,
}

impl Inodes {
    /// Those of so many files, of so many bytes each. Their pages have numbers from `first` on.
    pub fn new(files: usize, inode_bytes: u64, first: u32) -> Self {
        let pages = (files as u64 * inode_bytes).div_ceil(PAGE_BYTES);
        Self {
            first,
            pages: pages.max(1) as u32,
            inode_bytes,
        }
    }

    /// Those of stores with these profiles, by store, where these tell of inodes; nothing of stores without a profile here. Each store may have so
    /// many files. Pages are added to `stored`.
    pub fn of_stores<'p>(
        profiles: impl Iterator<Item = Option<&'p Profile>>,
        files: usize,
        stored: &mut Vec<StoredFile<'_>>,
    ) -> Vec<Option<Self>> {
        let each = profiles.enumerate().map(|(store, profile)| {
            let inode_bytes = profile?.file_system.as_ref()?.inode_bytes?;
            let inodes = Self::new(files, inode_bytes, stored.len() as u32);
            stored.extend(inodes.stored(store));
            Some(inodes)
        });
        each.collect()
    }

    /// How many pages there are.
    pub fn pages(self) -> u32 {
        self.pages
    }

    /// Bytes of an inode.
    pub fn bytes(self) -> u64 {
        self.inode_bytes
    }

    /// The pages as files of a store.
    pub fn stored<'f>(self, store: usize) -> impl Iterator<Item = StoredFile<'f>> {
        (0..self.pages).map(move |_| StoredFile {
            store,
            bytes: PAGE_BYTES,
            extents: None,
        })
    }

    /// Number of the page with the inode of a file.
    pub fn page_of(self, file: u32) -> u32 {
        let spread = u64::from(file).wrapping_mul(GOLDEN) >> 32;
        self.first + (spread % u64::from(self.pages)) as u32
    }
}
