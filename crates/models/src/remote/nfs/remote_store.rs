//! A store on a file server as a client's kernel uses it, with the times of calls: what its page cache asks for becomes calls, and their
//! answers wake whoever waits.
//!
//! What is read, written back and synced is decided by the same code as of local stores ([`crate::storage`]). Calls that find names are
//! made as files are opened and closed; [`Client`](super::Client) counts those of any work.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::vec::Drain;

use hotset_cache::PAGE_BYTES;
use hotset_outcome::Resource;

use super::call::{Call, CallCounts, CallParts, CallResult, Purpose, Times};
use super::file_state::FileState;
use super::mount::Mount;
use super::wire::{Handle, Wire};
use crate::block::RemoteTransfer;
use crate::calendar::Calendar;
use crate::numbered::Numbered;
use crate::page_cache::StoredFile;
use crate::remote::connection::BothWays;
use crate::remote::costs::CallCosts;
use crate::remote::event::RemoteEvent;
use crate::remote::file_server::{FileServer, ServerMachine, Work};
use crate::remote::network::{Arrival, Direction, LinkResult, NamedLine, Network};
use crate::station::Station;
use crate::storage::{Storage, StorageError};

/// Calls that a session of version 4 has under way at a time (`NFS4_DEF_SLOT_TABLE_SIZE`, `fs/nfs/nfs4session.h`). Version 3 over TCP has
/// as many as it wants (`xprt_max_tcp_slot_table_entries`, `net/sunrpc/xprtsock.c`: 65,536).
const SLOTS_V4: u32 = 64;
const SLOTS_V3: u32 = 65_536;
/// Letters of a file's name. Assumed: it changes the bytes of a LOOKUP or an OPEN a little.
const NAME_LETTERS: usize = 8;
/// The only client's connection.
const CONNECTION: usize = 0;

/// A store on a file server, and the way there.
#[derive(Clone, Debug)]
pub struct RemoteSystem<'p> {
    /// How the client mounts it.
    pub mount: Mount,
    /// What calls cost the client's processors.
    pub client_costs: CallCosts,
    /// Links between both, the client's first; one that is never the limit where there is none.
    pub links: Vec<NamedLine>,
    /// The server.
    pub server: ServerMachine<'p>,
}

/// What a client and a file server had to do with each other.
#[derive(Clone, Debug, PartialEq)]
pub struct RemoteResult {
    /// How long that was, seconds.
    pub seconds: f64,
    /// Calls, by the name that `nfsstat -c` has for each.
    pub calls: BTreeMap<&'static str, CallResult>,
    /// How many calls were begun, and how many of these were answered.
    pub begun: u64,
    /// The latter.
    pub answered: u64,
    /// Mean number of calls under way.
    pub mean_under_way: f64,
    /// Where their time went.
    pub parts: CallParts,
    /// Bytes on the client's link, with headers of IP and TCP.
    pub link_bytes: BothWays,
    /// Packets on the client's link.
    pub link_packets: BothWays,
    /// What each link carried.
    pub links: Vec<LinkResult>,
    /// Reads that the server's storage did.
    pub server_reads: u64,
    /// Those of them that waited for no disk.
    pub server_hits: u64,
    /// Links, threads and processors of the server, and its disks.
    pub resources: Vec<Resource>,
}

impl RemoteResult {
    /// The share of reads at the server that waited for no disk; nothing where there was none.
    #[must_use]
    pub fn server_hit_ratio(&self) -> Option<f64> {
        (self.server_reads > 0).then(|| self.server_hits as f64 / self.server_reads as f64)
    }
}

/// A store on a file server.
pub(crate) struct RemoteStore {
    mount: Mount,
    wire: Wire,
    costs: CallCosts,
    network: Network,
    server: FileServer,
    /// Where each file begins as the client's storage has it, and its bytes.
    starts: Vec<u64>,
    sizes: Vec<u64>,
    files: Vec<FileState>,
    calls: Numbered<Call>,
    /// Calls that may be begun, and those that wait until they may.
    slots: u32,
    waiting: VecDeque<u32>,
    /// Calls that are left of each transfer, by its number.
    left: Vec<u32>,
    counts: CallCounts,
    counted_ns: u64,
    /// Kept empty, so that a call allocates nothing.
    asked: Vec<RemoteTransfer>,
    ended: Vec<u32>,
}

