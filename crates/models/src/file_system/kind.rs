//! File systems by name.

use super::extents::Extents;
use super::indirect::Indirect;
use super::layout::Layout;

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
