//! A store on a file server as its clients' kernels use it, with the times of calls: what a page cache asks for becomes calls, and their
//! answers wake whoever waits. Clients have files of their own.
//!
//! What is read, written back and synced is decided by the same code as of local stores ([`crate::storage`]). Calls that find names are
//! made as files are opened and closed; [`Client`](super::Client) counts those of any work.

use std::collections::VecDeque;
use std::ops::Range;
use std::slice;
use std::vec::Drain;

use hotset_cache::PAGE_BYTES;

use super::call::{Call, CallCounts, Purpose, Times};
use super::file_state::FileState;
use super::mount::Mount;
use super::open_owner::OpenOwner;
use super::remote_result::{Counted, RemoteResult};
use super::wire::{AccessTime, Handle, Wire};
use crate::block::RemoteTransfer;
use crate::calendar::Calendar;
use crate::machine::Machine;
use crate::numbered::Numbered;
use crate::page_cache::StoredFile;
use crate::remote::costs::CallCosts;
use crate::remote::event::RemoteEvent;
use crate::remote::file_server::{FileServer, ServerMachine, Work};
use crate::remote::network::{Arrival, Direction, Hop, NamedLine, Network};
use crate::remote::starts::Starts;
use crate::remote::switched::Switched;
use crate::remote::transport::Protocol;
use crate::station::Station;
use crate::storage::{Storage, StorageError, is_program};

/// Letters of a file's name. Assumed: it changes the bytes of a LOOKUP or an OPEN a little.
const NAME_LETTERS: usize = 8;

/// A store on a file server, and the way there.
#[derive(Clone, Debug)]
pub struct RemoteSystem<'p> {
    /// How clients mount it.
    pub mount: Mount,
    /// Clients, all alike.
    pub clients: usize,
    /// What calls cost a client's processors.
    pub client_costs: CallCosts,
    /// Link that each client has for itself; one that is never the limit where there is none at all.
    pub client_link: Option<NamedLine>,
    /// Link behind it that all share, which is the server's.
    pub server_link: Option<NamedLine>,
    /// Switches between both; one that all links end at where there is nothing.
    pub switched: Option<Switched>,
    /// The server.
    pub server: ServerMachine<'p>,
}

/// What a client has under way.
#[derive(Clone, Debug)]
struct ClientEnd {
    /// Calls that may be begun, and those that wait until they may.
    slots: u32,
    waiting: VecDeque<u32>,
    /// Of version 4.0. Its calls do not wait for each other here, as nobody waits for them.
    owner: OpenOwner,
    /// Calls that are left of each transfer, by its number.
    left: Vec<u32>,
}

/// A store on a file server.
pub(crate) struct RemoteStore {
    mount: Mount,
    wire: Wire,
    costs: CallCosts,
    network: Network,
    server: FileServer,
    starts: Starts,
    /// Bytes of each file of a client.
    sizes: Vec<u64>,
    clients: Vec<ClientEnd>,
    /// As the server has them: those of the first client, then those of the next.
    files: Vec<FileState>,
    calls: Numbered<Call>,
    counts: CallCounts,
    counted_ns: u64,
    /// Kept empty, so that a call allocates nothing.
    asked: Vec<RemoteTransfer>,
    ended: Vec<(u32, u32)>,
}

