//! A trace whose popular set moves, and a planner that is told when and where to.

use hotset_cache::{Policy, TwoList};
use hotset_plan::{PAGE_BYTES, Plan, PlanOptions, ProfileCosts, Workload, plan};
use hotset_scenario::Profile;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// What the trace looks like.
#[derive(Clone, Copy, Debug)]
pub struct Shifting {
    pub accesses: usize,
    pub objects: usize,
    /// Times that the popular set moves, at equal distances.
    pub shifts: usize,
    pub alpha: f64,
    pub seed: u64,
}

/// The trace, with the popularity that each phase was drawn from.
pub struct ShiftingTrace {
    pub accesses: Vec<u32>,
    pub sizes: Vec<u64>,
    phases: usize,
    /// Probability of each popularity rank.
    probability: Vec<f64>,
}

impl Shifting {
    /// Zipf popularity over all objects; at each shift the ranks move on by a share of the objects, so that what was
    /// popular no longer is.
    pub fn generate(self) -> ShiftingTrace {
        let mut random = Pcg64Mcg::seed_from_u64(self.seed);
        let sizes = (0..self.objects).map(|_| size(&mut random)).collect();
        let weights: Vec<f64> = (1..=self.objects)
            .map(|rank| (rank as f64).powf(-self.alpha))
            .collect();
        let total: f64 = weights.iter().sum();
        let probability: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        let cumulative: Vec<f64> = probability
            .iter()
            .scan(0.0, |sum, p| {
                *sum += p;
                Some(*sum)
            })
            .collect();
        let mut trace = ShiftingTrace {
            accesses: Vec::new(),
            sizes,
            phases: self.shifts + 1,
            probability,
        };
        for index in 0..self.accesses {
            let drawn: f64 = random.random();
            let rank = cumulative
                .partition_point(|&sum| sum < drawn)
                .min(self.objects - 1);
            let phase = trace.phase(index, self.accesses);
            trace.accesses.push(trace.object(rank, phase));
        }
        trace
    }
}

/// Log-normal with a median of 8 KB, as bodies of web files are.
fn size(random: &mut impl Rng) -> u64 {
    let normal: f64 = (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
    (8192.0 * normal.exp()) as u64 + 1
}

impl ShiftingTrace {
    fn phase(&self, index: usize, accesses: usize) -> usize {
        index * self.phases / accesses
    }

    /// The object of popularity `rank` in `phase`.
    fn object(&self, rank: usize, phase: usize) -> u32 {
        let objects = self.sizes.len();
        ((rank + phase * objects / self.phases) % objects) as u32
    }

    /// Total pages of all objects.
    pub fn pages(&self) -> u64 {
        self.sizes
            .iter()
            .map(|size| size.div_ceil(PAGE_BYTES))
            .sum()
    }

    /// The plan for `memory_pages` with a disk behind.
    pub fn plan(&self, memory_pages: u64) -> Plan {
        let (sites, site_of_object) = (["all".to_owned()], vec![0; self.sizes.len()]);
        let workload = Workload {
            accesses: &self.accesses,
            times_us: None,
            sizes: &self.sizes,
            site_of_object: &site_of_object,
            sites: &sites,
        };
        let (memory, backing) = (profile("memory"), [profile("hdd")]);
        let costs = ProfileCosts {
            memory: &memory,
            backing: &backing,
            workload,
        };
        let options = PlanOptions {
            curve_points: 0,
            ..PlanOptions::new(memory_pages * PAGE_BYTES)
        };
        plan(&workload, &costs, &options).expect("a plan")
    }

    /// Gain over the page cache alone, on the held-out accesses, of a planner that knows the popularity of every phase
    /// and changes what it holds the moment the phase does; the best split of all.
    pub fn told_gain(&self, plan: &Plan, memory_pages: u64) -> f64 {
        let told = (0..=20).map(|step| self.told_us(memory_pages, memory_pages * step / 20));
        1.0 - told.fold(f64::INFINITY, f64::min) / plan.total.held_out.page_cache.mean_us
    }

    fn told_us(&self, memory_pages: u64, budget: u64) -> f64 {
        let sets: Vec<Vec<bool>> = (0..self.phases)
            .map(|phase| self.best_set(phase, budget))
            .collect();
        let (memory, backing) = (profile("memory"), profile("hdd"));
        let mut cache = TwoList::new(memory_pages - budget, self.sizes.len());
        let (held_out, mut us) = ((self.accesses.len() as f64 * 0.7) as usize, 0.0);
        for (index, &object) in self.accesses.iter().enumerate() {
            let size = self.sizes[object as usize];
            let held = sets[self.phase(index, self.accesses.len())][object as usize];
            let hit = held || cache.access(object, size.div_ceil(PAGE_BYTES));
            if index >= held_out {
                us += if hit {
                    memory.cached_us(size)
                } else {
                    backing.uncached_us(size)
                };
            }
        }
        us / (self.accesses.len() - held_out) as f64
    }

    fn best_set(&self, phase: usize, budget: u64) -> Vec<bool> {
        let (memory, backing) = (profile("memory"), profile("hdd"));
        let density = |rank: usize| {
            let size = self.sizes[self.object(rank, phase) as usize];
            let saved = backing.uncached_us(size) - memory.cached_us(size);
            self.probability[rank] * saved / size.div_ceil(PAGE_BYTES) as f64
        };
        let mut ranks: Vec<usize> = (0..self.sizes.len()).collect();
        ranks.sort_by(|&a, &b| density(b).total_cmp(&density(a)));
        let (mut held, mut used) = (vec![false; self.sizes.len()], 0);
        for object in ranks.into_iter().map(|rank| self.object(rank, phase)) {
            let pages = self.sizes[object as usize].div_ceil(PAGE_BYTES);
            if used + pages <= budget {
                used += pages;
                held[object as usize] = true;
            }
        }
        held
    }
}

fn profile(name: &str) -> Profile {
    Profile::builtin(name).expect("a built-in profile")
}
