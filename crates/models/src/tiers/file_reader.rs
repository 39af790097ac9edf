//! A web node's storage, and the files that it is sending.

use std::sync::Arc;

use hotset_cache::PAGE_BYTES;
use hotset_outcome::Resource;
use hotset_petri::Time;
use hotset_scenario::Profile;

use super::busy::Busy;
use super::calls::{Awaited, Call};
use super::costs::Sending;
use super::holder::{Holder, NodeMemory};
use super::inodes::Inodes;
use super::log_writer::{LogNext, LogWriter};
use super::message::{Message, PIECE_BYTES};
use super::mounted_stores::{Asked, MountedStores};
use super::node_files::{asked_files, held_files, log_writer, mounted_files, stored_files};
use super::own_files::number_of;
use super::read_blocks::{Blocks, block_bytes};
use super::result::{CacheCounts, MemoryCounts};
use super::speeds::Speeds;
use super::storage_events::{Delays, StorageEvent};
use super::system::{Mounted, Store, Web};
use super::system_files::{self, SystemReads};
use super::traffic::{File, Traffic};
use super::whole_files::WholeFiles;
use super::worker_memory::WorkerMemory;
use crate::block::{DeviceEvent, RemoteTransfer};
use crate::page_cache::Memory;
use crate::remote::nfs::FileCall;
use crate::storage::{Location, OpenFile, Progress, Read, Storage, StorageError, Usage};

/// The way of reads of one node. Whoever waits for it is the message itself.
pub(crate) struct FileReader {
    web: Web,
    storage: Storage<Message>,
    traffic: Arc<Traffic>,
    /// The files that it can be asked for, rising: their places are their numbers in the storage. Nothing where these may be all.
    own: Option<Arc<[u32]>>,
    /// Whether each of them is in memory whatever page caches hold.
    is_held: Vec<bool>,
    /// What holds files by the traffic.
    holder: Option<Holder>,
    /// Files that the page cache has whole, and keeps.
    whole: WholeFiles,
    /// By store.
    sending: Vec<Sending>,
    /// The same: bytes of a file that are read at a time, where these are more than are sent.
    block_bytes: Vec<Option<u64>>,
    /// Files that are open, by number, and numbers that are free.
    open: Vec<Option<OpenRead>>,
    free: Vec<u32>,
    counts: CacheCounts,
    /// Those of files that are held.
    held: CacheCounts,
    /// Stores that are mounted, where some are.
    mounted: Option<MountedStores>,
    /// Files of the system, the server's log and what its workers take, where these are followed.
    system: Option<SystemReads>,
    log: Option<LogWriter>,
    workers: Option<WorkerMemory>,
    /// By store: inodes on its own disks, where they are followed.
    inodes: Vec<Option<Inodes>>,
    /// Kept empty, so that a call allocates nothing.
    asked: Vec<RemoteTransfer>,
    made: Vec<u32>,
    /// Since when disks were counted, nanoseconds.
    counted_ns: u64,
    /// Of the disks of each store.
    speeds: Vec<Speeds>,
}

/// A file of which piece after piece is sent.
struct OpenRead {
    /// Calls that have yet to be answered before it is open, and the piece that waits for that. Of a store on several servers, whether it is yet to
    /// be opened there.
    opening: [Option<FileCall>; 2],
    is_to_open: bool,
    waiting: Option<Message>,
    /// Files of the system that its request has yet to use.
    system: Option<Read>,
    /// The page with its inode, which has yet to be read.
    inode: Option<(OpenFile, Read)>,
    /// What is read of it at a time, where that is more than is sent.
    blocks: Option<Blocks>,
    is_held: bool,
    /// Whether the page cache has it whole, and keeps it. Otherwise its number, where that is so once it is sent.
    is_whole: bool,
    becomes_whole: Option<u32>,
    file: OpenFile,
    /// The piece.
    read: Read,
    has_waited: bool,
    /// Processor time that the piece has taken, and that a daemon has for it.
    work_ns: u64,
    daemon_ns: u64,
}

