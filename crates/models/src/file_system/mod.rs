//! Where file systems put the blocks of files, and which blocks of their own they must read to know it.

mod extents;
mod indirect;
mod known;

pub(crate) use extents::Extents;
pub(crate) use indirect::Indirect;
pub(crate) use known::Known;
pub use known::{Extent, FilePlaces};

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

/// File systems whose layout is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSystemKind {
    /// Blocks are mapped one by one.
    Ext3,
    /// Extents.
    Ext4,
    /// Extents that are longer.
    Xfs,
}

impl FileSystemKind {
    /// All, by their names in `/proc/filesystems`.
    pub const ALL: [(&'static str, Self); 3] = [
        ("ext3", Self::Ext3),
        ("ext4", Self::Ext4),
        ("xfs", Self::Xfs),
    ];

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, kind)| *kind)
    }

    pub(crate) fn layout(self) -> Box<dyn Layout> {
        match self.extents() {
            None => Box::new(Indirect),
            Some(extents) => Box::new(extents),
        }
    }

    /// How it lists extents; nothing where it lists blocks.
    pub(crate) fn extents(self) -> Option<Extents> {
        match self {
            Self::Ext3 => None,
            Self::Ext4 => Some(Extents::EXT4),
            Self::Xfs => Some(Extents::XFS),
        }
    }
}
