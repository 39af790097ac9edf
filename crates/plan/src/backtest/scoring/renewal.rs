//! The plan renewed as time goes on, as a program that keeps running would.
//!
//! What is learnt does not depend on the share of memory that files are held in, so several shares are tried side by side.
//! The training part chooses one, by its last 30 %.

use std::ops::Range;

use rayon::prelude::*;

use super::holder::Holder;
use super::page_cache_alone::PageCacheAlone;
use super::reversals::beside_whole_files;
use super::score::ArmRun;
use crate::PlanError;
use crate::backtest::judgement::Judgement;
use crate::backtest::options::Renewal;
use crate::backtest::prepare::Backtest;
use crate::backtest::workload::Workload;
use crate::online::{Leading, Online, Period, Steady, select_beside};
use crate::select::{Budget, HeldSet, Ranking};
use crate::value::Values;

/// Splits tried where trying is cheap ([`Backtest::tries_all_splits`]), in twentieths of memory.
const STEPS: [u32; 12] = [0, 5, 10, 12, 13, 14, 15, 16, 17, 18, 19, 20];

/// Splits tried elsewhere, beside holding nothing, as twentieths from the plan's. A plan that is renewed holds less that is
/// of no use, so it pays to let it hold more.
const STEPS_FROM_PLAN: [i32; 4] = [-2, 0, 2, 4];

/// Renewals of [`Renewal::HundredTimes`].
const RENEWALS: usize = 100;

/// The held-out accesses with files held in the share of memory that the training part chooses; nothing held does as `alone`.
/// Candidates of counting compete by what they would hold in the plan's share, at `plan_step`.
/// Also their mean response where the page cache is one of whole files, if it is not.
pub(crate) fn run(
    test: &Backtest,
    renewal: Renewal,
    plan_step: u32,
    alone: &PageCacheAlone,
) -> Result<(ArmRun, Option<Judgement>), PlanError> {
    let budget = test.budget(if plan_step == 0 {
        test.last_step()
    } else {
        plan_step
    });
    let mut learner = Learner::new(test, renewal)?;
    let mut holders = Holder::of_steps(test, &steps(test, plan_step));
    let (mut run, mut from) = (ArmRun::new(test), 0);
    while from < learner.accesses.len() {
        test.go_on()?;
        if from == test.training {
            let best = best(holders).map(|best| best.validated_in_full(test));
            let best = best.filter(|best| best.validated_us < alone.validated.us());
            let Some(best) = best else {
                return Ok(nothing_held(test, alone));
            };
            holders = vec![best.warm_beside(test)];
        }
        let stretch = learner.observe(from, test.training);
        if from < test.training {
            holders
                .par_iter_mut()
                .for_each(|holder| holder.validate(test, stretch.clone()));
        } else {
            holders
                .iter_mut()
                .for_each(|holder| holder.score(test, stretch.clone(), &mut run));
        }
        from = stretch.end;
        if let Some(worth) = learner.renew(from, budget) {
            holders.par_iter_mut().for_each(|holder| {
                let budget = test.budget(holder.step);
                let next = worth.select_beside(&holder.held, &test.values, budget);
                holder.hold(test, next, from);
            });
        }
    }
    let holder = holders.pop();
    if let Some(holder) = &holder {
        run.set_moved(&holder.moved_bytes);
    }
    let beside = holder.and_then(|holder| holder.beside_whole_files());
    Ok((run, beside))
}

/// As the page cache alone.
fn nothing_held(test: &Backtest, alone: &PageCacheAlone) -> (ArmRun, Option<Judgement>) {
    let mut run = alone.run().clone();
    run.set_moved(&vec![0; test.workload.files.sites.len()]);
    (
        run,
        beside_whole_files(test, &HeldSet::empty(test.objects())),
    )
}

