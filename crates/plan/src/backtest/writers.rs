//! Programs that write files nobody reads, by the log's clock: what they write takes page cache, and may not leave it before it is on its
//! store.
//!
//! Simplified from `mm/page-writeback.c` and `fs/fs-writeback.c` of Linux 6.18, block by block of [`BLOCK_PAGES`] pages. A store writes one
//! block at a time. Its flusher wakes at fixed intervals, and writes files that are dirty for long enough. Beyond the background limit it
//! writes until no more is dirty. Writers wait where the kernel holds the number of dirty pages, in the middle between where it begins to
//! slow them down and the limit. `write_back` of the crate `models` follows its rates and pauses, page by page, for simulations.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use hotset_cache::{BLOCK_PAGES, CacheError, LinuxPageCache, PAGE_BYTES};
use hotset_scenario::Writing;

/// Bytes of a block.
const BLOCK_BYTES: u64 = BLOCK_PAGES * PAGE_BYTES;

/// Microseconds in a second.
const US_IN_S: f64 = 1e6;

/// A program on a node that writes files, each in place of the one before, and never reads them.
#[derive(Clone, Debug, PartialEq)]
pub struct Writer {
    /// Its name.
    pub name: String,
    /// Name of the store that it writes to. Writers to one store wait for each other there.
    pub store: String,
    /// Bytes that it writes in a second, where nothing slows it down.
    pub bytes_per_s: u64,
    /// Bytes of each file.
    pub file_bytes: u64,
    /// Bytes that the store writes in a second.
    pub store_bytes_per_s: f64,
    /// When the machine writes dirty pages back.
    pub writing: Writing,
}

/// The writers of a node, at some time.
#[derive(Clone)]
pub(crate) struct Writers {
    /// Microseconds since 1970 of each access of the node.
    times_us: Arc<[i64]>,
    /// The earliest of them, at which writers begin.
    start_us: i64,
    /// Microseconds since then.
    now_us: f64,
    files: Vec<File>,
    disks: Vec<Disk>,
    /// Blocks of all files that are not on their stores yet.
    dirty: u64,
}

/// What one of them writes.
#[derive(Clone)]
struct File {
    writer: Arc<str>,
    disk: usize,
    /// The objects of the page cache that its blocks may be. A block that was evicted is never seen again, so that its object may stand for
    /// another.
    first_object: u32,
    objects: u32,
    /// Which of them is looked at first for the next block.
    turn: u32,
    /// How many blocks it has once it is whole.
    blocks: u64,
    /// Microseconds for a block where nothing slows the writer down.
    block_us: f64,
    /// When its next block is due.
    due_us: f64,
    /// Blocks that were written into memory.
    next: u64,
    /// Objects of the last of them, which are not on the store.
    dirty: VecDeque<u32>,
    /// So many of these are written because the file is dirty for long.
    expired: usize,
    /// Since when it is dirty.
    since_us: f64,
}

impl File {
    /// All objects that its blocks may be.
    fn all_objects(&self) -> Range<u32> {
        self.first_object..self.first_object + self.objects
    }

    /// One of them that is not in memory, for the next block; any where all are.
    fn next_object(&mut self, cache: &LinuxPageCache) -> u32 {
        let turns = (self.turn..self.objects).chain(0..self.turn);
        let mut free = turns.filter(|turn| !cache.holds(self.first_object + turn));
        let turn = free.next().unwrap_or(self.turn);
        self.turn = (turn + 1) % self.objects;
        self.first_object + turn
    }
}

/// A store that is written to.
#[derive(Clone)]
struct Disk {
    store: Arc<str>,
    /// Microseconds for a block.
    block_us: f64,
    writing: Writing,
    /// With more dirty blocks than this it is written to.
    background: u64,
    /// With as many its writers wait.
    most: u64,
    /// When its flusher wakes.
    wakes_us: f64,
    /// When the block that is being written is done; infinite where none is.
    done_us: f64,
    /// The file whose block that is.
    turn: usize,
}

/// What happens next.
#[derive(Clone, Copy)]
enum Step {
    /// A store has written a block.
    Written(usize),
    /// The flusher of a store wakes.
    Wake(usize),
    /// A writer writes a block.
    Write(usize),
}

