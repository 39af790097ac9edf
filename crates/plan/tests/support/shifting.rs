//! A trace whose popular set moves, and planners that know of it.

use hotset_cache::{PAGE_BYTES, Policy, TwoList};
use hotset_plan::{Arm, Plan};
use hotset_workload::{Generator, Load, Shifting, Zipf};

use super::{Case, options, profile};

/// Share of the accesses that trains; the rest scores.
const TRAINING_SHARE: f64 = 0.7;

/// Renewals of the plan in a trace, as many as the adaptive plan has.
const RENEWALS: usize = 100;

/// What the trace looks like: otherwise as `hotset generate shifting` makes it by default.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub accesses: u64,
    pub objects: u32,
    /// Times that the popular set moves, at equal distances.
    pub shifts: u64,
    pub seed: u64,
}

/// The trace, with its objects by falling popularity in each phase.
pub struct ShiftingTrace {
    case: Case,
    shift_every: usize,
    by_rank: Vec<Vec<u32>>,
    /// Microseconds that an access saves when its object is held.
    saved_us: Vec<f64>,
}

/// Gains over the page cache alone, on the held-out accesses.
#[derive(Clone, Copy, Debug)]
pub struct Gains {
    /// The plan that stays as it is.
    pub fixed: f64,
    /// The adaptive plan.
    pub adaptive: f64,
    /// A planner that knows when: at every shift it forgets all that was before, and it plans by the counts since, renewed
    /// as often as the adaptive plan.
    pub knowing_shifts: f64,
    /// A planner that knows what: it holds what is best for the popularity that accesses are drawn from, changed the moment
    /// that changes.
    pub knowing_popularity: f64,
    /// Bytes that the adaptive plan moved.
    pub moved_bytes: u64,
}

impl Shape {
    pub fn generate(self) -> ShiftingTrace {
        let generator = Shifting {
            zipf: Zipf::new(
                0.9,
                self.objects,
                256 << 20,
                Load::new(self.accesses, 100.0),
            ),
            shift_every: self.accesses.div_ceil(self.shifts + 1),
            share: 1.0,
        };
        let trace = generator.generate(self.seed).expect("a trace");
        let sizes = trace.objects.size;
        let saved =
            |&size: &u64| profile("hdd").uncached_us(size) - profile("memory").cached_us(size);
        ShiftingTrace {
            saved_us: sizes.iter().map(saved).collect(),
            case: Case::one_site(trace.requests.object, sizes),
            shift_every: generator.shift_every as usize,
            by_rank: generator
                .objects_by_rank(self.seed)
                .take(self.shifts as usize + 1)
                .collect(),
        }
    }
}

impl ShiftingTrace {
    /// Pages of `percent` % of the bytes of all objects.
    pub fn memory_pages(&self, percent: u64) -> u64 {
        self.case.sizes.iter().sum::<u64>() * percent / 100 / PAGE_BYTES
    }

    fn plan(&self, memory_pages: u64) -> Plan {
        self.case
            .plan(&options(memory_pages * PAGE_BYTES))
            .expect("a plan")
    }

    /// All gains with `memory_pages`; of the planners that know with the split that turns out best.
    pub fn gains(&self, memory_pages: u64) -> Gains {
        let scores = self.plan(memory_pages).total.held_out;
        let gain = |rankings: &[(usize, Vec<u32>)]| {
            let us =
                (0..=20).map(|step| self.mean_us(rankings, memory_pages, memory_pages * step / 20));
            1.0 - us.fold(f64::INFINITY, f64::min) / scores[Arm::PageCache].mean_us
        };
        Gains {
            fixed: scores[Arm::Plan].gain.expect("a gain"),
            adaptive: scores[Arm::Adaptive].gain.expect("a gain"),
            knowing_shifts: gain(&self.by_counts_since_shift()),
            knowing_popularity: gain(&self.by_popularity()),
            moved_bytes: scores[Arm::Adaptive].moved_bytes.expect("bytes moved"),
        }
    }

    /// Rankings of a planner that knows when, each with the access from which it holds.
    fn by_counts_since_shift(&self) -> Vec<(usize, Vec<u32>)> {
        let accesses = &self.case.accesses;
        let renewals = (0..accesses.len()).step_by(accesses.len() / RENEWALS);
        let since_shift = |at: usize| {
            let mut counts = vec![0.0; self.saved_us.len()];
            let since = at / self.shift_every * self.shift_every;
            accesses[since..at]
                .iter()
                .for_each(|&object| counts[object as usize] += 1.0);
            (at, self.ranking(&counts))
        };
        renewals.map(since_shift).collect()
    }

    /// Rankings of a planner that knows what.
    fn by_popularity(&self) -> Vec<(usize, Vec<u32>)> {
        let ranking = |(phase, objects): (usize, &Vec<u32>)| {
            let mut popularity = vec![0.0; objects.len()];
            for (rank, &object) in objects.iter().enumerate() {
                popularity[object as usize] = (rank as f64 + 1.0).powf(-0.9);
            }
            (phase * self.shift_every, self.ranking(&popularity))
        };
        self.by_rank.iter().enumerate().map(ranking).collect()
    }

    fn pages(&self, object: u32) -> u64 {
        self.case.sizes[object as usize].div_ceil(PAGE_BYTES)
    }

    /// Objects by falling value per page.
    fn ranking(&self, heat: &[f64]) -> Vec<u32> {
        let density = |&object: &u32| {
            heat[object as usize] * self.saved_us[object as usize] / self.pages(object) as f64
        };
        let mut objects: Vec<u32> = (0..heat.len() as u32)
            .filter(|&object| heat[object as usize] > 0.0)
            .collect();
        objects.sort_by(|a, b| density(b).total_cmp(&density(a)));
        objects
    }

    /// What fits of `ranking` into `budget` pages, and how many it takes.
    fn held(&self, ranking: &[u32], budget: u64) -> (Vec<bool>, u64) {
        let (mut held, mut used) = (vec![false; self.saved_us.len()], 0);
        for &object in ranking {
            if used + self.pages(object) <= budget {
                used += self.pages(object);
                held[object as usize] = true;
            }
        }
        (held, used)
    }

    /// Mean response of the held-out accesses where each ranking fills `budget` of `memory_pages` from its access on.
    fn mean_us(&self, rankings: &[(usize, Vec<u32>)], memory_pages: u64, budget: u64) -> f64 {
        let (accesses, sizes) = (&self.case.accesses, &self.case.sizes);
        let (memory, backing) = (profile("memory"), profile("hdd"));
        let held_out = (accesses.len() as f64 * TRAINING_SHARE) as usize;
        let mut cache = TwoList::new(memory_pages, sizes.len());
        let mut us = 0.0;
        for (index, (from, ranking)) in rankings.iter().enumerate() {
            let (held, used) = self.held(ranking, budget);
            cache.resize(memory_pages - used);
            let to = rankings
                .get(index + 1)
                .map_or(accesses.len(), |next| next.0);
            for (at, &object) in (*from..to).zip(&accesses[*from..to]) {
                let size = sizes[object as usize];
                let hit = held[object as usize] || cache.access(object, self.pages(object));
                if at >= held_out {
                    us += if hit {
                        memory.cached_us(size)
                    } else {
                        backing.uncached_us(size)
                    };
                }
            }
        }
        us / (accesses.len() - held_out) as f64
    }
}