/// Where a store is.
fn location(mounts: &[Option<Mounted>], store: usize) -> Location {
    let mounted = mounts.get(store).and_then(Option::as_ref);
    mounted.map_or(Location::Disks, |it| Location::Remote {
        read_bytes: it.export.mount.read_bytes,
        write_bytes: it.export.mount.write_bytes,
    })
}

/// What is known of each store, and where it is.
fn located_profiles<'w>(web: &'w Web, mounts: &[Option<Mounted>]) -> Vec<(&'w Profile, Location)> {
    let stores = web.stores.iter().enumerate();
    let located = stores.map(|(number, store)| (&store.profile, location(mounts, number)));
    located.collect()
}

/// By store: its profile, where it has disks of its own that are followed.
fn profiles_of_own_disks<'p>(
    profiles: &[(&'p Profile, Location)],
    stores: &[Store],
) -> impl Iterator<Item = Option<&'p Profile>> {
    let both = profiles.iter().zip(stores);
    both.map(|((profile, location), store)| {
        let is_followed = *location == Location::Disks && !store.in_memory;
        is_followed.then_some(*profile)
    })
}

/// Makes the calls for what a node's storage wants of file servers; processor time that daemons take for that. The lists are kept empty.
fn ask(
    now: Time,
    (storage, mounted): (&mut Storage<Message>, &mut MountedStores),
    (asked, made): (&mut Vec<RemoteTransfer>, &mut Vec<u32>),
    delays: &mut Delays,
) -> u64 {
    storage.take_remote(asked);
    let mut all_ns = 0;
    for transfer in asked.drain(..) {
        let Asked {
            daemon_ns,
            is_there,
        } = mounted.ask(now, transfer, made);
        all_ns += daemon_ns;
        if is_there {
            let there = StorageEvent::There(transfer.number);
            delays.events.push((Time::ZERO, there));
        }
    }
    delays.send(made);
    all_ns
}

/// Reads on in a file that the request of a piece needs beside its own; whether the piece waits for that. What using it takes is part of what the
/// request costs. The lists are kept empty.
fn lacks(
    now: Time,
    (storage, mut mounted): (&mut Storage<Message>, Option<&mut MountedStores>),
    (asked, made): (&mut Vec<RemoteTransfer>, &mut Vec<u32>),
    (piece, file, read): (Message, &mut OpenFile, &mut Read),
    delays: &mut Delays,
) -> bool {
    loop {
        let progress = storage.read(now.nanos(), piece, file, read, delays);
        if let Some(mounted) = mounted.as_deref_mut() {
            let lists = (&mut *asked, &mut *made);
            ask(now, (&mut *storage, mounted), lists, delays);
        }
        match progress {
            Progress::Copies(_) => {}
            Progress::Ends(_) => return false,
            Progress::Waits => return true,
        }
    }
}

impl FileReader {
    /// Of the node `at`, which mounts these stores, with nothing in memory. `own` are the files that it can be asked for, rising, or nothing where
    /// these may be all; `seed` is for what scatters.
    ///
    /// # Errors
    /// Files that are too large to be followed, or for the device.
    pub fn new(
        (at, web): (usize, &Web),
        mounts: &[Option<Mounted>],
        traffic: &Arc<Traffic>,
        own: Option<&Arc<[u32]>>,
        seed: u64,
    ) -> Result<Self, StorageError> {
        let profiles = located_profiles(web, mounts);
        let files = asked_files(own, traffic);
        let is_held = held_files(web, &files, own);
        let mut stored = stored_files(web, &files, &is_held);
        let own_disks = profiles_of_own_disks(&profiles, &web.stores);
        let inodes = Inodes::of_stores(own_disks, files.len(), &mut stored);
        let mut part_of = web.page_cache_of(&files);
        part_of.resize(stored.len(), 0);
        let memory = Memory {
            parts: &web.page_caches(),
            part_of: &part_of,
        };
        let mut storage = Storage::at(&profiles, memory, seed, &stored, PIECE_BYTES)?;
        let mounted = match mounts.is_empty() {
            true => Vec::new(),
            false => mounted_files(&stored, &files, own, traffic),
        };
        let system = files.len() as u32;
        let of_system = web.needs.system;
        let holder = web.follow.as_ref();
        let workers = WorkerMemory::of(web);
        // What is mounted may be dropped.
        let may_change = holder.is_some() || workers.is_some() || !mounts.is_empty();
        let keeps_some = !may_change && storage.keeps_some();
        Ok(Self {
            whole: WholeFiles::new(if keeps_some { files.len() } else { 0 }),
            system: of_system.map(|it| SystemReads::new(&mut storage, system, it.bytes)),
            log: log_writer((at, web), mounts, traffic),
            workers,
            inodes,
            mounted: MountedStores::of(at, mounts, &mounted, traffic),
            asked: Vec::new(),
            made: Vec::new(),
            sending: profiles.into_iter().map(|it| Sending::of(it.0)).collect(),
            block_bytes: (0..web.stores.len())
                .map(|store| block_bytes(mounts, store))
                .collect(),
            web: web.clone(),
            storage: storage.with_large_folios(),
            traffic: Arc::clone(traffic),
            own: own.map(Arc::clone),
            is_held,
            holder: holder.map(|it| Holder::new(it, traffic, own, web.memory_bytes)),
            open: Vec::new(),
            free: Vec::new(),
            counts: CacheCounts::default(),
            held: CacheCounts::default(),
            counted_ns: 0,
            speeds: vec![Speeds::default(); web.stores.len()],
        })
    }

