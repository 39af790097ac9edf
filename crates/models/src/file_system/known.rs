//! Files of which the kernel has told where they lie (`FIEMAP`, `Documentation/filesystems/fiemap.rst`).

use std::collections::BTreeMap;

use hotset_cache::PAGE_BYTES;
use serde::{Deserialize, Serialize};

use super::indirect::Indirect;
use super::kind::FileSystemKind;
use super::layout::{Layout, MapBlock, Place};

/// Pages of a file that lie side by side on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Extent {
    /// The first of them, from 0 in the file.
    pub page: u64,
    /// Where it begins on the device, bytes.
    pub offset: u64,
    /// How many there are.
    pub pages: u64,
}

/// Where files lie, by their names; of others nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FilePlaces(pub BTreeMap<String, Vec<Extent>>);

impl FilePlaces {
    /// The extents of a file, if they are known.
    pub(crate) fn of(&self, name: &str) -> Option<&[Extent]> {
        let extents = self.0.get(name)?;
        (!extents.is_empty()).then_some(extents)
    }
}

/// A file that lies where its extents say.
#[derive(Clone, Debug)]
pub(crate) struct KnownExtents {
    /// By their pages; at least one.
    extents: Vec<Extent>,
    file_system: FileSystemKind,
}

impl KnownExtents {
    /// A file of `file_system` with these extents, of which there is at least one.
    pub fn new(extents: &[Extent], file_system: FileSystemKind) -> Self {
        let mut extents = extents.to_vec();
        extents.sort_unstable_by_key(|extent| extent.page);
        Self {
            extents,
            file_system,
        }
    }

    /// The number of the extent that has `page`, or of the last one before it.
    fn number(&self, page: u64) -> usize {
        let behind = self.extents.partition_point(|extent| extent.page <= page);
        behind.saturating_sub(1)
    }

    /// Where `page` is; one that no extent has is taken to go on where the last one before it ended.
    fn offset(&self, page: u64) -> u64 {
        let extent = self.extents[self.number(page)];
        extent.offset + page.saturating_sub(extent.page) * PAGE_BYTES
    }

    /// Pages from `page` on that lie side by side.
    fn side_by_side(&self, page: u64) -> u64 {
        let next = self.extents.get(self.number(page) + 1);
        next.map_or(u64::MAX, |next| next.page.saturating_sub(page).max(1))
    }

    /// The block that maps `page`, and the first page that it maps.
    fn map_block(&self, page: u64) -> Option<(u64, u64)> {
        let Some(mapping) = self.file_system.extents() else {
            return Indirect::run(page).map(|run| (run, Indirect::first_page(run)));
        };
        let number = mapping.map_block(self.number(page) as u64, self.extents.len() as u64)?;
        let first = self.extents[(number * mapping.in_block) as usize];
        Some((number, first.page))
    }
}

impl Layout for KnownExtents {
    /// Where a block that maps others lies is not told. It is taken to lie right before the data that it maps, where the
    /// kernel looks for room first (`ext4_ext_find_goal` in `fs/ext4/extents.c`, `ext4_find_goal` in `indirect.c`).
    fn place(&self, page: u64) -> Place {
        Place {
            offset: self.offset(page),
            pages: self.side_by_side(page),
            map_block: self.map_block(page).map(|(number, first)| MapBlock {
                number,
                offset: self.offset(first).saturating_sub(PAGE_BYTES),
            }),
        }
    }

    fn bytes(&self, pages: u64) -> u64 {
        pages * PAGE_BYTES
    }

    fn map_blocks(&self, pages: u64) -> u64 {
        let last = self.map_block(pages.saturating_sub(1));
        last.map_or(0, |(number, _)| number + 1)
    }
}
