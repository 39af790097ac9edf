//! Page cache, block layer and what is under way between them.

use std::ops::Range;
use std::vec::Drain;

use hotset_cache::PAGE_BYTES;
use hotset_outcome::Resource;
use hotset_scenario::Profile;

use super::error::StorageError;
use super::journal::StoreJournal;
use super::open_file::{Delivery, OpenFile, Usage};
use super::reader::{Pause, Read, Reader, Supplier};
use super::written::{Carries, Writer};
use crate::block::{BlockLayer, DeviceEvent, Disks, RemoteTransfer, Request};
use crate::calendar::Calendar;
use crate::costs::Costs;
use crate::file_system::FileSystemKind;
use crate::page_cache::{Memory, MissingRun, PageCache, StoredFile};
use crate::read_ahead::Advice;

/// What files are stored on, and read through.
#[derive(Clone, Copy, Debug)]
pub struct System<'p> {
    /// Costs of the store.
    pub profile: &'p Profile,
    /// Memory for pages of files, bytes; where not given, all fit.
    pub memory_bytes: Option<u64>,
    /// Seed of the places that are read at random, and of what scatters.
    pub seed: u64,
}

/// Where the files of a store are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// On disks of the machine.
    Disks,
    /// On another machine. It is asked for at most so many bytes at a time, and given at most so many.
    Remote { read_bytes: u64, write_bytes: u64 },
}

/// What becomes of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It copies what is there, which takes its processor so many nanoseconds. Then it goes on.
    Copies(u64),
    /// The same, and it has all its bytes then.
    Ends(u64),
    /// Its waiter is woken when it may go on.
    Waits,
}

/// What a transfer brings or takes, and who waits for it.
#[derive(Clone, Debug)]
pub(super) struct Landing<W> {
    pub carries: Carries,
    pub extents: Range<u32>,
    pub waiters: Vec<W>,
}

impl<W> Default for Landing<W> {
    fn default() -> Self {
        Self {
            carries: Carries::default(),
            extents: 0..0,
            waiters: Vec::new(),
        }
    }
}

/// The way of reads and writes between the page cache and the disks. Whoever waits is a `W`, which is handed back when it may go on.
///
/// It has no clock: each call says what time it is, and what takes place later goes to a [`Calendar`], to be handed back by
/// [`Storage::handle`] at its time.
///
/// ```
/// use hotset_models::block::DeviceEvent;
/// use hotset_models::calendar::EventQueue;
/// use hotset_models::page_cache::StoredFile;
/// use hotset_models::read_ahead::Advice;
/// use hotset_models::storage::{Delivery, Progress, Read, Storage, System, Usage};
/// use hotset_scenario::Profile;
///
/// let profile = Profile::named_or_file("ssd")?;
/// let system = System { profile: &profile, memory_bytes: None, seed: 0 };
/// let files = [StoredFile { store: 0, bytes: 65536, extents: None }];
/// let mut storage = Storage::new(&system, &files, 65536)?;
/// let usage = Usage {
///     process: 0,
///     advice: Advice::Normal,
///     mapped: false,
///     delivery: Delivery::Kept,
///     sequential: true,
///     working_set_bytes: u64::MAX,
/// };
/// let (mut file, mut read) = (storage.open(0, 65536, usage), Read::new(0, 65536));
/// let mut calendar = EventQueue::<DeviceEvent>::default();
/// let first = storage.read(0, "the reader", &mut file, &mut read, &mut calendar);
/// assert_eq!(first, Progress::Waits);
/// let mut woken = Vec::new();
/// while let Some((now_ns, event)) = calendar.pop() {
///     woken.extend(storage.handle(now_ns, event, &mut calendar));
/// }
/// assert_eq!(woken, ["the reader"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Storage<W> {
    pub(super) reader: Reader,
    pub(super) writer: Writer<W>,
    pub(super) disks: BlockLayer,
    pub(super) landings: Vec<Landing<W>>,
    /// Empty between two events: those whom one wakes that is the end of no read.
    pub(super) woken: Vec<W>,
    /// By store.
    pub(super) costs: Vec<Costs>,
    /// The store of each file; nothing where there is one store.
    store_of: Vec<u16>,
}

