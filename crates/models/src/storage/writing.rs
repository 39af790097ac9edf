//! The way of a write: into the page cache, at a pace that the device keeps up with, and from there to the disks
//! (`generic_perform_write`, `mm/filemap.c`; `mm/page-writeback.c`; `fs/fs-writeback.c`).

use std::ops::Range;
use std::vec::Drain;

use hotset_cache::PAGE_BYTES;

use super::open_file::OpenFile;
use super::stack::{Storage, land};
use super::written::{Carries, Waiter, Write, WriteProgress, WrittenBytes};
use crate::block::{DeviceEvent, Request};
use crate::calendar::Calendar;
use crate::page_cache::UnwrittenPages;
use crate::write_back::{FlusherWakes, Limits, Pause};

/// Requests of dirty pages that a device has at a time: those that write-back throttling lets through while programs are paused
/// (`RWB_DEF_DEPTH`, `block/blk-wbt.h`). That it lets fewer through where reads get slow is not followed.
const MOST_TRANSFERS: usize = 16;
/// The process that schedulers see behind what is written back.
pub(super) const FLUSHER: u32 = u32::MAX;

impl<W> Storage<W> {
    /// Goes on with a write to `file`, from its start or where it has paused, on behalf of `waiter`. What is written becomes dirty page by
    /// page. A page that is being read is waited for.
    pub fn write<C: Calendar<DeviceEvent> + Calendar<FlusherWakes>>(
        &mut self,
        now_ns: u64,
        waiter: W,
        file: &mut OpenFile,
        write: &mut Write,
        calendar: &mut C,
    ) -> WriteProgress {
        if write.is_due {
            let pause = self.balance(now_ns, file, calendar);
            write.is_due = pause.is_some_and(|it| it.again);
            if let Some(Pause { ns, .. }) = pause {
                write.waited = true;
                return WriteProgress::Pauses(now_ns + ns);
            }
        }
        if self.lacks_room(now_ns, file.store, calendar) {
            write.waited = true;
            self.writer.rooms.push((file.store, waiter));
            return WriteProgress::WaitsForJournal;
        }
        let from = write.at;
        if let Some(transfer) = self.dirty_pages(now_ns, file, write, calendar) {
            write.waited = true;
            self.landings[transfer as usize].waiters.push(waiter);
            return WriteProgress::Waits;
        }
        let changed = (file.number, file.store);
        self.note_write(now_ns, changed, from..write.at, calendar);
        let share = (write.at - from) as f64 / write.bytes() as f64;
        let copying_ns = (file.written_ns(write.bytes(), &self.costs[file.store]) * share) as u64;
        match write.at == write.end && !write.is_due {
            true => WriteProgress::Ends(copying_ns),
            false => WriteProgress::Copies(copying_ns),
        }
    }

    /// Makes pages dirty until all are, the program is to be looked at, or one is being read. Where that one is the first, returns the
    /// transfer that brings it.
    fn dirty_pages(
        &mut self,
        now_ns: u64,
        file: &mut OpenFile,
        write: &mut Write,
        calendar: &mut impl Calendar<FlusherWakes>,
    ) -> Option<u32> {
        let (cache, writer, number) = (&mut self.reader.cache, &mut self.writer, file.number);
        let (from, was_clean) = (write.at, cache.dirty_pages_of(number) == 0);
        let mut room = writer.throttle.room(&file.dirtier);
        while write.at < write.end && !write.is_due {
            let coming = cache.coming(number, write.at);
            if coming.is_some() && write.at == from {
                return coming;
            }
            if coming.is_some() {
                break;
            }
            let pages = cache.write(now_ns, number, write.at);
            file.dirtier.dirtied += pages;
            room = room.saturating_sub(pages);
            write.is_due = room == 0;
            write.at = cache.extent_end(write.at).min(write.end);
        }
        let becomes_dirty = was_clean && cache.dirty_pages_of(number) > 0;
        if becomes_dirty && writer.flusher.note_dirty(now_ns, number) {
            calendar.at(now_ns + writer.flush_ns, FlusherWakes);
        }
        None
    }

