//! Whether the server looks into a hot root at all.

use super::Keeper;
use crate::changes::Hold;
use crate::copy_reads::CopiedFile;
use crate::{PlacerKind, Sites, WantedFile};
use std::collections::HashMap;
use std::time::Duration;

/// From one look at what is read to the next.
const ROUND: Duration = Duration::from_secs(2);

/// Files of all sites that are watched at most, and of one: the most valuable, which are asked for most.
const FILES: usize = 256;
const FILES_OF_SITE: usize = 16;

impl Keeper<'_> {
    /// Watches copies and their files anew where it is time to.
    pub(super) fn watch_copies(&mut self) {
        // What was read in a pass, hotset may have read to copy it.
        self.copy_reads.note(true);
        let now = self.now();
        if self.request.placer != PlacerKind::HotRoot || now < self.next_round {
            return;
        }
        self.next_round = now + ROUND;
        // Without its roots, no file is read.
        if let Ok(sites) = Sites::open(&self.request.folders, &self.request.owners) {
            self.watch_copies_of(&sites);
        }
    }

    fn watch_copies_of(&mut self, sites: &Sites) {
        let folders = self.request.folders.iter();
        let mut left: HashMap<&str, usize> =
            folders.map(|folder| (folder.site.as_str(), 0)).collect();
        let of_site = (FILES / left.len().max(1)).clamp(1, FILES_OF_SITE);
        left.values_mut().for_each(|left| *left = of_site);
        let copies = self.context.folder.copies();
        let held = self.request.files.iter().zip(&self.holdings.holds);
        let held = held.filter(|(_, hold)| hold.holding().is_some());
        let file = |(wanted, _): (&WantedFile, &Hold)| {
            let left = left.get_mut(wanted.site.as_str());
            let left = left.filter(|left| **left > 0)?;
            let (site, path) = (&wanted.site, &wanted.path.0);
            let original = sites.find(site, path).ok()?;
            let (copy, _) = sites.place_in_tree(site, path, &original).ok()?;
            *left -= 1;
            Some(CopiedFile {
                wanted: wanted.clone(),
                original: original.into_handle(),
                copy: copies.join(copy),
            })
        };
        self.copy_reads.next_round(held.filter_map(file));
    }

    /// What is wrong where copies are held that no server reads.
    pub(super) fn unread_copies(&self) -> Option<String> {
        let sites = Vec::from_iter(self.copy_reads.unread_sites());
        (!sites.is_empty()).then(|| {
            format!(
                "no server reads the copies of {}: the files themselves were read. Add the lines that `hotset config` prints to \
                 the server's configuration, and have it read that again",
                sites.join(", ")
            )
        })
    }
}