impl RemoteStore {
    /// One with `files`, of which clients want multiples of `unit_bytes`. The server has nothing of them in memory.
    ///
    /// # Errors
    /// Files that are too large to be followed, or for the server's device.
    pub fn new(
        system: &RemoteSystem<'_>,
        files: &[StoredFile<'_>],
        unit_bytes: u64,
        seed: u64,
    ) -> Result<Self, StorageError> {
        let mut end = 0;
        let starts = files.iter().map(|file| {
            let start = end;
            end += file.bytes.div_ceil(PAGE_BYTES) * PAGE_BYTES;
            start
        });
        let path = (0..system.links.len()).collect();
        Ok(Self {
            mount: system.mount,
            wire: Wire::of(system.mount),
            costs: system.client_costs,
            network: Network::new(&system.links, &[path]),
            server: FileServer::new(&system.server, files, unit_bytes, seed)?,
            starts: starts.collect(),
            sizes: files.iter().map(|file| file.bytes).collect(),
            files: vec![FileState::default(); files.len()],
            calls: Numbered::default(),
            slots: match system.mount.is_v4() {
                true => SLOTS_V4,
                false => SLOTS_V3,
            },
            waiting: VecDeque::new(),
            left: Vec::new(),
            counts: CallCounts::default(),
            counted_ns: 0,
            asked: Vec::new(),
            ended: Vec::new(),
        })
    }

    /// What is told of it as settings.
    pub fn settings(&self) -> [(String, String); 2] {
        let Mount {
            read_bytes,
            write_bytes,
            ..
        } = self.mount;
        [("rsize", read_bytes), ("wsize", write_bytes)]
            .map(|(name, bytes)| (name.to_owned(), bytes.to_string()))
    }

    /// The server has all of a file in memory, as far as it fits.
    pub fn fill(&mut self, file: u32) {
        self.server.fill(file);
    }

    /// A file is new at the server, and nothing of it has data.
    pub fn empty(&mut self, file: u32) {
        self.server.empty(file);
    }

    /// The file that a byte of the client's storage is of, and where it is there.
    fn place(&self, offset: u64) -> (u32, u64) {
        let behind = self.starts.partition_point(|&start| start <= offset);
        let file = behind.saturating_sub(1);
        (file as u32, offset - self.starts[file])
    }

    /// Makes calls of what the client's storage has asked for.
    #[inline]
    pub fn send<W>(
        &mut self,
        now_ns: u64,
        storage: &mut Storage<W>,
        processors: &mut Station,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        storage.take_remote(&mut self.asked);
        if self.asked.is_empty() {
            return;
        }
        let mut asked = std::mem::take(&mut self.asked);
        let is_alone = asked.len() == 1;
        for transfer in asked.drain(..) {
            let (file, offset) = self.place(transfer.offset);
            let end = (offset + transfer.bytes).min(self.sizes[file as usize]);
            let most_bytes = match transfer.writes {
                true => self.mount.write_bytes,
                false => self.mount.read_bytes,
            };
            let parts = parts(offset..end, most_bytes);
            // A sync of what one WRITE has takes no COMMIT (`FLUSH_COND_STABLE`, `nfs_generic_pgio` of `fs/nfs/pagelist.c`).
            let is_stable = transfer.writes
                && is_alone
                && end - offset <= most_bytes
                && self.files[file as usize].is_settled()
                && storage.is_waited_for(file)
                && storage.dirty_pages_of(file) == 0;
            self.expect(transfer.number, parts.clone().count() as u32);
            for part in parts {
                let call = match transfer.writes {
                    true => self.writing(transfer.number, file, part, is_stable),
                    false => self.reading(transfer.number, file, part),
                };
                self.begin(now_ns, call, processors, calendar);
            }
        }
        self.asked = asked;
    }

    /// A transfer is over when so many calls are.
    fn expect(&mut self, transfer: u32, calls: u32) {
        let place = transfer as usize;
        if place >= self.left.len() {
            self.left.resize(place + 1, 0);
        }
        self.left[place] = calls;
    }

    /// A READ.
    fn reading(&self, transfer: u32, file: u32, part: Range<u64>) -> Call {
        let bytes = part.end - part.start;
        Call {
            purpose: Purpose::Read { transfer, file },
            work: Work::Read {
                file,
                offset: part.start,
                bytes,
            },
            ..Call::plain(self.wire.read(bytes))
        }
    }

    /// A WRITE.
    fn writing(&mut self, transfer: u32, file: u32, part: Range<u64>, is_stable: bool) -> Call {
        let bytes = part.end - part.start;
        let state = &mut self.files[file as usize];
        state.unanswered += 1;
        state.unanswered_bytes += bytes;
        let asks_attributes = !state.is_delegated;
        Call {
            purpose: Purpose::Write {
                transfer,
                file,
                bytes,
                is_stable,
            },
            work: Work::Write {
                file,
                offset: part.start,
                bytes,
                is_stable,
            },
            ..Call::plain(self.wire.write(bytes, asks_attributes))
        }
    }

    /// Begins a call, or has it wait until it may be.
    fn begin(
        &mut self,
        now_ns: u64,
        call: Call,
        processors: &mut Station,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        self.counts.begin(now_ns);
        let number = self.calls.add(Call {
            times: Times {
                began_ns: now_ns,
                ..Times::default()
            },
            ..call
        });
        match self.slots {
            0 => self.waiting.push_back(number),
            _ => {
                self.slots -= 1;
                self.prepare(now_ns, number, processors, calendar);
            }
        }
    }

    /// A processor of the client makes the message of a call.
    fn prepare(
        &mut self,
        now_ns: u64,
        call: u32,
        processors: &mut Station,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let (bytes, _) = self.calls.of(call).payload();
        let work_ns = self.costs.call_ns + self.costs.bytes_ns(bytes);
        let done_ns = processors.serve(now_ns, work_ns);
        calendar.at(done_ns, RemoteEvent::Sends { call });
    }

    /// Something takes place at the client, the server or between them; the transfers of the client's storage that are over.
    pub fn handle<W>(
        &mut self,
        now_ns: u64,
        event: RemoteEvent,
        storage: &Storage<W>,
        processors: &mut Station,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) -> Drain<'_, u32> {
        match event {
            RemoteEvent::LinkFree { way } => self.network.free(now_ns, way, calendar),
            RemoteEvent::Comes { burst } => {
                let arrival = self.network.comes(now_ns, burst, calendar);
                match arrival {
                    Some(Arrival {
                        call,
                        direction: Direction::ToServer,
                    }) => self.arrive(now_ns, call, calendar),
                    Some(Arrival {
                        call,
                        direction: Direction::ToClient,
                    }) => self.come_back(now_ns, call, processors, calendar),
                    None => {}
                }
            }
            RemoteEvent::Sends { call } => {
                let of = self.calls.of(call);
                of.times.sent_ns = now_ns;
                let way = (CONNECTION, Direction::ToServer);
                let message = (call, of.message.call_bytes);
                self.network.send(now_ns, way, message, calendar);
            }
            RemoteEvent::Ends { call } => self.end(now_ns, call, storage, processors, calendar),
            RemoteEvent::Works { .. }
            | RemoteEvent::Answers { .. }
            | RemoteEvent::Disk(_)
            | RemoteEvent::Flusher => {
                if let Some(call) = self.server.handle(now_ns, event, calendar) {
                    self.answer(now_ns, call, calendar);
                }
            }
        }
        self.ended.drain(..)
    }

