//! One look at the wanted files: which of them may be held, each file once, as long as there is room.

use crate::apache::Rules;
use crate::file_system::{can_be_asked, is_remote};
use crate::links::Links;
use crate::room::MAP_BYTES;
use crate::{Identity, Refusal, ResolvedFile, Sites, WantedFile};
use rustix::fs::{AtFlags, CWD, StatxFlags, fstatfs, statx};
use std::collections::{HashMap, HashSet};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

/// One look at the wanted files.
pub(crate) struct Look<'s> {
    sites: &'s Sites,
    links: Links,
    /// Sites and numbers of the files that are held, by device and inode.
    held: HashMap<(u64, u64), (String, u64)>,
    free_bytes: u64,
    /// Folders over the network that were asked for in this look.
    asked: HashSet<PathBuf>,
    /// How file systems tell of changes, by device.
    devices: HashMap<u64, Tells>,
    has_changes_unseen: bool,
    is_unbounded: bool,
    /// Rules that copies would not obey, where the server may have some.
    rules: Option<Rules>,
}

/// How it becomes known that a file has changed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tells {
    /// The kernel tells, because it makes all changes.
    AtOnce,
    /// The server does when it is asked.
    WhenAsked,
    /// Whenever the client likes.
    Sometime,
}

impl Tells {
    /// Of the file system of an open file. What does not tell is not relied on.
    fn of(file: impl AsFd) -> Self {
        match fstatfs(file) {
            Ok(system) if !is_remote(&system) => Self::AtOnce,
            Ok(system) if can_be_asked(&system) => Self::WhenAsked,
            _ => Self::Sometime,
        }
    }
}

/// A file that may be held.
pub(crate) enum Checked {
    New(ResolvedFile),
    /// Another name of the file that is held under a number.
    Shared(ResolvedFile, u64),
}

impl<'s> Look<'s> {
    /// Nothing is held, and `free_bytes` may be. `heeds_rules`: of Apache httpd, for copies.
    pub fn new(sites: &'s Sites, free_bytes: u64, heeds_rules: bool) -> Self {
        Self {
            sites,
            links: Links::default(),
            held: HashMap::new(),
            free_bytes,
            asked: HashSet::new(),
            devices: HashMap::new(),
            has_changes_unseen: false,
            is_unbounded: false,
            rules: heeds_rules.then(Rules::default),
        }
    }

    /// The roots that are looked into.
    pub fn sites(&self) -> &'s Sites {
        self.sites
    }

    /// What a wanted file is now.
    pub fn find(&mut self, wanted: &WantedFile) -> Result<ResolvedFile, Refusal> {
        if self.sites.is_remote(&wanted.site, &wanted.path.0) {
            self.ask_for(wanted);
        }
        let found = self.sites.find(&wanted.site, &wanted.path.0)?;
        let device = self.devices.entry(found.identity.device);
        let tells = *device.or_insert_with(|| Tells::of(found.handle()));
        self.has_changes_unseen |= tells != Tells::AtOnce || found.has_links();
        self.is_unbounded |= tells == Tells::Sometime;
        if let Some(rules) = &mut self.rules {
            rules.check(self.sites, wanted, &found)?;
        }
        Ok(found)
    }

    /// Has the client of a network file system ask its server, past its caches, whether the folders that a path leads through
    /// have changed, and the file itself. What is not there, or does not answer, is found so by looking it up.
    fn ask_for(&mut self, wanted: &WantedFile) {
        let (site, path) = (&wanted.site, &wanted.path.0);
        let ask = |path: &Path| {
            let _asked = statx(
                CWD,
                path,
                AtFlags::STATX_FORCE_SYNC | AtFlags::NO_AUTOMOUNT,
                StatxFlags::BASIC_STATS,
            );
        };
        // The outermost first: what a name leads to is known of its folder.
        for folder in self.sites.folders_to(site, path).iter().rev() {
            if !self.asked.contains(folder) {
                ask(folder);
                self.asked.insert(folder.clone());
            }
        }
    }

    /// Whether nothing bounds how late a change of some file is known of.
    pub fn is_unbounded(&self) -> bool {
        self.is_unbounded
    }

    /// Whether files that were found may change without the kernel's telling: on another machine, or by another name.
    pub fn has_changes_unseen(&self) -> bool {
        self.has_changes_unseen
    }

    /// Whether the file is held under another name.
    pub fn is_taken(&self, file: &Identity) -> bool {
        self.held.contains_key(&(file.device, file.inode))
    }

    /// Whether it may be held, beside all that was taken before.
    pub fn check(&mut self, wanted: &WantedFile, found: ResolvedFile) -> Result<Checked, Refusal> {
        let identity = found.identity;
        (self.sites).check_links(&wanted.site, &wanted.path.0, &found, &mut self.links)?;
        match self.held.get(&(identity.device, identity.inode)) {
            Some((site, number)) if *site == wanted.site => {
                return Ok(Checked::Shared(found, *number));
            }
            Some((site, _)) => return Err(Refusal::OtherSite(site.clone())),
            None => {}
        }
        let needed_bytes = identity.page_bytes();
        match needed_bytes + MAP_BYTES <= self.free_bytes {
            true => Ok(Checked::New(found)),
            false => Err(Refusal::NoRoom {
                needed_bytes,
                room_bytes: self.free_bytes,
            }),
        }
    }

    /// A file is held from now on, in room that was free.
    pub fn take(&mut self, wanted: &WantedFile, file: &Identity, number: u64) {
        self.set_aside(file);
        self.keep(wanted, file, number);
    }

    /// Room is kept for a file that is placed later.
    pub fn set_aside(&mut self, file: &Identity) {
        let taken = file.page_bytes() + MAP_BYTES;
        self.free_bytes = self.free_bytes.saturating_sub(taken);
    }

    /// A file that was held before is held still.
    pub fn keep(&mut self, wanted: &WantedFile, file: &Identity, number: u64) {
        let held = (wanted.site.clone(), number);
        self.held.insert((file.device, file.inode), held);
    }

    /// What was held before is not held any more.
    pub fn give_back(&mut self, file: &Identity) {
        self.free_bytes += file.page_bytes() + MAP_BYTES;
    }
}
