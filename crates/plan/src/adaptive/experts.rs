//! What to remember: ways of counting that compete, and the one that has done best of late.

use std::f64::consts::LN_2;

use rayon::prelude::*;

use super::heat::Heat;
use crate::problem::Problem;
use crate::selection::{HeldSet, Ranking, select_by_heat};

/// Half-lives, in renewals, of the experts whose counts fade.
const HALF_LIVES: [f64; 4] = [64.0, 32.0, 16.0, 8.0];

/// Experts that count from a renewal on, the one that counts from the first access on among them.
const WINDOWS: usize = 8;

/// Renewals in which what an expert did before counts half.
const SCORE_HALF_LIFE: f64 = 4.0;

/// Standard errors that count as more than chance: two, the usual 95 %.
const SIGNIFICANT: f64 = 2.0;

/// How an expert counts.
enum Counting {
    Fading(Heat),
    /// Counts from a renewal on; the accesses of each object until then, and the clock.
    Since {
        before: Vec<u32>,
        birth: f64,
    },
}

/// What the accesses of late say of two experts.
#[derive(Clone, Copy, Default)]
struct Duel {
    /// Weighted microseconds that the one saved more than the other, older ones counting less.
    ahead_us: f64,
    /// Sum of the squares of the same.
    noise: f64,
}

impl Duel {
    fn fade(&mut self, factor: f64) {
        self.ahead_us *= factor;
        self.noise *= factor;
    }

    /// Whether the one is ahead by more than chance.
    fn is_won(self) -> bool {
        self.ahead_us > SIGNIFICANT * self.noise.sqrt()
    }

    fn is_lost(self) -> bool {
        -self.ahead_us > SIGNIFICANT * self.noise.sqrt()
    }
}

struct Expert {
    counting: Counting,
    set: HeldSet,
    /// Against each expert before it.
    duels: Vec<Duel>,
}

impl Expert {
    fn new(problem: &Problem, counting: Counting, before: usize) -> Self {
        Self {
            counting,
            set: HeldSet::nothing(problem),
            duels: vec![Duel::default(); before],
        }
    }

    fn heat(&self, counts: &Counts) -> Vec<(u32, f64)> {
        match &self.counting {
            Counting::Fading(heat) => heat.iter().collect(),
            Counting::Since { before, .. } => {
                let since = |&object: &u32| {
                    let count = counts.total[object as usize] - before[object as usize];
                    (count > 0).then_some((object, f64::from(count)))
                };
                counts.seen.iter().filter_map(since).collect()
            }
        }
    }

    /// Renewals that it remembers at `clock`: all for plain counting.
    fn memory(&self, clock: f64) -> f64 {
        match &self.counting {
            // The mean age of what fades.
            Counting::Fading(heat) => heat.half_life() / LN_2,
            Counting::Since { birth: 0.0, .. } => f64::INFINITY,
            Counting::Since { birth, .. } => clock - birth,
        }
    }
}

/// Accesses of each object so far.
struct Counts {
    total: Vec<u32>,
    seen: Vec<u32>,
}

impl Counts {
    fn add(&mut self, stretch: &[(u32, u32)]) {
        for &(object, count) in stretch {
            let total = &mut self.total[object as usize];
            if *total == 0 {
                self.seen.push(object);
            }
            *total += count;
        }
    }
}

/// All experts: plain counting, those that fade, then those that count from a renewal on, the oldest first.
pub(super) struct Experts<'p, 'a> {
    problem: &'p Problem<'a>,
    /// Pages that each fills.
    budget: u64,
    counts: Counts,
    experts: Vec<Expert>,
    clock: f64,
}

impl<'p, 'a> Experts<'p, 'a> {
    pub fn new(problem: &'p Problem<'a>, budget: u64) -> Self {
        let nothing = vec![0; problem.objects()];
        let plain = Counting::Since {
            before: nothing.clone(),
            birth: 0.0,
        };
        let fading =
            HALF_LIVES.map(|half_life| Counting::Fading(Heat::new(problem.objects(), half_life)));
        let experts = std::iter::once(plain).chain(fading).enumerate();
        Self {
            problem,
            budget,
            counts: Counts {
                total: nothing,
                seen: Vec::new(),
            },
            experts: experts
                .map(|(before, counting)| Expert::new(problem, counting, before))
                .collect(),
            clock: 0.0,
        }
    }