    /// A call has come to the server.
    fn arrive(&mut self, now_ns: u64, call: u32, calendar: &mut impl Calendar<RemoteEvent>) {
        let of = self.calls.of(call);
        of.times.arrived_ns = now_ns;
        let work = of.work;
        self.server.arrive(now_ns, call, work, calendar);
    }

    /// The server answers a call.
    fn answer(&mut self, now_ns: u64, call: u32, calendar: &mut impl Calendar<RemoteEvent>) {
        let of = self.calls.of(call);
        of.times.answered_ns = now_ns;
        let way = (CONNECTION, Direction::ToClient);
        let message = (call, of.message.answer_bytes);
        self.network.send(now_ns, way, message, calendar);
    }

    /// The answer to a call has come to the client, whose processors move what it brings.
    fn come_back(
        &mut self,
        now_ns: u64,
        call: u32,
        processors: &mut Station,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = self.calls.of(call);
        of.times.back_ns = now_ns;
        let (_, bytes) = of.payload();
        let work_ns = self.costs.bytes_ns(bytes);
        let done_ns = match work_ns {
            0 => now_ns,
            _ => processors.serve(now_ns, work_ns),
        };
        calendar.at(done_ns, RemoteEvent::Ends { call });
    }

    /// The client is done with the answer to a call.
    fn end<W>(
        &mut self,
        now_ns: u64,
        call: u32,
        storage: &Storage<W>,
        processors: &mut Station,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let call = self.calls.remove(call);
        self.counts.end(now_ns, &call);
        match self.waiting.pop_front() {
            Some(next) => self.prepare(now_ns, next, processors, calendar),
            None => self.slots += 1,
        }
        let file = match call.purpose {
            Purpose::Nothing => return,
            Purpose::Read { transfer, file } => {
                self.end_part(transfer);
                // Answers of version 3 have attributes.
                if !self.mount.is_v4() {
                    self.hold_attributes(now_ns, file);
                }
                return;
            }
            Purpose::Write {
                transfer,
                file,
                bytes,
                is_stable,
            } => {
                self.end_write(transfer, (file, bytes), is_stable);
                file
            }
            Purpose::Commit { file } => {
                let state = &mut self.files[file as usize];
                state.is_committing = false;
                self.ended.append(&mut state.committing);
                file
            }
        };
        self.hold_attributes(now_ns, file);
        let dirty_bytes = storage.dirty_pages_of(file) * PAGE_BYTES;
        if self.files[file as usize].is_commit_due(dirty_bytes) {
            self.commit(now_ns, file, processors, calendar);
        }
    }