impl RemoteStore {
    /// One of which each client has `files`, and wants multiples of `unit_bytes`. The server has nothing of them in memory.
    ///
    /// # Errors
    /// Files that are too large to be followed, or for the server's device.
    pub fn new(
        system: &RemoteSystem<'_>,
        files: &[StoredFile<'_>],
        unit_bytes: u64,
        seed: u64,
    ) -> Result<Self, StorageError> {
        let clients = system.clients.max(1);
        let stored = (0..clients).flat_map(|_| files.iter().copied());
        let stored: Vec<StoredFile<'_>> = stored.collect();
        let end_of_client = ClientEnd {
            slots: system.mount.slots(),
            owner: OpenOwner::default(),
            waiting: VecDeque::new(),
            left: Vec::new(),
        };
        Ok(Self {
            mount: system.mount,
            wire: Wire::of(system.mount),
            costs: system.client_costs,
            network: network(system, clients),
            server: FileServer::new(&system.server, &stored, unit_bytes, seed)?,
            starts: Starts::of(files.iter().map(|file| file.bytes)),
            sizes: files.iter().map(|file| file.bytes).collect(),
            clients: vec![end_of_client; clients],
            files: vec![FileState::default(); stored.len()],
            calls: Numbered::default(),
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

    /// The number at the server of a client's file.
    #[inline]
    fn number(&self, client: u32, file: u32) -> u32 {
        client * self.sizes.len() as u32 + file
    }

    /// The server has all of a file in memory, as far as it fits; of each client the one of this number.
    pub fn fill(&mut self, file: u32) {
        for client in 0..self.clients.len() as u32 {
            let number = self.number(client, file);
            self.server.fill(number);
        }
    }

    /// A file is new at the server, and nothing of it has data; of each client the one of this number.
    pub fn empty(&mut self, file: u32) {
        for client in 0..self.clients.len() as u32 {
            let number = self.number(client, file);
            self.server.empty(number);
        }
    }

    /// Makes calls of what a client's storage has asked for.
    #[inline]
    pub fn send<W>(
        &mut self,
        now_ns: u64,
        client: u32,
        machine: &mut Machine<W>,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        machine.storage.take_remote(&mut self.asked);
        if self.asked.is_empty() {
            return;
        }
        let mut asked = std::mem::take(&mut self.asked);
        let is_alone = asked.len() == 1;
        for transfer in asked.drain(..) {
            let (file, offset) = self.starts.place(transfer.offset);
            let end = (offset + transfer.bytes).min(self.sizes[file as usize]);
            let number = self.number(client, file);
            let most_bytes = match transfer.writes {
                true => self.mount.write_bytes,
                false => self.mount.read_bytes,
            };
            let parts = parts(offset..end, most_bytes);
            let is_one = end - offset <= most_bytes
                && (is_program(transfer.reader)
                    || is_alone && self.is_alone(number, file, &machine.storage));
            let is_stable = transfer.writes && (self.mount.is_v2() || is_one);
            self.expect(client, transfer.number, parts.clone().count() as u32);
            let of = (client, transfer.number, number);
            for part in parts {
                let call = match transfer.writes {
                    true => self.writing(of, part, is_stable),
                    false => self.reading(of, part),
                };
                self.begin(now_ns, call, &mut machine.processors, calendar);
            }
        }
        self.asked = asked;
    }

    /// Whether all that is to be written of a file is one WRITE that a program waits for. A sync of that takes no COMMIT, as a write past the
    /// page cache takes none that is one WRITE (`FLUSH_COND_STABLE`, `nfs_generic_pgio` of `fs/nfs/pagelist.c`).
    fn is_alone<W>(&self, number: u32, file: u32, storage: &Storage<W>) -> bool {
        self.files[number as usize].is_settled()
            && storage.is_waited_for(file)
            && storage.dirty_pages_of(file) == 0
    }

    /// A transfer of a client is over when so many calls are.
    fn expect(&mut self, client: u32, transfer: u32, calls: u32) {
        let (left, place) = (&mut self.clients[client as usize].left, transfer as usize);
        if place >= left.len() {
            left.resize(place + 1, 0);
        }
        left[place] = calls;
    }

    /// A READ of a client's, for a transfer and of a file.
    fn reading(&self, (client, transfer, file): (u32, u32, u32), part: Range<u64>) -> Call {
        let bytes = part.end - part.start;
        Call {
            purpose: Purpose::Read { transfer, file },
            work: Work::Read {
                file,
                offset: part.start,
                bytes,
            },
            ..Call::plain(client, self.wire.read(bytes))
        }
    }

    /// A WRITE, alike.
    fn writing(
        &mut self,
        (client, transfer, file): (u32, u32, u32),
        part: Range<u64>,
        is_stable: bool,
    ) -> Call {
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
            ..Call::plain(client, self.wire.write(bytes, asks_attributes))
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
        let end = &mut self.clients[call.client as usize];
        match end.slots {
            0 => end.waiting.push_back(number),
            _ => {
                end.slots -= 1;
                self.prepare(now_ns, number, processors, calendar);
            }
        }
    }

    /// A processor of its client makes the message of a call.
    fn prepare(
        &mut self,
        now_ns: u64,
        call: u32,
        processors: &mut Station,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let (bytes, _) = self.calls.of(call).payload();
        let work_ns = self.costs.call_ns + self.costs.sent_bytes_ns(bytes);
        let done_ns = processors.serve(now_ns, work_ns);
        calendar.at(done_ns, RemoteEvent::Sends { call });
    }

    /// Something takes place at a client, the server or between them; the clients whose transfers are over, with these. All are of one client.
    pub fn handle<W>(
        &mut self,
        now_ns: u64,
        event: RemoteEvent,
        machines: &mut [Machine<W>],
        calendar: &mut impl Calendar<RemoteEvent>,
    ) -> Drain<'_, (u32, u32)> {
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
                    }) => self.come_back(now_ns, call, machines, calendar),
                    None => {}
                }
            }
            RemoteEvent::Sends { call } => {
                let of = self.calls.of(call);
                of.times.sent_ns = now_ns;
                let way = (of.client as usize, Direction::ToServer);
                let message = (call, of.message.call_bytes);
                self.network.send(now_ns, way, message, calendar);
            }
            RemoteEvent::Ends { call } => self.end(now_ns, call, machines, calendar),
            RemoteEvent::Works { .. }
            | RemoteEvent::Answers { .. }
            | RemoteEvent::Disk { .. }
            | RemoteEvent::Flusher { .. } => {
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
        let way = (of.client as usize, Direction::ToClient);
        let message = (call, of.message.answer_bytes);
        self.network.send(now_ns, way, message, calendar);
    }

