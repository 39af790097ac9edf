//! Stores of a web node that file servers have: what its page cache asks for, and what opening and closing files takes, as calls.
//!
//! What opens, reads or closes a file of a store on several servers is an operation. Its calls come in rounds, and one round begins when the one
//! before is answered.

use std::collections::{HashSet, VecDeque};

use hotset_cache::PAGE_BYTES;
use hotset_petri::Time;

use super::calls::{Awaited, Call};
use super::inodes::Inodes;
use super::needs::server_inodes;
use super::system::Mounted;
use super::traffic::Traffic;
use crate::block::RemoteTransfer;
use crate::numbered::Numbered;
use crate::remote::nfs::{FileCall, ReadMount};
use crate::remote::{Outage, RoundCall, RoundMount, ServedFile, Transport, Unanswered, Work};

/// A file as the node's storage and the server have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MountedFile {
    /// Its store.
    pub store: usize,
    /// Its number at the node, and all of its bytes.
    pub number: u32,
    pub size: u64,
    /// Bytes of it that go through the page cache.
    pub bytes: u64,
    /// Its number at the server.
    pub at_server: u32,
}

/// A file with where it begins as the node's storage has it.
#[derive(Clone, Copy, Debug)]
struct Placed {
    start: u64,
    file: MountedFile,
}

/// What the node knows of the files of a store.
enum Known {
    Nfs(ReadMount),
    Rounds(Box<RoundMount>),
}

/// Calls that may be begun, and those that wait until they may.
#[derive(Clone, Debug)]
struct Slots {
    free: u32,
    waiting: VecDeque<u32>,
}

/// A store that is mounted.
struct MountedStore {
    /// The file servers, by their numbers. Those of which a connection is broken.
    servers: Vec<usize>,
    broken: Vec<bool>,
    transport: Transport,
    known: Known,
    /// Inodes at the server, where they are followed.
    inodes: Option<Inodes>,
    /// Those of its files that have bytes, rising.
    files: Vec<Placed>,
    /// By file server; none where any number of calls may be under way.
    slots: Vec<Slots>,
    /// Whether a call is under way that others wait for in turn, and those.
    is_turn_taken: bool,
    turns: VecDeque<u32>,
}

/// What is done with a file of a store on several servers.
#[derive(Clone, Copy, Debug)]
struct Operation {
    store: usize,
    file: u32,
    awaited: Awaited,
    /// Calls of its round that are left, and that were not answered and not needed.
    left: u32,
    missing: u32,
    has_failed: bool,
}

/// What becomes of a transfer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Processor time that the node's daemon takes, nanoseconds.
    pub daemon_ns: u64,
    /// Nothing has to be asked for it.
    pub is_there: bool,
}

/// The stores of a node that are mounted.
pub(crate) struct MountedStores {
    /// The node, by its number.
    web: usize,
    /// By store.
    stores: Vec<Option<MountedStore>>,
    /// Calls that are made, and not sent yet.
    made: Numbered<Call>,
    /// Operations under way, and by their numbers the calls of later rounds.
    operations: Numbered<Operation>,
    rounds: Vec<VecDeque<RoundCall>>,
    /// Calls that are left of each transfer, by its number, and transfers of which some have failed.
    left: Vec<u32>,
    failed: HashSet<u32>,
}

impl MountedStores {
    /// Of the node `web`, which follows these files by their numbers; nothing where it mounts none. The servers have those of the traffic.
    pub fn of(
        web: usize,
        mounts: &[Option<Mounted>],
        files: &[MountedFile],
        traffic: &Traffic,
    ) -> Option<Self> {
        if mounts.iter().all(Option::is_none) {
            return None;
        }
        let store = |(number, mounted): (usize, &Option<Mounted>)| {
            let own = files.iter().filter(|it| it.store == number);
            let mounted = mounted.as_ref()?;
            Some(MountedStore::new(mounted, (files, traffic), placed(own)))
        };
        Some(Self {
            web,
            stores: mounts.iter().enumerate().map(store).collect(),
            made: Numbered::default(),
            operations: Numbered::default(),
            rounds: Vec::new(),
            left: Vec::new(),
            failed: HashSet::new(),
        })
    }

