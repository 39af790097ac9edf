//! A client of NFS as Linux 6.1 is one: what it has cached, and the calls that it makes.
//!
//! Every call is made where the kernel makes it, and counted under its own name. Files beside this one have what programs ask: paths
//! (`walk.rs`), names (`naming.rs`), opens (`opens.rs`), content (`content.rs`). Followed are `fs/nfs/dir.c`, `inode.c`, `file.c`,
//! `read.c`, `write.c`, `pagelist.c`, `direct.c`, `nfs3proc.c`, `nfs4proc.c` and `delegation.c`.

use std::collections::{BTreeMap, HashMap};

use super::attributes::{Attributes, Circumstances};
use super::flusher::Flusher;
use super::mount::Mount;
use super::open_owner::{LEASE_NS, OpenOwner};
use super::pages::Pages;
use super::server::{DiskWork, FileId, ROOT, Server};
use super::timer::fires_ns;
use super::wire::{AccessTime, Handle, Message, Wire};
use crate::read_ahead::OnDemand;
use crate::remote::Opening;
use crate::remote::connection::{BothWays, Connection, Line};
use crate::remote::transport::Protocol;

/// How soon the client looks again at the earliest (`nfs4_schedule_state_renewal`, `fs/nfs/nfs4renewd.c`), nanoseconds.
const LEAST_RENEWAL_NS: u64 = 5_000_000_000;

/// A name of a folder as a client has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    /// What has it; none where the server said that nothing has.
    pub target: Option<FileId>,
    /// The folder's [`Attributes::verifier`] when that was learnt.
    pub verifier: u64,
    /// The file had a delegation then, so that it holds until that is given back.
    pub is_delegated: bool,
}

/// How often a file is open at a client, and what the server knows of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Opens {
    pub readers: u32,
    pub writers: u32,
    /// The server has it as open for reading.
    pub told_reading: bool,
    /// And for writing.
    pub told_writing: bool,
}

/// What a client has of a file or folder.
#[derive(Clone, Debug)]
pub(super) struct Inode {
    pub handle: Handle,
    pub is_folder: bool,
    pub attributes: Attributes,
    pub pages: Pages,
    /// Bytes that the server has, and may not have on its disk.
    pub uncommitted_bytes: u64,
    /// Since when the kernel has it among those with something to write (`dirtied_when`).
    pub dirtied_ns: Option<u64>,
    pub opens: Opens,
    /// A delegation of reading.
    pub is_delegated: bool,
    /// It was used since the client last looked.
    pub is_referenced: bool,
    /// Names of a folder.
    pub names: HashMap<String, Name>,
    /// All names of the folder are cached as it was read last.
    pub is_listed: bool,
    /// The folder's default access list is known.
    pub has_default_list: bool,
    /// It was given another name when it was removed while open: to be removed when it is closed.
    pub removed: Option<(FileId, String)>,
}

/// A file that is open, by the path that it was opened by.
#[derive(Clone, Debug)]
pub(super) struct OpenedFile {
    pub id: FileId,
    pub opening: Opening,
    pub position: u64,
    pub read_ahead: OnDemand,
}

/// A client.
#[derive(Debug)]
pub struct Client {
    /// Its number.
    me: usize,
    pub(super) mount: Mount,
    pub(super) wire: Wire,
    /// What has passed its link.
    pub(super) connection: Connection,
    /// The calls, by name.
    calls: BTreeMap<&'static str, u64>,
    pub(super) now_ns: u64,
    pub(super) inodes: HashMap<FileId, Inode>,
    pub(super) opened: HashMap<String, OpenedFile>,
    /// Pages that were read, and those of them that were in memory.
    pub(super) asked_pages: u64,
    pub(super) found_pages: u64,
    /// How many files it has removed while they were open.
    pub(super) removed_open: u64,
    pub(super) flusher: Flusher,
    /// Of version 4.0.
    pub(super) owner: OpenOwner,
    renewed_ns: u64,
    next_renewal_ns: u64,
}

