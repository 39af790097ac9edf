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
        if candidates.len() <= FEW {
            candidates.sort_unstable_by(Candidate::better_first);
        } else if !self.fit_all(values, candidates) {
            let (better, middle, rest) =
                candidates.select_nth_unstable_by(candidates.len() / 2, Candidate::better_first);
            self.fill(values, better, held);
            self.fill(values, std::slice::from_mut(middle), held);
            return self.fill_fitting(values, rest, held);
        }
        let objects = candidates.iter().map(|candidate| candidate.object);
        held.extend(objects.filter(|&object| self.take(values, object)));
    }

    /// The same, without what does not fit even alone.
    fn fill_fitting(&mut self, values: &Values, candidates: &mut [Candidate], held: &mut Vec<u32>) {
        let mut fitting = 0;
        for index in 0..candidates.len() {
            if self.fits(values, candidates[index].object) {
                candidates.swap(fitting, index);
                fitting += 1;
            }
        }
        self.fill(values, &mut candidates[..fitting], held);
    }

    /// Whether all of `candidates` surely fit together.
    fn fit_all(&self, values: &Values, candidates: &[Candidate]) -> bool {
        let pages = candidates
            .iter()
            .map(|candidate| values.pages(candidate.object));
        pages.sum::<u64>() <= self.free()
    }
}