    /// A call of a transfer is over.
    fn end_part(&mut self, transfer: u32) {
        if self.is_last_part(transfer) {
            self.ended.push(transfer);
        }
    }

    /// Whether a call of a transfer that is over was the last of it.
    fn is_last_part(&mut self, transfer: u32) -> bool {
        let left = &mut self.left[transfer as usize];
        *left -= 1;
        *left == 0
    }

    /// A WRITE is answered. What is not stable waits for a COMMIT: its pages count as under write-back until then
    /// (`nfs_mark_page_unstable`, `fs/nfs/internal.h`).
    fn end_write(&mut self, transfer: u32, (file, bytes): (u32, u64), is_stable: bool) {
        let is_last = self.is_last_part(transfer);
        let state = &mut self.files[file as usize];
        state.unanswered -= 1;
        state.unanswered_bytes -= bytes;
        match (is_stable, is_last) {
            (true, true) => self.ended.push(transfer),
            (true, false) => {}
            (false, _) => {
                state.uncommitted_bytes += bytes;
                if is_last {
                    state.uncommitted.push(transfer);
                }
            }
        }
    }

    /// A COMMIT of all that the server has of a file.
    fn commit(
        &mut self,
        now_ns: u64,
        file: u32,
        processors: &mut Station,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        self.files[file as usize].begin_commit();
        let call = Call {
            purpose: Purpose::Commit { file },
            work: Work::Commit { file },
            ..Call::plain(self.wire.commit())
        };
        self.begin(now_ns, call, processors, calendar);
    }