    fn file_of(&self, message: &Message) -> File {
        self.traffic.files[message.file as usize]
    }

    /// The number of a message's file in the storage. It is asked for no others than its own.
    fn number_of(&self, message: &Message) -> u32 {
        number_of(self.own.as_ref(), message.file).unwrap_or_default()
    }

    /// Opens the file of a request; the first piece of the answer, of which nothing is read yet.
    pub fn open(&mut self, request: Message) -> Message {
        let (File { site, bytes }, number) = (self.file_of(&request), self.number_of(&request));
        let store = self.web.store_of(site);
        let (mut mounted, is_held) = (self.mounted.as_mut(), self.is_held[number as usize]);
        let opening = mounted.as_mut().and_then(|it| it.opening(store));
        let both = (number, request.file);
        let is_whole = self.whole.has(number);
        let becomes_whole = self.whole.lacks(number) && !is_held && self.storage.keeps(number);
        let opened = OpenRead {
            opening: mounted.map_or([None; 2], |it| it.open(store, both)),
            is_to_open: opening.is_some(),
            waiting: None,
            system: self.system.as_mut().and_then(SystemReads::next_read),
            inode: match is_held {
                true => None,
                false => self.inode(store, number),
            },
            is_held,
            is_whole,
            becomes_whole: becomes_whole.then_some(number),
            blocks: self.block_bytes[store].map(|block_bytes| {
                let file = self.storage.open(number, bytes, system_files::USAGE);
                Blocks::new(file, bytes, block_bytes)
            }),
            file: self.storage.open(number, bytes, Usage::SERVER),
            read: Read::new(0, bytes.min(PIECE_BYTES)),
            has_waited: false,
            work_ns: 0,
            daemon_ns: opening.map_or(0, |(daemon_ns, _)| daemon_ns),
        };
        if opening.is_some_and(|(_, drops_pages)| drops_pages) {
            self.storage.drop_arrived(number);
        }
        let number = self.free.pop().unwrap_or(self.open.len() as u32);
        match self.open.get_mut(number as usize) {
            Some(place) => *place = Some(opened),
            None => self.open.push(Some(opened)),
        }
        Message {
            open: number,
            is_answer: true,
            ..request
        }
    }

    /// The page with the inode of a file of a store, where inodes are followed there.
    fn inode(&mut self, store: usize, number: u32) -> Option<(OpenFile, Read)> {
        let inodes = self.inodes[store]?;
        let page = inodes.page_of(number);
        let file = self.storage.open(page, PAGE_BYTES, system_files::USAGE);
        Some((file, Read::new(0, inodes.bytes())))
    }