impl Writers {
    /// Those of a node whose accesses happen at `times_us`; nothing where there are none. The empty `cache`, which is never larger than
    /// `most_pages`, gets objects for what they write.
    ///
    /// # Errors
    /// As [`LinuxPageCache::add`].
    pub fn new(
        writers: &[Writer],
        times_us: &[i64],
        cache: &mut LinuxPageCache,
        most_pages: u64,
    ) -> Result<Option<Self>, CacheError> {
        let (first, last) = (times_us.iter().min(), times_us.iter().max());
        let (Some(&start_us), Some(&end_us), false) = (first, last, writers.is_empty()) else {
            return Ok(None);
        };
        let duration_us = end_us.saturating_sub(start_us) as f64;
        let (mut files, mut disks) = (Vec::new(), Vec::new());
        for writer in writers {
            let disk = disk_of(&mut disks, writer);
            let mut file = File::new(writer, disk);
            // With twice as many as fit into memory, one that is not there is near.
            let in_all = (duration_us / file.block_us) as u64 + 1;
            let in_memory = 2 * most_pages.div_ceil(BLOCK_PAGES) + 1;
            file.objects =
                u32::try_from(file.blocks.min(in_all).min(in_memory)).unwrap_or(u32::MAX);
            for number in 0..file.objects {
                let object = cache.add(BLOCK_PAGES)?;
                if number == 0 {
                    file.first_object = object;
                }
            }
            files.push(file);
        }
        Ok(Some(Self {
            times_us: times_us.into(),
            start_us,
            now_us: 0.0,
            files,
            disks,
            dirty: 0,
        }))
    }

    /// Without the writer of this number; nothing where it is the only one.
    pub fn without(&self, writer: usize) -> Option<Self> {
        let mut others = self.clone();
        others.files.remove(writer);
        (!others.files.is_empty()).then_some(others)
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| &*file.writer)
    }

    /// Pages of `cache` that each of them has.
    pub fn pages_in<'w>(&'w self, cache: &'w LinuxPageCache) -> impl Iterator<Item = u64> + 'w {
        self.files.iter().map(move |file| {
            let resident = file.all_objects().filter(|&object| cache.holds(object));
            resident.count() as u64 * BLOCK_PAGES
        })
    }

    /// How much may be dirty where so many pages may be at all, from now on (`domain_dirty_limits`).
    pub fn limit(&mut self, dirtyable_pages: u64) {
        for disk in &mut self.disks {
            disk.limit(dirtyable_pages);
        }
    }

    /// Has them write into `cache` until the access at this place happens.
    #[inline]
    pub fn advance(&mut self, access: usize, cache: &mut LinuxPageCache) {
        let Some(time_us) = self.times_us.get(access) else {
            return;
        };
        let until_us = time_us.saturating_sub(self.start_us) as f64;
        loop {
            let (at_us, step) = self.next_step();
            if at_us > until_us {
                return;
            }
            // A writer that had to wait is late.
            self.now_us = self.now_us.max(at_us);
            match step {
                Step::Written(disk) => self.written(disk, cache),
                Step::Wake(disk) => self.wake(disk),
                Step::Write(file) => self.write(file, cache),
            }
        }
    }

    /// What happens next, and when.
    fn next_step(&self) -> (f64, Step) {
        let disks = self.disks.iter().enumerate();
        let of_disks = disks.flat_map(|(number, disk)| {
            [
                (disk.done_us, Step::Written(number)),
                (disk.wakes_us, Step::Wake(number)),
            ]
        });
        let files = self.files.iter().enumerate();
        let of_files = files.map(|(number, file)| {
            let waits = self.dirty >= self.disks[file.disk].most;
            let due_us = if waits { f64::INFINITY } else { file.due_us };
            (due_us, Step::Write(number))
        });
        let all = of_disks.chain(of_files);
        let next = all.min_by(|one, other| one.0.total_cmp(&other.0));
        next.unwrap_or((f64::INFINITY, Step::Wake(0)))
    }

    /// Writes the next block of a file into memory. Nothing marks it as touched (`FGP_WRITEBEGIN`).
    fn write(&mut self, number: usize, cache: &mut LinuxPageCache) {
        let file = &mut self.files[number];
        if file.next == file.blocks {
            file.all_objects().for_each(|object| cache.forget(object));
            self.dirty -= file.dirty.len() as u64;
            file.dirty.clear();
            (file.next, file.expired) = (0, 0);
        }
        if file.dirty.is_empty() {
            file.since_us = self.now_us;
        }
        let object = file.next_object(cache);
        cache.forget(object);
        cache.fetch(object);
        cache.set_unwritten(object, true);
        file.dirty.push_back(object);
        file.next += 1;
        file.due_us = self.now_us + file.block_us;
        self.dirty += 1;
        let disk = file.disk;
        self.start(disk);
    }

    /// A store has written a block.
    fn written(&mut self, number: usize, cache: &mut LinuxPageCache) {
        let disk = &mut self.disks[number];
        disk.done_us = f64::INFINITY;
        let file = &mut self.files[disk.turn];
        // It may have begun anew meanwhile.
        if let Some(object) = file.dirty.pop_front() {
            cache.set_unwritten(object, false);
            self.dirty -= 1;
            if file.expired == 1 {
                file.since_us = self.now_us;
            }
            file.expired = file.expired.saturating_sub(1);
        }
        self.start(number);
    }

    /// The flusher of a store looks for files that are dirty for long, and writes all of them (`wb_check_old_data_flush`).
    fn wake(&mut self, number: usize) {
        let disk = &mut self.disks[number];
        disk.wakes_us += disk.writing.flush_s * US_IN_S;
        let before_us = self.now_us - disk.writing.expire_s * US_IN_S;
        let own = self.files.iter_mut().filter(|file| file.disk == number);
        let old = own.filter(|file| !file.dirty.is_empty() && file.since_us <= before_us);
        old.for_each(|file| file.expired = file.dirty.len());
        self.start(number);
    }

    /// Has an idle store write the next block that has to be: of the file that is dirty the longest.
    fn start(&mut self, number: usize) {
        let disk = &mut self.disks[number];
        if disk.done_us.is_finite() {
            return;
        }
        let is_too_much = self.dirty > disk.background;
        let own = self.files.iter().enumerate();
        let own = own.filter(|(_, file)| file.disk == number && !file.dirty.is_empty());
        let due = own.filter(|(_, file)| is_too_much || file.expired > 0);
        let oldest = due.min_by(|(_, one), (_, other)| one.since_us.total_cmp(&other.since_us));
        if let Some((turn, _)) = oldest {
            (disk.turn, disk.done_us) = (turn, self.now_us + disk.block_us);
        }
    }
}

