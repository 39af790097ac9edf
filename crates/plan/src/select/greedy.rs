//! The greedy choice.

use super::held::HeldSet;
use super::ranking::{Candidate, Ranking, SAMPLED, Sampled};
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
    /// Whether any site reserves anything.
    reserves: bool,
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
            reserves: taken > 0,
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

    /// Whether nothing more can fit: every object takes a page.
    pub fn is_full(&self) -> bool {
        !self.reserves && self.free() == 0
    }

    /// Takes in those of `candidates` that fit, in their order; their objects. None is asked for beyond what fills the memory.
    pub fn take_fitting<'c>(
        &mut self,
        values: &Values,
        mut candidates: impl Iterator<Item = &'c Candidate>,
    ) -> Vec<u32> {
        let mut taken = Vec::new();
        while !self.is_full() {
            let Some(candidate) = candidates.next() else {
                break;
            };
            if self.take_candidate(values, candidate) {
                taken.push(candidate.object);
            }
        }
        taken
    }

    /// As [`Room::take`]. Where no site reserves, what fits is a matter of pages alone, and nothing is looked up.
    fn take_candidate(&mut self, values: &Values, candidate: &Candidate) -> bool {
        if self.reserves {
            return self.take(values, candidate.object);
        }
        let fits = candidate.pages <= self.free();
        self.taken += if fits { candidate.pages } else { 0 };
        fits
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
    HeldSet::of(values, &room.take_fitting(values, ranking.candidates()))
}

/// By a sample, files surely fit that fill less than the first part of the memory, and none does beyond the second.
const SURE: [f64; 2] = [0.9, 1.1];

/// A sample of fewer files says nothing.
const FEW_SAMPLED: usize = 64;

/// The objects that [`select`] holds of the [`Ranking`] of `heat`, in no order. Ranked are only those among which memory
/// runs out. `heat` gives one in so many files.
///
/// A sample says roughly which those are. What it says decides how fast this is, not what comes of it.
pub(crate) fn best_by_heat<H: Iterator<Item = (u32, f64)>>(
    values: &Values,
    heat: impl Fn(usize) -> H,
    budget: Budget,
) -> Vec<u32> {
    let reserves = budget.reserved_pages.iter().any(|&pages| pages > 0);
    let sampled = Sampled::new(values, heat(SAMPLED));
    if reserves || sampled.len() < FEW_SAMPLED {
        return best_of_all(values, heat(1), budget);
    }
    let [sure, possible] = SURE.map(|part| sampled.density_at(budget.pages as f64 * part));
    let (mut held, mut pages, mut contested) = (Vec::new(), 0, Vec::new());
    for candidate in Candidate::of_heat(values, heat(1)) {
        if candidate.density >= sure {
            held.push(candidate.object);
            pages += candidate.pages;
        } else if candidate.density >= possible {
            contested.push(candidate);
        }
    }
    if pages > budget.pages {
        return best_of_all(values, heat(1), budget);
    }
    let mut room = Room::new(values, std::iter::empty(), budget);
    room.taken = pages;
    room.fill(values, &mut contested, &mut held);
    if !room.is_full() {
        let beyond = Candidate::of_heat(values, heat(1));
        let beyond = beyond.filter(|candidate| candidate.density < possible);
        let fits = |candidate: &Candidate| candidate.pages <= room.free();
        let mut fitting: Vec<Candidate> = beyond.filter(fits).collect();
        room.fill(values, &mut fitting, &mut held);
    }
    held
}

/// The same where all candidates are written down.
fn best_of_all(
    values: &Values,
    heat: impl Iterator<Item = (u32, f64)>,
    budget: Budget,
) -> Vec<u32> {
    let mut candidates: Vec<Candidate> = Candidate::of_heat(values, heat).collect();
    let objects = candidates.iter().map(|candidate| candidate.object);
    let mut room = Room::new(values, objects, budget);
    let mut held = Vec::new();
    room.fill(values, &mut candidates, &mut held);
    held
}

/// Up to so many candidates are ranked one by one.
const FEW: usize = 32;

impl Room {
    /// Takes in the best of `candidates` that fit, and adds them to `held`.
    pub fn fill(&mut self, values: &Values, candidates: &mut [Candidate], held: &mut Vec<u32>) {
        if self.take_all(candidates) {
            held.extend(candidates.iter().map(|candidate| candidate.object));
        } else if candidates.len() <= FEW {
            candidates.sort_unstable_by(Candidate::better_first);
            let taken = candidates
                .iter()
                .filter(|candidate| self.take_candidate(values, candidate));
            held.extend(taken.map(|candidate| candidate.object));
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
        let fits = pages <= self.free() && !self.reserves;
        if fits {
            // What each site uses counts only against what it reserves.
            self.taken += pages;
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use hotset_scenario::Profile;
    use proptest::prelude::*;

    use super::*;
    use crate::value::{Catalogue, ProfileCosts};

    fn values(sizes: &[u64]) -> Values {
        let (sites, site_of_object) = (["all".to_owned()], vec![0; sizes.len()]);
        let files = Catalogue {
            sizes,
            site_of_object: &site_of_object,
            sites: &sites,
        };
        let profile = |name: &str| Profile::builtin(name).expect("a built-in profile");
        let costs = ProfileCosts {
            memory: &profile("memory"),
            backing: &[profile("hdd")],
            files,
        };
        Values::new(&files, &costs, &[]).expect("values")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Files of few sizes and counts, so that many are worth the same; more than [`FEW_SAMPLED`] times [`SAMPLED`].
        #[test]
        fn what_a_sample_says_decides_nothing(
            files in prop::collection::vec((0usize..4, 0u32..6), 6_000..9_000),
            (largest, part) in (1u64..9, 0.0f64..1.2),
        ) {
            let pages = [1, 1 + largest / 3, 1 + largest, 5 * largest];
            let sizes: Vec<u64> = files.iter().map(|&(size, _)| 4096 * pages[size]).collect();
            let values = values(&sizes);
            let heat = |step| {
                let heat = files.iter().enumerate().step_by(step);
                heat.map(|(file, &(_, count))| (file as u32, f64::from(count)))
            };
            let all: u64 = values.all_pages().iter().sum();
            let budget = Budget { pages: (all as f64 * part) as u64, reserved_pages: &[0] };
            let ranking = Ranking::new(&values, heat(1));
            let mut plain = select(&values, &ranking, budget).objects().to_vec();
            let for_room = Ranking::for_room(&values, heat, budget.pages / 2);
            let selected = select(&values, &for_room, budget);
            prop_assert_eq!(selected.objects(), &plain);
            prop_assert!(for_room.objects().eq(ranking.objects()));
            let mut best = best_by_heat(&values, heat, budget);
            best.sort_unstable();
            plain.sort_unstable();
            prop_assert_eq!(best, plain);
        }
    }
}
