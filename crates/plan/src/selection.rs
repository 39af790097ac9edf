//! Which objects to hold: greedy by value per page, within memory and reservations.
//!
//! Holding is a knapsack: each object saves so much and takes so many pages. Taking objects by falling
//! value per page, those that do not fit skipped, is the greedy of G. Dantzig, "Discrete-variable
//! extremum problems", Operations Research 5 (1957); where the first object that does not fit is taken
//! in part, it is the optimum of the linear relaxation, which no choice of whole objects can exceed.

use serde::Serialize;

use crate::problem::Problem;

/// Objects by falling value per page.
pub(crate) struct Ranking {
    pub objects: Vec<u32>,
    /// Weighted microseconds saved by holding each of `objects`.
    values: Vec<f64>,
}

impl Ranking {
    /// Ranks objects by `heat` (accesses, decayed or not) times what holding saves an access; objects
    /// that save nothing are left out, ties go to the smaller id.
    pub fn new(problem: &Problem, candidates: impl Iterator<Item = (u32, f64)>) -> Self {
        let value = |(object, heat): (u32, f64)| (object, heat * problem.saved_us(object));
        let density = |(object, value): (u32, f64)| {
            (value / problem.pages[object as usize] as f64, object, value)
        };
        let mut ranked: Vec<(f64, u32, f64)> = candidates
            .map(value)
            .filter(|&(_, value)| value > 0.0)
            .map(density)
            .collect();
        ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        Self {
            objects: ranked.iter().map(|entry| entry.1).collect(),
            values: ranked.iter().map(|entry| entry.2).collect(),
        }
    }

    /// Ranks the objects of `accesses` by how often they occur there.
    pub fn by_counts(problem: &Problem, accesses: &[u32]) -> Self {
        let counts = problem.counts(accesses);
        let seen = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        Self::new(
            problem,
            seen.map(|(object, &count)| (object as u32, f64::from(count))),
        )
    }

    /// The objects for which `keep` holds, in the same order.
    pub fn filtered(&self, keep: impl Fn(u32) -> bool) -> Self {
        let kept = self
            .objects
            .iter()
            .zip(&self.values)
            .filter(|(object, _)| keep(**object));
        let (objects, values) = kept.map(|(&object, &value)| (object, value)).unzip();
        Self { objects, values }
    }

    fn iter(&self) -> impl Iterator<Item = (u32, f64)> {
        self.objects
            .iter()
            .copied()
            .zip(self.values.iter().copied())
    }
}

/// A set of held objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeldSet {
    /// In the order of the ranking.
    pub objects: Vec<u32>,
    /// Whether each object is held.
    pub held: Vec<bool>,
    /// Whole pages they take.
    pub pages: u64,
}

impl HeldSet {
    pub fn nothing(problem: &Problem) -> Self {
        Self {
            objects: Vec::new(),
            held: vec![false; problem.objects()],
            pages: 0,
        }
    }

    fn add(&mut self, problem: &Problem, object: u32) {
        self.objects.push(object);
        self.held[object as usize] = true;
        self.pages += problem.pages[object as usize];
    }

    /// Bytes of its files.
    pub fn bytes(&self, problem: &Problem) -> u64 {
        self.objects
            .iter()
            .map(|&object| problem.workload.sizes[object as usize])
            .sum()
    }

    /// Pages that have to be read to get from `before` to this set.
    pub fn pages_to_move(&self, problem: &Problem, before: &[bool]) -> u64 {
        let moved = self
            .objects
            .iter()
            .filter(|&&object| !before[object as usize]);
        moved.map(|&object| problem.pages[object as usize]).sum()
    }
}

/// Pages that sites keep from each other: what a site's reservation has and its objects do not fill is
/// not given to other sites' held files.
struct Room {
    /// What a site can use of its reservation.
    reserved: Vec<u64>,
    used: Vec<u64>,
    /// Sum over sites of the larger of both.
    taken: u64,
    budget: u64,
}

impl Room {
    fn new(problem: &Problem, ranking: &Ranking, budget: u64) -> Self {
        let mut seen = vec![0u64; problem.reserved_pages.len()];
        for &object in &ranking.objects {
            seen[problem.workload.site(object)] += problem.pages[object as usize];
        }
        let reserved: Vec<u64> = problem
            .reserved_pages
            .iter()
            .zip(seen)
            .map(|(&pages, seen)| pages.min(seen))
            .collect();
        let taken = reserved.iter().sum();
        Self {
            used: vec![0; reserved.len()],
            taken,
            budget: budget.max(taken),
            reserved,
        }
    }

    /// Takes `pages` for `site` if they fit.
    fn take(&mut self, site: usize, pages: u64) -> bool {
        let grown = (self.used[site] + pages).max(self.reserved[site]);
        let taken = self.taken - self.used[site].max(self.reserved[site]) + grown;
        let fits = taken <= self.budget;
        if fits {
            self.used[site] += pages;
            self.taken = taken;
        }
        fits
    }
}

/// Holds objects of `ranking` within `budget` pages; reservations are honoured even where they exceed it.
pub(crate) fn select(problem: &Problem, ranking: &Ranking, budget: u64) -> HeldSet {
    let mut room = Room::new(problem, ranking, budget);
    let mut set = HeldSet::nothing(problem);
    for &object in &ranking.objects {
        if room.take(
            problem.workload.site(object),
            problem.pages[object as usize],
        ) {
            set.add(problem, object);
        }
    }
    set
}

/// How far a choice of objects can be from the best one of its size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bound {
    /// Weighted microseconds that the held objects would have saved over the training part, if none of
    /// their accesses had found the page cache.
    pub value_us: f64,
    /// No set of whole objects within the same pages and reservations saves more than this.
    pub optimum_at_most_us: f64,
    /// The difference as a share of the latter, 0 when the choice is proven best.
    pub distance: f64,
}

/// The bound for what [`select`] holds within `budget` pages.
pub(crate) fn bound(problem: &Problem, ranking: &Ranking, set: &HeldSet, budget: u64) -> Bound {
    let value_us: f64 = ranking
        .iter()
        .filter(|(object, _)| set.held[*object as usize])
        .map(|(_, value)| value)
        .sum();
    let optimum_at_most_us = relaxed_optimum(problem, ranking, budget).max(value_us);
    let distance = if optimum_at_most_us > 0.0 {
        1.0 - value_us / optimum_at_most_us
    } else {
        0.0
    };
    Bound {
        value_us,
        optimum_at_most_us,
        distance,
    }
}

/// Optimum with parts of objects: every site fills its reservation with its best pages, then the best
/// pages left fill the rest. Each site's value is concave in its pages, so no exchange improves on that.
fn relaxed_optimum(problem: &Problem, ranking: &Ranking, budget: u64) -> f64 {
    let room = Room::new(problem, ranking, budget);
    let mut reserved = room.reserved.clone();
    let mut free = room.budget - room.taken;
    let mut total = 0.0;
    for (object, value) in ranking.iter() {
        let pages = problem.pages[object as usize];
        let own = &mut reserved[problem.workload.site(object)];
        let from_reservation = pages.min(*own);
        *own -= from_reservation;
        let from_rest = (pages - from_reservation).min(free);
        free -= from_rest;
        total += value * (from_reservation + from_rest) as f64 / pages as f64;
    }
    total
}