/// The one with the shortest response; the first of equals, which holds least.
fn best(holders: Vec<Holder>) -> Option<Holder> {
    holders
        .into_iter()
        .min_by(|a, b| a.validated_us.total_cmp(&b.validated_us))
}

/// What is known at each access.
struct Learner<'t, 'a> {
    test: &'t Backtest<'a>,
    accesses: &'a [u32],
    online: Online,
    /// Where no site reserves anything.
    steady: Option<Steady>,
}

impl<'t, 'a> Learner<'t, 'a> {
    fn new(test: &'t Backtest<'a>, renewal: Renewal) -> Result<Self, PlanError> {
        let mut online = Online::new(period(test, renewal))?;
        // The definition of a plan prefers the lower id among equals.
        (0..test.objects() as u32).for_each(|object| online.introduce(object));
        let reserves = test.reserved_pages.iter().any(|&pages| pages > 0);
        Ok(Self {
            test,
            accesses: test.workload.accesses,
            online,
            steady: (!reserves).then(|| Steady::new(test.objects())),
        })
    }

    fn time_us(&self, access: usize) -> i64 {
        self.test.workload.times_us.map_or(0, |times| times[access])
    }

    /// Learns the accesses from `from` on until a renewal is due, or until `border` or the end.
    fn observe(&mut self, from: usize, border: usize) -> Range<usize> {
        let mut to = from;
        loop {
            self.online.observe(self.accesses[to], self.time_us(to));
            to += 1;
            let ends = to == border || to == self.accesses.len();
            if ends || self.online.is_due(self.time_us(to)) {
                return from..to;
            }
        }
    }

    /// What is worth holding from `access` on, where that changes.
    fn renew(&mut self, access: usize, budget: Budget) -> Option<Worth<'_>> {
        if access == self.accesses.len() {
            return None;
        }
        let (time_us, values) = (self.time_us(access), &self.test.values);
        match &mut self.steady {
            Some(steady) => {
                let leading = self.online.renew_steadily(steady, time_us, values, budget);
                leading.map(Worth::Leading)
            }
            None => {
                let ranking = self.online.renew(time_us, values, budget);
                ranking.map(Worth::Ranking)
            }
        }
    }
}

/// What is worth holding.
enum Worth<'l> {
    Leading(Leading<'l>),
    Ranking(Ranking),
}

impl Worth<'_> {
    fn select_beside(&self, held: &HeldSet, values: &Values, budget: Budget) -> HeldSet {
        match self {
            Self::Leading(leading) => leading.select_beside(held, values, budget),
            Self::Ranking(ranking) => select_beside(held, values, ranking, budget),
        }
    }
}

/// Splits to try, each once, ascending; not the one that holds nothing, which is known.
fn steps(test: &Backtest, plan_step: u32) -> Vec<u32> {
    let near = STEPS_FROM_PLAN.map(|from| plan_step.saturating_add_signed(from));
    let mut steps: Vec<u32> = match test.tries_all_splits() {
        true => STEPS.to_vec(),
        false => std::iter::once(0).chain(near).collect(),
    };
    steps
        .iter_mut()
        .for_each(|step| *step = test.last_step().min(*step));
    steps.dedup();
    let reserves = test.reserved_pages.iter().any(|&pages| pages > 0);
    steps.retain(|&step| step > 0 || reserves);
    steps
}

/// How often to renew.
fn period(test: &Backtest, renewal: Renewal) -> Period {
    let Workload {
        accesses, times_us, ..
    } = test.workload;
    let duration_us = test.workload.duration_us(0..accesses.len());
    match (renewal, times_us, duration_us) {
        (Renewal::Accesses(every), ..) => Period::Accesses(every),
        (Renewal::Microseconds(every), Some(_), _) => Period::Microseconds(every as f64),
        (_, _, Some(duration_us)) => Period::Microseconds(duration_us / RENEWALS as f64),
        _ => Period::Accesses((accesses.len() / RENEWALS).max(1) as u64),
    }
}