    /// Goes on with a piece of a file; the piece where all of it is in memory now. Otherwise it waits, and is woken.
    pub fn go_on(&mut self, now: Time, piece: Message, delays: &mut Delays) -> Option<Message> {
        if piece.is_of_holder() {
            self.read_on(now, delays);
            return None;
        }
        let File { site, bytes } = self.file_of(&piece);
        let lacks = self.lacks_system(now, piece, delays) || self.lacks_inode(now, piece, delays);
        if lacks || self.is_opening(now, piece, delays) || self.lacks_block(now, piece, delays) {
            return None;
        }
        // It may be held since it was opened.
        let is_held_now = self.holder.is_some() && self.is_held[self.number_of(&piece) as usize];
        let opened = self.open[piece.open as usize].as_mut()?;
        opened.is_held |= is_held_now;
        let is_held = opened.is_held;
        let is_there = is_held || opened.is_whole;
        // An empty file has nothing to be read.
        let mut is_reading = bytes > 0 && !is_there;
        if bytes > 0 && is_there {
            opened.work_ns = self.storage.held_ns(&mut opened.file, opened.read.bytes());
        }
        while is_reading {
            let (file, read) = (&mut opened.file, &mut opened.read);
            let progress = self.storage.read(now.nanos(), piece, file, read, delays);
            if let Some(mounted) = &mut self.mounted {
                let lists = (&mut self.asked, &mut self.made);
                let both = (&mut self.storage, mounted);
                opened.daemon_ns += ask(now, both, lists, delays);
            }
            match progress {
                Progress::Waits => {
                    opened.has_waited = true;
                    return None;
                }
                Progress::Copies(ns) => opened.work_ns += ns,
                Progress::Ends(ns) => {
                    opened.work_ns += ns;
                    is_reading = false;
                }
            }
        }
        let start = opened.read.offset();
        let end = start + opened.read.bytes();
        let whole = Message {
            bytes: (end - start) as u32,
            is_first: start == 0,
            is_last: end >= bytes,
            has_waited: opened.has_waited,
            work_ns: self.sending[self.web.store_of(site)].ns(start, end, opened.work_ns)
                + std::mem::take(&mut opened.daemon_ns),
            tail: now,
            ..piece
        };
        match whole.is_last {
            true => {
                if let Some(number) = opened.becomes_whole {
                    self.whole.add(number);
                }
                self.close(now, &whole, bytes, is_held);
                self.close_mounted(now, &whole, delays);
                self.add_line(delays);
            }
            false => {
                opened.read = Read::new(end, PIECE_BYTES.min(bytes - end));
                opened.work_ns = 0;
            }
        }
        Some(whole)
    }

    /// Goes on to read what the request uses of the system's files; whether the piece waits for that.
    fn lacks_system(&mut self, now: Time, piece: Message, delays: &mut Delays) -> bool {
        let Some(opened) = &mut self.open[piece.open as usize] else {
            return false;
        };
        let (Some(system), Some(mut read)) = (&mut self.system, opened.system.take()) else {
            return false;
        };
        let waits = lacks(
            now,
            (&mut self.storage, self.mounted.as_mut()),
            (&mut self.asked, &mut self.made),
            (piece, &mut system.file, &mut read),
            delays,
        );
        if waits {
            opened.system = Some(read);
        }
        waits
    }

    /// The same of the page with the file's inode.
    fn lacks_inode(&mut self, now: Time, piece: Message, delays: &mut Delays) -> bool {
        let Some(opened) = &mut self.open[piece.open as usize] else {
            return false;
        };
        let Some((mut file, mut read)) = opened.inode.take() else {
            return false;
        };
        let waits = lacks(
            now,
            (&mut self.storage, self.mounted.as_mut()),
            (&mut self.asked, &mut self.made),
            (piece, &mut file, &mut read),
            delays,
        );
        if waits {
            opened.inode = Some((file, read));
        }
        waits
    }

