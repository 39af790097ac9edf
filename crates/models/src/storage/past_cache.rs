//! Writes past the page cache (`O_DIRECT`): `iomap_dio_rw` of `fs/iomap/direct-io.c`, `ext4_dio_write_iter` of `fs/ext4/file.c` and
//! `xfs_file_dio_write_aligned` of `fs/xfs/xfs_file.c`, Linux 6.18.
//!
//! Simplified: only writes past the page cache keep each other from a file. ext4 notes files that get longer in a list of orphans, which is
//! left out.

use std::ops::Range;
use std::vec::Drain;

use hotset_cache::PAGE_BYTES;

use super::open_file::OpenFile;
use super::stack::{Storage, land};
use super::sync_kind::SyncKind;
use super::written::{Carries, Waiter};
use crate::block::{DeviceEvent, Request};
use crate::calendar::Calendar;
use crate::file_system::FileSystemKind;
use crate::write_back::{FlusherWakes, PageSync};

/// How far a write is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Begins,
    /// Nobody else makes the file longer, and nothing of its bytes is dirty.
    MayGo,
    /// The disks have it.
    Sent,
    /// It waits for what is to be on the device besides.
    Synced,
}

/// A write past the page cache under way.
#[derive(Clone, Copy, Debug)]
pub struct PastCacheWrite {
    offset: u64,
    bytes: u64,
    sync: Option<SyncKind>,
    stage: Stage,
    /// Whether it keeps others from the file.
    locks: bool,
    /// Whether all that it writes to had data.
    overwrites: bool,
}

impl PastCacheWrite {
    /// Of so many bytes of a file, more than none, from `offset` on. `sync` says what is to be on the device before it is over, besides the
    /// bytes themselves (`O_DSYNC`, `O_SYNC`).
    #[must_use]
    pub fn new(offset: u64, bytes: u64, sync: Option<SyncKind>) -> Self {
        Self {
            offset,
            bytes,
            sync,
            stage: Stage::Begins,
            locks: false,
            overwrites: false,
        }
    }

    /// Where in the file it begins.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn end(&self) -> u64 {
        self.offset + self.bytes
    }

    fn range(&self) -> Range<u64> {
        self.offset..self.end()
    }
}

/// What becomes of a write past the page cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PastCacheProgress {
    /// Its waiter is woken when it may go on.
    Waits,
    /// The same: the journal has too little room for more.
    WaitsForJournal,
    /// The same: what it wrote is on the device, and it waits for what has to be there besides.
    Syncs,
    /// The file system has it go through the page cache instead. It returns when it is on the device if it `waits`.
    ByMemory {
        /// Whether it waits for that.
        waits: bool,
    },
    /// It is over.
    Ends,
}

impl<W> Storage<W> {
    /// Goes on with a write to `file` past the page cache, from its start or where it has waited, on behalf of `waiter`.
    pub fn write_past_cache<C: Calendar<DeviceEvent> + Calendar<FlusherWakes>>(
        &mut self,
        now_ns: u64,
        waiter: W,
        file: &OpenFile,
        write: &mut PastCacheWrite,
        calendar: &mut C,
    ) -> PastCacheProgress {
        let number = file.number;
        if write.stage == Stage::Begins {
            if let Some(waits) = self.goes_by_memory(file, write) {
                return PastCacheProgress::ByMemory { waits };
            }
            if !self.lock(file, write) {
                self.writer.locks.push((number, waiter));
                return PastCacheProgress::Waits;
            }
            write.stage = Stage::MayGo;
            let part = self.part_of(number, &write.range(), PageSync::WRITTEN);
            if self.is_unwritten(&part) {
                let kind = SyncKind::Pages(PageSync::WRITTEN);
                self.writer.syncs.add(part, Waiter::Program(waiter, kind));
                self.settle_outside(now_ns, calendar);
                return PastCacheProgress::Waits;
            }
        }
        match write.stage {
            Stage::Begins | Stage::MayGo => {
                if self.lacks_room(now_ns, file.store, calendar) {
                    self.writer.rooms.push((file.store, waiter));
                    return PastCacheProgress::WaitsForJournal;
                }
                write.stage = Stage::Sent;
                self.send_past_cache(now_ns, waiter, file, write, calendar);
                PastCacheProgress::Waits
            }
            Stage::Sent => {
                write.stage = Stage::Synced;
                self.unlock(now_ns, number, write, calendar);
                let kind = write.sync.filter(|&it| !self.is_through(file, write, it));
                let Some(kind) = kind else {
                    return PastCacheProgress::Ends;
                };
                let rest = self.commit(now_ns, number, (waiter, kind), calendar);
                self.settle_outside(now_ns, calendar);
                match rest {
                    None => PastCacheProgress::Syncs,
                    Some(_) => PastCacheProgress::Ends,
                }
            }
            Stage::Synced => PastCacheProgress::Ends,
        }
    }

