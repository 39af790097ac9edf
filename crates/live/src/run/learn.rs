//! From a request in a log to what is known of its file.

use super::baseline::PageCacheAlone;
use super::clients::Clients;
use super::figures::ReadCounts;
use super::forget::staying;
use super::known::KnownFiles;
use super::newcomers::Newcomers;
use super::spec::RunSite;
use super::targets::Targets;
use hotset_plan::Online;
use hotset_trace::read::follow::{LoggedRequest, LoggedUse};

/// What is known of files, and what of the current interval.
pub(super) struct Learner {
    pub known: KnownFiles,
    pub newcomers: Newcomers,
    pub clients: Clients,
    pub online: Online,
    pub targets: Targets,
    pub alone: PageCacheAlone,
    /// Which of the known files are held.
    pub held: Vec<bool>,
    /// What was read in this interval, site by site.
    pub interval: Vec<ReadCounts>,
    /// Requests in this interval of sites that the runner was not told of.
    pub of_other_sites: u64,
    /// By the ids of sites in the logs: which site of the specification it is, if that was asked already.
    site_ids: Vec<Option<Option<u16>>>,
}

impl Learner {
    pub fn new(
        known: KnownFiles,
        online: Online,
        targets: Targets,
        alone: PageCacheAlone,
        sites: &[RunSite],
    ) -> Self {
        Self {
            targets,
            alone,
            known,
            newcomers: Newcomers::new(sites.len()),
            clients: Clients::new(sites.iter().map(|site| site.client_share)),
            online,
            held: Vec::new(),
            interval: vec![ReadCounts::default(); sites.len()],
            of_other_sites: 0,
            site_ids: Vec::new(),
        }
    }

    /// Takes in a request.
    pub fn take(&mut self, seen: &LoggedRequest<'_>, sites: &[RunSite], now_us: i64) {
        if !matches!(seen.file_use, LoggedUse::Read { .. }) {
            return;
        }
        let Some(site) = self.site(seen, sites) else {
            self.of_other_sites += 1;
            return;
        };
        self.targets.note(site, seen.took_us);
        let counts = self.clients.counts(site, seen.client);
        if let Some(id) = self.known.id(site, &seen.path) {
            let is_held = self.is_held(id);
            self.interval[usize::from(site)] += ReadCounts::of_read(is_held, seen.took_us);
            let size_bytes = self.known.sizes[id as usize];
            self.alone.read(site, &seen.path, size_bytes, is_held);
            if counts {
                self.online.observe(id, now_us);
            }
        } else if counts {
            let read = ReadCounts::of_read(false, seen.took_us);
            let has_room = self.newcomers.add(site, &seen.path, read);
            self.interval[usize::from(site)].beyond_names += u64::from(!has_room);
        }
        self.interval[usize::from(site)].beyond_share += u64::from(!counts);
    }

    /// Whether a file is held.
    pub fn is_held(&self, id: u32) -> bool {
        self.held.get(id as usize).is_some_and(|&held| held)
    }

    /// Makes room for so many new files where there is none: the coldest are forgotten. The ids that the others had.
    pub fn make_room(&mut self, newcomers: usize, most: usize, chosen: &[u32]) -> Option<Vec<u32>> {
        if self.known.len() + newcomers <= most {
            return None;
        }
        let mut warmth = self.online.warmth();
        warmth.resize(self.known.len(), 0.0);
        let mut is_chosen = self.held.clone();
        is_chosen.resize(self.known.len(), false);
        chosen.iter().for_each(|&id| is_chosen[id as usize] = true);
        let kept = staying(&warmth, |id| is_chosen[id as usize], most, newcomers)?;
        self.known = self.known.kept(&kept);
        self.online.keep(&kept);
        self.held = kept.iter().map(|&id| self.is_held(id)).collect();
        Some(kept)
    }

    /// Learns of a file whose name has waited, as if it had been asked for at `time_us`.
    pub fn admit(
        &mut self,
        site: u16,
        path: &[u8],
        size_bytes: u64,
        reads: ReadCounts,
        time_us: i64,
    ) {
        let id = self.known.add(site, path, size_bytes);
        self.interval[usize::from(site)] += reads;
        for _ in 0..reads.reads {
            self.alone.read(site, path, size_bytes, false);
            self.online.observe(id, time_us);
        }
    }

    /// The site of the specification that a request is for.
    fn site(&mut self, seen: &LoggedRequest<'_>, sites: &[RunSite]) -> Option<u16> {
        let index = usize::from(seen.site);
        if index >= self.site_ids.len() {
            self.site_ids.resize(index + 1, None);
        }
        *self.site_ids[index].get_or_insert_with(|| {
            let at = sites.iter().position(|site| site.name == seen.site_name);
            at.map(|at| at as u16)
        })
    }
}
