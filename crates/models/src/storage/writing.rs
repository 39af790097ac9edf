//! The way of a write: into the page cache, at a pace that the device keeps up with, and from there to the disks
//! (`generic_perform_write`, `mm/filemap.c`; `mm/page-writeback.c`; `fs/fs-writeback.c`).

use std::ops::Range;
use std::vec::Drain;

use hotset_cache::PAGE_BYTES;
use rand::RngExt as _;

use super::open_file::OpenFile;
use super::stack::{Storage, land};
use super::sync_kind::{SyncKind, WHOLE_FILE};
use super::written::{Carries, Waiter, Write, WriteProgress, WrittenBytes};
use crate::block::{DeviceEvent, Request};
use crate::calendar::Calendar;
use crate::page_cache::UnwrittenPages;
use crate::read_ahead::Window;
use crate::write_back::{FlusherWakes, Limits, PageSync, Pause, SyncPart};

/// The processes that schedulers see behind what is written back: the kernel's own, and whoever waits until it is.
pub(super) const FLUSHER: u32 = u32::MAX;
const SYNCER: u32 = u32::MAX - 1;
/// That behind what a journal writes.
pub(super) const JOURNAL: u32 = u32::MAX - 2;

/// Whether a program asks by itself, and neither the kernel nor a journal does.
pub(crate) fn is_program(reader: u32) -> bool {
    reader < JOURNAL
}

/// What a write waits for before it can go on.
enum Lack {
    /// This transfer, which brings a page.
    Transfer(u32),
    /// The rest of the page where it is: it has to be read.
    Page,
}

