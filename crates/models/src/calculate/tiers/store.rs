//! What a web node reads, store by store.

use hotset_scenario::{Handover, Profile};

use crate::tiers::{File, Sending, Web};

/// What handing pieces of a store's files to a socket takes.
pub(super) struct Pieces<'t> {
    profile: &'t Profile,
    sending: Sending,
}

impl<'t> Pieces<'t> {
    pub fn of(profile: &'t Profile) -> Self {
        Self {
            profile,
            sending: Sending::of(profile),
        }
    }

    /// Processor time of the bytes of a file from `start` to `end`, nanoseconds.
    pub fn ns(&self, start: u64, end: u64) -> u64 {
        let measured_us = self.profile.send_us(end - start, Handover::Sent);
        let measured_ns = (measured_us.unwrap_or(0.0) * 1e3) as u64;
        self.sending.ns(start, end, measured_ns)
    }
}

/// Processor time of a request for a file, nanoseconds, beside that of its bytes.
pub(super) fn request_ns(web: &Web, file: File) -> u64 {
    web.stores[web.store_of(file.site)].request_ns
}

/// Which files are in memory whatever the page caches of a node hold.
pub(super) fn in_memory(web: &Web, files: &[File]) -> Vec<bool> {
    let mut are_held: Vec<bool> = files.iter().map(|file| web.is_in_memory(*file)).collect();
    for &file in web.held.iter() {
        are_held[file as usize] = true;
    }
    are_held
}

/// What a node's disks are called that have a store.
pub(super) fn disk_name(web: &Web, store: usize) -> String {
    let on_disk = web.stores.iter().filter(|store| !store.in_memory);
    match on_disk.count() {
        1 => "disk".to_owned(),
        _ => format!("disk of {}", web.stores[store].name),
    }
}