    /// Whether a write goes through the page cache, and then whether it waits for the device. Data that the journal has goes there
    /// (`ext4_should_use_dio`). So does what fills a hole of a file without extents (`ext4_iomap_alloc`, `fs/ext4/inode.c`).
    fn goes_by_memory(&mut self, file: &OpenFile, write: &PastCacheWrite) -> Option<bool> {
        let journal = &self.writer.journals[file.store];
        if journal.has_data() {
            return Some(false);
        }
        let lists_blocks = journal.kind == FileSystemKind::Ext3;
        let size = self.writer.file(file.number).size;
        let is_inside = size.is_none_or(|size| write.end() <= size);
        let (extents, _) = self.reader.cache.part_of(file.number, &write.range());
        let fills_hole = lists_blocks && is_inside && self.reader.cache.has_fresh(&extents);
        fills_hole.then_some(true)
    }

    /// Lets a write go unless it has to wait for others; whether it may. One that makes the file longer has others wait
    /// (`ext4_dio_write_checks`). xfs lets one append beside others. One that leaves a hole waits for them and has others wait
    /// (`xfs_file_write_checks`).
    fn lock(&mut self, file: &OpenFile, write: &mut PastCacheWrite) -> bool {
        let is_xfs = self.writer.journals[file.store].kind == FileSystemKind::Xfs;
        let from = if is_xfs { write.offset } else { write.end() };
        let known = self.writer.file(file.number);
        let locks = known.size.is_some_and(|size| from > size);
        if known.is_locked || locks && is_xfs && known.past_cache > 0 {
            return false;
        }
        write.locks = locks;
        known.is_locked = locks;
        known.past_cache += 1;
        true
    }

    /// A write is over: those go on who have waited for that.
    fn unlock(
        &mut self,
        now_ns: u64,
        number: u32,
        write: &PastCacheWrite,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) {
        let known = self.writer.file(number);
        known.past_cache -= 1;
        if write.locks {
            known.is_locked = false;
        }
        if !self.writer.locks.iter().any(|it| it.0 == number) {
            return;
        }
        let waiting = std::mem::take(&mut self.writer.locks);
        for (of_file, waiter) in waiting {
            match of_file == number {
                true => self.woken.push(waiter),
                false => self.writer.locks.push((of_file, waiter)),
            }
        }
        self.settle_outside(now_ns, calendar);
    }

    /// Whether what was written is on the medium, and is found there, without more ado.
    fn is_through(&mut self, file: &OpenFile, write: &PastCacheWrite, kind: SyncKind) -> bool {
        let journal = &self.writer.journals[file.store];
        let (forces, committed) = (journal.forces(), journal.journal.committed());
        let is_found = self.writer.file(file.number).data_transaction <= committed;
        kind == SyncKind::Data && write.overwrites && forces && is_found
    }

    /// Drops what is in memory of the bytes, and has the disks write them.
    fn send_past_cache<C: Calendar<DeviceEvent> + Calendar<FlusherWakes>>(
        &mut self,
        now_ns: u64,
        waiter: W,
        file: &OpenFile,
        write: &mut PastCacheWrite,
        calendar: &mut C,
    ) {
        let (number, store) = (file.number, file.store);
        let cache = &mut self.reader.cache;
        let (extents, _) = cache.part_of(number, &write.range());
        cache.forget_part(extents.clone());
        write.overwrites = !cache.has_fresh(&extents);
        let forces = self.writer.journals[store].forces();
        let request = Request {
            offset: cache.device_offset(number, write.offset),
            bytes: write.bytes,
            reader: file.usage.process,
            segment_bytes: PAGE_BYTES,
            syncs: true,
            past_cache: write.sync.is_some() && write.overwrites && forces,
            ..Request::default()
        };
        let blocks = self.stamp(now_ns, (number, store));
        self.change(now_ns, (number, store), blocks, false, calendar);
        // Blocks of the file system's own are dirty then.
        if self.writer.flusher.arm() {
            let wakes_ns = now_ns + self.writer.flush_ns;
            Calendar::<FlusherWakes>::at(calendar, wakes_ns, FlusherWakes);
        }
        self.writer.file(number).bytes.data += write.bytes;
        let transfer = self.disks.write(now_ns, store, request, calendar);
        let landing = land(&mut self.landings, transfer);
        landing.carries = Carries::PastCache {
            file: number,
            end: write.end(),
        };
        landing.extents = extents;
        landing.waiters.push(waiter);
    }

    /// The disks have written what a program wrote past the page cache. The file system notes that there is data, and how long the file is
    /// (`ext4_dio_write_end_io`, `xfs_dio_write_end_io`). Those who go on.
    pub(super) fn end_past_cache(
        &mut self,
        now_ns: u64,
        transfer: u32,
        (file, end): (u32, u64),
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> Drain<'_, W> {
        let landing = &mut self.landings[transfer as usize];
        let extents = landing.extents.clone();
        self.woken.append(&mut landing.waiters);
        let store = self.store_of(file);
        let mut blocks = Vec::new();
        if self.writer.file(file).grow(end) {
            blocks.push((self.writer.journals[store].metadata.inode(file), 1));
        }
        self.allocate(file, store, extents, &mut blocks);
        self.change(now_ns, (file, store), blocks, true, calendar);
        self.settle(now_ns, calendar);
        self.woken.drain(..)
    }
}