impl<W> Storage<W> {
    /// Goes on with a write to `file`, from its start or where it has paused, on behalf of `waiter`. What is written becomes dirty page by
    /// page. A page that is being read is waited for. So is one of which only a part is written, if it has data and is not in memory
    /// (`__block_write_begin_int`, `fs/buffer.c`; `__iomap_write_begin`, `fs/iomap/buffered-io.c`).
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
        let pages = self.unwritten_pages();
        if self.writer.reclaim.is_full(pages) {
            write.waited = true;
            self.writer.reclaim.push(waiter);
            self.writer.flusher.write_all(pages.dirty);
            self.settle_outside(now_ns, calendar);
            return WriteProgress::Waits;
        }
        let from = write.at;
        let transfer = match self.dirty_pages(now_ns, file, write, calendar) {
            None => None,
            Some(Lack::Transfer(transfer)) => Some(transfer),
            Some(Lack::Page) => self.read_page(now_ns, file, write, calendar),
        };
        if let Some(transfer) = transfer {
            write.waited = true;
            self.landings[transfer as usize].waiters.push(waiter);
            return WriteProgress::Waits;
        }
        let changed = (file.number, file.store);
        let was_synced = std::mem::take(&mut self.writer.file(file.number).is_synced);
        self.note_write(now_ns, changed, from..write.at, calendar);
        let share_of = |bytes: u64| bytes as f64 / write.bytes() as f64;
        let (share, new_share) = (share_of(write.at - from), share_of(write.new_bytes));
        write.new_bytes = 0;
        let costs = &self.costs[file.store];
        let whole = file.written_ns(write.bytes(), costs);
        let mut copying_ns = whole.part(share, new_share) as u64;
        if was_synced {
            let drawn = self.writer.random.random();
            copying_ns += costs.write_after_sync(write.bytes(), drawn) as u64;
        }
        match write.at == write.end && !write.is_due {
            true => WriteProgress::Ends(copying_ns),
            false => WriteProgress::Copies(copying_ns),
        }
    }

    /// Makes pages dirty until all are, the program is to be looked at, or one is being read or has to be. Returns what is lacking where that
    /// one is the first.
    fn dirty_pages(
        &mut self,
        now_ns: u64,
        file: &mut OpenFile,
        write: &mut Write,
        calendar: &mut impl Calendar<FlusherWakes>,
    ) -> Option<Lack> {
        let (cache, writer, number) = (&mut self.reader.cache, &mut self.writer, file.number);
        let (from, was_clean) = (write.at, cache.dirty_pages_of(number) == 0);
        let mut room = writer.throttle.room(&file.dirtier);
        while write.at < write.end && !write.is_due {
            let coming = cache.coming(number, write.at).map(Lack::Transfer);
            let lacks_rest = || {
                write.has_read != Some(write.at) && cache.lacks_rest(number, &(write.at..write.end))
            };
            let lack = coming.or_else(|| lacks_rest().then_some(Lack::Page));
            if lack.is_some() {
                if write.at == from {
                    return lack;
                }
                break;
            }
            let end = cache.extent_end(write.at).min(write.end);
            if !cache.has(number, write.at) {
                write.new_bytes += end - write.at;
            }
            let pages = cache.write(now_ns, number, write.at);
            file.dirtier.dirtied += pages;
            room = room.saturating_sub(pages);
            write.is_due = room == 0;
            write.at = end;
        }
        let becomes_dirty = was_clean && cache.dirty_pages_of(number) > 0;
        if becomes_dirty && writer.flusher.note_dirty(now_ns, number) {
            calendar.at(now_ns + writer.flush_ns, FlusherWakes);
        }
        None
    }

    /// Has the page read where a write goes on; the transfer that brings it.
    fn read_page(
        &mut self,
        now_ns: u64,
        file: &OpenFile,
        write: &mut Write,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> Option<u32> {
        let window = Window {
            start: write.at / PAGE_BYTES,
            pages: 1,
            marker: None,
        };
        write.has_read = Some(write.at);
        let mut runs = Vec::new();
        let cache = &mut self.reader.cache;
        cache.add(now_ns, file.number, window, 0, &mut runs);
        let mut last = None;
        for run in runs {
            let request = Request {
                offset: run.offset,
                bytes: run.bytes,
                reader: file.usage.process,
                segment_bytes: PAGE_BYTES,
                ..Request::default()
            };
            let transfer = self.disks.read(now_ns, file.store, request, calendar);
            land(&mut self.landings, transfer).extents = run.extents.clone();
            self.reader.cache.expect(run.extents, transfer);
            last = Some(transfer);
        }
        last
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
        self.sync_part(now_ns, waiter, file, (&WHOLE_FILE, SyncKind::All), calendar)
    }

    /// The same of some bytes of `file`, as far as `kind` goes.
    pub fn sync_part(
        &mut self,
        now_ns: u64,
        waiter: W,
        file: &OpenFile,
        (bytes, kind): (&Range<u64>, SyncKind),
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> bool {
        let number = file.number;
        let part = self.part_of(number, bytes, kind.pages());
        if self.is_unwritten(&part) {
            self.writer.syncs.add(part, Waiter::Program(waiter, kind));
            self.settle_outside(now_ns, calendar);
            return true;
        }
        let waits = self
            .commit(now_ns, number, (waiter, kind), calendar)
            .is_none();
        if waits {
            self.settle_outside(now_ns, calendar);
        }
        waits
    }

    /// The part of file `number` that has these bytes, and what is done with it.
    pub(super) fn part_of(&self, number: u32, bytes: &Range<u64>, does: PageSync) -> SyncPart {
        let (extents, first) = self.reader.cache.part_of(number, bytes);
        SyncPart {
            file: number,
            extents,
            first,
            does,
        }
    }

    /// Whether something of a part is dirty, or on its way to the device.
    pub(super) fn is_unwritten(&self, part: &SyncPart) -> bool {
        let is_dirty = self.reader.cache.has_dirty(part.file, &part.extents);
        is_dirty || self.writer.syncs.is_under_way(part)
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
        let pause = pause.filter(|it| !it.again || pages.dirty + pages.writing > 0);
        if pause.is_some() {
            self.disks.note_pause(now_ns, 0);
        }
        pause
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
        let pages = self.unwritten_pages();
        self.woken.extend(self.writer.reclaim.take(pages));
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
            let is_dirty = |part: &SyncPart| cache.has_dirty(part.file, &part.extents);
            let Some((file, waiter)) = self.writer.syncs.take_done(&is_dirty) else {
                return has_ended;
            };
            has_ended = true;
            match waiter {
                Waiter::Program(waiter, kind) => {
                    let done = self.commit(now_ns, file, (waiter, kind), calendar);
                    self.woken.extend(done);
                }
                Waiter::Journal(store) => self.writer.journals[store].under_way -= 1,
            }
        }
    }

    /// Hands dirty pages to the device until it has as many requests of them as it may have: those of programs that wait first.
    fn hand_over(&mut self, now_ns: u64, calendar: &mut impl Calendar<DeviceEvent>) {
        loop {
            // All stores count as one device: the first.
            let under_way = self.writer.syncs.transfers();
            let has_room = |syncs| match self.writer.most_writing_pages {
                Some(most) => self.unwritten_pages().writing < most,
                None => under_way < self.disks.most_writes(now_ns, 0, syncs),
            };
            let (may_sync, may_flush) = (has_room(true), has_room(false));
            let synced = if may_sync { self.take_for_sync() } else { None };
            let file = match synced {
                None if may_flush => self.take_for_flusher(now_ns),
                synced => synced,
            };
            let Some(file) = file else {
                return;
            };
            self.write_runs(now_ns, (file, synced.is_some()), calendar);
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
            let place = (writer.flusher.place(turn.file), u32::MAX);
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

    /// Has what was taken of `file` written; `syncs` says whether a program waits for it.
    fn write_runs(
        &mut self,
        now_ns: u64,
        (file, syncs): (u32, bool),
        calendar: &mut impl Calendar<DeviceEvent>,
    ) {
        if self.writer.syncs.transfers() == 0 {
            let pages = self.unwritten_pages();
            self.writer.throttle.note_start(now_ns, pages);
        }
        let store = self.store_of(file);
        // What is written at once is one folio: ext4 has large ones since Linux 6.16, xfs since 5.18.
        let folio_bytes = self.reader.cache.pages_of_extent() * PAGE_BYTES;
        let mut runs = std::mem::take(&mut self.writer.runs);
        // The last run has the extents of all.
        let extents = runs.last().map_or(0..0, |run| run.extents.clone());
        for run in runs.drain(..) {
            let request = Request {
                offset: run.offset,
                bytes: run.bytes,
                reader: if syncs { SYNCER } else { FLUSHER },
                syncs,
                segment_bytes: folio_bytes,
                ..Request::default()
            };
            let transfer = self.disks.write(now_ns, store, request, calendar);
            self.writer.file(file).bytes.data += run.bytes;
            let number = self.writer.syncs.begin(file, extents.clone());
            let landing = land(&mut self.landings, transfer);
            landing.carries = Carries::ToDevice { file, number };
            landing.extents = run.extents;
        }
        self.writer.runs = runs;
    }
}
