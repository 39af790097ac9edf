//! From what was logged to what is held: the daemon itself.

use super::churn::Churn;
use super::clients::Clients;
use super::known::{KnownFiles, MOST_FILES};
use super::newcomers::Newcomers;
use super::saved::{Learnt, Saved};
use super::spec::DaemonSpec;
use crate::{LiveError, Sites, WantedFile};
use hotset_cache::PAGE_BYTES;
use hotset_plan::{
    Budget, Catalogue, FileName, HeldSet, Online, PageCacheModel, ProfileCosts, Ranking, SiteTerms,
    Values, reserved_pages, select_beside,
};
use hotset_scenario::{FilePath, Profile};
use hotset_trace::read::follow::{Follower, LogEvent, Seen, SeenUse};
use std::time::Instant;

/// Of the memory for files, what held files may take: the rest is page cache, for files that are asked for rarely or for
/// the first time. A rule and not a result: the middle of what plans try that are renewed, from half to all.
const HELD_SHARE: f64 = 0.75;

/// What happened, to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DaemonEvent {
    /// Something about a log.
    Log {
        /// Its name.
        log: String,
        /// What.
        event: LogEvent,
    },
    /// Requests that did not count, since their clients had had their share of the interval.
    ClientsPassedOver(u64),
    /// Requests that did not count, since too many new names were asked for in the interval.
    NamesPassedOver(u64),
    /// Requests of sites that the daemon was not told of.
    OtherSites(u64),
    /// So many files are known as can be; new ones are not learnt.
    TooManyFiles(usize),
    /// What an earlier process had learnt is of no use, for this reason. Logs are still read on from where it was.
    LearnsAnew(&'static str),
}

/// What to hold from now on.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Files, the most valuable first.
    pub files: Vec<WantedFile>,
    /// Bytes of files among them that were not held before.
    pub moved_bytes: u64,
    /// Bytes that all held files may take together.
    pub memory_bytes: u64,
}

/// Follows the logs, learns, and decides what to hold.
pub struct Daemon {
    spec: DaemonSpec,
    follower: Follower,
    /// By the follower's ids of sites: which site of the specification it is.
    site_ids: Vec<Option<u16>>,
    known: KnownFiles,
    newcomers: Newcomers,
    clients: Clients,
    online: Online,
    churn: Churn,
    /// Requests in this interval of sites that the daemon was not told of.
    of_other_sites: u64,
    held: Vec<u32>,
    started: Instant,
    /// When the last decision was taken.
    decided: Instant,
    /// Microseconds that earlier processes spent learning.
    learnt_before_us: i64,
}

impl Daemon {
    /// Begins, or goes on from where another process was.
    ///
    /// # Errors
    /// Logs that cannot be followed, an interval of no length.
    pub fn start(
        spec: DaemonSpec,
        saved: Option<Saved<'_>>,
        tell: &mut dyn FnMut(DaemonEvent),
    ) -> Result<Self, LiveError> {
        let sites = spec.sites.len();
        let places = saved.as_ref().map(|saved| saved.logs.clone());
        let follower = Follower::new(
            &spec.logs,
            spec.reading.clone(),
            &places.unwrap_or_default(),
        )?;
        let mut learnt = Learnt::nothing(&spec)?;
        if let Some(saved) = saved {
            match saved.restore(&spec) {
                Ok(restored) => learnt = restored,
                Err(why) => tell(DaemonEvent::LearnsAnew(why)),
            }
        }
        let now = Instant::now();
        Ok(Self {
            follower,
            site_ids: Vec::new(),
            known: learnt.known,
            newcomers: Newcomers::new(sites),
            clients: Clients::new(sites),
            online: learnt.online,
            churn: Churn::new(spec.churn_bytes),
            of_other_sites: 0,
            held: Vec::new(),
            started: now,
            decided: now,
            learnt_before_us: learnt.learnt_us,
            spec,
        })
    }

