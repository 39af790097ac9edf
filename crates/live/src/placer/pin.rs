//! Files locked in the page cache where they are: one copy, no other path, writes in place are seen at once.

use super::{Candidate, CountedAs, Placer};
use crate::context::Context;
use crate::worker::{Worker, WorkerGone};
use crate::{Identity, LiveError, Refusal, ResolvedFile, Server};
use hotset_machine::cgroup::MemoryGroup;
use hotset_machine::{ProcessIdentity, Residency, cachestat, is_charged_to, namespace};
use rustix::fs::{Advice, fadvise, fdatasync};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use std::collections::HashSet;
use std::fs::{self, File};
use std::os::fd::{AsFd, BorrowedFd};

/// How often a file is locked anew that has another size afterwards.
const ATTEMPTS: usize = 3;
/// Mappings that a worker needs for itself: its program, libraries, heap and stacks. 40 were seen (/proc/PID/maps).
const OWN_MAPS: usize = 256;
/// The kernel's default (`DEFAULT_MAX_MAP_COUNT`), where it does not tell.
const DEFAULT_MAPS: usize = 65_530;

/// Workers without files that a group of version 1 has beside holders. A holder that is killed because the group is too full
/// counts as gone before its memory is free: the kernel lets go of pages only after it has marked the process
/// (`exit_mmap`, `MMF_OOM_SKIP`). If it has to kill again meanwhile, these go, and not the server.
const RESERVES: usize = 2;

/// A worker and the numbers of the files that it holds.
struct Holder<'l> {
    worker: Worker<'l>,
    numbers: HashSet<u64>,
}

/// Locks files in place.
pub(crate) struct Pin<'l> {
    context: Context<'l>,
    group: Option<MemoryGroup>,
    /// Files that a holder can have mapped.
    capacity: usize,
    holders: Vec<Holder<'l>>,
    reserves: Vec<Worker<'l>>,
    lost: Vec<u64>,
}

impl<'l> Pin<'l> {
    /// Holds what it is given in the name of `group`.
    pub fn new(context: Context<'l>, group: Option<MemoryGroup>) -> Self {
        Self {
            context,
            group,
            capacity: maps().saturating_sub(OWN_MAPS).max(1),
            holders: Vec::new(),
            reserves: Vec::new(),
            lost: Vec::new(),
        }
    }

    /// A holder that has a mapping left, which is in the server's group.
    fn holder(&mut self) -> Result<usize, LiveError> {
        let has_room = |holder: &Holder| holder.numbers.len() < self.capacity;
        if let Some(at) = self.holders.iter().position(has_room) {
            self.holders[at].worker.go_to_work()?;
            return Ok(at);
        }
        let Context { ledger, worker, .. } = self.context;
        self.holders.push(Holder {
            worker: Worker::start(ledger, worker, self.group.as_ref())?,
            numbers: HashSet::new(),
        });
        Ok(self.holders.len() - 1)
    }

    fn lock(&mut self, number: u64, file: &File, bytes: u64) -> Result<(), Refusal> {
        // The second try is for a holder that died before: the group may have been too full for a moment.
        for _ in 0..2 {
            let at = self
                .holder()
                .map_err(|error| Refusal::Unsuited(format!("no process can hold it: {error}")))?;
            match self.holders[at].worker.lock(number, file.as_fd(), bytes) {
                Ok(Ok(())) => {
                    self.holders[at].numbers.insert(number);
                    return Ok(());
                }
                Ok(Err(error)) => return Err(refused(error)),
                Err(WorkerGone) => self.bury(at),
            }
        }
        Err(Refusal::Unsuited(
            "the process that locks it is killed: the server's memory group is too full".to_owned(),
        ))
    }

    /// Starts the reserves that are missing. Holders of version 2 leave the group, and so need none.
    fn fill_reserves(&mut self) {
        let group = self.group.as_ref().filter(|group| !group.is_unified());
        if self.holders.is_empty() || group.is_none() {
            self.reserves.clear();
            return;
        }
        let Context { ledger, worker, .. } = self.context;
        while self.reserves.len() < RESERVES {
            match Worker::start(ledger, worker, group) {
                Ok(worker) => self.reserves.push(worker),
                // Files are held without it, too.
                Err(_) => return,
            }
        }
    }

    fn bury(&mut self, at: usize) {
        let holder = self.holders.swap_remove(at);
        self.lost.extend(holder.numbers);
    }

    /// Has a file read anew by whoever reads it next, so that its memory is charged to them. Pages that a process has mapped
    /// stay where they are. What the server has read itself is charged to its group already, and costs no reading.
    fn evict(&self, file: &File) -> Result<(), Refusal> {
        let Some(group) = &self.group else {
            return Ok(());
        };
        let cached = cachestat::of_open_file(file).ok();
        let is_absent = cached.is_some_and(|pages| pages.cached == 0);
        if is_absent || is_in_memory_of(file, group) {
            return Ok(());
        }
        let is_clean = cached.is_some_and(|pages| pages.dirty + pages.writeback == 0);
        // Changed pages cannot be evicted before they are written.
        let written = if is_clean { Ok(()) } else { fdatasync(file) };
        written
            .and_then(|()| fadvise(file, 0, None, Advice::DontNeed))
            .map_err(Refusal::system("evict"))
    }