    /// Has all of `file` written that is dirty, and the journal commit where that has to know of it. Whether `waiter` has to wait: it is
    /// woken when all is on the device.
    pub fn sync(
        &mut self,
        now_ns: u64,
        waiter: W,
        file: &OpenFile,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> bool {
        let number = file.number;
        let is_dirty = self.reader.cache.dirty_pages_of(number) > 0;
        if is_dirty || self.writer.syncs.is_under_way(number) {
            self.writer.syncs.add(number, Waiter::Program(waiter));
            self.settle_outside(now_ns, calendar);
            return true;
        }
        let waits = self.commit(now_ns, number, waiter, calendar).is_none();
        if waits {
            self.settle_outside(now_ns, calendar);
        }
        waits
    }

    /// The flusher's time has come: it writes what is dirty for long, or too much.
    pub fn wake_flusher<C: Calendar<DeviceEvent> + Calendar<FlusherWakes>>(
        &mut self,
        now_ns: u64,
        calendar: &mut C,
    ) {
        let pages = self.unwritten_pages();
        let writer = &mut self.writer;
        let has_metadata = writer.journals.iter().any(|it| it.journal.has_kept());
        if writer.flusher.wake(now_ns, pages, has_metadata) {
            Calendar::<FlusherWakes>::at(calendar, now_ns + writer.flush_ns, FlusherWakes);
        }
        if let Some(before_ns) = writer.flusher.expires(now_ns) {
            let journals = writer.journals.iter_mut();
            journals.for_each(|it| it.journal.write_home(before_ns));
        }
        self.settle_outside(now_ns, calendar);
    }

    /// How many pages may be dirty.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.writer.throttle.limits()
    }

    /// What has yet to reach the device.
    #[inline]
    #[must_use]
    pub fn unwritten_pages(&self) -> UnwrittenPages {
        self.reader.cache.unwritten_pages()
    }

    /// Dirty pages of file `number` that are not under write-back.
    #[must_use]
    pub fn dirty_pages_of(&self, number: u32) -> u64 {
        self.reader.cache.dirty_pages_of(number)
    }

    /// Time that programs waited for the journal after all of file `number` was written, nanoseconds.
    #[must_use]
    pub fn commit_ns_of(&self, number: u32) -> u64 {
        let known = self.writer.files.get(number as usize);
        known.map_or(0, |it| it.commit_ns)
    }

    /// Bytes of file `number`, and of the journal and of metadata for it, that the device was given so far.
    #[must_use]
    pub fn written_bytes_of(&self, number: u32) -> WrittenBytes {
        let known = self.writer.files.get(number as usize);
        known.map_or_else(WrittenBytes::default, |it| it.bytes)
    }

