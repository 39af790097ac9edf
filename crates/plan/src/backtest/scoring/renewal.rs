//! The plan renewed as time goes on, as a program that keeps running would.
//!
//! What is learnt does not depend on the share of memory that files are held in, so several shares are tried side by side.
//! The training part chooses one, by its last 30 %.

use std::ops::Range;

use hotset_cache::TwoList;
use rayon::prelude::*;

use super::page_cache_alone::PageCacheAlone;
use super::reversals::{beside_whole_files, whole_files};
use super::score::ArmRun;
use crate::PlanError;
use crate::backtest::judgement::{Judge, Judgement};
use crate::backtest::options::Renewal;
use crate::backtest::prepare::Backtest;
use crate::backtest::scan::{FileCache, PageCache, Scan, WholeFiles, last_turnovers};
use crate::backtest::workload::Workload;
use crate::online::{Online, Period, select_beside};
use crate::select::{Budget, HeldSet, Ranking};

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
    let mut holders = Holder::of_steps(test, plan_step);
    let (mut run, mut from) = (ArmRun::new(test), 0);
    while from < learner.accesses.len() {
        test.go_on()?;
        if from == test.training {
            let best = best(holders).filter(|best| best.validated_us < alone.validated.us());
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
        if let Some(ranking) = learner.renew(from, budget) {
            holders
                .par_iter_mut()
                .for_each(|holder| holder.renew(test, &ranking, from));
        }
    }
    let holder = holders.pop();
    if let Some(holder) = &holder {
        run.set_moved(&holder.moved_bytes);
    }
    let beside = holder.and_then(|holder| holder.beside);
    Ok((run, beside.map(|beside| beside.held_out.judgement())))
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
}

impl<'t, 'a> Learner<'t, 'a> {
    fn new(test: &'t Backtest<'a>, renewal: Renewal) -> Result<Self, PlanError> {
        let mut online = Online::new(period(test, renewal))?;
        // The definition of a plan prefers the lower id among equals.
        (0..test.objects() as u32).for_each(|object| online.introduce(object));
        Ok(Self {
            test,
            accesses: test.workload.accesses,
            online,
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

    /// What to hold from `access` on, where that changes.
    fn renew(&mut self, access: usize, budget: Budget) -> Option<Ranking> {
        let due = access < self.accesses.len();
        due.then(|| {
            self.online
                .renew(self.time_us(access), &self.test.values, budget)
        })?
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

/// A node that holds files in a share of its memory.
struct Holder {
    /// The share, in twentieths.
    step: u32,
    held: HeldSet,
    cache: PageCache,
    /// In the held-out part alone: it serves to tell an order. Beside every share that was tried it took half of the time.
    beside: Option<BesideWholeFiles>,
    /// Weighted response time of the last part of the training part.
    validated_us: f64,
    /// Bytes of each site moved from the first scored access on.
    moved_bytes: Vec<u64>,
}

/// A page cache of whole files beside the same held files.
struct BesideWholeFiles {
    cache: WholeFiles<TwoList>,
    held_out: Judge,
}

impl BesideWholeFiles {
    /// Warm from the last of the training part; nothing where the page cache is one of whole files anyway.
    fn warm(test: &Backtest, held: &HeldSet) -> Option<Self> {
        test.linux.as_ref()?;
        let mut cache = whole_files(test, held.pages());
        let warming = last_turnovers(test, test.training_accesses(), held);
        cache.warm(Scan::of(&test.values, warming, held));
        Some(Self {
            cache,
            held_out: Judge::of(&[]),
        })
    }
}

impl Holder {
    fn of_steps(test: &Backtest, plan_step: u32) -> Vec<Self> {
        let holder = |step| Self {
            step,
            held: HeldSet::empty(test.objects()),
            cache: PageCache::beside(test, 0),
            beside: None,
            validated_us: 0.0,
            moved_bytes: vec![0; test.workload.files.sites.len()],
        };
        steps(test, plan_step).into_iter().map(holder).collect()
    }

    /// With a page cache of whole files beside it, if its own is none.
    fn warm_beside(mut self, test: &Backtest) -> Self {
        self.beside = BesideWholeFiles::warm(test, &self.held);
        self
    }

    /// Serves accesses of the training part.
    fn validate(&mut self, test: &Backtest, stretch: Range<usize>) {
        let (accesses, values) = (&test.workload.accesses[stretch.clone()], &*test.values);
        let unscored = test.inner().clamp(stretch.start, stretch.end) - stretch.start;
        let (unscored, scored) = accesses.split_at(unscored);
        let (us, cache) = (&mut self.validated_us, &mut self.cache);
        cache.warm(Scan::of(values, unscored, &self.held));
        cache.serve(Scan::of(values, scored, &self.held), |index, served| {
            let object = scored[index];
            *us += values.response_us(object, served) * values.weight(object);
        });
    }

    /// Serves accesses that are held out.
    fn score(&mut self, test: &Backtest, stretch: Range<usize>, run: &mut ArmRun) {
        let accesses = &test.workload.accesses[stretch];
        let cache = &mut self.cache;
        cache.serve(
            Scan::of(&test.values, accesses, &self.held),
            |index, served| {
                run.add(test, accesses[index], served);
            },
        );
        if let Some(BesideWholeFiles { cache, held_out }) = &mut self.beside {
            cache.serve(
                Scan::of(&test.values, accesses, &self.held),
                |index, served| {
                    held_out.add(&test.values, accesses[index], served);
                },
            );
        }
    }

    /// Holds from `access` on what `ranking` says.
    fn renew(&mut self, test: &Backtest, ranking: &Ranking, access: usize) {
        let next = select_beside(&self.held, &test.values, ranking, test.budget(self.step));
        if access >= test.training {
            self.add_moved(test, &next);
        }
        self.cache.resize_beside(test, next.pages());
        if let Some(beside) = &mut self.beside {
            let pages = test.memory_pages.saturating_sub(next.pages());
            beside.cache.0.resize(pages);
        }
        self.held = next;
    }

    /// Adds to each site what has to be read of it to hold `next`.
    fn add_moved(&mut self, test: &Backtest, next: &HeldSet) {
        for object in next.new_beside(&self.held) {
            let moved = &mut self.moved_bytes[test.values.site(object)];
            *moved = moved.saturating_add(test.size(object));
        }
    }
}
