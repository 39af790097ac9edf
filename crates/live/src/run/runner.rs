//! From what was logged to what is held: the runner itself.

use super::baseline::{PageCacheAlone, Payoff};
use super::ceiling::Ceiling;
use super::checkpoint::{Checkpoint, Knowledge};
use super::choosing::Choosing;
use super::churn::Churn;
use super::figures::{Figures, ReadCounts, now_ms};
use super::learn::Learner;
use super::overview::Turnover;
use super::refusals::Refusals;
use super::spec::RunSpec;
use super::targets::{TargetTurn, Targets};
use crate::{FileState, LiveError, Sites, State, WantedFile};
use hotset_cache::PAGE_BYTES;
use hotset_plan::FileName;
use hotset_scenario::{FilePath, Target};
use hotset_trace::read::follow::{Follower, LogEvent};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What was given back for want of memory shows after so long: it is the time that pressure is averaged over.
const SHRINK_PAUSE: Duration = Duration::from_secs(10);

/// A site, a path and its reads.
type Newcomer = (u16, Box<[u8]>, ReadCounts);

/// What happened, to be told.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RunEvent {
    /// Something about a log.
    Log {
        /// Its name.
        log: String,
        /// What.
        event: LogEvent,
    },
    /// Requests that did not count, since their clients had had their share of the interval.
    ClientsPassedOver {
        /// Their site.
        site: String,
        /// How many.
        requests: u64,
    },
    /// Requests that did not count, since too many new names were asked for in the interval.
    NamesPassedOver {
        /// Their site.
        site: String,
        /// How many.
        requests: u64,
    },
    /// The root of a site is gone, or is there again.
    Root {
        /// The root.
        folder: PathBuf,
        /// Whether it is there.
        is_there: bool,
    },
    /// Files that are asked for and may not be held. Each reason is told once.
    Refused {
        /// Files of one interval.
        files: u64,
        /// Why.
        why: String,
    },
    /// Requests of sites that the runner was not told of.
    OtherSites(u64),
    /// In one interval more new files were found than there could be made room for. Those beyond are not learnt.
    TooManyFiles(usize),
    /// By the times that the server logs, or where it logs none by those of its store, a site misses a target or meets it again.
    Target {
        /// The site.
        site: String,
        /// The target.
        target: Target,
        /// Whether it is met.
        is_met: bool,
    },
    /// Holding does not pay any more, or pays again.
    Payoff(Payoff),
    /// What an earlier process had learnt is of no use, for this reason. Logs are still read on from where it was.
    LearnsAnew(&'static str),
}

/// What to hold from now on.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Files, the most valuable first.
    pub files: Vec<WantedFile>,
    /// Bytes of files among them that were not held before.
    pub moved_bytes: u64,
    /// Bytes that all held files may take together.
    pub memory_bytes: u64,
}

/// Follows the logs, learns, and decides what to hold.
pub struct Runner {
    spec: RunSpec,
    /// The first of the sites are followed; of others something was learnt once.
    followed: usize,
    follower: Follower,
    learner: Learner,
    churn: Churn,
    figures: Figures,
    refusals: Refusals,
    missing_roots: BTreeSet<PathBuf>,
    ceiling: Ceiling,
    /// When memory was given back last.
    shrunk: Option<Instant>,
    /// What was chosen last, whatever could be held of it.
    held: Vec<u32>,
    started: Instant,
    /// When the last choice was made.
    chosen_at: Instant,
    /// Microseconds that earlier processes spent learning.
    learnt_before_us: i64,
    /// Learns on one processor: each takes memory of its own, and the others are for those who serve.
    alone: ThreadPool,
}

impl Runner {
    /// Begins, or goes on from where another process was.
    ///
    /// # Errors
    /// Logs that cannot be followed, an interval of no length.
    pub fn start(
        mut spec: RunSpec,
        saved: Option<Checkpoint<'_>>,
        tell: &mut dyn FnMut(RunEvent),
    ) -> Result<Self, LiveError> {
        let places = saved.as_ref().map(|saved| saved.logs.clone());
        let follower = Follower::new(
            &spec.logs,
            spec.reading.clone(),
            &places.unwrap_or_default(),
        )?;
        let followed = spec.sites.len();
        let others = saved.as_ref().map(|saved| saved.other_sites(&spec));
        spec.sites.extend(others.unwrap_or_default());
        let mut learnt = Knowledge::nothing(&spec)?;
        if let Some(saved) = saved {
            match saved.restore(&spec) {
                Ok(restored) => learnt = restored,
                Err(why) => tell(RunEvent::LearnsAnew(why)),
            }
        }
        let now = Instant::now();
        Ok(Self {
            follower,
            learner: Learner::new(
                learnt.known,
                learnt.online,
                Targets::of(spec.objective, &spec.sites),
                PageCacheAlone::new(&spec, followed),
                &spec.sites,
            ),
            churn: Churn::new(spec.churn_bytes),
            figures: Figures::of(spec.sites[..followed].iter().map(|site| site.name.clone())),
            refusals: Refusals::default(),
            missing_roots: BTreeSet::new(),
            ceiling: Ceiling::of(&spec),
            shrunk: None,
            followed,
            held: Vec::new(),
            started: now,
            chosen_at: now,
            learnt_before_us: learnt.learnt_us,
            alone: ThreadPoolBuilder::new()
                .num_threads(1)
                .build()
                .map_err(|error| LiveError::Guardian(format!("no thread to learn in: {error}")))?,
            spec,
        })
    }