    /// Goes on to read the block that the piece is of, where a server reads more at a time than it sends; whether the piece waits for that.
    fn lacks_block(&mut self, now: Time, piece: Message, delays: &mut Delays) -> bool {
        let Some(opened) = &mut self.open[piece.open as usize] else {
            return false;
        };
        let Some(blocks) = opened.blocks.as_mut().filter(|_| !opened.is_held) else {
            return false;
        };
        let Some(mut read) = blocks.wanted(opened.read.offset()) else {
            return false;
        };
        loop {
            let file = &mut blocks.file;
            let progress = (self.storage).read(now.nanos(), piece, file, &mut read, delays);
            if let Some(mounted) = &mut self.mounted {
                let lists = (&mut self.asked, &mut self.made);
                opened.daemon_ns += ask(now, (&mut self.storage, mounted), lists, delays);
            }
            match progress {
                // Copying to the buffer is part of what a byte costs.
                Progress::Copies(_) => {}
                Progress::Ends(_) => return false,
                Progress::Waits => {
                    opened.has_waited = true;
                    blocks.waits(read);
                    return true;
                }
            }
        }
    }

    /// A request adds its line to the log.
    fn add_line(&mut self, delays: &mut Delays) {
        let after = self.log.as_mut().and_then(LogWriter::add_line);
        let event = after.map(|after| (after, StorageEvent::Log));
        delays.events.extend(event);
    }

    /// Writes what the log has that is dirty for long.
    pub fn write_log(&mut self, now: Time, delays: &mut Delays) {
        let (Some(log), Some(mounted)) = (&mut self.log, &mut self.mounted) else {
            return;
        };
        let (place, bytes) = ((log.store, log.at_server), log.dirty());
        log.sent(mounted.write(now, place, bytes, &mut self.made));
        delays.send(&mut self.made);
    }

    /// A call of the log is over.
    fn go_on_with_log(&mut self, now: Time, delays: &mut Delays) {
        let (Some(log), Some(mounted)) = (&mut self.log, &mut self.mounted) else {
            return;
        };
        let place = (log.store, log.at_server);
        let mut next = log.answered();
        if next == LogNext::Commits && !mounted.commit(now, place, &mut self.made) {
            next = log.answered();
        }
        if let LogNext::Writes(after) = next {
            delays.events.push((after, StorageEvent::Log));
        }
        delays.send(&mut self.made);
    }

    /// So many workers have a request or a connection: what they take of the memory is not for files.
    pub fn make_room(&mut self, now: Time, workers: u32) {
        let pages = self.workers.as_mut().and_then(|it| it.change(workers));
        if let Some(pages) = pages {
            self.storage.resize(now.nanos(), pages);
        }
    }

    /// What workers took, where that is followed.
    pub fn memory(&self) -> Option<MemoryCounts> {
        self.workers.as_ref().map(WorkerMemory::counts)
    }

    /// Makes the next call that opening a file takes; whether the piece waits for one.
    fn is_opening(&mut self, now: Time, piece: Message, delays: &mut Delays) -> bool {
        let store = self.web.store_of(self.file_of(&piece).site);
        let number = self.number_of(&piece);
        let Some(mounted) = &mut self.mounted else {
            return false;
        };
        let Some(opened) = &mut self.open[piece.open as usize] else {
            return false;
        };
        if std::mem::take(&mut opened.is_to_open) {
            let awaited = Awaited::Open(piece.open);
            let waits = mounted.begin_open(now, (store, number), awaited, &mut self.made);
            opened.waiting = waits.then_some(piece);
            delays.send(&mut self.made);
            return waits;
        }
        let [first, second] = opened.opening;
        let Some(call) = first.or(second) else {
            return false;
        };
        opened.opening = [None, first.and(second)];
        opened.waiting = Some(piece);
        let awaited = Awaited::Open(piece.open);
        self.made.push(mounted.make(now, store, (call, awaited)));
        delays.send(&mut self.made);
        true
    }

    /// Makes the call that closing the file takes of which this is the last piece.
    fn close_mounted(&mut self, now: Time, last: &Message, delays: &mut Delays) {
        let store = self.web.store_of(self.file_of(last).site);
        let number = self.number_of(last);
        if let Some(mounted) = &mut self.mounted {
            mounted.close(now, store, number, &mut self.made);
            delays.send(&mut self.made);
        }
    }

    /// Takes a call that is to be sent now. Nothing where it has to wait until others are answered.
    pub fn send(&mut self, number: u32) -> Option<Call> {
        self.mounted.as_mut()?.send(number)
    }

