//! What is asked and changed of names: attributes, folders, removing, other names (`fs/nfs/dir.c`, `inode.c` and `unlink.c` of Linux 6.1).

use super::client::Client;
use super::opens::RETRY_NS;
use super::server::{FileId, Server};
use super::walk::{Intent, Known, last_name};
use super::wire::Handle;

/// What a folder is asked for first, bytes (`NFS_INIT_DTSIZE`); twice as much each time (`nfs_grow_dtsize`).
const FIRST_READDIR_BYTES: u64 = 64 << 10;
/// Most bytes of a READDIR (`NFS_MAX_FILE_IO_SIZE`).
const MOST_READDIR_BYTES: u64 = 1 << 20;
/// The same of version 2 (`nfsd_init_dirlist_pages`, `fs/nfsd/nfsproc.c`): the server gives no more.
const READDIR_V2_BYTES: u64 = 4 << 10;
/// What a program gives the kernel for names at least (`__alloc_dir` of glibc).
const LEAST_BUFFER_BYTES: u64 = 32 << 10;

impl Client {
    /// Asks for the attributes of what a path leads to (`stat`, by `nfs_getattr`).
    pub fn stat(&mut self, server: &mut Server<'_>, path: &str) {
        let Some(id) = self.resolve(server, path, Intent::Walk) else {
            return;
        };
        self.flush(server, id);
        let has_expired = self.has_expired(id);
        let known = self.attributes(id);
        let unknown = known.change_unknown || known.access_time_unknown || known.times_unknown;
        if (has_expired || unknown) && !self.revalidate(server, id) {
            self.look_again(server, path);
        }
    }

    /// What a path led to is gone, so the kernel goes it once more (`retry_estale`), and finds that the folder has changed.
    fn look_again(&mut self, server: &mut Server<'_>, path: &str) {
        let Some(folder) = self.folder_of(server, path) else {
            return;
        };
        self.attributes(folder).access_known = false;
        self.may_use(server, folder);
        self.find(server, folder, last_name(path).1, Intent::Walk);
    }

    /// Reads all names of a folder (`opendir`, `readdir`, `closedir`).
    pub fn read_folder(&mut self, server: &mut Server<'_>, path: &str) {
        let Some(id) = self.resolve(server, path, Intent::Open) else {
            return;
        };
        if !server.is_folder(id) {
            return;
        }
        self.may_use(server, id);
        self.revalidate_if_needed(server, id);
        let inode = self.inode(id);
        if std::mem::take(&mut inode.attributes.content_unknown) {
            inode.is_listed = false;
        }
        if !std::mem::replace(&mut inode.is_listed, true) {
            self.list(server, id);
        }
    }

    /// READDIRs until the end of a folder (`nfs_readdir`): with attributes (READDIRPLUS) until the program's first buffer is full,
    /// without after that, since the program has not asked for any.
    fn list(&mut self, server: &mut Server<'_>, folder: FileId) {
        let entries = self.entries(server, folder);
        let most_bytes = match self.mount.is_v2() {
            true => READDIR_V2_BYTES,
            false => self.mount.read_bytes.min(MOST_READDIR_BYTES),
        };
        let buffer_bytes = most_bytes.max(LEAST_BUFFER_BYTES);
        let mut bytes = FIRST_READDIR_BYTES.min(most_bytes);
        let (mut next, mut buffered_bytes) = (0, 0);
        let mut with_attributes = !self.mount.is_v2();
        loop {
            let first = next;
            next = self.call_readdir(server, folder, &entries[first..], with_attributes, bytes);
            next += first;
            for (name, _) in &entries[first..next] {
                let taken_bytes = directory_entry_bytes(name);
                buffered_bytes += taken_bytes;
                if buffered_bytes > buffer_bytes {
                    with_attributes = false;
                    buffered_bytes = taken_bytes;
                }
            }
            if next == entries.len() {
                return;
            }
            bytes = (bytes * 2).min(most_bytes);
        }
    }

    /// Names of a folder as the server sends them. Version 4 sends none of the folder itself and of the one above.
    fn entries(&self, server: &Server<'_>, folder: FileId) -> Vec<(String, Option<FileId>)> {
        let own: &[&str] = if self.mount.is_v4() {
            &[]
        } else {
            &[".", ".."]
        };
        let own = own.iter().map(|name| ((*name).to_owned(), None));
        let names = server.names(folder);
        own.chain(names.map(|(name, id)| (name.to_owned(), Some(id))))
            .collect()
    }

    /// One READDIR of so many bytes at most. How many of the entries it has.
    fn call_readdir(
        &mut self,
        server: &mut Server<'_>,
        folder: FileId,
        entries: &[(String, Option<FileId>)],
        with_attributes: bool,
        bytes: u64,
    ) -> usize {
        let room_bytes = self.wire.entries_bytes(bytes);
        let (mut taken_bytes, mut count) = (0, 0);
        for (name, _) in entries {
            let entry_bytes = self.wire.entry_bytes(name.len(), with_attributes);
            if count > 0 && taken_bytes + entry_bytes > room_bytes {
                break;
            }
            taken_bytes += entry_bytes;
            count += 1;
        }
        let handle = self.handle(folder);
        let message = self.wire.readdir(handle, with_attributes, taken_bytes);
        self.call(server, message);
        match self.mount.is_v3() {
            true => self.learn(server, folder),
            false => self.attributes(folder).access_time_unknown = true,
        }
        if with_attributes {
            for (name, id) in &entries[..count] {
                if let Some(id) = *id {
                    self.learn(server, id);
                    self.remember_now(folder, name, Some(id));
                }
            }
        }
        count
    }

