//! A file server: its files and folders, its answers' times, and its delegations.
//!
//! Delegations are given as by Linux 6.1: of reading only, to who opens for reading, where no other client has the file open for writing,
//! and not of a file whose delegation was called back shortly before (`nfs4_set_delegation`, `nfsd4_check_conflicting_opens` and
//! `delegation_blocked`, `fs/nfsd/nfs4state.c`).

use std::collections::{BTreeMap, HashMap};

use hotset_cache::PAGE_BYTES;
use hotset_scenario::Profile;

use super::attributes::Reported;
use super::blocked::Blocked;
use super::pages::{Bytes, PageSet};

/// Number of a file or folder.
pub type FileId = u32;
/// The folder that is exported.
pub const ROOT: FileId = 0;

/// What a server's processors take for a call, nanoseconds. Assumed: nothing was measured of it yet.
const CALL_NS: u64 = 25_000;

/// A file or a folder.
#[derive(Debug, Default)]
struct Content {
    names: Option<BTreeMap<String, FileId>>,
    bytes: u64,
    change: u64,
    /// Pages in the server's memory.
    cached: PageSet,
    /// Clients that have delegations of it.
    delegated: Vec<usize>,
    /// It has no name any more.
    is_gone: bool,
    /// Clients that have it open for writing, each as often as it has.
    writers: Vec<usize>,
}

/// A file server.
#[derive(Debug)]
pub struct Server<'p> {
    profile: &'p Profile,
    contents: Vec<Content>,
    /// Grows with every change of anything.
    changes: u64,
    disk_free_ns: u64,
    /// Delegations that clients have to give back.
    recalls: HashMap<usize, Vec<FileId>>,
    blocked: Blocked,
    /// It answers before what is to be on its disk is there (`async`, `man 5 exports`).
    is_async: bool,
}

/// What a call takes of the server's disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DiskWork {
    /// Nothing.
    #[default]
    None,
    /// These bytes are read if they are not in memory.
    Read(FileId, Bytes),
    /// These bytes are written, and in memory then.
    Write(FileId, Bytes),
    /// So many bytes go to the disk before it answers.
    Sync(u64),
}

impl<'p> Server<'p> {
    /// One that exports an empty folder on a store with the costs of `profile`.
    pub fn new(profile: &'p Profile) -> Self {
        let root = Content {
            names: Some(BTreeMap::new()),
            ..Content::default()
        };
        Self {
            profile,
            contents: vec![root],
            changes: 0,
            disk_free_ns: 0,
            recalls: HashMap::new(),
            blocked: Blocked::default(),
            is_async: false,
        }
    }

    /// The same, which answers before what is to be on its disk is there, if that is so.
    #[must_use]
    pub fn asynchronous(self, is_async: bool) -> Self {
        Self { is_async, ..self }
    }

    fn content(&self, id: FileId) -> &Content {
        &self.contents[id as usize]
    }

    fn content_mut(&mut self, id: FileId) -> &mut Content {
        &mut self.contents[id as usize]
    }

    fn changed(&mut self, id: FileId) {
        self.changes += 1;
        self.contents[id as usize].change = self.changes;
    }

    /// What it says of a file or folder.
    pub fn report(&self, id: FileId) -> Reported {
        let content = self.content(id);
        Reported {
            change: content.change,
            bytes: content.bytes,
        }
    }

    /// Whether it is a folder.
    pub fn is_folder(&self, id: FileId) -> bool {
        self.content(id).names.is_some()
    }

    /// What has a name in a folder.
    pub fn find(&self, folder: FileId, name: &str) -> Option<FileId> {
        self.content(folder).names.as_ref()?.get(name).copied()
    }

    /// Names of a folder and what has them.
    pub fn names(&self, folder: FileId) -> impl Iterator<Item = (&str, FileId)> {
        let names = self.content(folder).names.iter().flatten();
        names.map(|(name, id)| (name.as_str(), *id))
    }

    /// Makes a file or folder where there is none of the name.
    pub fn make(&mut self, folder: FileId, name: &str, is_folder: bool, bytes: u64) -> FileId {
        let id = self.contents.len() as FileId;
        self.contents.push(Content {
            names: is_folder.then(BTreeMap::new),
            bytes,
            ..Content::default()
        });
        self.changed(id);
        if let Some(names) = &mut self.content_mut(folder).names {
            names.insert(name.to_owned(), id);
        }
        self.changed(folder);
        id
    }

    /// Whether handles of it are void (`NFS4ERR_STALE`): its last name was taken away.
    pub fn is_gone(&self, id: FileId) -> bool {
        self.content(id).is_gone
    }

