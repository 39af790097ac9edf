//! One look at the wanted files: what each of them is now, and whether it may be held.

use crate::apache::Rules;
use crate::changes::{Hold, Holdings, Observation};
use crate::file_system::{can_be_asked, is_remote};
use crate::links::Links;
use crate::{PlacerKind, Refusal, ResolvedFile, Sites, WantedFile};
use rustix::fs::{AtFlags, CWD, StatxFlags, fstatfs, statx};
use std::collections::{HashMap, HashSet};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

/// One look at the wanted files.
pub(crate) struct Survey<'s> {
    sites: &'s Sites,
    links: Links,
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

impl<'s> Survey<'s> {
    /// `heeds_rules`: of Apache httpd, for copies.
    pub fn new(sites: &'s Sites, heeds_rules: bool) -> Self {
        Self {
            sites,
            links: Links::default(),
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

    /// Looks at each file, of which something may be held already in a way.
    pub fn observe_all(
        &mut self,
        wanted: &[WantedFile],
        held: &Holdings,
        placer: PlacerKind,
    ) -> Vec<Observation> {
        let files = wanted.iter().zip(&held.holds);
        files
            .map(|(file, hold)| self.observe(file, hold, placer))
            .collect()
    }

    /// Looks at a file.
    pub fn observe(&mut self, wanted: &WantedFile, hold: &Hold, placer: PlacerKind) -> Observation {
        let found = match self.find(wanted) {
            Ok(found) => found,
            Err(why) => return Observation::Refused(why),
        };
        let own = hold.holding().filter(|holding| holding.shares.is_none());
        if own.is_some_and(|own| placer.is_current(&own.identity, &found.identity)) {
            return Observation::Unchanged;
        }
        let (site, path) = (&wanted.site, &wanted.path.0);
        match self.sites.check_links(site, path, &found, &mut self.links) {
            Ok(()) => Observation::File(found.identity),
            Err(why) => Observation::Refused(why),
        }
    }

    /// What a wanted file is now. Hard links are not looked at.
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
}
