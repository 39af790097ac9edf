//! Which objects to hold: greedy by value per page, within memory and reservations.
//!
//! Holding is a knapsack: each object saves so much and takes so many pages. Taking objects by falling
//! value per page, those that do not fit skipped, is the greedy of G. Dantzig, "Discrete-variable
//! extremum problems", Operations Research 5 (1957); where the first object that does not fit is taken
//! in part, it is the optimum of the linear relaxation, which no choice of whole objects can exceed.

use std::cmp::Ordering;

use serde::Serialize;

use crate::problem::Problem;

/// An object that is worth holding.
#[derive(Clone, Copy)]
struct Candidate {
    object: u32,
    /// Weighted microseconds saved by holding it.
    value: f64,
    /// The same for each page.
    density: f64,
}

impl Candidate {
    fn new(problem: &Problem, object: u32, value: f64) -> Self {
        let density = value / problem.pages[object as usize] as f64;
        Self {
            object,
            value,
            density,
        }
    }

    /// By falling value per page, ties to the smaller id.
    fn better_first(&self, other: &Self) -> Ordering {
        let density = other.density.total_cmp(&self.density);
        density.then(self.object.cmp(&other.object))
    }
}

/// Objects with their `heat` (accesses, decayed or not) times what holding saves an access; those that save nothing are
/// left out.
fn valued(problem: &Problem, heat: impl Iterator<Item = (u32, f64)>) -> Vec<Candidate> {
    let candidate = |(object, heat): (u32, f64)| {
        Candidate::new(problem, object, heat * problem.saved_us(object))
    };
    heat.map(candidate)
        .filter(|candidate| candidate.value > 0.0)
        .collect()
}

/// Objects by falling value per page.
pub(crate) struct Ranking(Vec<Candidate>);

impl Ranking {
    /// Ranks objects by their `heat`.
    pub fn new(problem: &Problem, heat: impl Iterator<Item = (u32, f64)>) -> Self {
        let mut candidates = valued(problem, heat);
        candidates.sort_unstable_by(Candidate::better_first);
        Self(candidates)
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
        let kept = self.0.iter().filter(|candidate| keep(candidate.object));
        Self(kept.copied().collect())
    }

    /// The ranking where each object of `held` counts one access more.
    pub fn favouring(&self, problem: &Problem, held: &HeldSet) -> Self {
        let (mut kept, others): (Vec<Candidate>, Vec<Candidate>) = self
            .0
            .iter()
            .partition(|candidate| held.held[candidate.object as usize]);
        for candidate in &mut kept {
            *candidate = Candidate::new(
                problem,
                candidate.object,
                candidate.value + problem.saved_us(candidate.object),
            );
        }
        kept.sort_unstable_by(Candidate::better_first);
        Self(merged(&kept, &others))
    }

    fn objects(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|candidate| candidate.object)
    }
}

/// The candidates of two rankings in one.
fn merged<'c>(mut a: &'c [Candidate], mut b: &'c [Candidate]) -> Vec<Candidate> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    while let ([first, rest @ ..], [other, ..]) = (a, b) {
        if first.better_first(other).is_lt() {
            merged.push(*first);
            a = rest;
        } else {
            (a, b) = (b, a);
        }
    }
    merged.extend_from_slice(a);
    merged.extend_from_slice(b);
    merged
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

    /// The distinct ones of `objects`.
    pub fn of(problem: &Problem, objects: &[u32]) -> Self {
        let mut set = Self::nothing(problem);
        for &object in objects {
            if !set.held[object as usize] {
                set.add(problem, object);
            }
        }
        set
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
            .map(|&object| problem.workload.files.sizes[object as usize])
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
    fn new(problem: &Problem, objects: impl Iterator<Item = u32>, budget: u64) -> Self {
        let mut seen = vec![0u64; problem.reserved_pages.len()];
        for object in objects {
            seen[problem.workload.files.site(object)] += problem.pages[object as usize];
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

    /// Pages taken once `pages` more are `site`'s.
    fn taken_with(&self, site: usize, pages: u64) -> u64 {
        let grown = (self.used[site] + pages).max(self.reserved[site]);
        self.taken - self.used[site].max(self.reserved[site]) + grown
    }

    /// Whether `object` fits; once it does not, it never will again.
    fn fits(&self, problem: &Problem, object: u32) -> bool {
        let (site, pages) = (
            problem.workload.files.site(object),
            problem.pages[object as usize],
        );
        self.taken_with(site, pages) <= self.budget
    }

    /// Puts `object` into `set` if it fits.
    fn offer(&mut self, problem: &Problem, object: u32, set: &mut HeldSet) {
        if self.fits(problem, object) {
            let (site, pages) = (
                problem.workload.files.site(object),
                problem.pages[object as usize],
            );
            self.taken = self.taken_with(site, pages);
            self.used[site] += pages;
            set.add(problem, object);
        }
    }
}

/// Holds objects of `ranking` within `budget` pages; reservations are honoured even where they exceed it.
pub(crate) fn select(problem: &Problem, ranking: &Ranking, budget: u64) -> HeldSet {
    let mut room = Room::new(problem, ranking.objects(), budget);
    let mut set = HeldSet::nothing(problem);
    for object in ranking.objects() {
        room.offer(problem, object, &mut set);
    }
    set
}

/// Candidates ranked at first, as a part of all; twice as many each time after.
const FIRST_BATCH: usize = 8;

/// As [`select`] from the [`Ranking`] of `heat`, without ranking what does not fit.
pub(crate) fn select_by_heat(
    problem: &Problem,
    heat: impl Iterator<Item = (u32, f64)>,
    budget: u64,
) -> HeldSet {
    let mut rest = valued(problem, heat);
    let objects = rest.iter().map(|candidate| candidate.object);
    let mut room = Room::new(problem, objects, budget);
    let mut set = HeldSet::nothing(problem);
    let mut batch = rest.len() / FIRST_BATCH + 1;
    while !rest.is_empty() {
        for candidate in take_best(&mut rest, batch) {
            room.offer(problem, candidate.object, &mut set);
        }
        rest.retain(|candidate| room.fits(problem, candidate.object));
        batch *= 2;
    }
    set
}

/// Removes the best `count` candidates, the best first.
fn take_best(candidates: &mut Vec<Candidate>, count: usize) -> Vec<Candidate> {
    let rest = candidates.len().saturating_sub(count);
    if rest > 0 {
        candidates.select_nth_unstable_by(rest, |a, b| b.better_first(a));
    }
    let mut best = candidates.split_off(rest);
    best.sort_unstable_by(Candidate::better_first);
    best
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
    let held = ranking
        .0
        .iter()
        .filter(|candidate| set.held[candidate.object as usize]);
    let value_us: f64 = held.map(|candidate| candidate.value).sum();
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
    let room = Room::new(problem, ranking.objects(), budget);
    let mut reserved = room.reserved.clone();
    let mut free = room.budget - room.taken;
    let mut total = 0.0;
    for &Candidate { object, value, .. } in &ranking.0 {
        let pages = problem.pages[object as usize];
        let own = &mut reserved[problem.workload.files.site(object)];
        let from_reservation = pages.min(*own);
        *own -= from_reservation;
        let from_rest = (pages - from_reservation).min(free);
        free -= from_rest;
        total += value * (from_reservation + from_rest) as f64 / pages as f64;
    }
    total
}
