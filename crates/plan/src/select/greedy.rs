//! The greedy choice.

use super::held::HeldSet;
use super::ranking::{Candidate, Ranking};
use crate::value::Values;

/// Memory to hold files in.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// Pages for all sites.
    pub pages: u64,
    /// Pages that each site reserves, in the order of [`crate::Catalogue::sites`]; honoured even where they exceed `pages`.
    pub reserved_pages: &'a [u64],
}

/// Pages that sites keep from each other: what a site's reservation has and its objects do not fill is
/// not given to other sites' held files.
pub(super) struct Room {
    /// What a site can use of its reservation.
    pub reserved: Vec<u64>,
    used: Vec<u64>,
    /// Sum over sites of the larger of both.
    taken: u64,
    budget: u64,
}

impl Room {
    pub fn new(values: &Values, objects: impl Iterator<Item = u32>, budget: Budget) -> Self {
        let mut seen = vec![0u64; budget.reserved_pages.len()];
        for object in objects {
            seen[values.site(object)] += values.pages(object);
        }
        let reserved: Vec<u64> = budget
            .reserved_pages
            .iter()
            .zip(seen)
            .map(|(&pages, seen)| pages.min(seen))
            .collect();
        let taken = reserved.iter().sum();
        Self {
            used: vec![0; reserved.len()],
            taken,
            budget: budget.pages.max(taken),
            reserved,
        }
    }

    /// Pages that no site has.
    pub fn free(&self) -> u64 {
        self.budget - self.taken
    }

    /// Pages taken once `pages` more are `site`'s.
    fn taken_with(&self, site: usize, pages: u64) -> u64 {
        let grown = (self.used[site] + pages).max(self.reserved[site]);
        self.taken - self.used[site].max(self.reserved[site]) + grown
    }

    /// Whether `object` fits; once it does not, it never will again.
    fn fits(&self, values: &Values, object: u32) -> bool {
        self.taken_with(values.site(object), values.pages(object)) <= self.budget
    }

    /// Takes `object` in if it fits; whether it did.
    fn take(&mut self, values: &Values, object: u32) -> bool {
        let (site, pages) = (values.site(object), values.pages(object));
        let taken = self.taken_with(site, pages);
        let fits = taken <= self.budget;
        if fits {
            self.taken = taken;
            self.used[site] += pages;
        }
        fits
    }
}

/// Holds objects of `ranking`, the most valuable first, as they fit.
pub fn select(values: &Values, ranking: &Ranking, budget: Budget) -> HeldSet {
    let mut room = Room::new(values, ranking.objects(), budget);
    let held = ranking
        .objects()
        .filter(|&object| room.take(values, object));
    HeldSet::of(values, &held.collect::<Vec<_>>())
}

/// Candidates ranked at first, as a part of all; twice as many each time after.
const FIRST_BATCH: usize = 8;

/// The objects that [`select`] holds of the [`Ranking`] of `heat`, without ranking what does not fit.
pub(crate) fn best_by_heat(
    values: &Values,
    heat: impl Iterator<Item = (u32, f64)>,
    budget: Budget,
) -> Vec<u32> {
    let mut rest = Candidate::of_heat(values, heat);
    let objects = rest.iter().map(|candidate| candidate.object);
    let mut room = Room::new(values, objects, budget);
    let mut held = Vec::new();
    let mut batch = rest.len() / FIRST_BATCH + 1;
    while !rest.is_empty() {
        let best = take_best(&mut rest, batch);
        let objects = best.iter().map(|candidate| candidate.object);
        held.extend(objects.filter(|&object| room.take(values, object)));
        rest.retain(|candidate| room.fits(values, candidate.object));
        batch *= 2;
    }
    held
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