    /// Takes in what was logged since the last look.
    ///
    /// # Errors
    /// When there are more sites than can be told apart.
    pub fn look(&mut self, tell: &mut dyn FnMut(RunEvent)) -> Result<(), LiveError> {
        let now_us = self.now_us();
        let (learner, sites) = (&mut self.learner, &self.spec.sites[..self.followed]);
        self.follower.poll(
            |seen| learner.take(seen, sites, now_us),
            |log, event| {
                tell(RunEvent::Log {
                    log: log.to_owned(),
                    event,
                });
            },
        )?;
        Ok(())
    }

    /// What to hold from now on, where an interval has passed.
    ///
    /// # Errors
    /// When a root cannot be looked up.
    pub fn choose(&mut self, tell: &mut dyn FnMut(RunEvent)) -> Result<Option<Choice>, LiveError> {
        let passed = self.chosen_at.elapsed();
        if passed < self.spec.interval {
            return Ok(None);
        }
        let sites = Sites::open(&self.spec.folders, &self.spec.owners)?;
        self.follower.find_logs()?;
        self.churn.pass(passed);
        self.tell_passed_over(tell);
        self.admit(&sites, tell);
        self.tell_refused(tell);
        self.tell_roots(&sites, tell);
        self.count_interval(tell);
        self.look_at_held(&sites);
        if self.shrunk.is_none_or(|shrunk| shrunk < self.chosen_at) {
            self.ceiling.grow();
        }
        self.chosen_at = Instant::now();
        self.learner.targets.next_interval();
        self.select(tell)
    }

    fn tell_passed_over(&mut self, tell: &mut dyn FnMut(RunEvent)) {
        self.learner.clients.next_interval();
        let others = std::mem::take(&mut self.learner.of_other_sites);
        self.figures.of_other_sites += others;
        if others > 0 {
            tell(RunEvent::OtherSites(others));
        }
        for (site, counts) in self.spec.sites.iter().zip(&self.learner.interval) {
            let (site, requests) = (site.name.clone(), counts.beyond_share);
            if requests > 0 {
                let site = site.clone();
                tell(RunEvent::ClientsPassedOver { site, requests });
            }
            let requests = counts.beyond_names;
            if requests > 0 {
                tell(RunEvent::NamesPassedOver { site, requests });
            }
        }
    }

    /// Learns of the files among the new names, as if they had been asked for at the beginning of the interval.
    fn admit(&mut self, sites: &Sites, tell: &mut dyn FnMut(RunEvent)) {
        let passed = i64::try_from(self.chosen_at.elapsed().as_micros()).unwrap_or(i64::MAX);
        let began_us = self.now_us().saturating_sub(passed);
        self.make_room(self.learner.newcomers.len());
        let has_room =
            self.learner.known.len() + self.learner.newcomers.len() <= self.spec.most_files;
        let names = self.learner.newcomers.take();
        let names = (0u16..).zip(names).flat_map(|(site, names)| {
            let names = names.into_iter();
            names.map(move |(path, reads)| (site, path, reads))
        });
        if has_room {
            names.for_each(|name| self.admit_one(sites, name, began_us));
            return;
        }
        let mut names: Vec<Newcomer> = names.collect();
        names.sort_by_key(|(_, _, reads)| Reverse(reads.reads));
        for name in names {
            if self.learner.known.len() >= self.spec.most_files {
                return tell(RunEvent::TooManyFiles(self.spec.most_files));
            }
            self.admit_one(sites, name, began_us);
        }
    }

    /// Learns of the file that a name stands for.
    fn admit_one(&mut self, sites: &Sites, (site, path, reads): Newcomer, began_us: i64) {
        match sites.find(self.site_name(site), &path) {
            Ok(found) => {
                let size_bytes = found.identity.size_bytes;
                self.learner.admit(site, &path, size_bytes, reads, began_us);
            }
            // What is not there, or may not be held, is no file to learn of.
            Err(refusal) => self.refusals.note(&refusal),
        }
    }