    fn store(&mut self, store: usize) -> Option<&mut MountedStore> {
        self.stores.get_mut(store)?.as_mut()
    }

    fn of_rounds(&mut self, store: usize) -> Option<&mut RoundMount> {
        match &mut self.store(store)?.known {
            Known::Nfs(_) => None,
            Known::Rounds(known) => Some(known.as_mut()),
        }
    }

    fn of_nfs(&mut self, store: usize) -> Option<&mut ReadMount> {
        match &mut self.store(store)?.known {
            Known::Nfs(known) => Some(known),
            Known::Rounds(_) => None,
        }
    }

    /// Calls that opening a file of an NFS store takes, one after the other. It has the number `at_server` there. The first call has the server find
    /// it.
    pub fn open(&mut self, store: usize, (file, at_server): (u32, u32)) -> [Option<FileCall>; 2] {
        let inodes = self.store(store).and_then(|it| it.inodes);
        let Some(known) = self.of_nfs(store) else {
            return [None; 2];
        };
        let [first, second] = known.open(file);
        let finding = inodes.map(|inodes| Work::Read {
            file: inodes.page_of(at_server),
            offset: 0,
            bytes: inodes.bytes(),
        });
        let first = first.map(|call| FileCall {
            work: finding.unwrap_or(call.work),
            ..call
        });
        [first, second]
    }

    /// Whether a store is on several servers. Opening and closing a file costs the node's daemon so much then, nanoseconds, and what is in memory of
    /// it may go.
    pub fn opening(&mut self, store: usize) -> Option<(u64, bool)> {
        let known = self.of_rounds(store)?;
        Some((2 * known.daemon_ns(0), known.drops_pages()))
    }

    /// Opens a file of a store on several servers; adds the calls that it makes to `to`. Whether there are some.
    pub fn begin_open(
        &mut self,
        now: Time,
        (store, file): (usize, u32),
        awaited: Awaited,
        to: &mut Vec<u32>,
    ) -> bool {
        let known = self.of_rounds(store);
        let calls = known.map_or_else(Vec::new, |it| it.open(now.nanos(), file));
        self.begin(now, (store, file), (awaited, calls), to)
    }

    /// Closes a file; adds the calls that it makes to `to`.
    pub fn close(&mut self, now: Time, store: usize, file: u32, to: &mut Vec<u32>) {
        match self.store(store).map(|it| &mut it.known) {
            None => {}
            Some(Known::Nfs(known)) => {
                let call = known.close(file);
                let made = call.map(|call| self.make(now, store, (call, Awaited::Nothing)));
                to.extend(made);
            }
            Some(Known::Rounds(known)) => {
                let calls = known.close(now.nanos(), file);
                self.begin(now, (store, file), (Awaited::Nothing, calls), to);
            }
        }
    }

    /// Begins an operation; whether it has calls.
    fn begin(
        &mut self,
        now: Time,
        (store, file): (usize, u32),
        (awaited, calls): (Awaited, Vec<RoundCall>),
        to: &mut Vec<u32>,
    ) -> bool {
        if calls.is_empty() {
            return false;
        }
        let number = self.operations.add(Operation {
            store,
            file,
            awaited,
            left: 0,
            missing: 0,
            has_failed: false,
        });
        let place = number as usize;
        if place >= self.rounds.len() {
            self.rounds.resize_with(place + 1, VecDeque::new);
        }
        self.rounds[place] = calls.into();
        self.begin_round(now, number, to)
    }