    /// Learns the accesses of a stretch that ends at `clock`, and gives what the expert that leads then ranks.
    pub fn learn(&mut self, accesses: &[u32], clock: f64) -> Ranking {
        let (stretch, elapsed) = (tally(accesses), clock - self.clock);
        self.compete(&stretch, elapsed);
        if self.clock > 0.0 {
            self.bear();
        }
        self.clock = clock;
        self.counts.add(&stretch);
        let (problem, counts, budget) = (self.problem, &self.counts, self.budget);
        self.experts.par_iter_mut().for_each(|expert| {
            if let Counting::Fading(heat) = &mut expert.counting {
                heat.add(accesses, elapsed);
            }
            expert.set = select_by_heat(problem, expert.heat(counts).into_iter(), budget);
        });
        let heat = self.experts[self.leader()].heat(&self.counts);
        Ranking::new(problem, heat.into_iter())
    }

    /// Scores the sets held so far against each other.
    fn compete(&mut self, stretch: &[(u32, u32)], elapsed: f64) {
        let fade = (-elapsed / SCORE_HALF_LIFE).exp2();
        let duels = self.experts.iter_mut().flat_map(|expert| &mut expert.duels);
        duels.for_each(|duel| duel.fade(fade));
        let holders = self.holders(stretch);
        self.experts
            .par_iter_mut()
            .enumerate()
            .for_each(|(index, expert)| {
                for &(held_by, saved_us, noise) in &holders {
                    let own = held_by >> index & 1;
                    let differ = held_by ^ own.wrapping_neg();
                    for (other, duel) in expert.duels.iter_mut().enumerate() {
                        if differ >> other & 1 == 1 {
                            duel.ahead_us += if own == 1 { saved_us } else { -saved_us };
                            duel.noise += noise;
                        }
                    }
                }
            });
    }

    /// For each object of a stretch that some experts hold and some do not: who does, as bits, what holding it saved, and
    /// the sum of the squares of that.
    fn holders(&self, stretch: &[(u32, u32)]) -> Vec<(u32, f64, f64)> {
        let everyone = (1 << self.experts.len()) - 1;
        let holder = |&(object, count): &(u32, u32)| {
            let bits = self.experts.iter().enumerate();
            let held_by = bits.fold(0, |bits, (index, expert)| {
                bits | u32::from(expert.set.held[object as usize]) << index
            });
            let (saved_us, count) = (self.problem.saved_us(object), f64::from(count));
            (held_by != 0 && held_by != everyone).then_some((
                held_by,
                count * saved_us,
                count * saved_us * saved_us,
            ))
        };
        stretch.iter().filter_map(holder).collect()
    }

    /// Adds an expert that counts from now on. Where there are too many, the one goes whose neighbours are closest in age,
    /// by ratio, so that ages stay spread from the newest to the oldest; never the one that leads.
    fn bear(&mut self) {
        let counting = Counting::Since {
            before: self.counts.total.clone(),
            birth: self.clock,
        };
        self.experts
            .push(Expert::new(self.problem, counting, self.experts.len()));
        let (oldest, newest) = (HALF_LIVES.len() + 1, self.experts.len() - 1);
        if newest - oldest < WINDOWS {
            return;
        }
        let (leading, clock) = (self.leader(), self.clock + 1.0);
        let age = |index: usize| self.experts[index].memory(clock);
        let spread = |index: usize| age(index + 1) / age(index - 1);
        let can_go = (oldest + 1..newest).filter(|&index| index != leading);
        if let Some(index) = can_go.max_by(|&a, &b| spread(a).total_cmp(&spread(b))) {
            self.experts.remove(index);
            self.experts[index..].iter_mut().for_each(|expert| {
                expert.duels.remove(index);
            });
        }
    }

    /// The expert of the longest memory that none with a shorter one beats: how O. Lepski, "On a problem of adaptive
    /// estimation in Gaussian white noise", Theory of Probability and its Applications 35 (1991), chooses a bandwidth.
    fn leader(&self) -> usize {
        let memory = |index: usize| self.experts[index].memory(self.clock);
        let beaten = |index: usize| {
            let beats = |other: usize| {
                if other > index {
                    self.experts[other].duels[index].is_won()
                } else {
                    self.experts[index].duels[other].is_lost()
                }
            };
            (0..self.experts.len())
                .any(|other| other != index && memory(other) < memory(index) && beats(other))
        };
        let unbeaten = (0..self.experts.len()).filter(|&index| !beaten(index));
        unbeaten
            .max_by(|&a, &b| memory(a).total_cmp(&memory(b)))
            .unwrap_or(0)
    }
}

/// Accesses of each object in `accesses`, by rising id.
fn tally(accesses: &[u32]) -> Vec<(u32, u32)> {
    let mut sorted = accesses.to_vec();
    sorted.sort_unstable();
    sorted
        .chunk_by(|a, b| a == b)
        .map(|same| (same[0], same.len() as u32))
        .collect()
}
