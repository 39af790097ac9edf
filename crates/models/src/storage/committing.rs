//! What writing has journals do: changes of metadata, commits, and programs that wait for them.

use std::ops::Range;

use hotset_cache::PAGE_BYTES;

use super::open_file::OpenFile;
use super::stack::{Storage, land};
use super::sync_kind::{SyncKind, WHOLE_FILE};
use super::writing::JOURNAL;
use super::written::{Carries, Commit, Waiter};
use crate::block::{DeviceEvent, Request, TICK_NS};
use crate::calendar::Calendar;
use crate::file_system::FileSystemKind;
use crate::file_system::journal::{Area, Block, NameChange, Step};
use crate::write_back::PageSync;

impl<W> Storage<W> {
    /// File `number` is new, and nothing of it has data. `is_preallocated`: its blocks are allocated (`fallocate`).
    pub fn empty(&mut self, number: u32, is_preallocated: bool) {
        self.reader.cache.empty(number);
        self.writer.file(number).is_preallocated = is_preallocated;
    }

    /// File `number` has so many bytes for now, and writes behind them make it longer.
    pub fn set_size(&mut self, number: u32, bytes: u64) {
        self.writer.file(number).size = Some(bytes);
    }

    /// The file system of file `number` can allocate blocks of it before they have data.
    #[must_use]
    pub fn preallocates(&self, number: u32) -> bool {
        self.writer.journals[self.store_of(number)].kind != FileSystemKind::Ext3
    }

    /// The name of `file` changes. A sync of the file waits until that is committed.
    pub fn change_name(
        &mut self,
        now_ns: u64,
        file: &OpenFile,
        change: NameChange,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) {
        let (number, store) = (file.number, file.store);
        let offset = self.reader.cache.device_offset(number, 0);
        let blocks = self.writer.journals[store]
            .metadata
            .name(change, number, offset);
        let blocks = blocks.into_iter().map(|block| (block, 1)).collect();
        self.writer.file(number).is_changed = true;
        let is_for_data = change != NameChange::Rename;
        self.change(now_ns, (number, store), blocks, is_for_data, calendar);
        self.settle_outside(now_ns, calendar);
    }

    /// A program has written some bytes of `file`: its time of change is new, where a tick has passed. Some file systems allocate blocks now.
    pub(super) fn note_write(
        &mut self,
        now_ns: u64,
        (file, store): (u32, usize),
        bytes: Range<u64>,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) {
        let cache = &self.reader.cache;
        // Where blocks are allocated as pages go to the device, the file has its size with them.
        let last = bytes.clone().next_back();
        let has_place = last.is_some_and(|it| !cache.is_fresh(file, it));
        let extents = cache.extents_of(file, bytes.clone());
        let has_grown = self.writer.file(file).grow(bytes.end) && has_place;
        let mut blocks = self.stamp(now_ns, (file, store));
        let journal = &self.writer.journals[store];
        let (at_once, has_data) = (journal.allocates_at_once(), journal.has_data());
        if has_grown {
            blocks.push((journal.metadata.inode(file), 1));
        }
        if blocks.is_empty() && !at_once {
            return;
        }
        let before = blocks.len();
        if at_once {
            self.allocate(file, store, extents.clone(), &mut blocks);
        }
        let has_allocated = blocks.len() > before;
        if has_data {
            let pages = self.reader.cache.pages_of_extent();
            blocks.extend(extents.map(|extent| (Block::Data { file, extent }, pages)));
        }
        let is_for_data = has_grown || has_allocated || has_data;
        self.change(now_ns, (file, store), blocks, is_for_data, calendar);
        // Data of blocks that were just allocated is not to be seen before it is there.
        if has_allocated {
            self.writer.journals[store].journal.order(file);
        }
    }

    /// `file` changes: its time of change is new, where a tick has passed. The blocks that this changes (`file_update_time`, `fs/inode.c`).
    pub(super) fn stamp(&mut self, now_ns: u64, (file, store): (u32, usize)) -> Vec<(Block, u64)> {
        let inode = self.writer.journals[store].metadata.inode(file);
        let known = self.writer.file(file);
        known.is_changed = true;
        let tick = Some(now_ns / TICK_NS);
        match std::mem::replace(&mut known.tick, tick) != tick {
            true => vec![(inode, 1)],
            false => Vec::new(),
        }
    }

    /// Pages of `file` have reached the device. Some file systems allocate blocks by then, or note that there is data (`ext4_end_io_end`,
    /// `fs/ext4/page-io.c`; `xfs_end_ioend`, `fs/xfs/xfs_aops.c`).
    pub(super) fn note_written(
        &mut self,
        now_ns: u64,
        file: u32,
        extents: Range<u32>,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) {
        let store = self.store_of(file);
        let journal = &mut self.writer.journals[store];
        if journal.has_data() {
            for extent in extents.clone() {
                journal.journal.reach_home(Block::Data { file, extent });
            }
        }
        if !journal.allocates_at_once() {
            let mut blocks = Vec::new();
            self.allocate(file, store, extents, &mut blocks);
            self.change(now_ns, (file, store), blocks, true, calendar);
        }
    }

