//! The plan renewed as time goes on, as a daemon would: what to remember, hysteresis, bytes moved.
//!
//! At each renewal only what has happened until then is known. What to remember is decided anew at every
//! renewal among experts: plain counting, counts that fade with several half-lives, and counts that start
//! at several earlier renewals. The set that each would have held is scored on the accesses that followed,
//! and the one with the longest memory that none with a shorter one beat of late leads (experts born at
//! each step and thinned out by age: E. Hazan and C. Seshadhri, "Efficient learning algorithms for changing
//! environments", ICML 2009). The share of memory is chosen inside the training part, where the same daemon is
//! run over its last 30 %.

mod experts;
mod heat;
mod schedule;

use rayon::prelude::*;

use self::experts::Experts;
use self::schedule::Schedule;
use crate::Renewal;
use crate::problem::{Problem, Served, part_of};
use crate::scan::PageCache;
use crate::selection::{HeldSet, Ranking, select};
use crate::tally::ArmRun;
use crate::{scan, split};

/// Splits tried, in twentieths of memory.
const STEPS: [u32; 12] = [0, 5, 10, 12, 13, 14, 15, 16, 17, 18, 19, 20];

/// Share of the training part before the accesses that choose the split.
const INNER_SHARE: f64 = 0.7;

/// What the leading expert ranks at the end of each stretch that a renewal follows.
fn leading_rankings(problem: &Problem, schedule: &Schedule, budget: u64) -> Vec<Ranking> {
    let mut experts = Experts::new(problem, budget);
    let renewals = schedule.stretches.len().saturating_sub(1);
    let stretches = schedule
        .stretches
        .iter()
        .zip(&schedule.clocks)
        .take(renewals);
    stretches
        .map(|(stretch, &clock)| experts.learn(&problem.workload.accesses[stretch.clone()], clock))
        .collect()
}

/// A daemon ready to be run: when it renews, what it then knows.
struct Daemon<'p, 'a> {
    problem: &'p Problem<'a>,
    schedule: Schedule,
    /// What it ranks at each renewal.
    rankings: Vec<Ranking>,
}

impl Daemon<'_, '_> {
    /// Runs over the first `end` accesses with files held in the share of memory at `step`; tells `observe` the index and
    /// where each was found, and returns the bytes of each site moved from `scored_from` on.
    fn operate(
        &self,
        step: u32,
        scored_from: usize,
        end: usize,
        mut observe: impl FnMut(usize, Served),
    ) -> Vec<u64> {
        let problem = self.problem;
        let mut held = HeldSet::nothing(problem);
        let mut cache = PageCache::beside(problem, held.pages);
        let mut moved_bytes = vec![0; problem.workload.files.sites.len()];
        for (renewal, stretch) in self.schedule.stretches.iter().enumerate() {
            let accesses = &problem.workload.accesses[stretch.start.min(end)..stretch.end.min(end)];
            let seen = |index, served| observe(stretch.start + index, served);
            scan::serve(problem, accesses, &held.held, &mut cache, seen);
            let Some(ranking) = self.rankings.get(renewal).filter(|_| stretch.end < end) else {
                break;
            };
            // An object that takes a held one's place has to be read before it saves anything: without an access of
            // advantage, objects of nearly equal heat would push each other out for ever.
            let ranking = ranking.favouring(problem, &held);
            let next = select(problem, &ranking, split::budget(problem, step));
            if stretch.end >= scored_from {
                add_moved(&mut moved_bytes, problem, &held, &next);
            }
            cache.resize_beside(problem, next.pages);
            held = next;
        }
        moved_bytes
    }

    /// Weighted response time of the last part of the training part.
    fn validated_us(&self, step: u32) -> f64 {
        let problem = self.problem;
        let inner = part_of(problem.training, INNER_SHARE);
        let mut us = 0.0;
        self.operate(step, inner, problem.training, |index, served| {
            if index >= inner {
                let object = problem.workload.accesses[index];
                us += problem.response_us(object, served) * problem.weight[object as usize];
            }
        });
        us
    }

    /// The best split inside the training part; the first of equals, which holds least.
    fn validated_step(&self) -> u32 {
        let scored: Vec<(u32, f64)> = STEPS
            .par_iter()
            .filter(|&&step| step <= split::last_step(self.problem))
            .map(|&step| (step, self.validated_us(step)))
            .collect();
        scored
            .into_iter()
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map_or(0, |(step, _)| step)
    }
}

/// Adds to each site what has to be read of it to hold `after` instead of `before`.
fn add_moved(moved_bytes: &mut [u64], problem: &Problem, before: &HeldSet, after: &HeldSet) {
    for &object in &after.objects {
        if !before.held[object as usize] {
            let moved = &mut moved_bytes[problem.workload.files.site(object)];
            *moved = moved.saturating_add(problem.workload.files.sizes[object as usize]);
        }
    }
}

/// The held-out accesses under the daemon that the training part chooses.
pub(crate) fn run(problem: &Problem, renewal: Renewal, plan_step: u32) -> ArmRun {
    let schedule = Schedule::new(problem, renewal);
    let budget = split::budget(
        problem,
        if plan_step == 0 {
            split::last_step(problem)
        } else {
            plan_step
        },
    );
    let rankings = leading_rankings(problem, &schedule, budget);
    let daemon = Daemon {
        problem,
        schedule,
        rankings,
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
