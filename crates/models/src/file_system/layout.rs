//! What is asked of a file system.

/// Where some pages of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// First byte, from the start of the file's own space; of a file that is known, from the start of the device.
    pub offset: u64,
    /// Pages from the asked one on that lie side by side there.
    pub pages: u64,
    /// What must be in memory to know it; none where the inode says it.
    pub map_block: Option<MapBlock>,
}

/// A block of the file system's own that says where data is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MapBlock {
    /// From 0 for each file.
    pub number: u64,
    /// Its first byte, as that of a [`Place`].
    pub offset: u64,
}

/// How a file system maps a file's pages. Files of which nothing is known are laid out in one go, as fio does, on an empty
/// file system.
pub(crate) trait Layout {
    /// Where a page is.
    fn place(&self, page: u64) -> Place;

    /// Bytes that a file of so many pages takes on the device.
    fn bytes(&self, pages: u64) -> u64;

    /// Blocks of the file system's own that map a file of so many pages.
    fn map_blocks(&self, pages: u64) -> u64;
}