    fn tell_refused(&mut self, tell: &mut dyn FnMut(RunEvent)) {
        for (why, files) in self.refusals.take() {
            tell(RunEvent::Refused { files, why });
        }
    }

    fn tell_roots(&mut self, sites: &Sites, tell: &mut dyn FnMut(RunEvent)) {
        let missing: BTreeSet<PathBuf> = sites.missing().map(|root| root.folder.folder).collect();
        for folder in missing.symmetric_difference(&self.missing_roots) {
            tell(RunEvent::Root {
                folder: folder.clone(),
                is_there: !missing.contains(folder),
            });
        }
        self.missing_roots = missing;
    }

    /// Forgets the coldest files where there is no room for so many new ones.
    fn make_room(&mut self, newcomers: usize) {
        let learner = &mut self.learner;
        let Some(kept) = learner.make_room(newcomers, self.spec.most_files, &self.held) else {
            return;
        };
        // They are kept in the order of their ids.
        let id = |old: &u32| kept.binary_search(old).ok().map(|id| id as u32);
        self.held = self.held.iter().filter_map(id).collect();
    }

    /// Adds what was read in the interval to the figures.
    fn count_interval(&mut self, tell: &mut dyn FnMut(RunEvent)) {
        let learner = &mut self.learner;
        let compare = learner.alone.next_interval(self.chosen_at.elapsed());
        if let Some(news) = compare.as_ref().and_then(|it| it.news) {
            tell(RunEvent::Payoff(news));
        }
        self.figures.add(&learner.interval, compare);
        learner.interval.fill(ReadCounts::default());
    }

    /// Notes which files are held in fact: what is read of others is no hit.
    pub fn note_held(&mut self, state: &State) {
        self.ceiling.limit(state.budget_bytes);
        self.learner.alone.hold(state.held_bytes());
        let before = std::mem::take(&mut self.learner.held);
        self.learner.held = vec![false; self.learner.known.len()];
        for id in self.held_in(state) {
            self.learner.held[id as usize] = true;
            if !before.get(id as usize).is_some_and(|&held| held) {
                let bytes = self.learner.known.sizes[id as usize];
                self.figures.add_move(self.learner.known.site(id), bytes);
            }
        }
    }

    /// Takes what a state holds as chosen: a process that was killed has left it.
    pub fn take_over(&mut self, state: &State) {
        self.held = self.held_in(state);
        self.learner.alone.hold(state.held_bytes());
        self.learner.held = vec![false; self.learner.known.len()];
        for &id in &self.held {
            self.learner.held[id as usize] = true;
        }
    }

    /// The known files among those that a state holds.
    fn held_in(&self, state: &State) -> Vec<u32> {
        let files = state.files.iter();
        let held = files.filter(|file| file.status.identity().is_some());
        let id = |file: &FileState| {
            let sites = &self.spec.sites;
            let site = sites.iter().position(|site| site.name == file.site)?;
            self.learner.known.id(site as u16, &file.path.0)
        };
        held.filter_map(id).collect()
    }

    /// The logs that are followed.
    pub fn logs(&self) -> impl Iterator<Item = &str> {
        self.follower.logs()
    }

    /// What the logs say that holding has come to.
    #[must_use]
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// What the known files take in whole pages, and what of it is held. Bytes.
    #[must_use]
    pub fn known_and_held_bytes(&self) -> (u64, u64) {
        let sizes = (0u32..).zip(&self.learner.known.sizes);
        let bytes = |size: u64| size.div_ceil(PAGE_BYTES).max(1) * PAGE_BYTES;
        sizes.fold((0, 0), |(known, held), (id, &size)| {
            let is_held = u64::from(self.learner.is_held(id));
            (known + bytes(size), held + is_held * bytes(size))
        })
    }

    /// Notes how large the held files are now.
    fn look_at_held(&mut self, sites: &Sites) {
        for &id in &self.held {
            let known = &mut self.learner.known;
            let name = &self.spec.sites[usize::from(known.site(id))].name;
            if let Ok(found) = sites.find(name, known.path(id)) {
                known.sizes[id as usize] = found.identity.size_bytes;
            }
        }
    }

