//! Opening and closing (`fs/nfs/file.c`, `dir.c`, `nfs4file.c` and `nfs4proc.c` of Linux 6.1).
//!
//! Versions 2 and 3 know of no opens: a file is looked up or its attributes are asked for (close-to-open). ACCESS of version 3 says what
//! the user may do. Version 4 has OPEN, which does all of that, and CLOSE; a file with a delegation is opened without either.

use hotset_cache::PAGE_BYTES;

use super::client::{Client, OpenedFile};
use super::server::{FileId, Server};
use super::walk::{Intent, Known, last_name};
use super::wire::Message;
use crate::read_ahead::{Advice, OnDemand};
use crate::remote::{Access, Opening};

/// What the kernel reads ahead at most (`VM_READAHEAD_PAGES`, `include/linux/mm.h`); a mount takes the default.
const READ_AHEAD_BYTES: u64 = 128 << 10;
/// How long a client waits until it asks again (`NFS4_POLL_RETRY_MIN`, `fs/nfs/nfs4_fs.h`), nanoseconds.
pub(super) const RETRY_NS: u64 = 100_000_000;

impl Client {
    /// Opens a file. Whether it is there.
    ///
    /// # Errors
    /// A path that is open already, and one that leads to a folder.
    pub fn open(
        &mut self,
        server: &mut Server<'_>,
        path: &str,
        opening: Opening,
    ) -> Result<bool, String> {
        if self.opened.contains_key(path) {
            return Err(format!("{path} is open; close it before"));
        }
        let Some(folder) = self.folder_of(server, path) else {
            return Ok(false);
        };
        let (_, name) = last_name(path);
        if server
            .find(folder, name)
            .is_some_and(|id| server.is_folder(id))
        {
            return Err(format!("{path} is a folder; write `readdir {path}`"));
        }
        let id = match self.mount.is_v4() {
            true => self.open_v4(server, folder, name, opening.access),
            false => self.open_v3(server, folder, name, opening.access),
        };
        let Some(id) = id else {
            return Ok(false);
        };
        let opens = &mut self.inode(id).opens;
        match opening.writes() {
            true => opens.writers += 1,
            false => opens.readers += 1,
        }
        let request_bytes = self.mount.read_bytes.max(PAGE_BYTES);
        let file = OpenedFile {
            id,
            opening,
            position: 0,
            read_ahead: OnDemand::new(READ_AHEAD_BYTES, request_bytes, Advice::Normal),
        };
        self.opened.insert(path.to_owned(), file);
        Ok(true)
    }

    fn open_v3(
        &mut self,
        server: &mut Server<'_>,
        folder: FileId,
        name: &str,
        access: Access,
    ) -> Option<FileId> {
        let found = self.find(server, folder, name, intent(access));
        match (found, access) {
            (Some(id), _) => {
                self.may_use(server, id);
                if access == Access::Create {
                    self.set_empty(server, id);
                }
                Some(id)
            }
            (None, Access::Create) => Some(self.create(server, folder, name)),
            (None, _) => None,
        }
    }

    /// CREATE, behind the default access list of the folder if that is not known (`nfs3_proc_create`).
    fn create(&mut self, server: &mut Server<'_>, folder: FileId, name: &str) -> FileId {
        let handle = self.handle(folder);
        let has_list = std::mem::replace(&mut self.inode(folder).has_default_list, true);
        if self.mount.is_v3() && !has_list {
            let message = self.wire.default_access_list(handle);
            self.now_ns = self.exchange(server, message, Default::default());
        }
        let before = server.report(folder).change;
        let id = server.make(folder, name, false, 0);
        self.call(server, self.wire.create(handle, name.len()));
        self.learn(server, id);
        self.has_changed_folder(server, folder, before);
        self.remember_now(folder, name, Some(id));
        id
    }

    /// SETATTR: the file gets the size 0 (`nfs_setattr`).
    fn set_empty(&mut self, server: &mut Server<'_>, id: FileId) {
        self.flush(server, id);
        self.return_delegation(server, id);
        let before = self.attributes(id).change;
        server.empty(id);
        self.call(server, self.wire.setattr());
        let inode = self.inode(id);
        inode.pages.drop_clean();
        inode.attributes.bytes = 0;
        self.learn_after(server, id, Some(before));
    }

