//! The plan renewed as time goes on, as a daemon would: heat that decays, hysteresis, bytes moved.
//!
//! At each renewal only what has happened until then is known. Heat is a count of accesses that halves
//! in every half-life. How fast to forget is decided anew at every renewal: for each half-life the set
//! it would have held is scored on the accesses that followed, and the one that did best of late leads
//! (the fixed-share idea of M. Herbster and M. Warmuth, "Tracking the best expert", Machine Learning 32
//! (1998), with the best expert instead of a mixture). The share of memory is chosen inside the training
//! part, where the same daemon is run over its last 30 %.

use std::ops::Range;

use rayon::prelude::*;

use crate::Renewal;
use crate::problem::{Problem, Served, part_of};
use crate::selection::{HeldSet, Ranking, select};
use crate::tally::ArmRun;
use crate::{scan, split};

/// Renewals of [`Renewal::HundredTimes`].
const RENEWALS: usize = 100;

/// Half-lives in numbers of renewals; the first is plain counting. Each remembers four times as long as the one after.
const HALF_LIVES: [f64; 6] = [f64::INFINITY, 64.0, 32.0, 16.0, 8.0, 2.0];

/// Renewals in which what a half-life did before counts half.
const SCORE_HALF_LIFE: f64 = 4.0;

/// Standard errors that count as more than chance: two, the usual 95 %.
const SIGNIFICANT: f64 = 2.0;

/// Splits tried, in twentieths of memory.
const STEPS: [u32; 12] = [0, 5, 10, 12, 13, 14, 15, 16, 17, 18, 19, 20];

/// Share of the training part before the accesses that choose half-life and split.
const INNER_SHARE: f64 = 0.7;

/// Exponent of two at which decayed counts are scaled back, far from overflow.
const RESCALE_AT: f64 = 512.0;

/// The stretches between renewals, with the clock at the end of each in renewal intervals.
struct Schedule {
    stretches: Vec<Range<usize>>,
    clocks: Vec<f64>,
}

impl Schedule {
    fn new(problem: &Problem, renewal: Renewal) -> Self {
        let accesses = problem.workload.accesses.len();
        let by_count = |every: usize| Self::by_accesses(accesses, every.max(1));
        match (renewal, problem.workload.times_us) {
            (Renewal::Accesses(every), _) => by_count(usize::try_from(every).unwrap_or(usize::MAX)),
            (Renewal::Microseconds(every), Some(times)) => Self::by_time(times, every as f64),
            (_, Some(times)) if duration(times) > 0.0 => {
                Self::by_time(times, duration(times) / RENEWALS as f64)
            }
            _ => by_count(accesses / RENEWALS),
        }
    }

    fn by_accesses(accesses: usize, every: usize) -> Self {
        let starts = (0..accesses).step_by(every);
        let stretches: Vec<_> = starts
            .map(|start| start..start.saturating_add(every).min(accesses))
            .collect();
        let clocks = (1..=stretches.len())
            .map(|renewal| renewal as f64)
            .collect();
        Self { stretches, clocks }
    }

    /// Renews whenever the latest time seen passes another multiple of `every` microseconds.
    fn by_time(times: &[i64], every: f64) -> Self {
        let first = times.first().copied().unwrap_or(0);
        let (mut stretches, mut clocks, mut start, mut tick) = (Vec::new(), Vec::new(), 0, 0.0);
        for (index, &time) in times.iter().enumerate() {
            let now = ((time as f64 - first as f64) / every).floor();
            if now > tick {
                stretches.push(start..index);
                clocks.push(now);
                (start, tick) = (index, now);
            }
        }
        stretches.push(start..times.len());
        clocks.push(tick + 1.0);
        Self { stretches, clocks }
    }
}

fn duration(times: &[i64]) -> f64 {
    let (first, last) = (times.iter().min(), times.iter().max());
    first
        .zip(last)
        .map_or(0.0, |(&first, &last)| last as f64 - first as f64)
}

/// Accesses of each object, an older one counting half as much for every half-life that has passed.
struct Heat {
    /// Counts, scaled by what an access counts now.
    scaled: Vec<f64>,
    /// Exponent of two of that scale.
    exponent: f64,
    half_life: f64,
    seen: Vec<u32>,
}