    /// Removes a file.
    pub fn remove(&mut self, folder: FileId, name: &str) {
        if let Some(id) = self.take_name(folder, name) {
            self.content_mut(id).is_gone = true;
        }
    }

    /// Takes a name out of a folder. What had it.
    fn take_name(&mut self, folder: FileId, name: &str) -> Option<FileId> {
        let names = self.content_mut(folder).names.as_mut()?;
        let id = names.remove(name)?;
        self.changed(folder);
        self.changed(id);
        Some(id)
    }

    /// Gives a file or folder another name, in place of what has it.
    pub fn rename(&mut self, from: (FileId, &str), to: (FileId, &str)) {
        let Some(id) = self.take_name(from.0, from.1) else {
            return;
        };
        self.remove(to.0, to.1);
        if let Some(names) = &mut self.content_mut(to.0).names {
            names.insert(to.1.to_owned(), id);
        }
        self.changed(to.0);
    }

    /// Bytes of a file were written.
    pub fn write(&mut self, id: FileId, bytes: &Bytes) {
        let content = self.content_mut(id);
        content.bytes = content.bytes.max(bytes.end);
        self.changed(id);
    }

    /// A file was cut to nothing.
    pub fn empty(&mut self, id: FileId) {
        self.content_mut(id).bytes = 0;
        self.changed(id);
    }

    /// A client has opened it for writing.
    pub fn add_writer(&mut self, id: FileId, client: usize) {
        self.content_mut(id).writers.push(client);
    }

    /// A client that had it open for writing has closed it.
    pub fn take_writer(&mut self, id: FileId, client: usize) {
        let writers = &mut self.content_mut(id).writers;
        if let Some(place) = writers.iter().position(|writer| *writer == client) {
            writers.swap_remove(place);
        }
    }

    /// Gives a client a delegation of reading if that may be. Whether it has one then.
    pub fn delegate(&mut self, id: FileId, client: usize, now_ns: u64) -> bool {
        if self.content(id).delegated.contains(&client) {
            return true;
        }
        let is_blocked = self.blocked.has(id, now_ns);
        let content = self.content_mut(id);
        let is_shared = content.writers.iter().any(|writer| *writer != client);
        let may = !is_shared && !is_blocked;
        if may {
            content.delegated.push(client);
        }
        may
    }

    /// A client gives its delegation back.
    pub fn take_back(&mut self, id: FileId, client: usize) {
        self.content_mut(id).delegated.retain(|it| *it != client);
    }

    /// Calls back the delegations that other clients have. Whether there were any.
    pub fn recall(&mut self, id: FileId, client: usize, now_ns: u64) -> bool {
        let content = self.content_mut(id);
        let others = content.delegated.iter().copied().filter(|it| *it != client);
        let others: Vec<usize> = others.collect();
        if others.is_empty() {
            return false;
        }
        for other in others {
            self.blocked.add(id, now_ns);
            self.recalls.entry(other).or_default().push(id);
        }
        self.content_mut(id).delegated.retain(|it| *it == client);
        true
    }

    /// What a client has to give back since it was last asked.
    pub fn recalls_of(&mut self, client: usize) -> Vec<FileId> {
        self.recalls.remove(&client).unwrap_or_default()
    }

    /// When a call that arrives at `now_ns` is answered.
    pub fn answer(&mut self, now_ns: u64, work: DiskWork) -> u64 {
        let ready_ns = now_ns.saturating_add(CALL_NS);
        let disk_us = match work {
            DiskWork::None => return ready_ns,
            DiskWork::Read(id, bytes) => match self.put_into_memory(id, &bytes) {
                false => return ready_ns,
                true => self.profile.uncached.us(bytes.end - bytes.start),
            },
            DiskWork::Write(id, bytes) => {
                self.put_into_memory(id, &bytes);
                return ready_ns;
            }
            DiskWork::Sync(_) if self.is_async => return ready_ns,
            DiskWork::Sync(bytes) => self.profile.uncached.us(bytes),
        };
        let begins_ns = ready_ns.max(self.disk_free_ns);
        self.disk_free_ns = begins_ns.saturating_add((disk_us * 1e3) as u64);
        self.disk_free_ns
    }

    /// Whether a page of these was not in memory; all are then.
    fn put_into_memory(&mut self, id: FileId, bytes: &Bytes) -> bool {
        let cached = &mut self.content_mut(id).cached;
        let pages = bytes.start / PAGE_BYTES..bytes.end.div_ceil(PAGE_BYTES);
        pages.fold(false, |missing, page| cached.add(page) | missing)
    }
}
