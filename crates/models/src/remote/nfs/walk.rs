//! The way along a path: what the user may do, and names that are cached or looked up (`fs/nfs/dir.c` of Linux 6.1).

use super::client::{Client, Name};
use super::server::{FileId, ROOT, Server};

/// What a name is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intent {
    /// Going on, or anything but the following.
    Walk,
    /// Opening it (`LOOKUP_OPEN`).
    Open,
    /// Opening it, and making it where it is not there (`LOOKUP_CREATE`).
    Create,
    /// Giving the name to another file (`LOOKUP_RENAME_TARGET`).
    Target,
}

/// What is cached of a name, and holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// This has it.
    Has(FileId),
    /// Nothing has it.
    Nothing,
    /// It has to be asked for.
    Unknown,
}

/// Folders of a path, and its last name.
pub(super) fn last_name(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

impl Client {
    /// What the user may do with a file or folder is known then (`nfs_do_access`). Version 2 goes by the attributes (`nfs_permission`).
    pub(super) fn may_use(&mut self, server: &mut Server<'_>, id: FileId) {
        if self.mount.is_v2() {
            if self.has_expired(id) {
                self.revalidate(server, id);
            }
            return;
        }
        if self.attributes(id).access_known && self.has_expired(id) {
            self.revalidate(server, id);
        }
        if self.attributes(id).access_known {
            return;
        }
        let handle = self.handle(id);
        self.call(server, self.wire.access(handle));
        self.learn(server, id);
        self.attributes(id).access_known = true;
    }

    /// The folder of a path's last name; nothing where there is none.
    pub(super) fn folder_of(&mut self, server: &mut Server<'_>, path: &str) -> Option<FileId> {
        let (folders, _) = last_name(path);
        let mut folder = ROOT;
        for name in folders.split('/').filter(|name| !name.is_empty()) {
            self.may_use(server, folder);
            folder = self.find(server, folder, name, Intent::Walk)?;
            if !server.is_folder(folder) {
                return None;
            }
        }
        self.may_use(server, folder);
        Some(folder)
    }

    /// What a path leads to; nothing where there is nothing.
    pub(super) fn resolve(
        &mut self,
        server: &mut Server<'_>,
        path: &str,
        intent: Intent,
    ) -> Option<FileId> {
        if path.is_empty() {
            // No name was looked up, so what is opened is asked for itself (`nfs_weak_revalidate`).
            if intent == Intent::Open {
                self.revalidate(server, ROOT);
            }
            return Some(ROOT);
        }
        let folder = self.folder_of(server, path)?;
        let (_, name) = last_name(path);
        self.find(server, folder, name, intent)
    }

    /// What has a name in a folder, as it is cached or by a LOOKUP.
    pub(super) fn find(
        &mut self,
        server: &mut Server<'_>,
        folder: FileId,
        name: &str,
        intent: Intent,
    ) -> Option<FileId> {
        match self.known(server, folder, name, intent) {
            Known::Has(id) => Some(id),
            Known::Nothing => None,
            Known::Unknown => self.look_up(server, folder, name),
        }
    }

    /// Asks for a name (`nfs_lookup`).
    pub(super) fn look_up(
        &mut self,
        server: &mut Server<'_>,
        folder: FileId,
        name: &str,
    ) -> Option<FileId> {
        let verifier = self.attributes(folder).verifier;
        let target = self.ask_for(server, folder, name);
        self.remember(folder, name, target, verifier);
        target
    }

    /// A LOOKUP. Answers of version 3 have the folder's attributes as well (`nfs3_proc_lookup`).
    fn ask_for(&mut self, server: &mut Server<'_>, folder: FileId, name: &str) -> Option<FileId> {
        let target = server.find(folder, name);
        let handle = self.handle(folder);
        let message = self.wire.lookup(handle, name.len(), target.is_some());
        self.call(server, message);
        if self.mount.is_v3() {
            self.learn(server, folder);
        }
        if let Some(id) = target {
            self.learn(server, id);
        }
        target
    }

    /// Caches a name (`nfs_set_verifier`).
    pub(super) fn remember(
        &mut self,
        folder: FileId,
        name: &str,
        target: Option<FileId>,
        verifier: u64,
    ) {
        let is_delegated = target.is_some_and(|id| self.inode(id).is_delegated);
        let entry = Name {
            target,
            verifier,
            is_delegated,
        };
        self.inode(folder).names.insert(name.to_owned(), entry);
    }

    /// The same with the folder as it is known now.
    pub(super) fn remember_now(&mut self, folder: FileId, name: &str, target: Option<FileId>) {
        let verifier = self.attributes(folder).verifier;
        self.remember(folder, name, target, verifier);
    }

    /// Forgets a name (`d_drop`).
    pub(super) fn forget(&mut self, folder: FileId, name: &str) {
        self.inode(folder).names.remove(name);
    }

    /// What is cached of a name, if it holds (`nfs_do_lookup_revalidate`, `nfs4_do_lookup_revalidate`).
    pub(super) fn known(
        &mut self,
        server: &mut Server<'_>,
        folder: FileId,
        name: &str,
        intent: Intent,
    ) -> Known {
        let Some(cached) = self.inode(folder).names.get(name).copied() else {
            return Known::Unknown;
        };
        match cached.target {
            None => self.known_nothing(server, folder, name, intent, cached),
            Some(id) => self.known_target(server, folder, name, intent, (cached, id)),
        }
    }

    /// Who makes a file or takes a name away need not know that nothing has it (`nfs_neg_need_reval`).
    fn known_nothing(
        &mut self,
        server: &mut Server<'_>,
        folder: FileId,
        name: &str,
        intent: Intent,
        cached: Name,
    ) -> Known {
        let needs_no_check = matches!(intent, Intent::Create | Intent::Target);
        if needs_no_check || self.is_unchanged(server, folder, cached.verifier) {
            return Known::Nothing;
        }
        self.forget(folder, name);
        Known::Unknown
    }

    fn known_target(
        &mut self,
        server: &mut Server<'_>,
        folder: FileId,
        name: &str,
        intent: Intent,
        (cached, id): (Name, FileId),
    ) -> Known {
        if cached.is_delegated && self.inode(id).is_delegated {
            self.remember_now(folder, name, Some(id));
            return Known::Has(id);
        }
        if self.is_unchanged(server, folder, cached.verifier) {
            if self.checks_at_open(id, intent) && !self.revalidate(server, id) {
                // Others have changed the folder (`nfs_mark_dir_for_revalidate`).
                self.attributes(folder).change_unknown = true;
                self.forget(folder, name);
                return Known::Unknown;
            }
            return Known::Has(id);
        }
        let verifier = self.attributes(folder).verifier;
        if self.ask_for(server, folder, name) == Some(id) {
            self.remember(folder, name, Some(id), verifier);
            return Known::Has(id);
        }
        self.forget(folder, name);
        Known::Unknown
    }

    /// Whether opening asks for attributes (close-to-open, `nfs_lookup_verify_inode`). OPEN of version 4 does it for files.
    fn checks_at_open(&mut self, id: FileId, intent: Intent) -> bool {
        let opens = matches!(intent, Intent::Open | Intent::Create);
        opens && (self.inode(id).is_folder || !self.mount.is_v4())
    }

    /// Whether others have not changed a folder since its `verifier` was taken (`nfs_check_verifier`).
    fn is_unchanged(&mut self, server: &mut Server<'_>, folder: FileId, verifier: u64) -> bool {
        if self.attributes(folder).verifier != verifier {
            return false;
        }
        self.revalidate_if_needed(server, folder);
        self.attributes(folder).verifier == verifier
    }
}
