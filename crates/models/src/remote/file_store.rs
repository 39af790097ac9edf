//! A store on other machines, of whatever protocol, as the machines that have it mounted use it.

use std::vec::Drain;

use super::cluster::ClusterFiles;
use super::event::RemoteEvent;
use super::nfs::{RemoteResult, RemoteStore};
use super::pvfs::{Naming, ParallelFiles};
use crate::calendar::Calendar;
use crate::machine::Machine;

/// A store on other machines.
pub(crate) enum FileStore {
    /// On a file server, by NFS.
    Nfs(Box<RemoteStore>),
    /// On several, by PVFS 1 or as OrangeFS.
    Parallel(Box<ParallelFiles>),
    /// On several whose clients cache: by Lustre, GlusterFS or MooseFS.
    Cluster(Box<ClusterFiles>),
}

impl FileStore {
    /// What is told of it as settings.
    pub fn settings(&self) -> Vec<(String, String)> {
        match self {
            Self::Nfs(it) => it.settings().into(),
            Self::Parallel(it) => it.settings(),
            Self::Cluster(it) => it.settings(),
        }
    }

    /// Its servers have all of a file in memory, as far as it fits; of each client the one of this number.
    pub fn fill(&mut self, file: u32) {
        match self {
            Self::Nfs(it) => it.fill(file),
            Self::Parallel(it) => it.fill(file),
            Self::Cluster(it) => it.fill(file),
        }
    }

    /// A file is new, and nothing of it has data; of each client the one of this number.
    pub fn empty(&mut self, file: u32) {
        match self {
            Self::Nfs(it) => it.empty(file),
            Self::Parallel(it) => it.empty(file),
            Self::Cluster(it) => it.empty(file),
        }
    }

    /// Begins what the storage of a client has asked for.
    #[inline]
    pub fn send<W>(
        &mut self,
        now_ns: u64,
        client: u32,
        machines: &mut [Machine<W>],
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        match self {
            Self::Nfs(it) => it.send(now_ns, client, &mut machines[client as usize], calendar),
            Self::Parallel(it) => it.send(now_ns, client, machines, calendar),
            Self::Cluster(it) => it.send(now_ns, client, machines, calendar),
        }
    }

    /// Something takes place at a client, a server or between them; the clients whose transfers are over, with these. All are of one client.
    pub fn handle<W>(
        &mut self,
        now_ns: u64,
        event: RemoteEvent,
        machines: &mut [Machine<W>],
        calendar: &mut impl Calendar<RemoteEvent>,
    ) -> Drain<'_, (u32, u32)> {
        match self {
            Self::Nfs(it) => it.handle(now_ns, event, machines, calendar),
            Self::Parallel(it) => it.handle(now_ns, event, machines, calendar),
            Self::Cluster(it) => it.handle(now_ns, event, machines, calendar),
        }
    }

    /// A client opens a file. Whoever opens it does not wait.
    pub fn open<W>(
        &mut self,
        now_ns: u64,
        (client, file): (u32, u32),
        writes: bool,
        machines: &mut [Machine<W>],
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        match self {
            Self::Nfs(it) => {
                let processors = &mut machines[client as usize].processors;
                it.open(now_ns, (client, file), writes, processors, calendar);
            }
            Self::Parallel(it) => it.open(now_ns, (client, file), machines, calendar),
            Self::Cluster(it) => {
                it.begin_naming(now_ns, (client, file), Naming::Open, machines, calendar);
            }
        }
    }

    /// A client closes a file.
    pub fn close<W>(
        &mut self,
        now_ns: u64,
        (client, file): (u32, u32),
        writes: bool,
        machines: &mut [Machine<W>],
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        match self {
            Self::Nfs(it) => {
                let processors = &mut machines[client as usize].processors;
                it.close(now_ns, (client, file), writes, processors, calendar);
            }
            Self::Parallel(it) => it.close(now_ns, (client, file), machines, calendar),
            Self::Cluster(it) => {
                it.begin_naming(now_ns, (client, file), Naming::Close, machines, calendar);
            }
        }
    }

    /// A file was read through a client's page cache.
    #[inline]
    pub fn note_read<W>(
        &mut self,
        now_ns: u64,
        (client, file): (u32, u32),
        machines: &mut [Machine<W>],
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        match self {
            Self::Nfs(it) => {
                let processors = &mut machines[client as usize].processors;
                it.note_read(now_ns, (client, file), processors, calendar);
            }
            // It is read past that; or what clients have in memory holds for as long as they know.
            Self::Parallel(_) | Self::Cluster(_) => {}
        }
    }

    /// Whether calls are under way.
    pub fn has_calls(&self) -> bool {
        match self {
            Self::Nfs(it) => it.has_calls(),
            Self::Parallel(it) => it.has_calls(),
            Self::Cluster(it) => it.has_calls(),
        }
    }

    /// Forgets what was counted, not what is in memory or under way.
    pub fn count_anew(&mut self, now_ns: u64) {
        match self {
            Self::Nfs(it) => it.count_anew(now_ns),
            Self::Parallel(it) => it.count_anew(now_ns),
            Self::Cluster(it) => it.count_anew(now_ns),
        }
    }

    /// What it came to up to `now_ns`, since it is counted.
    pub fn result(&self, now_ns: u64) -> RemoteResult {
        match self {
            Self::Nfs(it) => it.result(now_ns),
            Self::Parallel(it) => it.result(now_ns),
            Self::Cluster(it) => it.result(now_ns),
        }
    }
}