    fn open_v4(
        &mut self,
        server: &mut Server<'_>,
        folder: FileId,
        name: &str,
        access: Access,
    ) -> Option<FileId> {
        match (self.known(server, folder, name, intent(access)), access) {
            (Known::Has(id), _) if self.open_known(server, (folder, name), id, access) => Some(id),
            (Known::Has(_), _) => {
                // `EOPENSTALE`: the way is gone once more, without what is cached of the name.
                self.forget(folder, name);
                self.open_by_name(server, folder, name, access)
            }
            (Known::Nothing, Access::Read | Access::Write) => None,
            _ => self.open_by_name(server, folder, name, access),
        }
    }

    /// OPEN of a file whose handle is known, unless a delegation allows it (`nfs4_file_open`, `nfs4_try_open_cached`). Whether it is still
    /// there.
    fn open_known(
        &mut self,
        server: &mut Server<'_>,
        named: (FileId, &str),
        id: FileId,
        access: Access,
    ) -> bool {
        if access == Access::Read && self.inode(id).is_delegated {
            self.inode(id).is_referenced = true;
            self.may_use(server, id);
            return true;
        }
        if self.mount.has_owners() {
            return self.open_named(server, named, id, access);
        }
        if server.is_gone(id) && !self.is_told_open(id) {
            self.call(server, self.wire.open_known_of_nothing());
            return false;
        }
        if access == Access::Create {
            self.flush(server, id);
        }
        self.make_way(server, id, access, self.wire.open_known_delayed());
        let is_delegated = self.is_given(server, id, access);
        self.call(server, self.wire.open_known(is_delegated));
        self.has_opened(server, id, access, is_delegated);
        if access == Access::Create && self.attributes(id).bytes > 0 {
            self.set_empty(server, id);
        }
        true
    }

    /// Version 4.0 opens a file by its name even where it knows the handle (`nfs4_map_atomic_open_claim`). Whether the name still leads to
    /// it.
    fn open_named(
        &mut self,
        server: &mut Server<'_>,
        (folder, name): (FileId, &str),
        id: FileId,
        access: Access,
    ) -> bool {
        if access == Access::Create {
            self.flush(server, id);
        }
        let handle = self.handle(folder);
        let Some(there) = server.find(folder, name) else {
            self.call(server, self.wire.open_of_nothing(handle, name.len()));
            return false;
        };
        let delayed = self.wire.open_delayed(handle, name.len(), false);
        self.make_way(server, there, access, delayed);
        let is_delegated = self.is_given(server, there, access);
        let message = self.wire.open(handle, name.len(), false, is_delegated);
        self.call(server, message);
        self.has_opened(server, there, access, is_delegated);
        if there != id {
            // Another file has the name: the kernel closes that, and looks again (`nfs4_file_open`).
            self.close_v4(server, there, access != Access::Read);
            return false;
        }
        if access == Access::Create && self.attributes(id).bytes > 0 {
            self.set_empty(server, id);
        }
        true
    }

    /// OPEN of a name (`nfs_atomic_open`): a file that is wanted empty is so then.
    fn open_by_name(
        &mut self,
        server: &mut Server<'_>,
        folder: FileId,
        name: &str,
        access: Access,
    ) -> Option<FileId> {
        let handle = self.handle(folder);
        let creates = access == Access::Create;
        let there = server.find(folder, name);
        if there.is_none() && !creates {
            self.call(server, self.wire.open_of_nothing(handle, name.len()));
            self.remember_now(folder, name, None);
            return None;
        }
        if let Some(id) = there {
            let delayed = self.wire.open_delayed(handle, name.len(), creates);
            self.make_way(server, id, access, delayed);
        }
        let before = server.report(folder).change;
        let id = match there {
            None => server.make(folder, name, false, 0),
            Some(id) => {
                if creates {
                    server.empty(id);
                }
                id
            }
        };
        let is_delegated = self.is_given(server, id, access);
        let message = self.wire.open(handle, name.len(), creates, is_delegated);
        self.call(server, message);
        self.has_opened(server, id, access, is_delegated);
        if there.is_none() {
            self.has_changed_folder(server, folder, before);
        }
        self.remember_now(folder, name, Some(id));
        Some(id)
    }