    /// The answer to a call has come to its client, whose processors move what it brings.
    fn come_back<W>(
        &mut self,
        now_ns: u64,
        call: u32,
        machines: &mut [Machine<W>],
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = self.calls.of(call);
        of.times.back_ns = now_ns;
        let (_, bytes) = of.payload();
        let processors = &mut machines[of.client as usize].processors;
        let work_ns = self.costs.received_bytes_ns(bytes);
        let done_ns = match work_ns {
            0 => now_ns,
            _ => processors.serve(now_ns, work_ns),
        };
        calendar.at(done_ns, RemoteEvent::Ends { call });
    }

    /// A client is done with the answer to a call.
    fn end<W>(
        &mut self,
        now_ns: u64,
        call: u32,
        machines: &mut [Machine<W>],
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let call = self.calls.remove(call);
        self.counts.end(now_ns, call.message.name, call.times);
        let client = call.client;
        let Machine {
            storage,
            processors,
        } = &mut machines[client as usize];
        let end = &mut self.clients[client as usize];
        match end.waiting.pop_front() {
            Some(next) => self.prepare(now_ns, next, processors, calendar),
            None => end.slots += 1,
        }
        let file = match call.purpose {
            Purpose::Nothing => return,
            Purpose::Read { transfer, file } => {
                self.end_part(client, transfer);
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
                self.end_write((client, transfer), (file, bytes), is_stable);
                file
            }
            Purpose::Commit { file } => {
                let state = &mut self.files[file as usize];
                state.is_committing = false;
                let transfers = state.committing.drain(..);
                self.ended.extend(transfers.map(|it| (client, it)));
                file
            }
        };
        self.hold_attributes(now_ns, file);
        let own = file % self.sizes.len() as u32;
        let dirty_bytes = storage.dirty_pages_of(own) * PAGE_BYTES;
        if self.files[file as usize].is_commit_due(dirty_bytes) {
            self.commit(now_ns, (client, file), processors, calendar);
        }
    }

    /// A call of a transfer is over.
    fn end_part(&mut self, client: u32, transfer: u32) {
        if self.is_last_part(client, transfer) {
            self.ended.push((client, transfer));
        }
    }

    /// Whether a call of a transfer that is over was the last of it.
    fn is_last_part(&mut self, client: u32, transfer: u32) -> bool {
        let left = &mut self.clients[client as usize].left[transfer as usize];
        *left -= 1;
        *left == 0
    }

