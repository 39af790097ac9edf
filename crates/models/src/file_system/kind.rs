//! File systems by name.

use super::extents::Extents;
use super::indirect::Indirect;
use super::layout::Layout;

/// File systems whose layout is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum FileSystemKind {
    /// Blocks are mapped one by one.
    Ext3,
    /// Extents.
    Ext4,
    /// Extents that are longer.
    Xfs,
    /// That of a file server, of which its clients know nothing.
    #[strum(disabled)]
    Remote,
}

impl FileSystemKind {
    /// The one of this name in `/proc/filesystems`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
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
            Self::Remote => Some(Extents::ONE),
        }
    }
}