    /// Makes the calls of an operation's next round; whether there is one.
    fn begin_round(&mut self, now: Time, number: u32, to: &mut Vec<u32>) -> bool {
        let rounds = &mut self.rounds[number as usize];
        let Some(round) = rounds.front().map(|it| it.round) else {
            return false;
        };
        let count = rounds.iter().take_while(|it| it.round == round).count();
        let calls: Vec<RoundCall> = rounds.drain(..count).collect();
        let operation = self.operations.of(number);
        (operation.left, operation.missing) = (count as u32, 0);
        let (store, awaited) = (operation.store, Awaited::Operation(number));
        for call in calls {
            let costs = (0, call.server_ns);
            let of = (call.call, awaited);
            to.push(self.make_at(now, (store, call.server), of, costs));
        }
        true
    }

    /// Makes a call of an NFS store; the number by which it is sent.
    pub fn make(&mut self, now: Time, store: usize, call: (FileCall, Awaited)) -> u32 {
        self.make_at(now, (store, 0), call, (0, 0))
    }

    /// Makes a call to the server of a store that has this place. The same was asked so often before, and costs the server so much beside the usual.
    fn make_at(
        &mut self,
        now: Time,
        (store, place): (usize, u32),
        (of, awaited): (FileCall, Awaited),
        (tries, server_ns): (u32, u64),
    ) -> u32 {
        let mounted = self.store(store).map(|it| {
            let server = it.servers.get(place as usize).copied();
            (server.unwrap_or_default(), it.transport)
        });
        let (server, transport) = mounted.unwrap_or((0, Transport::TCP));
        self.made.add(Call {
            web: self.web,
            server,
            store,
            transport,
            of,
            awaited,
            made: now,
            tries,
            server_ns,
        })
    }

    /// Makes the calls that bring what a page cache has asked for; adds their numbers to `to`.
    pub fn ask(&mut self, now: Time, transfer: RemoteTransfer, to: &mut Vec<u32>) -> Asked {
        let (store, number) = (transfer.store as usize, transfer.number);
        let Some(mounted) = self.store(store) else {
            return Asked::default();
        };
        let behind = mounted
            .files
            .partition_point(|it| it.start <= transfer.offset);
        let Some(Placed { start, file }) = behind.checked_sub(1).map(|at| mounted.files[at]) else {
            return Asked::default();
        };
        let offset = transfer.offset - start;
        let bytes = transfer.bytes.min(file.bytes.saturating_sub(offset));
        match &mut mounted.known {
            Known::Nfs(known) => {
                let calls: Vec<FileCall> = known.read(file.at_server, (offset, bytes)).collect();
                self.expect(number, calls.len() as u32);
                for call in calls {
                    to.push(self.make(now, store, (call, Awaited::Transfer(number))));
                }
                Asked::default()
            }
            Known::Rounds(known) => {
                let calls = known.read(now.nanos(), file.number, offset..offset + bytes);
                let of_calls = calls.iter().map(|it| it.client_ns).sum::<u64>();
                let daemon_ns = known.daemon_ns(bytes) + of_calls;
                self.expect(number, 1);
                let (of, awaited) = ((store, file.number), Awaited::Transfer(number));
                let has_calls = self.begin(now, of, (awaited, calls), to);
                Asked {
                    daemon_ns,
                    is_there: !has_calls,
                }
            }
        }
    }

    /// A transfer is over with so many parts.
    fn expect(&mut self, transfer: u32, parts: u32) {
        let place = transfer as usize;
        if place >= self.left.len() {
            self.left.resize(place + 1, 0);
        }
        self.left[place] = parts;
    }

    /// Makes the calls that write these bytes of a log, which has the number `at_server` on its store; adds their numbers to `to`. How many they
    /// are.
    pub fn write(
        &mut self,
        now: Time,
        (store, at_server): (usize, u32),
        bytes: (u64, u64),
        to: &mut Vec<u32>,
    ) -> u32 {
        let written = self.of_nfs(store).map(|it| it.write(at_server, bytes));
        let calls: Vec<FileCall> = written.into_iter().flatten().collect();
        let count = calls.len() as u32;
        for call in calls {
            to.push(self.make(now, store, (call, Awaited::Log)));
        }
        count
    }