impl<W> Storage<W> {
    /// Storage of `files` with nothing of them in memory, of which readers want multiples of `unit_bytes`; 0 where none is read
    /// through the page cache.
    ///
    /// # Errors
    /// Files that are too large to be followed, or for the device.
    pub fn new(
        system: &System<'_>,
        files: &[StoredFile<'_>],
        unit_bytes: u64,
    ) -> Result<Self, StorageError> {
        let System {
            profile,
            memory_bytes,
            seed,
        } = *system;
        let memory = Memory {
            parts: &[memory_bytes.unwrap_or(u64::MAX)],
            part_of: &[],
        };
        Self::of_stores(&[profile], memory, seed, files, unit_bytes)
    }

    /// Storage of `files` on several stores, each with the costs of a profile and with disks of its own. They share memory, whose policy is
    /// that of the first.
    ///
    /// # Errors
    /// As [`Storage::new`].
    pub fn of_stores(
        profiles: &[&Profile],
        memory: Memory<'_>,
        seed: u64,
        files: &[StoredFile<'_>],
        unit_bytes: u64,
    ) -> Result<Self, StorageError> {
        let stores = profiles.iter().map(|profile| (*profile, Location::Disks));
        let stores: Vec<_> = stores.collect();
        Self::at(&stores, memory, seed, files, unit_bytes)
    }

    /// The same of stores of which each is where its [`Location`] says.
    ///
    /// # Errors
    /// As [`Storage::new`].
    pub(crate) fn at(
        stores: &[(&Profile, Location)],
        memory: Memory<'_>,
        seed: u64,
        files: &[StoredFile<'_>],
        unit_bytes: u64,
    ) -> Result<Self, StorageError> {
        let costs = stores.iter().map(|store| costs_of(store.0, store.1));
        let costs: Vec<Costs> = costs.collect();
        let kinds = stores.iter().zip(&costs);
        let kinds = kinds.map(|(store, costs)| (file_system(store.0, store.1), costs.reading));
        let kinds: Vec<_> = kinds.collect();
        let cache = PageCache::new(memory, files, unit_bytes, &kinds)?;
        // Disks of one store have numbers that follow each other.
        let seeds = (0u64..).map(|store| seed.wrapping_add(store << 32));
        let disks = stores.iter().zip(&costs).zip(seeds);
        let disks = disks.map(|((store, costs), seed)| match store.1 {
            Location::Disks => Disks::of(store.0, costs, seed),
            Location::Remote { .. } => Disks::none(),
        });
        let disks: Vec<Disks> = disks.collect();
        let mut journals = Vec::new();
        for (store, (&needed_bytes, disks)) in cache.device_bytes().iter().zip(&disks).enumerate() {
            check_room(needed_bytes, disks)?;
            let (kind, device_bytes) = (kinds[store].0, disks.capacity_bytes);
            let seed = seed.wrapping_add((store as u64) << 32);
            let profile = stores[store].0;
            let journal = StoreJournal::of(profile, kind, needed_bytes, device_bytes, seed);
            journals.push(journal);
        }
        let writer = writer(stores, memory, journals, seed);
        Ok(Self {
            reader: Reader::new(cache, false),
            writer,
            disks: BlockLayer::new(disks),
            landings: Vec::new(),
            woken: Vec::new(),
            store_of: match costs.len() {
                1 => Vec::new(),
                _ => files.iter().map(|file| file.store as u16).collect(),
            },
            costs,
        })
    }

    /// The same with a page cache that follows large folios, as it has to for files that a server sends: see
    /// [`SentFiles`](super::SentFiles).
    pub(crate) fn with_large_folios(mut self) -> Self {
        self.reader.large_folios = true;
        self
    }

    /// Costs of the first store.
    #[inline]
    pub(crate) fn costs(&self) -> &Costs {
        &self.costs[0]
    }

    /// The store of file `number`.
    #[inline]
    pub(super) fn store_of(&self, number: u32) -> usize {
        let store = self.store_of.get(number as usize).copied();
        usize::from(store.unwrap_or_default())
    }

    /// Bytes that the disks were asked for so far.
    #[inline]
    #[must_use]
    pub fn device_bytes(&self) -> u64 {
        self.disks.bytes
    }

    /// Has all of file `number` in memory, as far as it fits.
    pub fn fill(&mut self, number: u32) {
        self.reader.cache.fill(number);
    }

    /// Opens file `number`, of which so many bytes are read, as `usage` says.
    pub fn open(&mut self, number: u32, bytes: u64, usage: Usage) -> OpenFile {
        let store = self.store_of(number);
        let device = self.costs[store].device();
        let mut file = OpenFile::new((number, store), bytes, usage, device);
        if usage.mapped && usage.delivery != Delivery::Sent {
            let is_advised = usage.advice != Advice::Around;
            file.mapping = Some(self.reader.cache.map(number, is_advised));
        }
        file
    }

    /// Opens a file anew: nothing is known of its reads.
    pub fn reopen(&self, file: &mut OpenFile) {
        file.reopen(self.costs[file.store].device());
    }

    /// Drops all of a file from memory.
    pub fn forget(&mut self, file: &OpenFile) {
        self.reader.cache.forget(file.number);
    }

    /// The same of file `number`.
    pub(crate) fn drop_file(&mut self, number: u32) {
        self.reader.cache.forget(number);
    }

    /// The same of what is there of it, and not on its way.
    pub(crate) fn drop_arrived(&mut self, number: u32) {
        self.reader.cache.forget_arrived(number);
    }

    /// Whether all of file `number` is in memory.
    pub(crate) fn has_all(&self, number: u32) -> bool {
        self.reader.cache.has_all(number)
    }

    /// All of file `number` is there that was held beside the page cache: it is in that from now on, as far as it fits.
    pub(crate) fn put_back(&mut self, now_ns: u64, number: u32) {
        self.reader.cache.put_back(now_ns, number);
    }

    /// So many pages fit into the page cache from now on, or into that part of it which sites without a group share.
    pub(crate) fn resize(&mut self, now_ns: u64, pages: u64) {
        self.reader.cache.resize(now_ns, pages);
    }

    /// Closes the mapping of a file, where it has one, and maps the file anew.
    pub fn map_anew(&mut self, file: &OpenFile) {
        if let Some(mapping) = file.mapping {
            self.reader.cache.map_anew(mapping);
        }
    }

    /// Forgets all mappings.
    pub fn unmap_all(&mut self) {
        self.reader.cache.unmap_all();
    }

    /// Goes on with a read of `file`, from its start or where it has paused, on behalf of `waiter`.
    #[inline]
    pub fn read(
        &mut self,
        now_ns: u64,
        waiter: W,
        file: &mut OpenFile,
        read: &mut Read,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> Progress {
        let mut disks = DiskSupplier {
            store: file.store,
            disks: &mut self.disks,
            landings: &mut self.landings,
            calendar,
        };
        match self.reader.advance(now_ns, file, read, &mut disks) {
            Pause::Copies => Progress::Copies(self.copying_ns(file, read)),
            Pause::Ends => {
                let writing_ns = file.writing_ns(read.bytes(), &self.costs[file.store]);
                Progress::Ends(self.copying_ns(file, read) + writing_ns)
            }
            Pause::Waits(transfer) => {
                self.landings[transfer as usize].waiters.push(waiter);
                Progress::Waits
            }
        }
    }

    /// What copying takes of what is there: its share of the whole read, and the faults.
    #[inline]
    fn copying_ns(&self, file: &mut OpenFile, read: &mut Read) -> u64 {
        let (bytes, faults) = read.take_copied();
        let costs = &self.costs[file.store];
        let whole_ns = file.whole_ns(read.bytes(), costs);
        let share_ns = (whole_ns * bytes as f64 / read.bytes() as f64) as u64;
        faults * costs.fault() + share_ns
    }

    /// Has the disks read past the page cache; `waiter` is woken when they have. Pages of a program's memory are taken to lie
    /// apart, as they do on a machine that has been up for a while.
    pub fn read_past(
        &mut self,
        now_ns: u64,
        waiter: W,
        file: &OpenFile,
        read: &Read,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) {
        let cache = &self.reader.cache;
        let request = Request {
            offset: cache.device_offset(file.number, read.offset()),
            bytes: read.bytes(),
            reader: file.usage.process,
            segment_bytes: PAGE_BYTES,
            ..Request::default()
        };
        let transfer = self.disks.read(now_ns, file.store, request, calendar);
        land(&mut self.landings, transfer).waiters.push(waiter);
    }

    /// Something takes place at a disk; those who go on.
    pub fn handle(
        &mut self,
        now_ns: u64,
        event: DeviceEvent,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> Drain<'_, W> {
        if let DeviceEvent::Commits { store } = event {
            self.look_at_journal(now_ns, store, calendar);
            return self.woken.drain(..);
        }
        match self.disks.handle(now_ns, event, calendar) {
            Some(transfer) => self.end(now_ns, transfer, calendar),
            None => self.woken.drain(..),
        }
    }

    /// Adds to `to` what stores on other machines were asked for since the last time.
    #[inline]
    pub(crate) fn take_remote(&mut self, to: &mut Vec<RemoteTransfer>) {
        self.disks.take_remote(to);
    }

    /// A store on another machine has done what it was asked for; those who go on.
    pub(crate) fn end_remote(
        &mut self,
        now_ns: u64,
        transfer: u32,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> Drain<'_, W> {
        match self.disks.end_remote(transfer) {
            Some(transfer) => self.end(now_ns, transfer, calendar),
            None => self.woken.drain(..),
        }
    }

    /// A transfer has ended; those who go on.
    fn end(
        &mut self,
        now_ns: u64,
        transfer: u32,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> Drain<'_, W> {
        let landing = &self.landings[transfer as usize];
        let extents = landing.extents.clone();
        match landing.carries {
            Carries::ToMemory => self.reader.cache.arrive(extents, transfer),
            Carries::Flush => {}
            Carries::PastCache { file, end } => {
                return self.end_past_cache(now_ns, transfer, (file, end), calendar);
            }
            Carries::Journal { store } => {
                self.writer.journals[store].under_way -= 1;
                self.settle(now_ns, calendar);
                return self.woken.drain(..);
            }
            Carries::ToDevice { file, number } => {
                return self.end_transfer(now_ns, (file, number), extents, calendar);
            }
        }
        self.landings[transfer as usize].waiters.drain(..)
    }

    /// From now on the disks of a store, by number, are so many times as fast as they were at first. What they have begun takes as long
    /// as it would have.
    pub fn set_speed(&mut self, now_ns: u64, store: usize, speed: f64) {
        self.disks.set_speed(now_ns, store, speed);
    }

    /// Forgets what was counted, not what is under way.
    pub fn count_anew(&mut self) {
        self.disks.count_anew();
    }

    /// What the disks of the first store did in so long a time.
    #[must_use]
    pub fn resources(&self, length_ns: u64) -> Vec<Resource> {
        self.resources_of(0, length_ns)
    }

    /// What the disks of a store did in so long a time.
    pub(crate) fn resources_of(&self, store: usize, length_ns: u64) -> Vec<Resource> {
        self.disks.resources(store, length_ns)
    }

    /// Whether what is in memory of file `number` stays there until it is dropped, or memory is resized.
    pub(crate) fn keeps(&self, number: u32) -> bool {
        self.reader.cache.keeps(number)
    }

    /// Whether it says so of any file.
    pub(crate) fn keeps_some(&self) -> bool {
        self.reader.cache.keeps_some()
    }

    /// What handing so many bytes of `file` over takes that are in memory whatever the page cache holds, nanoseconds.
    pub(crate) fn held_ns(&self, file: &mut OpenFile, bytes: u64) -> u64 {
        file.whole_ns(bytes, &self.costs[file.store]) as u64
    }
}

/// The disks, as a reader asks them.
struct DiskSupplier<'s, W, C> {
    store: usize,
    disks: &'s mut BlockLayer,
    landings: &'s mut Vec<Landing<W>>,
    calendar: &'s mut C,
}

impl<W, C: Calendar<DeviceEvent>> Supplier for DiskSupplier<'_, W, C> {
    fn ask(&mut self, now_ns: u64, missing: &MissingRun, like: Request) -> Option<u32> {
        let transfer = self.disks.read(now_ns, self.store, like, self.calendar);
        land(self.landings, transfer).extents = missing.extents.clone();
        Some(transfer)
    }
}

/// The place of a transfer that begins, which brings something into memory unless its caller says otherwise.
pub(super) fn land<W>(landings: &mut Vec<Landing<W>>, transfer: u32) -> &mut Landing<W> {
    let needed = transfer as usize + 1;
    if landings.len() < needed {
        landings.resize_with(needed, Landing::default);
    }
    let landing = &mut landings[transfer as usize];
    landing.carries = Carries::ToMemory;
    landing.extents = 0..0;
    landing
}

/// What writes back to stores, of which each has its journal. All count as one device, with the limits of the first profile.
fn writer<W>(
    stores: &[(&Profile, Location)],
    memory: Memory<'_>,
    journals: Vec<StoreJournal>,
    seed: u64,
) -> Writer<W> {
    let writing = stores.first().and_then(|it| it.0.writing);
    let memory_bytes = memory
        .parts
        .iter()
        .fold(0, |sum: u64, it| sum.saturating_add(*it));
    let pages = memory_bytes / PAGE_BYTES;
    let is_remote = stores.iter().any(|it| it.1 != Location::Disks);
    Writer {
        most_writing_pages: is_remote.then(|| congestion_pages(pages)),
        ..Writer::new(&writing.unwrap_or_default(), pages, journals, seed)
    }
}

/// Pages that may be on their way to a file server before the flusher waits. They are 16 times the root of all pages, and 256 MiB at most
/// (`nfs_congestion_kb`, `nfs_init_writepagecache` of `fs/nfs/write.c`).
fn congestion_pages(pages: u64) -> u64 {
    pages
        .isqrt()
        .saturating_mul(16)
        .clamp(1, (256 << 20) / PAGE_BYTES)
}

/// What a store costs. Of one on another machine, its profile says what the machine itself takes.
fn costs_of(profile: &Profile, location: Location) -> Costs {
    let mut costs = Costs::of(profile);
    if let Location::Remote {
        read_bytes,
        write_bytes,
    } = location
    {
        (costs.max_request_bytes, costs.max_write_bytes) = (read_bytes, write_bytes);
    }
    costs
}

/// The profile's file system, or ext4 where it names none that is known.
fn file_system(profile: &Profile, location: Location) -> FileSystemKind {
    if location != Location::Disks {
        return FileSystemKind::Remote;
    }
    let spec = profile.file_system.as_ref();
    let known = spec.and_then(|spec| FileSystemKind::named(&spec.kind));
    known.unwrap_or(FileSystemKind::Ext4)
}

fn check_room(needed_bytes: u64, disks: &Disks) -> Result<(), StorageError> {
    match disks.capacity_bytes {
        Some(capacity_bytes) if needed_bytes > capacity_bytes => {
            Err(StorageError::LargerThanDevice {
                needed_bytes,
                capacity_bytes,
            })
        }
        _ => Ok(()),
    }
}