    /// Whether the connection for a call is broken, as far as the node knows.
    pub fn is_broken(&mut self, call: &Call) -> bool {
        let mounted = self.mounted.as_mut();
        mounted.is_some_and(|it| it.is_broken(call))
    }

    /// A transfer is over for which nothing had to be asked; the pieces that go on.
    pub fn end_transfer(&mut self, now: Time, number: u32, delays: &mut Delays) -> Vec<Message> {
        let woken = self.storage.end_remote(now.nanos(), number, delays);
        woken.collect()
    }

    /// A call is over: it has its answer, or has failed. The pieces that go on; those that fail are errors.
    pub fn end_call(
        &mut self,
        now: Time,
        (call, is_failed): (&Call, bool),
        delays: &mut Delays,
    ) -> Vec<Message> {
        let Some(mounted) = &mut self.mounted else {
            return Vec::new();
        };
        self.made.extend(mounted.over(call));
        let ended = mounted.end(now, (call, is_failed), &mut self.made);
        delays.send(&mut self.made);
        let Some((awaited, is_failed)) = ended else {
            return Vec::new();
        };
        let (pieces, is_failed) = match awaited {
            Awaited::Nothing | Awaited::Operation(_) => return Vec::new(),
            Awaited::Log => {
                self.go_on_with_log(now, delays);
                return Vec::new();
            }
            Awaited::Open(number) => {
                let opened = self.open[number as usize].as_mut();
                let piece = opened.and_then(|it| it.waiting.take());
                (piece.into_iter().collect(), is_failed)
            }
            Awaited::Transfer(number) => {
                if !mounted.is_last_part(number, is_failed) {
                    return Vec::new();
                }
                let is_failed = mounted.has_failed(number);
                // Pages count as read even so: who fails is seldom followed by others at once.
                let woken = self.storage.end_remote(now.nanos(), number, delays);
                (woken.collect::<Vec<Message>>(), is_failed)
            }
        };
        match is_failed {
            false => pieces,
            true => pieces.into_iter().map(|it| self.fail(it)).collect(),
        }
    }

    /// A piece of a file cannot be read: the file is closed, and the request fails. Who reads to hold files goes on, as pages count as read.
    fn fail(&mut self, piece: Message) -> Message {
        if piece.is_of_holder() {
            return piece;
        }
        let store = self.web.store_of(self.file_of(&piece).site);
        let mounted = self.mounted.as_mut();
        if mounted.is_some_and(|it| it.opening(store).is_some()) {
            // What did not come is not there.
            let number = self.number_of(&piece);
            self.storage.drop_arrived(number);
        }
        self.open[piece.open as usize] = None;
        self.free.push(piece.open);
        piece.abandoned()
    }

    /// Nobody waits for a piece any more: its file is closed, unless it was the last.
    pub fn abandon(&mut self, piece: &Message) {
        if !piece.is_last {
            self.open[piece.open as usize] = None;
            self.free.push(piece.open);
        }
    }

    /// From now on the disks of a store are so many times as fast as at first.
    pub fn set_speed(&mut self, now: Time, store: usize, speed: f64) {
        self.storage.set_speed(now.nanos(), store, speed);
        self.speeds[store].set(now.nanos(), speed);
    }

    /// The same of all stores.
    pub fn set_speed_of_all(&mut self, now: Time, speed: f64) {
        for store in 0..self.web.stores.len() {
            if self.speeds[store].now() != speed {
                self.set_speed(now, store, speed);
            }
        }
    }

    fn close(&mut self, now: Time, last: &Message, bytes: u64, is_held: bool) {
        self.open[last.open as usize] = None;
        self.free.push(last.open);
        let is_in_memory = self.web.is_in_memory(self.file_of(last));
        if let Some(holder) = self.holder.as_mut().filter(|_| !is_in_memory) {
            holder.read(now, last.file);
        }
        let counts = match is_held {
            true => &mut self.held,
            false => &mut self.counts,
        };
        counts.add(!last.has_waited, bytes);
    }