    /// Removes a file (`nfs_unlink`). One that is open gets another name until it is closed.
    pub fn unlink(&mut self, server: &mut Server<'_>, path: &str) {
        let Some(folder) = self.folder_of(server, path) else {
            return;
        };
        let (_, name) = last_name(path);
        let Some(id) = self.find(server, folder, name, Intent::Walk) else {
            return;
        };
        let opens = self.inode(id).opens;
        match opens.readers + opens.writers {
            0 => {
                self.return_delegation(server, id);
                self.remove(server, folder, name);
                self.inodes.remove(&id);
                self.remember_now(folder, name, None);
            }
            _ => self.rename_removed(server, folder, name, id),
        }
    }

    /// REMOVE.
    fn remove(&mut self, server: &mut Server<'_>, folder: FileId, name: &str) {
        if let Some(id) = server.find(folder, name) {
            let now_ns = self.now_ns;
            server.recall(id, self.me(), now_ns);
        }
        let before = server.report(folder).change;
        server.remove(folder, name);
        let handle = self.handle(folder);
        self.call(server, self.wire.remove(handle, name.len()));
        self.has_changed_folder(server, folder, before);
    }

    /// `nfs_sillyrename`: the name is `.nfs`, the file's number and a counter.
    fn rename_removed(&mut self, server: &mut Server<'_>, folder: FileId, name: &str, id: FileId) {
        self.flush_in_background(server, id);
        self.removed_open += 1;
        let silly = format!(".nfs{id:016x}{:08x}", self.removed_open);
        self.look_up(server, folder, &silly);
        self.return_delegation(server, id);
        self.call_rename(server, (folder, name), (folder, &silly));
        self.has_other_name(id);
        self.inode(id).removed = Some((folder, silly));
    }

    /// Removes a file that was removed while it was open, when nobody has it open any more (`nfs_complete_unlink`).
    pub(super) fn complete_removal(&mut self, server: &mut Server<'_>, id: FileId) {
        let inode = self.inode(id);
        if inode.opens.readers + inode.opens.writers > 0 {
            return;
        }
        let Some((folder, name)) = inode.removed.take() else {
            return;
        };
        self.return_delegation(server, id);
        self.remove(server, folder, &name);
        self.inodes.remove(&id);
        self.forget(folder, &name);
    }

    /// Gives a file another name, in place of what has it (`nfs_rename`).
    pub fn rename(&mut self, server: &mut Server<'_>, from: &str, to: &str) {
        let Some(from_folder) = self.folder_of(server, from) else {
            return;
        };
        let Some(to_folder) = self.folder_of(server, to) else {
            return;
        };
        let (from_name, to_name) = (last_name(from).1, last_name(to).1);
        let Some(id) = self.find(server, from_folder, from_name, Intent::Walk) else {
            return;
        };
        if let Known::Has(replaced) = self.known(server, to_folder, to_name, Intent::Target) {
            self.replace(server, (to_folder, to_name), replaced);
        }
        // So the kernel has it, whose function says the opposite (`nfs_rename_is_unsafe_cross_dir`).
        if from_folder == to_folder {
            self.flush(server, id);
        }
        self.return_delegation(server, id);
        self.call_rename(server, (from_folder, from_name), (to_folder, to_name));
        self.has_other_name(id);
    }

    /// What has a name is about to lose it to another file: it gets one of its own if it is open.
    fn replace(&mut self, server: &mut Server<'_>, (folder, name): (FileId, &str), id: FileId) {
        let opens = self.inode(id).opens;
        match opens.readers + opens.writers {
            0 => self.return_delegation(server, id),
            _ => self.rename_removed(server, folder, name, id),
        }
    }

    /// RENAME has changed the time of its last change (`NFS_INO_REVAL_FORCED`).
    fn has_other_name(&mut self, id: FileId) {
        let attributes = self.attributes(id);
        attributes.change_unknown = true;
        attributes.times_unknown = true;
    }

    /// RENAME.
    fn call_rename(&mut self, server: &mut Server<'_>, from: (FileId, &str), to: (FileId, &str)) {
        let names = [from, to].map(|(folder, name)| (self.handle(folder), name.len()));
        self.make_way_for_rename(server, [from, to], names);
        let before = [from.0, to.0].map(|folder| server.report(folder).change);
        let target = server.find(from.0, from.1);
        server.rename(from, to);
        self.call(server, self.wire.rename(names[0], names[1]));
        self.has_changed_folder(server, from.0, before[0]);
        if from.0 != to.0 {
            self.has_changed_folder(server, to.0, before[1]);
        }
        self.forget(from.0, from.1);
        self.remember_now(to.0, to.1, target);
    }

    /// Delegations of others are called back before a file gets another name, or loses it. The server waits for that of the file
    /// (`nfsd_wait_for_delegreturn`, `fs/nfsd/vfs.c`); because of that of the file that is replaced, it has the client ask again.
    fn make_way_for_rename(
        &mut self,
        server: &mut Server<'_>,
        named: [(FileId, &str); 2],
        names: [(Handle, usize); 2],
    ) {
        let now_ns = self.now_ns;
        let [_, is_delayed] = named.map(|(folder, name)| {
            let id = server.find(folder, name);
            id.is_some_and(|id| server.recall(id, self.me(), now_ns))
        });
        if is_delayed {
            self.call(server, self.wire.rename_delayed(names[0], names[1]));
            self.now_ns += RETRY_NS;
        }
    }
}

/// What a name takes of a program's buffer (`struct linux_dirent64`).
fn directory_entry_bytes(name: &str) -> u64 {
    (19 + name.len() as u64 + 1).next_multiple_of(8)
}