    /// The same of the call that has the server put the log on its disk; whether there is one.
    pub fn commit(
        &mut self,
        now: Time,
        (store, at_server): (usize, u32),
        to: &mut Vec<u32>,
    ) -> bool {
        let known = self.of_nfs(store);
        let Some(call) = known.and_then(|it| it.commit(at_server)) else {
            return false;
        };
        to.push(self.make(now, store, (call, Awaited::Log)));
        true
    }

    /// Takes a call that is to be sent now. Nothing where it has to wait until others are answered.
    pub fn send(&mut self, number: u32) -> Option<Call> {
        let call = *self.made.of(number);
        if let Some(mounted) = self.store(call.store)
            && !mounted.may_send(number, &call)
        {
            return None;
        }
        Some(self.made.remove(number))
    }

    /// A call is over; those to be sent that have waited for that.
    pub fn over(&mut self, call: &Call) -> Vec<u32> {
        let mounted = self.store(call.store);
        mounted.map_or_else(Vec::new, |it| it.over(call))
    }

    /// Whether the connection for a call is broken, as far as the node knows.
    pub fn is_broken(&mut self, call: &Call) -> bool {
        let mounted = self.store(call.store);
        let broken = mounted.and_then(|it| {
            let place = it.place_of(call)?;
            it.broken.get(place).copied()
        });
        broken.unwrap_or_default()
    }

    /// A call has its answer, or has failed: who has waited for it, and whether that has failed. Nothing where more is to be waited for; calls that are
    /// made for it are added to `to`.
    pub fn end(
        &mut self,
        now: Time,
        (call, is_failed): (&Call, bool),
        to: &mut Vec<u32>,
    ) -> Option<(Awaited, bool)> {
        if call.transport.outage == Outage::Breaks
            && let Some(mounted) = self.store(call.store)
            && let Some(place) = mounted.place_of(call)
        {
            mounted.broken[place] = is_failed;
        }
        let Awaited::Operation(number) = call.awaited else {
            return Some((call.awaited, is_failed));
        };
        if is_failed && self.goes_on_asking(now, number, call, to) {
            return None;
        }
        let operation = self.operations.of(number);
        operation.left -= 1;
        if operation.left > 0 {
            return None;
        }
        let has_failed = operation.has_failed;
        if !has_failed && self.begin_round(now, number, to) {
            return None;
        }
        self.rounds[number as usize].clear();
        let operation = self.operations.remove(number);
        if has_failed && let Some(known) = self.of_rounds(operation.store) {
            known.forget(operation.file);
        }
        Some((operation.awaited, has_failed))
    }

    /// What becomes of an operation of which a call is not answered; whether that call is waited for on.
    fn goes_on_asking(&mut self, now: Time, number: u32, call: &Call, to: &mut Vec<u32>) -> bool {
        let missing = self.operations.of(number).missing;
        let mounted = self.store(call.store);
        let unanswered = mounted.and_then(|it| {
            let place = it.place_of(call)? as u32;
            match &it.known {
                Known::Nfs(_) => None,
                Known::Rounds(known) => {
                    Some(known.unanswered((place, call.of), (call.tries, missing)))
                }
            }
        });
        match unanswered.unwrap_or(Unanswered::Fails) {
            Unanswered::Asks(server, of) => {
                let again = (of, call.awaited);
                let costs = (call.tries + 1, call.server_ns);
                to.push(self.make_at(now, (call.store, server), again, costs));
                true
            }
            Unanswered::Waits => true,
            Unanswered::GoesOn => {
                self.operations.of(number).missing += 1;
                false
            }
            Unanswered::Fails => {
                self.operations.of(number).has_failed = true;
                false
            }
        }
    }

