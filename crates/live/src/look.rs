//! One look at the wanted files: which of them may be held, each file once, as long as there is room.

use crate::apache::Rules;
use crate::automatic::is_remote;
use crate::links::Links;
use crate::room::MAP_BYTES;
use crate::{Found, Identity, Refusal, Sites, WantedFile};
use rustix::fs::fstatfs;
use std::collections::HashMap;

/// One look at the wanted files.
pub(crate) struct Look<'s> {
    sites: &'s Sites,
    links: Links,
    /// Sites and numbers of the files that are held, by device and inode.
    held: HashMap<(u64, u64), (String, u64)>,
    free_bytes: u64,
    /// File systems by device, and whether files there change without the kernel's telling.
    devices: HashMap<u64, bool>,
    has_changes_unseen: bool,
    /// Rules that copies would not obey, where the server may have some.
    rules: Option<Rules>,
}

/// A file that may be held.
pub(crate) enum Checked {
    New(Found),
    /// Another name of the file that is held under a number.
    Shared(Found, u64),
}

impl<'s> Look<'s> {
    /// Nothing is held, and `free_bytes` may be. `heeds_rules`: of Apache httpd, for copies.
    pub fn new(sites: &'s Sites, free_bytes: u64, heeds_rules: bool) -> Self {
        Self {
            sites,
            links: Links::default(),
            held: HashMap::new(),
            free_bytes,
            devices: HashMap::new(),
            has_changes_unseen: false,
            rules: heeds_rules.then(Rules::default),
        }
    }

    /// The roots that are looked into.
    pub fn sites(&self) -> &'s Sites {
        self.sites
    }

    /// What a wanted file is now.
    pub fn find(&mut self, wanted: &WantedFile) -> Result<Found, Refusal> {
        let found = self.sites.find(&wanted.site, &wanted.path.0)?;
        let device = self.devices.entry(found.identity.device);
        // What does not tell is not relied on.
        let is_remote = device
            .or_insert_with(|| fstatfs(found.handle()).map_or(true, |system| is_remote(&system)));
        self.has_changes_unseen |= *is_remote || found.has_links();
        if let Some(rules) = &mut self.rules {
            rules.check(self.sites, wanted, &found)?;
        }
        Ok(found)
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
    pub fn check(&mut self, wanted: &WantedFile, found: Found) -> Result<Checked, Refusal> {
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
        let taken = file.page_bytes() + MAP_BYTES;
        self.free_bytes = self.free_bytes.saturating_sub(taken);
        self.keep(wanted, file, number);
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
