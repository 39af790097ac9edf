//! Where pages of the file lie on the disk: from its first byte on, as on an empty file system.

use crate::file_system::{FileSystemKind, Indirect, Layout as _};

/// The layout of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileLayout(pub FileSystemKind);

impl FileLayout {
    /// The first byte of a page.
    pub fn offset(self, page: u64) -> u64 {
        match self.0.extents() {
            Some(extents) => extents.place(page).offset,
            None => Indirect.place(page).offset,
        }
    }

    /// The first byte of the block that maps a page; nothing where the inode does.
    pub fn map(self, page: u64) -> Option<u64> {
        let block = match self.0.extents() {
            Some(extents) => extents.place(page).map_block,
            None => Indirect.place(page).map_block,
        };
        block.map(|it| it.offset)
    }

    /// Bytes that a file of so many pages takes.
    pub fn bytes(self, pages: u64) -> u64 {
        match self.0.extents() {
            Some(extents) => extents.bytes(pages),
            None => Indirect.bytes(pages),
        }
    }
}