    /// A call of a transfer is over; whether it was the last.
    pub fn is_last_part(&mut self, transfer: u32, is_failed: bool) -> bool {
        if is_failed {
            self.failed.insert(transfer);
        }
        let left = &mut self.left[transfer as usize];
        *left = left.saturating_sub(1);
        *left == 0
    }

    /// Whether some of a transfer that is over has failed.
    pub fn has_failed(&mut self, transfer: u32) -> bool {
        self.failed.remove(&transfer)
    }
}

impl MountedStore {
    /// One with these of the node's files, of which the servers have those of the traffic.
    fn new(
        mounted: &Mounted,
        (files, traffic): (&[MountedFile], &Traffic),
        placed: Vec<Placed>,
    ) -> Self {
        let export = mounted.export;
        let (known, slots) = match export.part {
            None => {
                let known = ReadMount::new(export.mount, files.len());
                let slots = known.slots();
                (Known::Nfs(known), Some(slots))
            }
            Some(part) => {
                let served = files.iter().map(|it| ServedFile {
                    number: it.at_server,
                    bytes: it.size,
                });
                let known = RoundMount::new(&part, traffic.files.len(), served.collect());
                let slots = known.calls_in_flight();
                (Known::Rounds(Box::new(known)), slots)
            }
        };
        let slots = slots.map(|free| Slots {
            free,
            waiting: VecDeque::new(),
        });
        let servers = mounted.servers.len();
        Self {
            servers: mounted.servers.clone(),
            broken: vec![false; servers],
            transport: export.transport,
            known,
            inodes: match export.part {
                None => server_inodes(traffic, export.inode_bytes),
                Some(_) => None,
            },
            files: placed,
            slots: slots.map_or_else(Vec::new, |it| vec![it; servers]),
            is_turn_taken: false,
            turns: VecDeque::new(),
        }
    }

    /// Whether a call may be sent now. Otherwise it waits.
    fn may_send(&mut self, number: u32, call: &Call) -> bool {
        if let Some(slots) = self.slots_of(call)
            && slots.free == 0
        {
            slots.waiting.push_back(number);
            return false;
        }
        if call.of.is_in_turn && std::mem::replace(&mut self.is_turn_taken, true) {
            self.turns.push_back(number);
            return false;
        }
        if let Some(slots) = self.slots_of(call) {
            slots.free -= 1;
        }
        true
    }

    /// A call is over; those to be sent that have waited for that.
    fn over(&mut self, call: &Call) -> Vec<u32> {
        let mut next = Vec::new();
        if call.of.is_in_turn {
            self.is_turn_taken = false;
            next.extend(self.turns.pop_front());
        }
        if let Some(slots) = self.slots_of(call) {
            slots.free += 1;
            let room = (slots.free as usize).saturating_sub(next.len());
            let count = room.min(slots.waiting.len());
            next.extend(slots.waiting.drain(..count));
        }
        next
    }

    /// The place of a call's server among those of the store.
    fn place_of(&self, call: &Call) -> Option<usize> {
        self.servers.iter().position(|it| *it == call.server)
    }

    /// What a call has to have a part of before it is sent: each call of NFS, and those of Lustre that bring data.
    fn slots_of(&mut self, call: &Call) -> Option<&mut Slots> {
        let has_data = matches!(call.of.work, Work::Read { .. });
        let is_limited = has_data || matches!(self.known, Known::Nfs(_));
        let place = self.place_of(call).filter(|_| is_limited)?;
        self.slots.get_mut(place)
    }
}

/// Files that lie one behind the other.
fn placed<'f>(files: impl Iterator<Item = &'f MountedFile>) -> Vec<Placed> {
    let mut start = 0;
    let mut placed = Vec::new();
    for &file in files.filter(|it| it.bytes > 0) {
        placed.push(Placed { start, file });
        start += file.bytes.div_ceil(PAGE_BYTES) * PAGE_BYTES;
    }
    placed
}
