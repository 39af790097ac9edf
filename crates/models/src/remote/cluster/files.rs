//! A file system on several servers as the storage of its clients asks for it: each transfer is a read or a write of a file.

use std::vec::Drain;

use super::call::NONE;
use super::store::{ClusterStore, Wanted};
use super::system::ClusterSystem;
use crate::block::RemoteTransfer;
use crate::calendar::Calendar;
use crate::machine::Machine;
use crate::remote::event::RemoteEvent;
use crate::remote::nfs::RemoteResult;
use crate::remote::pvfs::Naming;
use crate::remote::starts::Starts;
use crate::storage::StorageError;

/// Files on several servers. What clients have in memory is in their storage.
pub(crate) struct ClusterFiles {
    store: ClusterStore,
    starts: Starts,
    /// Kept empty, so that a transfer allocates nothing.
    asked: Vec<RemoteTransfer>,
}

impl ClusterFiles {
    /// As [`ClusterStore::new`] has them.
    ///
    /// # Errors
    /// As there.
    pub fn new(system: &ClusterSystem<'_>, sizes: &[u64], seed: u64) -> Result<Self, StorageError> {
        Ok(Self {
            starts: Starts::of(sizes.iter().copied()),
            store: ClusterStore::new(system, (sizes, false), seed)?,
            asked: Vec::new(),
        })
    }

    /// What is told of it as settings.
    pub fn settings(&self) -> Vec<(String, String)> {
        self.store.settings()
    }

    /// The servers have all of a file in memory, as far as it fits.
    pub fn fill(&mut self, file: u32) {
        self.store.fill(file);
    }

    /// A file is new, and nothing of it has data.
    pub fn empty(&mut self, file: u32) {
        self.store.empty(file);
    }

    /// Begins what a client's storage has asked for.
    #[inline]
    pub fn send<W>(
        &mut self,
        now_ns: u64,
        client: u32,
        machines: &mut [Machine<W>],
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let storage = &mut machines[client as usize].storage;
        storage.take_remote(&mut self.asked);
        let mut asked = std::mem::take(&mut self.asked);
        for transfer in asked.drain(..) {
            let (file, start) = self.starts.place(transfer.offset);
            let end = (start + transfer.bytes).min(self.store.size(file));
            let wanted = Wanted {
                file,
                bytes: start.min(end)..end,
                writes: transfer.writes,
                is_direct: false,
            };
            let user = (client, transfer.number);
            self.store
                .begin_access(now_ns, user, wanted, machines, calendar);
        }
        self.asked = asked;
    }

    /// Something takes place at a client, a server or between them; the clients whose transfers are over, with these. All are of one client.
    pub fn handle<W>(
        &mut self,
        now_ns: u64,
        event: RemoteEvent,
        machines: &mut [Machine<W>],
        calendar: &mut impl Calendar<RemoteEvent>,
    ) -> Drain<'_, (u32, u32)> {
        self.store.handle(now_ns, event, machines, calendar)
    }

    /// A file is opened or closed. Whoever does that does not wait.
    pub fn begin_naming<W>(
        &mut self,
        now_ns: u64,
        (client, file): (u32, u32),
        naming: Naming,
        machines: &mut [Machine<W>],
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let (user, wanted) = ((client, NONE), (file, naming));
        self.store
            .begin_naming(now_ns, user, wanted, machines, calendar);
    }

    /// Whether calls are under way.
    pub fn has_calls(&self) -> bool {
        self.store.has_calls()
    }

    /// Forgets what was counted, not what is in memory or under way.
    pub fn count_anew(&mut self, now_ns: u64) {
        self.store.count_anew(now_ns);
    }

    /// What it came to up to `now_ns`, since it is counted.
    pub fn result(&self, now_ns: u64) -> RemoteResult {
        self.store.result(now_ns)
    }
}
