//! Stores of a web node that file servers have: what its page cache asks for, and what opening and closing files takes, as calls.

use std::collections::{HashSet, VecDeque};

use hotset_cache::PAGE_BYTES;
use hotset_petri::Time;

use super::calls::{Awaited, Call};
use super::inodes::Inodes;
use super::needs::server_inodes;
use super::system::Export;
use super::traffic::Traffic;
use crate::block::RemoteTransfer;
use crate::numbered::Numbered;
use crate::remote::nfs::{FileCall, ReadMount};
use crate::remote::{Transport, Work};

/// A file as the node's storage and the server have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MountedFile {
    /// Its store.
    pub store: usize,
    /// Bytes of it that go through the page cache.
    pub bytes: u64,
    /// Its number at the server.
    pub at_server: u32,
}

/// A file with where it begins as the node's storage has it.
#[derive(Clone, Copy, Debug)]
struct Placed {
    start: u64,
    bytes: u64,
    at_server: u32,
}

/// A store that is mounted.
struct MountedStore {
    /// The file server, by its number.
    server: usize,
    transport: Transport,
    mount: ReadMount,
    /// Inodes at the server, where they are followed.
    inodes: Option<Inodes>,
    /// Those of its files that have bytes, rising.
    files: Vec<Placed>,
    /// Calls that may be begun, and those that wait until they may.
    slots: u32,
    waiting: VecDeque<u32>,
    /// Whether a call is under way that others wait for in turn, and those.
    is_turn_taken: bool,
    turns: VecDeque<u32>,
}

impl MountedStore {
    /// Whether a call may be sent now. Otherwise it waits.
    fn may_send(&mut self, number: u32, is_in_turn: bool) -> bool {
        if self.slots == 0 {
            self.waiting.push_back(number);
            return false;
        }
        if is_in_turn && std::mem::replace(&mut self.is_turn_taken, true) {
            self.turns.push_back(number);
            return false;
        }
        self.slots -= 1;
        true
    }

    /// A call is answered; those to be sent that have waited for that.
    fn answered(&mut self, is_in_turn: bool) -> Vec<u32> {
        self.slots += 1;
        let mut next = Vec::new();
        if is_in_turn {
            self.is_turn_taken = false;
            next.extend(self.turns.pop_front());
        }
        let room = (self.slots as usize).saturating_sub(next.len());
        let count = room.min(self.waiting.len());
        next.extend(self.waiting.drain(..count));
        next
    }
}

/// The stores of a node that are mounted.
pub(crate) struct MountedStores {
    /// The node, by its number.
    web: usize,
    /// By store.
    stores: Vec<Option<MountedStore>>,
    /// Calls that are made, and not sent yet.
    made: Numbered<Call>,
    /// Calls that are left of each transfer, by its number, and transfers of which some have failed.
    left: Vec<u32>,
    failed: HashSet<u32>,
}

impl MountedStores {
    /// Of the node `web`, which follows these files by their numbers; nothing where it mounts none.
    pub fn of(
        web: usize,
        mounts: &[Option<(usize, Export)>],
        files: &[MountedFile],
        traffic: &Traffic,
    ) -> Option<Self> {
        if mounts.iter().all(Option::is_none) {
            return None;
        }
        let store = |(number, mount): (usize, &Option<(usize, Export)>)| {
            let (server, export) = (*mount)?;
            let mount = ReadMount::new(export.mount, files.len());
            let own = files.iter().filter(|it| it.store == number);
            Some(MountedStore {
                server,
                transport: export.transport,
                slots: mount.slots(),
                inodes: server_inodes(traffic, export.inode_bytes),
                mount,
                files: placed(own),
                waiting: VecDeque::new(),
                is_turn_taken: false,
                turns: VecDeque::new(),
            })
        };
        Some(Self {
            web,
            stores: mounts.iter().enumerate().map(store).collect(),
            made: Numbered::default(),
            left: Vec::new(),
            failed: HashSet::new(),
        })
    }

    fn store(&mut self, store: usize) -> Option<&mut MountedStore> {
        self.stores.get_mut(store)?.as_mut()
    }

    /// Calls that opening a file of a store takes, one after the other. It has the number `at_server` there. The first call has the server find it.
    pub fn open(&mut self, store: usize, (file, at_server): (u32, u32)) -> [Option<FileCall>; 2] {
        let Some(mounted) = self.store(store) else {
            return [None; 2];
        };
        let [first, second] = mounted.mount.open(file);
        let finding = mounted.inodes.map(|inodes| Work::Read {
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

    /// The call that closing it takes.
    pub fn close(&mut self, store: usize, file: u32) -> Option<FileCall> {
        self.store(store)?.mount.close(file)
    }

    /// Makes a call of a store; the number by which it is sent.
    pub fn make(&mut self, now: Time, store: usize, (of, awaited): (FileCall, Awaited)) -> u32 {
        let mounted = self.store(store).map(|it| (it.server, it.transport));
        let (server, transport) = mounted.unwrap_or((0, Transport::TCP));
        self.made.add(Call {
            web: self.web,
            server,
            store,
            transport,
            of,
            awaited,
            made: now,
        })
    }

    /// Makes the calls that bring what a page cache has asked for; adds their numbers to `to`.
    pub fn ask(&mut self, now: Time, transfer: RemoteTransfer, to: &mut Vec<u32>) {
        let (store, number) = (transfer.store as usize, transfer.number);
        let Some(mounted) = self.store(store) else {
            return;
        };
        let behind = mounted
            .files
            .partition_point(|it| it.start <= transfer.offset);
        let Some(file) = behind.checked_sub(1).map(|place| mounted.files[place]) else {
            return;
        };
        let offset = transfer.offset - file.start;
        let bytes = transfer.bytes.min(file.bytes.saturating_sub(offset));
        let calls: Vec<FileCall> = mounted
            .mount
            .read(file.at_server, (offset, bytes))
            .collect();
        let place = number as usize;
        if place >= self.left.len() {
            self.left.resize(place + 1, 0);
        }
        self.left[place] = calls.len() as u32;
        for call in calls {
            to.push(self.make(now, store, (call, Awaited::Transfer(number))));
        }
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
        let mounted = self.store(store).map(|it| it.mount.write(at_server, bytes));
        let calls: Vec<FileCall> = mounted.into_iter().flatten().collect();
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
        let mounted = self.store(store);
        let Some(call) = mounted.and_then(|it| it.mount.commit(at_server)) else {
            return false;
        };
        to.push(self.make(now, store, (call, Awaited::Log)));
        true
    }

    /// Takes a call that is to be sent now. Nothing where it has to wait until others are answered.
    pub fn send(&mut self, number: u32) -> Option<Call> {
        let call = *self.made.of(number);
        if let Some(mounted) = self.store(call.store)
            && !mounted.may_send(number, call.of.is_in_turn)
        {
            return None;
        }
        Some(self.made.remove(number))
    }

    /// A call is answered; those to be sent that have waited for that.
    pub fn answered(&mut self, call: &Call) -> Vec<u32> {
        let mounted = self.store(call.store);
        mounted.map_or_else(Vec::new, |it| it.answered(call.of.is_in_turn))
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

/// Files that lie one behind the other.
fn placed<'f>(files: impl Iterator<Item = &'f MountedFile>) -> Vec<Placed> {
    let mut start = 0;
    let mut placed = Vec::new();
    for file in files.filter(|it| it.bytes > 0) {
        placed.push(Placed {
            start,
            bytes: file.bytes,
            at_server: file.at_server,
        });
        start += file.bytes.div_ceil(PAGE_BYTES) * PAGE_BYTES;
    }
    placed
}