impl Heat {
    fn new(objects: usize, half_life: f64) -> Self {
        Self {
            scaled: vec![0.0; objects],
            exponent: 0.0,
            half_life,
            seen: Vec::new(),
        }
    }

    /// Adds the accesses of a stretch, all at its end, `elapsed` after the last stretch's.
    fn add(&mut self, accesses: &[u32], elapsed: f64) {
        self.exponent += elapsed / self.half_life;
        if self.exponent > RESCALE_AT {
            self.rescale();
        }
        let one = self.exponent.exp2();
        for &object in accesses {
            let heat = &mut self.scaled[object as usize];
            if *heat == 0.0 {
                self.seen.push(object);
            }
            *heat += one;
        }
    }

    fn rescale(&mut self) {
        let shrink = (-self.exponent).exp2();
        self.exponent = 0.0;
        for &object in &self.seen {
            self.scaled[object as usize] *= shrink;
        }
        self.seen
            .retain(|&object| self.scaled[object as usize] > 0.0);
    }

    /// Objects and their heat in accesses as of now.
    fn iter(&self) -> impl Iterator<Item = (u32, f64)> {
        let now = (-self.exponent).exp2();
        self.seen
            .iter()
            .map(move |&object| (object, self.scaled[object as usize] * now))
    }
}

/// One half-life, and what following it would have saved beside plain counting.
struct Scout {
    heat: Heat,
    set: HeldSet,
    /// Weighted microseconds saved more than by plain counting, older ones counting less.
    ahead_us: f64,
    /// Sum of the squares of the same.
    noise: f64,
}

impl Scout {
    fn new(problem: &Problem, half_life: f64) -> Self {
        Self {
            heat: Heat::new(problem.objects(), half_life),
            set: HeldSet::nothing(problem),
            ahead_us: 0.0,
            noise: 0.0,
        }
    }

    /// Scores the set held so far on `accesses` against the one that plain counting held.
    fn compete(&mut self, problem: &Problem, accesses: &[u32], plain: &[bool], elapsed: f64) {
        let fade = (-elapsed / SCORE_HALF_LIFE).exp2();
        self.ahead_us *= fade;
        self.noise *= fade;
        for &object in accesses {
            let (own, plain) = (self.set.held[object as usize], plain[object as usize]);
            if own != plain {
                let saved_us = problem.saved_us(object);
                self.ahead_us += if own { saved_us } else { -saved_us };
                self.noise += saved_us * saved_us;
            }
        }
    }

    fn learn(&mut self, problem: &Problem, accesses: &[u32], elapsed: f64, budget: u64) {
        self.heat.add(accesses, elapsed);
        self.set = select(problem, &Ranking::new(problem, self.heat.iter()), budget);
    }

    /// How far it is ahead of plain counting, where that is more than chance.
    fn lead_us(&self) -> f64 {
        if self.ahead_us > SIGNIFICANT * self.noise.sqrt() {
            self.ahead_us
        } else {
            0.0
        }
    }
}

/// Heat by the leading half-life at the end of each stretch that a renewal follows.
fn leading_heat(problem: &Problem, schedule: &Schedule, budget: u64) -> Vec<Vec<(u32, f64)>> {
    let mut scouts = HALF_LIVES.map(|half_life| Scout::new(problem, half_life));
    let mut clock = 0.0;
    let renewals = schedule.stretches.len().saturating_sub(1);
    let stretches = schedule
        .stretches
        .iter()
        .zip(&schedule.clocks)
        .take(renewals);
    stretches
        .map(|(stretch, &at)| {
            let accesses = &problem.workload.accesses[stretch.clone()];
            let elapsed = at - clock;
            let [plain, others @ ..] = &mut scouts;
            others
                .iter_mut()
                .for_each(|scout| scout.compete(problem, accesses, &plain.set.held, elapsed));
            scouts
                .par_iter_mut()
                .for_each(|scout| scout.learn(problem, accesses, elapsed, budget));
            clock = at;
            leader(&scouts).heat.iter().collect()
        })
        .collect()
}

/// The scout that is furthest ahead of late; plain counting where none is.
fn leader(scouts: &[Scout; HALF_LIVES.len()]) -> &Scout {
    let [plain, others @ ..] = scouts;
    others.iter().fold(plain, |best, next| {
        if next.lead_us() > best.lead_us() {
            next
        } else {
            best
        }
    })
}