    /// Adds what changes as extents of `file` get their first data.
    pub(super) fn allocate(
        &mut self,
        file: u32,
        store: usize,
        extents: Range<u32>,
        blocks: &mut Vec<(Block, u64)>,
    ) {
        let cache = &mut self.reader.cache;
        let fresh = cache.take_fresh(file, extents);
        let (Some(&first), Some(&last)) = (fresh.first(), fresh.last()) else {
            return;
        };
        let metadata = self.writer.journals[store].metadata;
        let known = self.writer.file(file);
        if first != known.next_page {
            known.runs += 1;
        }
        known.next_page = last + cache.pages_of_extent();
        let (runs, is_preallocated) = (known.runs, known.is_preallocated);
        blocks.push((metadata.inode(file), 1));
        let (start, pages) = (cache.device_offset(file, 0), cache.file_pages(file));
        for page in fresh {
            let listed = cache.map_place(file, page).map(Block::Map);
            let map = listed.or_else(|| metadata.extent_map(start, page, pages, runs));
            blocks.extend(map.map(|block| (block, 1)));
            if !is_preallocated {
                let offset = cache.device_offset(file, page * PAGE_BYTES);
                let allocation = metadata.allocation(offset);
                blocks.extend(allocation.into_iter().map(|block| (block, 1)));
            }
        }
    }

    /// A deed on `file` changes blocks. `is_for_data`: without that, data is not found (`ext4_update_inode_fsync_trans`,
    /// `fs/ext4/ext4_jbd2.h`).
    pub(super) fn change(
        &mut self,
        now_ns: u64,
        (file, store): (u32, usize),
        blocks: Vec<(Block, u64)>,
        is_for_data: bool,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) {
        if blocks.is_empty() || self.writer.journals[store].is_remote() {
            return;
        }
        let journal = &mut self.writer.journals[store].journal;
        let joined = journal.change(now_ns, file, blocks);
        let known = self.writer.file(file);
        known.transaction = joined.number;
        if is_for_data {
            known.data_transaction = joined.number;
        }
        if let Some(commits_ns) = joined.commits_ns {
            let store = store as u32;
            calendar.at(commits_ns, DeviceEvent::Commits { store });
        }
    }

    /// A journal looks whether its transaction is old enough, and whether threads are awake that commit what somebody waits for.
    pub(super) fn look_at_journal(
        &mut self,
        now_ns: u64,
        store: u32,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) {
        let journal = &mut self.writer.journals[store as usize];
        journal.request_due(now_ns);
        journal.journal.request_old(now_ns);
        self.settle(now_ns, calendar);
    }