    fn attempt(&mut self, number: u64, found: &ResolvedFile) -> Result<Option<Identity>, Refusal> {
        let file = found.open()?;
        let look = || Identity::of(&file).map_err(Refusal::system("look up"));
        let before = look()?;
        self.evict(&file)?;
        self.lock(number, &file, before.size_bytes)?;
        let after = look()?;
        if after.size_bytes == before.size_bytes {
            return Ok(Some(after));
        }
        self.release(number);
        Ok(None)
    }
}

impl Placer for Pin<'_> {
    fn place(&mut self, file: &Candidate) -> Result<Identity, Refusal> {
        for _ in 0..ATTEMPTS {
            match self.attempt(file.number, file.found) {
                Ok(Some(identity)) => return Ok(identity),
                // It was cut short while it was being locked: the kernel cannot lock what is beyond its end.
                Err(_) if has_changed(file.found) => {}
                Ok(None) => {}
                Err(refusal) => return Err(refusal),
            }
        }
        Err(Refusal::Changing)
    }

    fn release(&mut self, number: u64) {
        let holds = |holder: &Holder| holder.numbers.contains(&number);
        let Some(at) = self.holders.iter().position(holds) else {
            return;
        };
        self.holders[at].numbers.remove(&number);
        if self.holders[at].worker.unlock(number).is_err() {
            self.bury(at);
        } else if self.holders[at].numbers.is_empty() {
            self.holders.swap_remove(at);
        }
    }

    fn move_to(&mut self, server: &Server) -> Result<(), LiveError> {
        self.holders.clear();
        self.reserves.clear();
        self.lost.clear();
        self.group.clone_from(&server.group);
        Ok(())
    }

    fn take_lost(&mut self) -> Vec<u64> {
        while let Some(at) = (self.holders.iter()).position(|holder| holder.worker.is_gone()) {
            self.bury(at);
        }
        self.reserves.retain(|worker| !worker.is_gone());
        std::mem::take(&mut self.lost)
    }

    fn counted_as(&self) -> CountedAs {
        CountedAs::Unevictable
    }

    fn settle(&mut self) {
        for holder in &self.holders {
            // Its group is gone with the server; the next look at the server finds out.
            let _stays = holder.worker.go_home();
        }
        self.fill_reserves();
    }

    fn workers(&self) -> Vec<ProcessIdentity> {
        let holders = self.holders.iter().map(|holder| &holder.worker);
        let workers = holders.chain(&self.reserves);
        workers.map(|worker| worker.identity().clone()).collect()
    }

    fn holder(&self, number: u64) -> Option<u32> {
        let holds = |holder: &&Holder| holder.numbers.contains(&number);
        let holder = self.holders.iter().find(holds)?;
        Some(holder.worker.identity().pid)
    }

    fn sockets(&self) -> Vec<BorrowedFd<'_>> {
        let holders = self.holders.iter().map(|holder| &holder.worker);
        let workers = holders.chain(&self.reserves);
        workers.map(|worker| worker.as_fd()).collect()
    }
}

/// Whether all of a file is in memory and charged to the group. Where the kernel does not tell, it is taken not to be.
fn is_in_memory_of(file: &File, group: &MemoryGroup) -> bool {
    Residency::of(file).is_ok_and(Residency::is_whole)
        && is_charged_to(file, group).is_ok_and(|is_charged| is_charged)
}

fn has_changed(found: &ResolvedFile) -> bool {
    Identity::of(found.handle()).is_ok_and(|now| now.size_bytes != found.identity.size_bytes)
}

fn maps() -> usize {
    let limit = fs::read_to_string("/proc/sys/vm/max_map_count");
    limit
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(DEFAULT_MAPS)
}

/// What mlock(2) means by an error.
fn refused(error: Errno) -> Refusal {
    let limit = getrlimit(Resource::Memlock).current;
    match (error, limit) {
        (Errno::PERM | Errno::NOMEM | Errno::AGAIN, Some(limit_bytes)) if !may_lock_all() => {
            Refusal::LockLimit { limit_bytes }
        }
        _ => Refusal::system("lock")(error),
    }
}

/// Whether the limit of locked memory does not count (capabilities(7)). It does for root in a user namespace of its own. Workers
/// have what their guardian has.
fn may_lock_all() -> bool {
    use rustix::thread::{CapabilitySet, capabilities};
    namespace::is_initial_user()
        && capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::IPC_LOCK))
}