    /// Takes in what was logged since the last look.
    ///
    /// # Errors
    /// When there are more sites than can be told apart.
    pub fn look(&mut self, tell: &mut dyn FnMut(DaemonEvent)) -> Result<(), LiveError> {
        let now_us = self.now_us();
        let mut seen: Vec<(u16, Vec<u8>, Vec<u8>)> = Vec::new();
        let take = |it: &Seen<'_>| {
            if matches!(it.file_use, SeenUse::Read { .. }) {
                seen.push((it.site, it.path.to_vec(), it.client.to_vec()));
            }
        };
        self.follower.look(take, |log, event| {
            tell(DaemonEvent::Log {
                log: log.to_owned(),
                event,
            });
        })?;
        for (site, path, client) in seen {
            self.learn(site, &path, &client, now_us);
        }
        Ok(())
    }

    fn learn(&mut self, site: u16, path: &[u8], client: &[u8], now_us: i64) {
        let Some(site) = self.site(site) else {
            self.of_other_sites += 1;
            return;
        };
        if !self.clients.counts(site, client) {
            return;
        }
        match self.known.id(site, path) {
            Some(id) => self.online.observe(id, now_us),
            None => self.newcomers.add(site, path),
        }
    }

    /// The site of the specification that the follower's id stands for.
    fn site(&mut self, id: u16) -> Option<u16> {
        let index = usize::from(id);
        if index >= self.site_ids.len() {
            let names = (self.site_ids.len()..=index).map(|id| self.follower.site(id as u16));
            let sites = &self.spec.sites;
            let site = |name: &str| sites.iter().position(|site| site.name == name);
            let more: Vec<_> = names.map(|name| site(name).map(|at| at as u16)).collect();
            self.site_ids.extend(more);
        }
        self.site_ids[index]
    }

    /// What to hold from now on, where an interval has passed.
    ///
    /// # Errors
    /// When a root cannot be looked up.
    pub fn decide(
        &mut self,
        tell: &mut dyn FnMut(DaemonEvent),
    ) -> Result<Option<Decision>, LiveError> {
        let passed = self.decided.elapsed();
        if passed < self.spec.interval {
            return Ok(None);
        }
        let sites = Sites::open(&self.spec.folders, &self.spec.owners)?;
        self.follower.look_for_logs()?;
        self.churn.pass(passed);
        self.tell_passed_over(tell);
        self.admit(&sites, tell);
        self.look_at_held(&sites);
        self.decided = Instant::now();
        self.choose()
    }

    fn tell_passed_over(&mut self, tell: &mut dyn FnMut(DaemonEvent)) {
        let clients = self.clients.next_interval();
        if clients > 0 {
            tell(DaemonEvent::ClientsPassedOver(clients));
        }
        let others = std::mem::take(&mut self.of_other_sites);
        if others > 0 {
            tell(DaemonEvent::OtherSites(others));
        }
        let names = self.newcomers.take_passed_over();
        if names > 0 {
            tell(DaemonEvent::NamesPassedOver(names));
        }
    }

    /// Learns of the files among the new names, as if they had been asked for at the beginning of the interval.
    fn admit(&mut self, sites: &Sites, tell: &mut dyn FnMut(DaemonEvent)) {
        let passed = i64::try_from(self.decided.elapsed().as_micros()).unwrap_or(i64::MAX);
        let began_us = self.now_us().saturating_sub(passed);
        for (site, path, requests) in self.newcomers.take() {
            if self.known.is_full() {
                tell(DaemonEvent::TooManyFiles(MOST_FILES));
                break;
            }
            // What is not there, or may not be held, is no file to learn of.
            let Ok(found) = sites.find(self.site_name(site), &path) else {
                continue;
            };
            let id = self.known.add(site, &path, found.identity.size_bytes);
            for _ in 0..requests {
                self.online.observe(id, began_us);
            }
        }
    }

    /// Notes how large the held files are now.
    fn look_at_held(&mut self, sites: &Sites) {
        for &id in &self.held {
            let name = &self.spec.sites[usize::from(self.known.site(id))].name;
            if let Ok(found) = sites.find(name, self.known.path(id)) {
                self.known.sizes[id as usize] = found.identity.size_bytes;
            }
        }
    }

    fn choose(&mut self) -> Result<Option<Decision>, LiveError> {
        let values = self.values()?;
        let memory_bytes = held_bytes(self.spec.memory_bytes);
        let reserved = reserved_pages(&self.terms());
        let budget = Budget {
            pages: memory_bytes / PAGE_BYTES,
            reserved_pages: &reserved,
        };
        let Some(ranking) = self.online.renew(self.now_us(), &values, budget) else {
            return Ok(None);
        };
        let moved_bytes = self.hold(&values, &ranking, budget);
        Ok(Some(Decision {
            files: self.held.iter().map(|&id| self.wanted(id)).collect(),
            moved_bytes,
            memory_bytes,
        }))
    }

    fn values(&self) -> Result<Values, LiveError> {
        let sites = &self.spec.sites;
        let names: Vec<String> = sites.iter().map(|site| site.name.clone()).collect();
        let stores: Vec<Profile> = sites.iter().map(|site| site.store.clone()).collect();
        let files = Catalogue {
            sizes: &self.known.sizes,
            site_of_object: &self.known.sites,
            sites: &names,
        };
        let costs = ProfileCosts {
            memory: &self.spec.memory,
            backing: &stores,
            files,
        };
        Ok(Values::new(&files, &costs, &self.terms())?)
    }

    fn terms(&self) -> Vec<SiteTerms> {
        self.spec.sites.iter().map(|site| site.terms).collect()
    }

    /// Holds the best files, as far as they may be moved; how many bytes are.
    fn hold(&mut self, values: &Values, ranking: &Ranking, budget: Budget) -> u64 {
        let held = HeldSet::of(values, &self.held);
        let next = select_beside(&held, values, ranking, budget);
        let (sizes, churn) = (&self.known.sizes, &mut self.churn);
        let mut moved_bytes = 0;
        let mut chosen = next.objects().to_vec();
        chosen.retain(|&id| {
            let size = sizes[id as usize];
            let is_new = !held.contains(id);
            let stays = !is_new || churn.take(size);
            moved_bytes += u64::from(stays && is_new) * size;
            stays
        });
        // What waits for its turn leaves its room to what was held.
        let waiting = next.objects().len() - chosen.len();
        let mut room = budget
            .pages
            .saturating_sub(HeldSet::of(values, &chosen).pages());
        let given_up = held.objects().iter().filter(|&&id| !next.contains(id));
        let fits = given_up.filter(|&&id| {
            let pages = sizes[id as usize].div_ceil(PAGE_BYTES).max(1);
            let fits = pages <= room;
            room -= if fits { pages } else { 0 };
            fits
        });
        chosen.extend(fits.take(waiting));
        self.held = chosen;
        moved_bytes
    }

    fn site_name(&self, site: u16) -> &str {
        &self.spec.sites[usize::from(site)].name
    }

    fn wanted(&self, id: u32) -> WantedFile {
        WantedFile {
            site: self.site_name(self.known.site(id)).to_owned(),
            path: FilePath(self.known.path(id).to_vec()),
        }
    }

    /// What was learnt, and how far the logs were read.
    pub fn save(&self) -> Saved<'_> {
        let name = |id: u32| {
            let wanted = self.wanted(id);
            FileName {
                site: wanted.site,
                path: wanted.path,
            }
        };
        Saved::new(
            &self.spec,
            self.follower.places(),
            self.now_us(),
            self.known.sizes.clone(),
            self.online.save(name),
        )
    }

    /// Microseconds spent learning, by a clock that never jumps.
    fn now_us(&self) -> i64 {
        let now = i64::try_from(self.started.elapsed().as_micros()).unwrap_or(i64::MAX);
        self.learnt_before_us.saturating_add(now)
    }
}

/// Bytes that held files may take.
fn held_bytes(memory_bytes: u64) -> u64 {
    let floor = PageCacheModel::Linux.floor_bytes(memory_bytes);
    let share = (memory_bytes as f64 * HELD_SHARE) as u64;
    share.min(memory_bytes - floor)
}