    /// A file is opened, as on a mount that is new: its name is looked up the first time, and its attributes are asked for afterwards
    /// (close-to-open). Version 4 has OPEN for both, which a delegation makes needless. Whoever opens it does not wait.
    pub fn open(
        &mut self,
        now_ns: u64,
        file: u32,
        writes: bool,
        processors: &mut Station,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let wire = self.wire;
        let (folder, inner) = (Handle::Root, Handle::Inner);
        let state = &mut self.files[file as usize];
        let was_known = std::mem::replace(&mut state.is_known, true);
        let messages = match (self.mount.is_v4(), was_known) {
            (false, false) => vec![wire.lookup(folder, NAME_LETTERS, true), wire.access(inner)],
            (false, true) => vec![wire.getattr(inner)],
            (true, _) if state.is_delegated && !writes => Vec::new(),
            (true, _) => {
                state.is_delegated = !writes;
                state.opens += 1;
                vec![wire.open(folder, NAME_LETTERS, writes, !writes)]
            }
        };
        for message in messages {
            self.begin(now_ns, Call::plain(message), processors, calendar);
        }
        self.hold_attributes(now_ns, file);
    }

    /// A file is closed: version 4 has CLOSE, and version 3 asks for the attributes of what was written (`nfs_close_context`).
    pub fn close(
        &mut self,
        now_ns: u64,
        file: u32,
        writes: bool,
        processors: &mut Station,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let state = &mut self.files[file as usize];
        let message = match self.mount.is_v4() {
            true if state.opens > 0 => {
                state.opens -= 1;
                (state.opens == 0).then(|| self.wire.close(!state.is_delegated))
            }
            false if writes => Some(self.wire.getattr(Handle::Inner)),
            _ => None,
        };
        if let Some(message) = message {
            self.begin(now_ns, Call::plain(message), processors, calendar);
        }
    }

    /// A file was read from the client's memory: its attributes are asked for if they are too old. The reader does not wait for that.
    #[inline]
    pub fn note_read(
        &mut self,
        now_ns: u64,
        file: u32,
        processors: &mut Station,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let state = &mut self.files[file as usize];
        if state.is_delegated || now_ns < state.attributes_until_ns {
            return;
        }
        // They were seen unchanged for so long.
        state.attributes_ns = state.attributes_ns.saturating_mul(2);
        self.hold_attributes(now_ns, file);
        let message = self.wire.getattr(Handle::Inner);
        self.begin(now_ns, Call::plain(message), processors, calendar);
    }

    /// Attributes of a file have come.
    fn hold_attributes(&mut self, now_ns: u64, file: u32) {
        let (least_ns, most_ns) = self.mount.attributes_ns(false);
        let state = &mut self.files[file as usize];
        state.attributes_ns = state.attributes_ns.clamp(least_ns, most_ns);
        state.attributes_until_ns = now_ns + state.attributes_ns;
    }

    /// Whether calls are under way.
    pub fn has_calls(&self) -> bool {
        self.counts.under_way() > 0
    }

    /// Forgets what was counted, not what is in memory or under way.
    pub fn count_anew(&mut self, now_ns: u64) {
        self.counted_ns = now_ns;
        self.counts.count_anew(now_ns);
        self.network.count_anew();
        self.server.count_anew();
    }

    /// What it came to up to `now_ns`, since it is counted.
    pub fn result(&self, now_ns: u64) -> RemoteResult {
        let length_ns = now_ns.saturating_sub(self.counted_ns);
        let server = self.server.counts();
        let (link_bytes, link_packets) = self.network.seen(CONNECTION);
        let mut resources = self.network.resources(length_ns);
        resources.extend(self.server.resources(length_ns));
        RemoteResult {
            seconds: length_ns as f64 / 1e9,
            calls: self.counts.by_name(),
            begun: self.counts.begun,
            answered: self.counts.answered,
            mean_under_way: self.counts.mean_under_way(now_ns, length_ns),
            parts: self.counts.parts(server.waited_ns),
            link_bytes,
            link_packets,
            links: self.network.links(),
            server_reads: server.reads,
            server_hits: server.hits,
            resources,
        }
    }
}

/// Bytes in parts of at most so many.
fn parts(bytes: Range<u64>, most_bytes: u64) -> impl Iterator<Item = Range<u64>> + Clone {
    let (start, end, most_bytes) = (bytes.start, bytes.end, most_bytes.max(1));
    let count = end.saturating_sub(start).div_ceil(most_bytes);
    (0..count).map(move |number| {
        let from = start + number * most_bytes;
        from..(from + most_bytes).min(end)
    })
}