/// The set to hold given `heat`. A held object counts one access more than its heat, for an object that takes its place
/// has to be read once before it saves anything: without that, objects of nearly equal heat would push each other out
/// for ever.
fn renewed(problem: &Problem, heat: &[(u32, f64)], held: &HeldSet, step: u32) -> HeldSet {
    let candidates = heat
        .iter()
        .map(|&(object, heat)| (object, heat + f64::from(held.held[object as usize])));
    select(
        problem,
        &Ranking::new(problem, candidates),
        split::budget(problem, step),
    )
}

/// A daemon ready to be run: when it renews, what it then knows.
struct Daemon<'p, 'a> {
    problem: &'p Problem<'a>,
    schedule: Schedule,
    /// Heat at each renewal.
    heat: Vec<Vec<(u32, f64)>>,
}

impl Daemon<'_, '_> {
    /// Runs over the first `end` accesses with files held in the share of memory at `step`; tells `observe` the index and
    /// where each was found, and returns the bytes moved from `scored_from` on.
    fn operate(
        &self,
        step: u32,
        scored_from: usize,
        end: usize,
        mut observe: impl FnMut(usize, Served),
    ) -> u64 {
        let problem = self.problem;
        let mut held = HeldSet::nothing(problem);
        let mut cache = scan::page_cache(problem, split::budget(problem, step));
        let mut moved_bytes = 0u64;
        for (renewal, stretch) in self.schedule.stretches.iter().enumerate() {
            let accesses = &problem.workload.accesses[stretch.start.min(end)..stretch.end.min(end)];
            let seen = |index, served| observe(stretch.start + index, served);
            scan::serve(problem, accesses, &held.held, &mut cache, seen);
            let Some(heat) = self.heat.get(renewal).filter(|_| stretch.end < end) else {
                break;
            };
            let next = renewed(problem, heat, &held, step);
            if stretch.end >= scored_from {
                moved_bytes = moved_bytes.saturating_add(bytes_to_move(problem, &held, &next));
            }
            held = next;
        }
        moved_bytes
    }

    /// Weighted mean response of the last part of the training part.
    fn validated_us(&self, step: u32) -> f64 {
        let problem = self.problem;
        let inner = part_of(problem.training, INNER_SHARE);
        let (mut us, mut weight) = (0.0, 0.0);
        self.operate(step, inner, problem.training, |index, served| {
            if index >= inner {
                let object = problem.workload.accesses[index] as usize;
                us += problem.response_us[object][served as usize] * problem.weight[object];
                weight += problem.weight[object];
            }
        });
        us / f64::max(weight, f64::MIN_POSITIVE)
    }

    /// The best split inside the training part; the first of equals, which holds least.
    fn validated_step(&self) -> u32 {
        let scored: Vec<(u32, f64)> = STEPS
            .par_iter()
            .map(|&step| (step, self.validated_us(step)))
            .collect();
        scored
            .into_iter()
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map_or(0, |(step, _)| step)
    }
}

fn bytes_to_move(problem: &Problem, before: &HeldSet, after: &HeldSet) -> u64 {
    let new = after
        .objects
        .iter()
        .filter(|&&object| !before.held[object as usize]);
    new.map(|&object| problem.workload.sizes[object as usize])
        .sum()
}

/// The held-out accesses under the daemon that the training part chooses.
pub(crate) fn run(problem: &Problem, renewal: Renewal, plan_step: u32) -> ArmRun {
    let schedule = Schedule::new(problem, renewal);
    let budget = split::budget(
        problem,
        if plan_step == 0 {
            split::SHARE_STEPS
        } else {
            plan_step
        },
    );
    let heat = leading_heat(problem, &schedule, budget);
    let daemon = Daemon {
        problem,
        schedule,
        heat,
    };
    let (step, accesses) = (daemon.validated_step(), problem.workload.accesses);
    let mut run = ArmRun::new(problem);
    let moved_bytes = daemon.operate(step, problem.training, accesses.len(), |index, served| {
        if index >= problem.training {
            run.add(problem, accesses[index], served);
        }
    });
    run.moved_bytes = Some(moved_bytes);
    run
}