/// The number of the store that `writer` writes to.
fn disk_of(disks: &mut Vec<Disk>, writer: &Writer) -> usize {
    let known = disks.iter().position(|disk| *disk.store == *writer.store);
    known.unwrap_or_else(|| {
        disks.push(Disk::new(writer));
        disks.len() - 1
    })
}

impl File {
    /// One of which nothing is written yet, without objects.
    fn new(writer: &Writer, disk: usize) -> Self {
        let block_us = BLOCK_BYTES as f64 * US_IN_S / writer.bytes_per_s.max(1) as f64;
        Self {
            writer: writer.name.as_str().into(),
            disk,
            first_object: 0,
            objects: 1,
            turn: 0,
            blocks: writer.file_bytes.div_ceil(BLOCK_BYTES).max(1),
            block_us,
            due_us: block_us,
            next: 0,
            dirty: VecDeque::new(),
            expired: 0,
            since_us: 0.0,
        }
    }
}

impl Disk {
    /// The store of `writer`, idle.
    fn new(writer: &Writer) -> Self {
        Self {
            store: writer.store.as_str().into(),
            block_us: BLOCK_BYTES as f64 * US_IN_S / writer.store_bytes_per_s,
            writing: writer.writing,
            background: 0,
            most: 1,
            wakes_us: writer.writing.flush_s * US_IN_S,
            done_us: f64::INFINITY,
            turn: 0,
        }
    }

    fn limit(&mut self, dirtyable_pages: u64) {
        let pages = |bytes: Option<u64>, percent: f64| match bytes {
            Some(bytes) => bytes.div_ceil(PAGE_BYTES).min(dirtyable_pages),
            None => (dirtyable_pages as f64 * percent / 100.0) as u64,
        };
        let writing = &self.writing;
        let limit = pages(writing.dirty_limit_bytes, writing.dirty_limit_ratio);
        let background = pages(
            writing.dirty_background_bytes,
            writing.dirty_background_ratio,
        );
        let background = match background < limit {
            true => background,
            false => limit / 2,
        };
        let free_run = limit.midpoint(background);
        self.background = background / BLOCK_PAGES;
        self.most = (free_run.midpoint(limit) / BLOCK_PAGES).max(1);
    }
}
