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
pub(crate) struct Room {
    /// What a site can use of its reservation.
    pub(super) reserved: Vec<u64>,
    used: Vec<u64>,
    /// Sum over sites of the larger of both.
    taken: u64,
    budget: u64,
}

impl Room {
    pub fn new(values: &Values, objects: impl Iterator<Item = u32>, budget: Budget) -> Self {
        let mut seen = vec![0u64; budget.reserved_pages.len()];
        if budget.reserved_pages.iter().any(|&pages| pages > 0) {
            objects.for_each(|object| seen[values.site(object)] += values.pages(object));
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
    pub fn take(&mut self, values: &Values, object: u32) -> bool {
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

/// Up to so many candidates are ranked one by one.
const FEW: usize = 32;

/// The objects that [`select`] holds of the [`Ranking`] of `heat`, in no order. Ranked are only those among which memory
/// runs out.
pub(crate) fn best_by_heat(
    values: &Values,
    heat: impl Iterator<Item = (u32, f64)>,
    budget: Budget,
) -> Vec<u32> {
    let mut candidates = Candidate::of_heat(values, heat);
    let objects = candidates.iter().map(|candidate| candidate.object);
    let mut room = Room::new(values, objects, budget);
    let mut held = Vec::new();
    room.fill(values, &mut candidates, &mut held);
    held
}

impl Room {
    /// Takes in the best of `candidates` that fit, and adds them to `held`.
    fn fill(&mut self, values: &Values, candidates: &mut [Candidate], held: &mut Vec<u32>) {
        if self.take_all(candidates) {
            held.extend(candidates.iter().map(|candidate| candidate.object));
        } else if candidates.len() <= FEW {
            candidates.sort_unstable_by(Candidate::better_first);
            let objects = candidates.iter().map(|candidate| candidate.object);
            held.extend(objects.filter(|&object| self.take(values, object)));
        } else {
            let middle = candidates.len() / 2;
            candidates.select_nth_unstable_by(middle, Candidate::better_first);
            let (better, rest) = candidates.split_at_mut(middle);
            self.fill(values, better, held);
            let fitting = self.fitting_first(values, rest);
            self.fill(values, &mut rest[..fitting], held);
        }
    }

    /// Moves the candidates that fit to the front; how many do.
    fn fitting_first(&self, values: &Values, candidates: &mut [Candidate]) -> usize {
        let mut fitting = 0;
        for index in 0..candidates.len() {
            // Where no site reserves, what fits is a matter of pages alone.
            let pages = candidates[index].pages;
            let fits = pages <= self.free() || self.fits(values, candidates[index].object);
            if fits {
                candidates.swap(fitting, index);
                fitting += 1;
            }
        }
        fitting
    }

    /// Takes in all `candidates` where they surely fit together and no site reserves anything; whether it did.
    fn take_all(&mut self, candidates: &[Candidate]) -> bool {
        let pages: u64 = candidates.iter().map(|candidate| candidate.pages).sum();
        let fits = pages <= self.free() && self.reserved.iter().all(|&pages| pages == 0);
        if fits {
            // What each site uses counts only against what it reserves.
            self.taken += pages;
        }
        fits
    }
}