    /// A WRITE is answered. What is not stable waits for a COMMIT: its pages count as under write-back until then
    /// (`nfs_mark_page_unstable`, `fs/nfs/internal.h`).
    fn end_write(
        &mut self,
        (client, transfer): (u32, u32),
        (file, bytes): (u32, u64),
        is_stable: bool,
    ) {
        let is_last = self.is_last_part(client, transfer);
        let state = &mut self.files[file as usize];
        state.unanswered -= 1;
        state.unanswered_bytes -= bytes;
        match (is_stable, is_last) {
            (true, true) => self.ended.push((client, transfer)),
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
        (client, file): (u32, u32),
        processors: &mut Station,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        self.files[file as usize].begin_commit();
        let call = Call {
            purpose: Purpose::Commit { file },
            work: Work::Commit { file },
            ..Call::plain(client, self.wire.commit())
        };
        self.begin(now_ns, call, processors, calendar);
    }

    /// A file is opened, as on a mount that is new: its name is looked up the first time, and its attributes are asked for afterwards
    /// (close-to-open). Version 4 has OPEN for both, which a delegation makes needless. Version 4.0 confirms for whom it is, the first time.
    /// Whoever opens it does not wait.
    pub fn open(
        &mut self,
        now_ns: u64,
        (client, file): (u32, u32),
        writes: bool,
        processors: &mut Station,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let file = self.number(client, file);
        let wire = self.wire;
        let (folder, inner) = (Handle::Root, Handle::Inner);
        let state = &mut self.files[file as usize];
        let was_known = std::mem::replace(&mut state.is_known, true);
        let messages = match (self.mount.is_v4(), was_known) {
            (false, false) if self.mount.is_v2() => vec![wire.lookup(folder, NAME_LETTERS, true)],
            (false, false) => vec![wire.lookup(folder, NAME_LETTERS, true), wire.access(inner)],
            (false, true) => vec![wire.getattr(inner)],
            (true, _) if state.is_delegated && !writes => Vec::new(),
            (true, _) => {
                state.opens += 1;
                let owner = &mut self.clients[client as usize].owner;
                let is_unknown = self.mount.has_owners() && state.opens == 1 && owner.open(now_ns);
                state.is_delegated = !writes && !is_unknown;
                let open = wire.open(folder, NAME_LETTERS, writes, state.is_delegated);
                let confirm = is_unknown.then(|| wire.open_confirm());
                std::iter::once(open).chain(confirm).collect()
            }
        };
        for message in messages {
            self.begin(now_ns, Call::plain(client, message), processors, calendar);
        }
        self.hold_attributes(now_ns, file);
    }

    /// A file is closed: version 4 has CLOSE, and version 3 asks for the attributes of what was written (`nfs_close_context`).
    pub fn close(
        &mut self,
        now_ns: u64,
        (client, file): (u32, u32),
        writes: bool,
        processors: &mut Station,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let file = self.number(client, file);
        let state = &mut self.files[file as usize];
        let read_since = match writes {
            true => AccessTime::Known,
            false => AccessTime::Unknown,
        };
        let asked = (!state.is_delegated).then_some(read_since);
        let message = match self.mount.is_v4() {
            true if state.opens > 0 => {
                state.opens -= 1;
                let is_last = state.opens == 0;
                if is_last && self.mount.has_owners() {
                    self.clients[client as usize].owner.close(now_ns);
                }
                is_last.then(|| self.wire.close(asked))
            }
            false if writes => Some(self.wire.getattr(Handle::Inner)),
            _ => None,
        };
        if let Some(message) = message {
            self.begin(now_ns, Call::plain(client, message), processors, calendar);
        }
    }

    /// A file was read from a client's memory: its attributes are asked for if they are too old. The reader does not wait for that.
    #[inline]
    pub fn note_read(
        &mut self,
        now_ns: u64,
        (client, file): (u32, u32),
        processors: &mut Station,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let file = self.number(client, file);
        let state = &mut self.files[file as usize];
        if state.is_delegated || now_ns < state.attributes_until_ns {
            return;
        }
        // They were seen unchanged for so long.
        state.attributes_ns = state.attributes_ns.saturating_mul(2);
        self.hold_attributes(now_ns, file);
        let message = self.wire.getattr(Handle::Inner);
        self.begin(now_ns, Call::plain(client, message), processors, calendar);
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
        let counted = Counted {
            calls: &self.counts,
            network: &self.network,
            seen: self.network.seen(),
            servers: slice::from_ref(&self.server),
            since_ns: self.counted_ns,
        };
        RemoteResult::of(&counted, now_ns)
    }
}

/// Each client's own link, the one that all share, and those between switches.
fn network(system: &RemoteSystem<'_>, clients: usize) -> Network {
    let of_clients = system.client_link.iter().flat_map(|link| {
        (1..=clients).map(move |number| NamedLine {
            name: match number {
                1 => link.name.clone(),
                _ => format!("{} {number}", link.name),
            },
            line: link.line,
        })
    });
    let mut links: Vec<NamedLine> = of_clients.chain(system.server_link.clone()).collect();
    let outer = links.len();
    let shared = system.server_link.as_ref().map(|_| outer - 1);
    let has_own = system.client_link.is_some();
    let switched = system.switched.as_ref();
    links.extend(switched.into_iter().flat_map(Switched::links));
    let path = |client: usize| {
        let own = has_own.then_some(client).map(Hop::along);
        let between = switched.map_or_else(Vec::new, |it| it.hops(client, 0, outer));
        let own = own.into_iter().chain(between);
        own.chain(shared.map(Hop::along)).collect::<Vec<Hop>>()
    };
    let paths: Vec<Vec<Hop>> = (0..clients).map(path).collect();
    let network = Network::routed(&links, outer, &paths);
    match system.mount.protocol {
        Protocol::Tcp => network,
        Protocol::Udp => network.of_datagrams(),
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
