//! The plan renewed as time goes on, as a daemon would: heat that decays, hysteresis, bytes moved.
//!
//! At each renewal only what has happened until then is known. Heat is a count of accesses that halves
//! in every half-life. Half-life and share of memory are chosen inside the training part, where the
//! same daemon is run over its last 30 %.

use std::ops::Range;

use rayon::prelude::*;

use crate::Renewal;
use crate::problem::{Problem, Served, part_of};
use crate::selection::{HeldSet, Ranking, select};
use crate::tally::ArmRun;
use crate::{scan, split};

/// Renewals of [`Renewal::HundredTimes`].
const RENEWALS: usize = 100;

/// Half-lives tried, as parts of the training part's duration; the first is plain counting, and each
/// of the others forgets four times as fast as the one before.
const HALF_LIVES: [f64; 5] = [f64::INFINITY, 0.25, 0.0625, 0.015_625, 0.003_906_25];

/// Splits tried beside the plan's own, in twentieths of memory.
const STEPS: [u32; 6] = [0, 5, 10, 15, 18, 20];

/// Share of the training part before the accesses that choose half-life and split.
const INNER_SHARE: f64 = 0.7;

/// Exponent of two at which decayed counts are scaled back, far from overflow.
const RESCALE_AT: f64 = 512.0;

/// The stretches between renewals, with the clock at the end of each.
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
        let clocks = stretches.iter().map(|stretch| stretch.end as f64).collect();
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

    /// The clock when `accesses` have passed.
    fn clock_at(&self, accesses: usize) -> f64 {
        let stretch = self
            .stretches
            .partition_point(|stretch| stretch.end < accesses);
        self.clocks
            .get(stretch)
            .or(self.clocks.last())
            .copied()
            .unwrap_or(0.0)
    }
}

fn duration(times: &[i64]) -> f64 {
    let (first, last) = (times.iter().min(), times.iter().max());
    first
        .zip(last)
        .map_or(0.0, |(&first, &last)| last as f64 - first as f64)
}

/// How the daemon behaves.
#[derive(Clone, Copy)]
struct Daemon {
    /// Half-life of heat in units of the schedule's clock.
    half_life: f64,
    /// Twentieths of memory to hold files in.
    step: u32,
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

/// The set to hold given `heat`. A held object counts one access more than its heat, for an object that takes its place
/// has to be read once before it saves anything: without that, objects of nearly equal heat would push each other out
/// for ever.
fn renewed(problem: &Problem, heat: &Heat, held: &HeldSet, step: u32) -> HeldSet {
    let candidates = heat
        .iter()
        .map(|(object, heat)| (object, heat + f64::from(held.held[object as usize])));
    select(
        problem,
        &Ranking::new(problem, candidates),
        split::budget(problem, step),
    )
}

/// Runs the daemon over the first `end` accesses; tells `observe` the index and where each was found, and returns the
/// bytes moved from `scored_from` on.
fn operate(
    problem: &Problem,
    schedule: &Schedule,
    daemon: Daemon,
    (scored_from, end): (usize, usize),
    mut observe: impl FnMut(usize, Served),
) -> u64 {
    let mut heat = Heat::new(problem.objects(), daemon.half_life);
    let mut held = HeldSet::nothing(problem);
    let mut cache = scan::page_cache(problem, split::budget(problem, daemon.step));
    let (mut moved_bytes, mut clock) = (0u64, 0.0);
    for (stretch, &at) in schedule.stretches.iter().zip(&schedule.clocks) {
        let accesses = &problem.workload.accesses[stretch.start.min(end)..stretch.end.min(end)];
        scan::serve(
            problem,
            accesses,
            &held.held,
            &mut cache,
            |index, served| observe(stretch.start + index, served),
        );
        if stretch.end >= end {
            break;
        }
        heat.add(accesses, at - clock);
        clock = at;
        let next = renewed(problem, &heat, &held, daemon.step);
        if stretch.end >= scored_from {
            moved_bytes = moved_bytes.saturating_add(bytes_to_move(problem, &held, &next));
        }
        held = next;
    }
    moved_bytes
}

fn bytes_to_move(problem: &Problem, before: &HeldSet, after: &HeldSet) -> u64 {
    let new = after
        .objects
        .iter()
        .filter(|&&object| !before.held[object as usize]);
    new.map(|&object| problem.workload.sizes[object as usize])
        .sum()
}

/// Weighted mean response of the last part of the training part under `daemon`.
fn validated_us(problem: &Problem, schedule: &Schedule, daemon: Daemon) -> f64 {
    let inner = part_of(problem.training, INNER_SHARE);
    let (mut us, mut weight) = (0.0, 0.0);
    operate(
        problem,
        schedule,
        daemon,
        (inner, problem.training),
        |index, served| {
            if index >= inner {
                let object = problem.workload.accesses[index] as usize;
                us += problem.response_us[object][served as usize] * problem.weight[object];
                weight += problem.weight[object];
            }
        },
    );
    us / f64::max(weight, f64::MIN_POSITIVE)
}

/// The best of `daemons` inside the training part; the first of equals.
fn best(problem: &Problem, schedule: &Schedule, daemons: Vec<Daemon>) -> Option<Daemon> {
    let scores: Vec<f64> = daemons
        .par_iter()
        .map(|&daemon| validated_us(problem, schedule, daemon))
        .collect();
    let scored = daemons.into_iter().zip(scores);
    scored
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(daemon, _)| daemon)
}

/// Half-life first, with the plan's split; then the split.
fn chosen(problem: &Problem, schedule: &Schedule, plan_step: u32) -> Daemon {
    let duration = schedule.clock_at(problem.training);
    let step = if plan_step == 0 {
        split::SHARE_STEPS / 2
    } else {
        plan_step
    };
    let half_lives = HALF_LIVES.map(|part| Daemon {
        half_life: part * duration.max(1.0),
        step,
    });
    let fallback = half_lives[0];
    let daemon = best(problem, schedule, half_lives.to_vec()).unwrap_or(fallback);
    let steps = STEPS
        .into_iter()
        .chain([plan_step])
        .map(|step| Daemon { step, ..daemon });
    best(problem, schedule, steps.collect()).unwrap_or(daemon)
}

/// The held-out accesses under the daemon that the training part chooses.
pub(crate) fn run(problem: &Problem, renewal: Renewal, plan_step: u32) -> ArmRun {
    let schedule = Schedule::new(problem, renewal);
    let daemon = chosen(problem, &schedule, plan_step);
    let accesses = problem.workload.accesses;
    let mut run = ArmRun::new(problem);
    let part = (problem.training, accesses.len());
    let moved_bytes = operate(problem, &schedule, daemon, part, |index, served| {
        if index >= problem.training {
            run.add(problem, accesses[index], served);
        }
    });
    run.moved_bytes = Some(moved_bytes);
    run
}