    /// Looks at a program that has made its share of pages dirty.
    fn balance(
        &mut self,
        now_ns: u64,
        file: &mut OpenFile,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> Option<Pause> {
        let limits = self.writer.throttle.limits();
        if self.unwritten_pages().dirty > limits.background {
            self.writer.flusher.start_background();
            self.hand_over(now_ns, calendar);
        }
        let pages = self.unwritten_pages();
        let pause = self
            .writer
            .throttle
            .balance(now_ns, pages, &mut file.dirtier);
        // Nothing is left that could be waited for: the limit is none.
        pause.filter(|it| !it.again || pages.dirty + pages.writing > 0)
    }

    /// A transfer to the device has ended; those who go on.
    pub(super) fn end_transfer(
        &mut self,
        now_ns: u64,
        (file, number): (u32, u64),
        extents: Range<u32>,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> Drain<'_, W> {
        self.writer.syncs.end(file, number);
        self.reader.cache.written(file, extents.clone());
        self.note_written(now_ns, file, extents, calendar);
        self.end_syncs(now_ns, calendar);
        self.settle(now_ns, calendar);
        if self.writer.syncs.transfers() == 0 {
            let pages = self.unwritten_pages();
            self.writer.throttle.note_writing(now_ns, pages);
        }
        self.woken.drain(..)
    }

    /// Hands pages over, ends syncs and has journals go on, until that changes nothing.
    pub(super) fn settle(&mut self, now_ns: u64, calendar: &mut impl Calendar<DeviceEvent>) {
        loop {
            self.hand_over(now_ns, calendar);
            let has_ended = self.end_syncs(now_ns, calendar);
            let has_gone_on = self.go_on(now_ns, calendar);
            if !has_ended && !has_gone_on {
                return;
            }
        }
    }

    /// Ends those syncs whose files are written; whether there was one.
    fn end_syncs(&mut self, now_ns: u64, calendar: &mut impl Calendar<DeviceEvent>) -> bool {
        let mut has_ended = false;
        loop {
            let cache = &self.reader.cache;
            let is_dirty = |file| cache.dirty_pages_of(file) > 0;
            let Some((file, waiter)) = self.writer.syncs.take_written(&is_dirty) else {
                return has_ended;
            };
            has_ended = true;
            match waiter {
                Waiter::Program(waiter) => {
                    let done = self.commit(now_ns, file, waiter, calendar);
                    self.woken.extend(done);
                }
                Waiter::Journal(store) => self.writer.journals[store].under_way -= 1,
            }
        }
    }

    /// Hands dirty pages to the device until it has as many requests of them as it may have: those of programs that wait first.
    fn hand_over(&mut self, now_ns: u64, calendar: &mut impl Calendar<DeviceEvent>) {
        while self.takes_more() {
            let file = self.take_for_sync();
            let Some(file) = file.or_else(|| self.take_for_flusher(now_ns)) else {
                return;
            };
            self.write_runs(now_ns, file, calendar);
        }
    }

    /// Whether the device, or the network, takes more dirty pages now.
    fn takes_more(&self) -> bool {
        match self.writer.most_writing_pages {
            Some(most) => self.unwritten_pages().writing < most,
            None => self.writer.syncs.transfers() < MOST_TRANSFERS,
        }
    }

    /// Whether somebody waits until file `number` is written.
    pub(crate) fn is_waited_for(&self, number: u32) -> bool {
        self.writer.syncs.is_waited_for(number)
    }

    /// Takes dirty pages of a file that a program waits for; the file.
    fn take_for_sync(&mut self) -> Option<u32> {
        while let Some((number, file)) = self.writer.syncs.turn() {
            let most_bytes = self.most_bytes(file);
            let (cache, writer) = (&mut self.reader.cache, &mut self.writer);
            let place = writer.syncs.place(number);
            if cache.take_dirty(file, place, most_bytes, &mut writer.runs) > 0 {
                return Some(file);
            }
            writer.syncs.reach_end(number);
        }
        None
    }

    /// The largest request that the disks of a file take.
    fn most_bytes(&self, file: u32) -> u64 {
        self.costs[self.store_of(file)].max_write_bytes
    }

    /// Takes dirty pages of the flusher's file; the file.
    fn take_for_flusher(&mut self, now_ns: u64) -> Option<u32> {
        let limits = self.writer.throttle.limits();
        for _ in 0..self.writer.flusher.looks() {
            let pages = self.unwritten_pages();
            let chunk = self.writer.throttle.chunk_pages();
            let turn = self.writer.flusher.turn(pages, limits, chunk)?;
            let most_bytes = self.most_bytes(turn.file);
            let (cache, writer) = (&mut self.reader.cache, &mut self.writer);
            let bytes = most_bytes.min(turn.left_pages * PAGE_BYTES);
            let place = writer.flusher.place(turn.file);
            let taken = cache.take_dirty(turn.file, place, bytes, &mut writer.runs);
            if taken > 0 {
                writer.flusher.took(taken);
                return Some(turn.file);
            }
            let is_dirty = cache.dirty_pages_of(turn.file) > 0;
            writer.flusher.reach_end(now_ns, is_dirty);
            writer.throttle.note_writing(now_ns, pages);
        }
        None
    }

    /// Has what was taken of `file` written.
    fn write_runs(&mut self, now_ns: u64, file: u32, calendar: &mut impl Calendar<DeviceEvent>) {
        if self.writer.syncs.transfers() == 0 {
            let pages = self.unwritten_pages();
            self.writer.throttle.note_start(now_ns, pages);
        }
        let store = self.store_of(file);
        let mut runs = std::mem::take(&mut self.writer.runs);
        for run in runs.drain(..) {
            let request = Request {
                offset: run.offset,
                bytes: run.bytes,
                reader: FLUSHER,
                segment_bytes: PAGE_BYTES,
                ..Request::default()
            };
            let transfer = self.disks.write(now_ns, store, request, calendar);
            self.writer.file(file).bytes.data += run.bytes;
            let number = self.writer.syncs.begin(file);
            let landing = land(&mut self.landings, transfer);
            landing.carries = Carries::ToDevice { file, number };
            landing.extents = run.extents;
        }
        self.writer.runs = runs;
    }
}