    fn select(&mut self, tell: &mut dyn FnMut(RunEvent)) -> Result<Option<Choice>, LiveError> {
        let now_us = self.now_us();
        let (learner, alone) = (&mut self.learner, &self.alone);
        let online = &mut learner.online;
        let choosing = Choosing {
            sites: &self.spec.sites,
            followed: self.followed,
            memory: &self.spec.memory,
            sizes: &learner.known.sizes,
            site_of: &learner.known.sites,
            targets: &mut learner.targets,
            churn: &mut self.churn,
            memory_bytes: self.ceiling.bytes(),
            held: &self.held,
        };
        let chosen = choosing
            .choose(|values, budget| alone.install(|| online.renew(now_us, values, budget)))?;
        let Some(chosen) = chosen else {
            return Ok(None);
        };
        for &turn in &chosen.turns {
            tell(self.event(turn));
        }
        let turnover = Turnover {
            known: &self.learner.known,
            sites: &self.spec.sites,
            values: &chosen.values,
            ranking: &chosen.ranking,
            before: &chosen.before,
            next: &chosen.next,
        };
        self.figures.show(turnover.overview(now_ms()));
        self.held = chosen.next.objects().to_vec();
        Ok(Some(Choice {
            moved_bytes: chosen.moved_bytes,
            ..self.current()
        }))
    }

    fn event(&self, turn: TargetTurn) -> RunEvent {
        RunEvent::Target {
            site: self.spec.sites[turn.site].name.clone(),
            target: turn.target,
            is_met: turn.is_met,
        }
    }

    /// What was chosen last.
    #[must_use]
    pub fn current(&self) -> Choice {
        Choice {
            files: self.held.iter().map(|&id| self.wanted(id)).collect(),
            moved_bytes: 0,
            memory_bytes: self.ceiling.bytes(),
        }
    }

    /// What to hold from now on where memory is short: a part is given back, the least valuable first.
    pub fn relieve(&mut self) -> Option<Choice> {
        let waits = self
            .shrunk
            .is_some_and(|shrunk| shrunk.elapsed() < SHRINK_PAUSE);
        if waits || self.held.is_empty() || !self.spec.pressure.is_high() {
            return None;
        }
        self.shrunk = Some(Instant::now());
        let pages = |id: u32| {
            self.learner.known.sizes[id as usize]
                .div_ceil(PAGE_BYTES)
                .max(1)
        };
        let held_pages: u64 = self.held.iter().map(|&id| pages(id)).sum();
        self.ceiling.shrink(held_pages * PAGE_BYTES);
        let mut left = self.ceiling.bytes() / PAGE_BYTES;
        let fits = |&id: &u32| {
            let fits = pages(id) <= left;
            left -= if fits { pages(id) } else { 0 };
            fits
        };
        self.held = self.held.iter().copied().filter(fits).collect();
        Some(self.current())
    }

    /// Goes on by another specification. What was held for sites that are gone is no longer chosen.
    ///
    /// # Errors
    /// As [`Runner::start`]; then everything stays as it was.
    pub fn change(
        &mut self,
        spec: RunSpec,
        tell: &mut dyn FnMut(RunEvent),
    ) -> Result<(), LiveError> {
        let saved = self.save().into_owned();
        let mut next = Self::start(spec, Some(saved), tell)?;
        let is_followed = |&id: &u32| {
            let known = &next.learner.known;
            (id as usize) < known.len() && usize::from(known.site(id)) < next.followed
        };
        next.held = self.held.iter().copied().filter(is_followed).collect();
        next.learner.held = std::mem::take(&mut self.learner.held);
        next.figures.go_on(std::mem::take(&mut self.figures));
        let alone = &mut self.learner.alone;
        next.learner.alone.go_on(alone, &next.spec);
        let name = |number: usize| &next.spec.sites[number].name;
        let before = |number: usize| {
            let mut sites = self.spec.sites.iter();
            sites.position(|site| site.name == *name(number))
        };
        next.learner.targets.go_on(&self.learner.targets, before);
        next.churn = self.churn.with_limit(next.spec.churn_bytes);
        let most = Ceiling::most_bytes(&next.spec);
        next.ceiling = self.ceiling;
        next.ceiling.change(most);
        (next.shrunk, next.chosen_at) = (self.shrunk, self.chosen_at);
        *self = next;
        Ok(())
    }

    fn site_name(&self, site: u16) -> &str {
        &self.spec.sites[usize::from(site)].name
    }

    fn wanted(&self, id: u32) -> WantedFile {
        WantedFile {
            site: self.site_name(self.learner.known.site(id)).to_owned(),
            path: FilePath(self.learner.known.path(id).to_vec()),
        }
    }

    /// What was learnt, and how far the logs were read.
    pub fn save(&self) -> Checkpoint<'_> {
        let name = move |id: u32| {
            let wanted = self.wanted(id);
            FileName {
                site: wanted.site,
                path: wanted.path,
            }
        };
        Checkpoint::new(
            &self.spec,
            self.follower.places(),
            self.now_us(),
            self.learner.known.sizes.clone(),
            self.learner.online.save(name),
        )
    }

    /// Microseconds spent learning, by a clock that never jumps.
    fn now_us(&self) -> i64 {
        let now = i64::try_from(self.started.elapsed().as_micros()).unwrap_or(i64::MAX);
        self.learnt_before_us.saturating_add(now)
    }
}