    /// Delegations that stand against an open are given back: its own, and those of others, for which the server has it ask again.
    fn make_way(&mut self, server: &mut Server<'_>, id: FileId, access: Access, delayed: Message) {
        if access == Access::Read {
            return;
        }
        if self.inodes.contains_key(&id) {
            self.return_delegation(server, id);
        }
        let now_ns = self.now_ns;
        if server.recall(id, self.me(), now_ns) {
            self.call(server, delayed);
            self.now_ns += RETRY_NS;
        }
    }

    /// Whether the server gives a delegation with an open.
    fn is_given(&mut self, server: &mut Server<'_>, id: FileId, access: Access) -> bool {
        let is_known = !self.mount.has_owners() || self.owner.is_confirmed(self.now_ns);
        access == Access::Read && is_known && server.delegate(id, self.me(), self.now_ns)
    }

    /// An OPEN was answered. Its answer has attributes and what the user may do. OPEN_CONFIRM follows where the server does not know for
    /// whom the file is open (`_nfs4_proc_open`).
    fn has_opened(
        &mut self,
        server: &mut Server<'_>,
        id: FileId,
        access: Access,
        is_delegated: bool,
    ) {
        let known = self.inodes.get(&id).map(|it| it.opens);
        let is_told = known.is_some_and(|it| it.told_reading || it.told_writing);
        let now_ns = self.now_ns;
        if self.mount.has_owners() && !is_told && self.owner.open(now_ns) {
            self.call(server, self.wire.open_confirm());
        }
        self.learn(server, id);
        let inode = self.inode(id);
        inode.attributes.access_known = true;
        inode.is_delegated |= is_delegated;
        inode.is_referenced |= is_delegated;
        match access {
            Access::Read => inode.opens.told_reading = true,
            Access::Write | Access::Create => {
                inode.opens.told_writing = true;
                server.add_writer(id, self.me());
            }
        }
    }

    /// Closes a file. What was written to it is on the server's disk then (`nfs_file_flush`).
    ///
    /// # Errors
    /// A file that is not open.
    pub fn close(&mut self, server: &mut Server<'_>, path: &str) -> Result<(), String> {
        let Some(file) = self.opened.remove(path) else {
            return Err(format!("{path} is not open; open it before"));
        };
        let (id, writes) = (file.id, file.opening.writes());
        if writes {
            self.flush(server, id);
        }
        let opens = &mut self.inode(id).opens;
        match writes {
            true => opens.writers -= 1,
            false => opens.readers -= 1,
        }
        match self.mount.is_v4() {
            true => self.close_v4(server, id, writes),
            false if writes => self.close_v3(server, id),
            false => {}
        }
        self.complete_removal(server, id);
        Ok(())
    }

    /// Attributes are to be known when a file that was written is opened anew (`nfs_close_context`).
    fn close_v3(&mut self, server: &mut Server<'_>, id: FileId) {
        let inode = self.inode(id);
        let is_open = inode.opens.readers + inode.opens.writers > 0;
        if is_open || inode.pages.are_none() || inode.attributes.content_unknown {
            return;
        }
        self.revalidate_if_needed(server, id);
    }

    /// CLOSE, or OPEN_DOWNGRADE where it stays open for something else (`nfs4_close_prepare`). What was opened by a delegation was never
    /// told to the server.
    fn close_v4(&mut self, server: &mut Server<'_>, id: FileId, writes: bool) {
        if writes {
            server.take_writer(id, self.me());
        }
        let opens = self.inode(id).opens;
        let ends_reading = opens.told_reading && opens.readers == 0;
        let ends_writing = opens.told_writing && opens.writers == 0;
        if !(ends_reading || ends_writing) {
            return;
        }
        let stays_open =
            (opens.told_reading && opens.readers > 0) || (opens.told_writing && opens.writers > 0);
        let asks_attributes = !self.inode(id).is_delegated;
        let time = self.access_time(id);
        let message = match stays_open {
            true => self.wire.downgrade(time),
            false => self.wire.close(asks_attributes.then_some(time)),
        };
        self.call(server, message);
        if self.mount.has_owners() && !stays_open {
            self.owner.close(self.now_ns);
        }
        if asks_attributes {
            self.learn_partly(server, id);
        }
        let opens = &mut self.inode(id).opens;
        opens.told_reading &= !ends_reading;
        opens.told_writing &= !ends_writing;
    }
}

fn intent(access: Access) -> Intent {
    match access {
        Access::Create => Intent::Create,
        Access::Read | Access::Write => Intent::Open,
    }
}
