//! What `hotset run` decides, by whatever clock: whoever simulates says what is read and when, and carries the changes out.
//!
//! It learns, chooses and decides by the functions of a [`Runner`](super::Runner) and of a guardian. No log is read, nothing is looked up, and
//! memory never gets short of what the specification gives.

use super::ceiling::Ceiling;
use super::choosing::Choosing;
use super::churn::Churn;
use super::spec::RunSpec;
use super::targets::Targets;
use crate::changes::{Affordable, Change, Holdings, Observation, decide};
use crate::{Identity, LiveError, Room, WantedFile};
use hotset_plan::{Online, Period};
use hotset_scenario::FilePath;
use std::collections::HashMap;
use std::time::Duration;

/// A file as whoever simulates knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedFile {
    /// Its number, one of its own.
    pub number: u32,
    /// Its site, by its place in [`RunSpec::sites`].
    pub site: u16,
    /// Bytes.
    pub size_bytes: u64,
}

/// A file that nobody had asked for before this interval, and its reads.
struct Newcomer {
    file: SimulatedFile,
    reads: u64,
}

/// Learns and decides what to hold.
pub struct SimulatedRun {
    spec: RunSpec,
    online: Online,
    targets: Targets,
    churn: Churn,
    ceiling: Ceiling,
    /// Ids of known files by their numbers.
    ids: HashMap<u32, u32>,
    /// Numbers, sizes and sites of known files, by their ids.
    numbers: Vec<u32>,
    sizes: Vec<u64>,
    sites: Vec<u16>,
    /// In the order in which they were asked for first.
    newcomers: Vec<Newcomer>,
    /// Places among them by numbers of files.
    waiting: HashMap<u32, usize>,
    /// What was chosen last.
    held: Vec<u32>,
    wanted: Vec<WantedFile>,
    holdings: Holdings,
    /// When the last choice was made.
    chosen_at: Duration,
}

impl SimulatedRun {
    /// Begins, at time 0, with nothing learnt and nothing held. Of the specification, logs, folders and what says that memory is short do not
    /// count, nor how many files are known at most.
    ///
    /// # Errors
    /// An interval of no length.
    pub fn start(spec: RunSpec) -> Result<Self, LiveError> {
        Ok(Self {
            online: Online::new(Period::Microseconds(spec.interval.as_micros() as f64))?,
            targets: Targets::of(spec.objective, &spec.sites),
            churn: Churn::new(spec.churn_bytes),
            ceiling: Ceiling::of(&spec),
            ids: HashMap::new(),
            numbers: Vec::new(),
            sizes: Vec::new(),
            sites: Vec::new(),
            newcomers: Vec::new(),
            waiting: HashMap::new(),
            held: Vec::new(),
            wanted: Vec::new(),
            holdings: Holdings::default(),
            chosen_at: Duration::ZERO,
            spec,
        })
    }

    /// A file is read. One that was never read before is learnt of when the interval ends, as if it had been read at its beginning.
    pub fn read(&mut self, file: SimulatedFile, now: Duration) {
        if let Some(&id) = self.ids.get(&file.number) {
            return self.online.observe(id, us(now));
        }
        let next = self.newcomers.len();
        let place = *self.waiting.entry(file.number).or_insert(next);
        match self.newcomers.get_mut(place) {
            Some(newcomer) => newcomer.reads += 1,
            None => self.newcomers.push(Newcomer { file, reads: 1 }),
        }
    }

    /// What is to be changed, where an interval has passed. The inode of each file is its number.
    ///
    /// # Errors
    /// Weights out of range, costs that are negative or not finite.
    pub fn choose(&mut self, now: Duration) -> Result<Vec<Change>, LiveError> {
        let passed = now.saturating_sub(self.chosen_at);
        if passed < self.spec.interval {
            return Ok(Vec::new());
        }
        self.churn.pass(passed);
        self.admit();
        self.ceiling.grow();
        self.chosen_at = now;
        self.targets.next_interval();
        let online = &mut self.online;
        let choosing = Choosing {
            sites: &self.spec.sites,
            followed: self.spec.sites.len(),
            memory: &self.spec.memory,
            sizes: &self.sizes,
            site_of: &self.sites,
            targets: &mut self.targets,
            churn: &mut self.churn,
            memory_bytes: self.ceiling.bytes(),
            held: &self.held,
        };
        let chosen = choosing.choose(|values, budget| online.renew(us(now), values, budget))?;
        let Some(chosen) = chosen else {
            return Ok(Vec::new());
        };
        self.held = chosen.next.objects().to_vec();
        Ok(self.changes())
    }

    /// Learns of the files that nobody had asked for before.
    fn admit(&mut self) {
        self.waiting.clear();
        for Newcomer { file, reads } in std::mem::take(&mut self.newcomers) {
            let id = self.numbers.len() as u32;
            self.ids.insert(file.number, id);
            self.numbers.push(file.number);
            self.sizes.push(file.size_bytes);
            self.sites.push(file.site);
            for _ in 0..reads {
                self.online.observe(id, us(self.chosen_at));
            }
        }
    }

    /// What a guardian makes of what was chosen. Its files stay as they are.
    fn changes(&mut self) -> Vec<Change> {
        let wanted: Vec<WantedFile> = self.held.iter().map(|&id| self.wanted(id)).collect();
        let holdings = std::mem::take(&mut self.holdings);
        self.holdings = holdings.carried_over(&self.wanted, &wanted);
        self.wanted = wanted;
        let holds = self.holdings.holds.iter().zip(&self.held);
        let seen = holds.map(|(hold, &id)| match hold.holding() {
            Some(_) => Observation::Unchanged,
            None => Observation::File(self.identity(id)),
        });
        let seen: Vec<Observation> = seen.collect();
        let memory_bytes = self.spec.memory_bytes;
        let headroom_bytes = Room::headroom_of(memory_bytes);
        let usable_bytes = memory_bytes - headroom_bytes;
        let room = Room {
            free_bytes: usable_bytes.saturating_sub(self.holdings.cost_bytes()),
            short_bytes: 0,
            headroom_bytes,
        };
        let held_bytes = self.holdings.held_bytes();
        let affordable = Affordable::in_room(self.ceiling.bytes(), held_bytes, room);
        let changes = decide(&self.wanted, &self.holdings, &seen, affordable);
        for change in &changes {
            self.holdings.apply(change);
        }
        changes
    }

    fn wanted(&self, id: u32) -> WantedFile {
        let site = &self.spec.sites[usize::from(self.sites[id as usize])];
        WantedFile {
            site: site.name.clone(),
            path: FilePath(self.numbers[id as usize].to_string().into_bytes()),
        }
    }

    fn identity(&self, id: u32) -> Identity {
        Identity {
            device: 0,
            inode: u64::from(self.numbers[id as usize]),
            size_bytes: self.sizes[id as usize],
            mtime_ns: 0,
            ctime_ns: 0,
        }
    }
}

fn us(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}