impl Client {
    /// One that has just mounted what `server` exports.
    pub fn new(me: usize, mount: Mount, line: Line, server: &Server<'_>, now_ns: u64) -> Self {
        let mut client = Self {
            me,
            mount,
            wire: Wire::of(mount),
            connection: match mount.protocol {
                Protocol::Tcp => Connection::new(line),
                Protocol::Udp => Connection::of_datagrams(line),
            },
            calls: BTreeMap::new(),
            now_ns,
            inodes: HashMap::new(),
            opened: HashMap::new(),
            asked_pages: 0,
            found_pages: 0,
            removed_open: 0,
            flusher: Flusher::default(),
            owner: OpenOwner::default(),
            renewed_ns: now_ns,
            next_renewal_ns: fires_ns(now_ns, LEASE_NS * 2 / 3),
        };
        client.learn(server, ROOT);
        client
    }

    /// Its time, nanoseconds.
    pub fn now_ns(&self) -> u64 {
        self.now_ns
    }

    /// It does nothing until then.
    pub(super) fn wait_until(&mut self, now_ns: u64) {
        self.now_ns = self.now_ns.max(now_ns);
    }

    /// Calls, by the name that `nfsstat -c` has for each.
    pub fn calls(&self) -> &BTreeMap<&'static str, u64> {
        &self.calls
    }

    /// How it has mounted it.
    pub fn mount(&self) -> Mount {
        self.mount
    }

    /// Its number.
    pub(super) fn me(&self) -> usize {
        self.me
    }

    /// Begins a call. When its answer is there.
    pub(super) fn begin(
        &mut self,
        server: &mut Server<'_>,
        message: Message,
        work: DiskWork,
    ) -> u64 {
        *self.calls.entry(message.name).or_default() += 1;
        self.exchange(server, message, work)
    }

    /// As [`Client::begin`], of a call that nobody counts.
    pub(super) fn exchange(
        &mut self,
        server: &mut Server<'_>,
        message: Message,
        work: DiskWork,
    ) -> u64 {
        let arrives_ns = self.connection.send(self.now_ns, message.call_bytes);
        let answered_ns = server.answer(arrives_ns, work);
        // With a session every call renews the lease.
        if !self.mount.has_owners() || message.renews_lease() {
            self.renewed_ns = self.now_ns;
        }
        self.connection.receive(answered_ns, message.answer_bytes)
    }

    /// Makes a call and waits for its answer.
    pub(super) fn call(&mut self, server: &mut Server<'_>, message: Message) {
        self.now_ns = self.begin(server, message, DiskWork::None);
    }

    /// What it has of a file or folder. Whoever has a number has learnt of it; otherwise nothing is known of it.
    pub(super) fn inode(&mut self, id: FileId) -> &mut Inode {
        self.inodes.entry(id).or_insert_with(Inode::nothing)
    }

    /// What it knows of attributes.
    pub(super) fn attributes(&mut self, id: FileId) -> &mut Attributes {
        &mut self.inode(id).attributes
    }

    /// Whether the time of the last access is known.
    pub(super) fn access_time(&mut self, id: FileId) -> AccessTime {
        match self.attributes(id).access_time_unknown {
            true => AccessTime::Unknown,
            false => AccessTime::Known,
        }
    }

    /// The handle by which the server knows it.
    pub(super) fn handle(&mut self, id: FileId) -> Handle {
        self.inode(id).handle
    }

    /// Whether attributes are too old; those of a file with a delegation never are (`nfs_attribute_cache_expired`).
    pub(super) fn has_expired(&mut self, id: FileId) -> bool {
        let now_ns = self.now_ns;
        let inode = self.inode(id);
        !inode.is_delegated && inode.attributes.have_expired(now_ns)
    }

    /// An answer has the attributes of a file or folder.
    pub(super) fn learn(&mut self, server: &Server<'_>, id: FileId) {
        self.learn_of(server, id, None, false);
    }

    /// The same, with only those attributes by which a change is seen.
    pub(super) fn learn_partly(&mut self, server: &Server<'_>, id: FileId) {
        self.learn_of(server, id, None, true);
    }

    /// The same, where the answer is that of a change of its own, with the change attribute before it.
    pub(super) fn learn_after(&mut self, server: &Server<'_>, id: FileId, before: Option<u64>) {
        self.learn_of(server, id, before, false);
    }

    fn learn_of(&mut self, server: &Server<'_>, id: FileId, before: Option<u64>, is_partial: bool) {
        let now_ns = self.now_ns;
        let reported = server.report(id);
        let is_folder = server.is_folder(id);
        let (least_ns, most_ns) = self.mount.attributes_ns(is_folder);
        let Some(inode) = self.inodes.get_mut(&id) else {
            let attributes = Attributes::new(reported, least_ns, now_ns);
            let handle = if id == ROOT {
                Handle::Root
            } else {
                Handle::Inner
            };
            self.inodes
                .insert(id, Inode::new(handle, is_folder, attributes));
            return;
        };
        let of = Circumstances {
            is_folder,
            has_writers: inode.opens.writers > 0,
            has_dirty: inode.pages.have_dirty() || inode.uncommitted_bytes > 0,
            is_delegated: inode.is_delegated,
            is_partial,
            least_ns,
            most_ns,
        };
        inode.attributes.refresh(reported, before, of, now_ns);
    }

    /// Asks for attributes (`__nfs_revalidate_inode`, `fs/nfs/inode.c`). Whether it is still there.
    pub(super) fn revalidate(&mut self, server: &mut Server<'_>, id: FileId) -> bool {
        let handle = self.handle(id);
        if server.is_gone(id) && !self.is_told_open(id) {
            self.call(server, self.wire.getattr_of_nothing(handle));
            return false;
        }
        self.call(server, self.wire.getattr(handle));
        self.learn(server, id);
        true
    }

    /// Whether the server has a file as opened by the client, which keeps it there.
    pub(super) fn is_told_open(&mut self, id: FileId) -> bool {
        let inode = self.inode(id);
        inode.opens.told_reading || inode.opens.told_writing || inode.is_delegated
    }

    /// The same if it is not known whether it has changed (`nfs_mapping_need_revalidate_inode`).
    pub(super) fn revalidate_if_needed(&mut self, server: &mut Server<'_>, id: FileId) {
        if self.attributes(id).change_unknown || self.has_expired(id) {
            self.revalidate(server, id);
        }
    }

    /// A change of a folder that the client has made, of which `before` is the change attribute before it. Answers of version 3 have
    /// the folder's attributes, those of version 4 only the change (`nfs4_update_changeattr`). Those of version 2 have neither, so that it
    /// cannot tell its own change from others' (`nfs_mark_for_revalidate`).
    pub(super) fn has_changed_folder(&mut self, server: &Server<'_>, folder: FileId, before: u64) {
        if self.mount.is_v2() {
            let attributes = self.attributes(folder);
            attributes.change_unknown = true;
            attributes.content_unknown = true;
            return;
        }
        if !self.mount.is_v4() {
            self.attributes(folder).content_unknown = true;
            self.learn_after(server, folder, Some(before));
            return;
        }
        let (least_ns, _) = self.mount.attributes_ns(true);
        let (now_ns, after) = (self.now_ns, server.report(folder).change);
        self.attributes(folder)
            .changed_by_client(before, after, least_ns, now_ns);
    }

    /// Gives back the delegation of a file, if there is one (`nfs4_proc_delegreturn`).
    pub(super) fn return_delegation(&mut self, server: &mut Server<'_>, id: FileId) {
        if self.inode(id).is_delegated {
            self.give_back(server, id);
            self.learn(server, id);
        }
    }

    /// DELEGRETURN.
    fn give_back(&mut self, server: &mut Server<'_>, id: FileId) {
        let time = self.access_time(id);
        self.call(server, self.wire.return_delegation(time));
        server.take_back(id, self.me);
        self.inode(id).is_delegated = false;
        self.forget_delegated_names(id);
    }

    /// Names that held because of a delegation no longer do (`nfs_clear_verifier_delegated`, `fs/nfs/dir.c`).
    fn forget_delegated_names(&mut self, id: FileId) {
        let names = self
            .inodes
            .values_mut()
            .flat_map(|it| it.names.values_mut());
        for name in names.filter(|name| name.target == Some(id)) {
            name.is_delegated = false;
        }
    }

    /// Gives back the delegations that the server has called back since the last time.
    pub fn follow_recalls(&mut self, server: &mut Server<'_>) {
        for id in server.recalls_of(self.me) {
            let (called_bytes, answered_bytes) = self.wire.recall();
            self.now_ns = self.connection.receive(self.now_ns, called_bytes);
            self.connection.send(self.now_ns, answered_bytes);
            if self.inode(id).is_delegated {
                self.give_back(server, id);
                // Nothing has changed yet: who wants to change it waits for this.
                let now_ns = self.now_ns;
                self.attributes(id).are_unchanged(now_ns);
            }
        }
    }

    /// What is done in the background until `until_ns`: dirty pages are written, the lease is renewed, delegations that nobody uses
    /// are given back (`nfs4_renew_state`, `fs/nfs/nfs4renewd.c`).
    pub fn sleep_until(&mut self, server: &mut Server<'_>, until_ns: u64) {
        loop {
            let written_ns = self.flusher.wakes_ns();
            let renewal_ns = match self.mount.is_v4() {
                true => self.next_renewal_ns,
                false => u64::MAX,
            };
            let next_ns = written_ns.min(renewal_ns);
            if next_ns > until_ns {
                break;
            }
            self.wait_until(next_ns);
            match written_ns <= renewal_ns {
                true => self.write_back(server),
                false => self.renew(server),
            }
        }
        self.wait_until(until_ns);
    }

    fn renew(&mut self, server: &mut Server<'_>) {
        let is_due = self.now_ns > self.renewed_ns.saturating_add(LEASE_NS / 3);
        // Version 4.0 asks in this way whether delegations can still be called back (`NFS4_RENEW_DELEGATION_CB`).
        let asks = self.mount.has_owners() && self.inodes.values().any(|it| it.is_delegated);
        if is_due || asks {
            self.call(server, self.wire.renewal());
        }
        let unused = self.inodes.iter_mut();
        let unused = unused.filter(|(_, inode)| inode.is_delegated);
        let mut unused: Vec<FileId> = unused
            .filter_map(|(id, inode)| {
                let was_used = std::mem::take(&mut inode.is_referenced);
                let is_open = inode.opens.readers > 0;
                (!was_used && !is_open).then_some(*id)
            })
            .collect();
        unused.sort_unstable();
        for id in unused {
            self.return_delegation(server, id);
        }
        let next_ns = self.renewed_ns.saturating_add(LEASE_NS * 2 / 3);
        let delay_ns = next_ns.saturating_sub(self.now_ns).max(LEAST_RENEWAL_NS);
        self.next_renewal_ns = fires_ns(self.now_ns, delay_ns);
    }

    /// Unmounts, which writes and gives back all, and mounts anew, which is not counted.
    ///
    /// # Errors
    /// A file that is open.
    pub fn mount_anew(&mut self, server: &mut Server<'_>) -> Result<(), String> {
        if let Some(path) = self.opened.keys().min() {
            return Err(format!("{path} is open; close it before"));
        }
        let mut ids: Vec<FileId> = self.inodes.keys().copied().collect();
        ids.sort_unstable();
        for id in ids {
            self.flush(server, id);
            self.return_delegation(server, id);
        }
        self.inodes.clear();
        self.flusher = Flusher::default();
        self.owner = OpenOwner::default();
        self.learn(server, ROOT);
        Ok(())
    }

    /// Ends: acknowledgements that wait are sent.
    pub fn end(&mut self) {
        self.connection.settle(u64::MAX);
        self.connection.stay_idle(self.now_ns);
    }

    /// Bytes on its link, with headers of IP and TCP.
    pub fn link_bytes(&self) -> BothWays {
        self.connection.bytes
    }

    /// Packets on its link.
    pub fn link_packets(&self) -> BothWays {
        self.connection.packets
    }

    /// Pages that were read, and those of them that were in memory then.
    pub fn pages(&self) -> (u64, u64) {
        (self.asked_pages, self.found_pages)
    }
}

impl Inode {
    fn new(handle: Handle, is_folder: bool, attributes: Attributes) -> Self {
        Self {
            handle,
            is_folder,
            attributes,
            pages: Pages::default(),
            uncommitted_bytes: 0,
            dirtied_ns: None,
            opens: Opens::default(),
            is_delegated: false,
            is_referenced: false,
            names: HashMap::new(),
            is_listed: false,
            has_default_list: false,
            removed: None,
        }
    }

    /// Of what nothing was learnt.
    fn nothing() -> Self {
        let attributes = Attributes::new(Default::default(), 0, 0);
        Self::new(Handle::Inner, false, attributes)
    }
}