    /// Has what is held follow the traffic from now on, where it waits for that.
    pub fn begin_to_follow(&mut self, now: Time) {
        if let Some(holder) = &mut self.holder {
            holder.begin(now);
        }
    }

    /// Holds what is worth it by now; in how long it is to be asked again. Nothing where nothing follows the traffic.
    pub fn follow(&mut self, now: Time, delays: &mut Delays) -> Option<Time> {
        let mut memory = NodeMemory {
            storage: &mut self.storage,
            is_held: &mut self.is_held,
        };
        let next = self.holder.as_mut()?.look(now, &mut memory, delays);
        self.ask_servers(now, delays);
        Some(next)
    }

    /// Goes on to read what is to be held.
    fn read_on(&mut self, now: Time, delays: &mut Delays) {
        let mut memory = NodeMemory {
            storage: &mut self.storage,
            is_held: &mut self.is_held,
        };
        if let Some(holder) = &mut self.holder {
            holder.read_on(now, &mut memory, delays);
        }
        self.ask_servers(now, delays);
    }

    /// Asks file servers for what the holder wants of their stores.
    fn ask_servers(&mut self, now: Time, delays: &mut Delays) {
        if let Some(mounted) = &mut self.mounted {
            let lists = (&mut self.asked, &mut self.made);
            ask(now, (&mut self.storage, mounted), lists, delays);
        }
    }

    /// Something takes place at a disk; the pieces that go on.
    pub fn handle(&mut self, now: Time, event: DeviceEvent, delays: &mut Delays) -> Vec<Message> {
        self.storage.handle(now.nanos(), event, delays).collect()
    }

    /// What its page cache had of what was asked for.
    pub fn counts(&self) -> CacheCounts {
        CacheCounts {
            device_bytes: self.storage.device_bytes() - self.counts.device_bytes,
            ..self.counts
        }
    }

    /// What was sent of files that are held.
    pub fn held_counts(&self) -> CacheCounts {
        self.held
    }

    /// What the disks did in so long a time. Where there are several stores, their names tell whose they are.
    pub fn disks(&self, length_ns: u64) -> Vec<Resource> {
        let stores = self.web.stores.iter().enumerate();
        let on_disk: Vec<_> = stores.filter(|(_, store)| !store.in_memory).collect();
        let of_store = |&(number, store): &(usize, &Store)| {
            let disk = match on_disk.len() {
                1 => "disk".to_owned(),
                _ => format!("disk of {}", store.name),
            };
            let own_ns = self.own_ns(number, length_ns);
            let resources = self.storage.resources_of(number, own_ns).into_iter();
            let named = resources.map(move |it| Resource {
                name: format!("{disk}, {}", it.name.trim_start_matches("device, ")),
                ..it
            });
            named.collect::<Vec<_>>()
        };
        on_disk.iter().flat_map(of_store).collect()
    }

    /// How busy the same were.
    pub fn busy_disks(&self, length_ns: u64) -> Vec<Busy> {
        let stores = self.web.stores.iter().enumerate();
        let on_disk = stores.filter(|(_, store)| !store.in_memory);
        let busy = on_disk.flat_map(|(number, _)| {
            let own_ns = self.own_ns(number, length_ns);
            let resources = self.storage.resources_of(number, own_ns).into_iter();
            resources.map(move |it| Busy {
                busy_ns: it.utilisation.unwrap_or_default() * own_ns as f64,
                time_ns: own_ns as f64,
            })
        });
        busy.collect()
    }

    /// So long a time, as the disks of a store have it.
    fn own_ns(&self, store: usize, length_ns: u64) -> u64 {
        self.speeds[store].own_ns(self.counted_ns, length_ns)
    }

    /// Forgets what was counted, not what is in memory or under way.
    pub fn count_anew(&mut self, now: Time) {
        self.counted_ns = now.nanos();
        self.storage.count_anew();
        self.held = CacheCounts::default();
        if let Some(workers) = &mut self.workers {
            workers.count_anew();
        }
        self.counts = CacheCounts {
            device_bytes: self.storage.device_bytes(),
            ..CacheCounts::default()
        };
    }
}