    /// Whether a write has to wait until a journal has room again.
    pub(super) fn lacks_room(
        &mut self,
        now_ns: u64,
        store: usize,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> bool {
        if !self.writer.journals[store].journal.ask_for_room() {
            return false;
        }
        self.settle_outside(now_ns, calendar);
        self.writer.journals[store].journal.ask_for_room()
    }

    /// Has `waiter` wait until what it waits for is committed of `file`, or what was written is on the medium. Gives it back where there
    /// is nothing to wait for (`ext4_sync_file`, `fs/ext4/fsync.c`; `xfs_file_fsync`, `fs/xfs/xfs_file.c`).
    pub(super) fn commit(
        &mut self,
        now_ns: u64,
        file: u32,
        (waiter, kind): (W, SyncKind),
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> Option<W> {
        let store = self.store_of(file);
        let known = self.writer.file(file);
        let number = match kind {
            SyncKind::All => known.transaction,
            SyncKind::Data => known.data_transaction,
            SyncKind::Pages(_) => return Some(waiter),
        };
        let is_changed = std::mem::take(&mut known.is_changed);
        known.is_synced = true;
        let journal = &mut self.writer.journals[store];
        if number > journal.journal.committed() {
            let due_ns = journal.ask(now_ns, number);
            self.writer.commits.push(Commit {
                store,
                number,
                file,
                since_ns: now_ns,
                waiter,
            });
            if let Some(due_ns) = due_ns {
                let store = store as u32;
                calendar.at(due_ns, DeviceEvent::Commits { store });
            }
            return None;
        }
        if !is_changed || !journal.flushes() {
            return Some(waiter);
        }
        let costs = &mut journal.flush;
        let takes_ns = |unflushed| costs.flush_ns(unflushed);
        let transfer = self.disks.flush(now_ns, store, takes_ns, calendar);
        let landing = land(&mut self.landings, transfer);
        landing.carries = Carries::Flush;
        landing.waiters.push(waiter);
        None
    }

    /// As [`Storage::settle`], where no event takes place: those who can go on are woken by one.
    pub(super) fn settle_outside(
        &mut self,
        now_ns: u64,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) {
        self.settle(now_ns, calendar);
        if !self.woken.is_empty() {
            calendar.at(now_ns, DeviceEvent::Commits { store: 0 });
        }
    }

    /// Lets all journals go on; whether one did.
    pub(super) fn go_on(&mut self, now_ns: u64, calendar: &mut impl Calendar<DeviceEvent>) -> bool {
        let mut has_gone_on = false;
        for store in 0..self.writer.journals.len() {
            has_gone_on |= self.go_on_with(now_ns, store, calendar);
        }
        has_gone_on
    }

    /// Lets a journal go on until something is under way of what it asks for; whether it asked for anything.
    fn go_on_with(
        &mut self,
        now_ns: u64,
        store: usize,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> bool {
        let mut has_gone_on = false;
        while self.writer.journals[store].under_way == 0 {
            let step = self.writer.journals[store].journal.next(now_ns);
            self.end_commits(now_ns, store);
            match step {
                Step::Rest => break,
                Step::Data(files) => self.wait_for_files(store, &files),
                Step::Write {
                    area,
                    places,
                    files,
                } => {
                    self.write_places(now_ns, (store, area), &places, calendar);
                    self.count_places(area, &places, &files);
                }
                Step::Flush => self.flush_for_journal(now_ns, store, calendar),
            }
            has_gone_on = true;
        }
        self.end_waits_for_room(store);
        has_gone_on
    }

    /// A journal waits until files are written.
    fn wait_for_files(&mut self, store: usize, files: &[u32]) {
        for &file in files {
            let part = self.part_of(file, &WHOLE_FILE, PageSync::WRITTEN);
            if self.is_unwritten(&part) {
                self.writer.syncs.add(part, Waiter::Journal(store));
                self.writer.journals[store].under_way += 1;
            }
        }
    }

    fn write_places(
        &mut self,
        now_ns: u64,
        (store, area): (usize, Area),
        places: &[(u64, u64)],
        calendar: &mut impl Calendar<DeviceEvent>,
    ) {
        let past_cache = self.writer.journals[store].writes_past_cache(area);
        for &(offset, bytes) in places {
            let request = Request {
                offset,
                bytes,
                reader: JOURNAL,
                syncs: true,
                past_cache,
                ..Request::default()
            };
            let transfer = self.disks.write(now_ns, store, request, calendar);
            land(&mut self.landings, transfer).carries = Carries::Journal { store };
        }
        self.writer.journals[store].under_way += places.len();
    }

    /// Counts what is written for `files`, each with its share.
    fn count_places(&mut self, area: Area, places: &[(u64, u64)], files: &[u32]) {
        let bytes: u64 = places.iter().map(|place| place.1).sum();
        let count = files.len().max(1) as u64;
        let (share, rest) = (bytes / count, bytes % count);
        for (number, &file) in files.iter().enumerate() {
            let own = share + if number == 0 { rest } else { 0 };
            let written = &mut self.writer.file(file).bytes;
            match area {
                Area::Log => written.journal += own,
                Area::Home => written.metadata += own,
            }
        }
    }

    fn flush_for_journal(
        &mut self,
        now_ns: u64,
        store: usize,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) {
        let journal = &mut self.writer.journals[store];
        if journal.has_to_flush() {
            journal.under_way += 1;
            let costs = &mut journal.flush;
            let takes_ns = |unflushed| costs.flush_ns(unflushed);
            let transfer = self.disks.flush(now_ns, store, takes_ns, calendar);
            land(&mut self.landings, transfer).carries = Carries::Journal { store };
        }
    }

    /// Wakes those whose transactions are committed.
    fn end_commits(&mut self, now_ns: u64, store: usize) {
        let committed = self.writer.journals[store].journal.committed();
        let is_done = |it: &Commit<W>| it.store == store && it.number <= committed;
        while let Some(at) = self.writer.commits.iter().position(is_done) {
            let commit = self.writer.commits.remove(at);
            self.writer.file(commit.file).commit_ns += now_ns - commit.since_ns;
            self.woken.push(commit.waiter);
        }
    }

    /// Wakes those who wait for room, where there is some.
    fn end_waits_for_room(&mut self, store: usize) {
        let waits = self.writer.rooms.iter().any(|it| it.0 == store);
        if !waits || self.writer.journals[store].journal.ask_for_room() {
            return;
        }
        let rooms = std::mem::take(&mut self.writer.rooms);
        for (of_store, waiter) in rooms {
            match of_store == store {
                true => self.woken.push(waiter),
                false => self.writer.rooms.push((of_store, waiter)),
            }
        }
    }
}
