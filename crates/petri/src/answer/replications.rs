//! Replications: as many as the answer needs, on all processors, the same on any number of them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use hdrhistogram::Histogram;

use super::estimate::{self, Estimate};
use super::series::{self, Runs, Series, Spans};
use super::warm_up;
use super::watcher::Watcher;
use crate::error::RunError;
use crate::net::Net;
use crate::run::Choice;
use crate::time::Time;

/// Pilot runs whose mean says how long the warm-up is. They are no part of the answer.
const PILOTS: u64 = 5;
/// Values of each monitor in a pilot run.
const PILOT_VALUES: u64 = 1000;
/// Batches of a single run. Twenty to thirty are usual (Schmeiser, "Batch size effects in the analysis of simulation
/// output", Operations Research 30, 1982).
const BATCHES: u64 = 30;
/// Replications of a round where precision is asked for. Between rounds it is decided whether there are enough, whatever the
/// number of threads is.
const ROUND: usize = 10;
/// No more than so many replications, however wide the intervals are.
const MOST: usize = 1000;

/// When there are enough replications.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StoppingRule {
    /// After so many; one replication gets its intervals from batch means.
    Replications(usize),
    /// When each interval's half width is at most this share of its mean; after 1000 in any case.
    Precision(f64),
}

/// How a net is run.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// How long a replication is measured, after its warm-up.
    pub length: Time,
    /// What is left out at the beginning; nothing if MSER-5 on pilot runs is to say.
    pub warm_up: Option<Time>,
    /// When there are enough replications.
    pub enough: StoppingRule,
    /// Seed of every random choice.
    pub seed: u64,
    /// How bindings are chosen.
    pub choice: Choice,
    /// Threads that run replications. The answer does not depend on it.
    pub threads: usize,
}

impl Default for Experiment {
    fn default() -> Self {
        Experiment {
            length: crate::nets::LENGTH,
            warm_up: None,
            enough: StoppingRule::Precision(0.05),
            seed: 0,
            choice: Choice::Fair,
            threads: thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// What an experiment gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Firings of all runs, pilots included.
    pub firings: u64,
    /// Replications that the answer rests on.
    pub replications: usize,
    /// What was left out of each.
    pub warm_up: Time,
    /// How long each was measured after that, unless it was stopped.
    pub length: Time,
    /// Monitors that saw something in at least two replications or batches.
    pub estimates: Vec<Estimate>,
    /// Whether the mean of pilot runs was steady after their first quarter. Where it was not, means are those of a beginning.
    pub is_settled: bool,
    /// Whether it was stopped before there were enough.
    pub stopped: bool,
    /// Whether the intervals are as narrow as was asked for.
    pub is_precise: bool,
}

impl Experiment {
    /// Runs a net.
    ///
    /// # Errors
    /// The error of the first replication that has one.
    pub fn run(&self, net: &Net, watcher: &dyn Watcher) -> Result<Answer, RunError> {
        let Pilots {
            warm_up,
            is_settled,
            mut firings,
        } = match self.warm_up {
            Some(warm_up) => Pilots {
                warm_up,
                is_settled: true,
                firings: 0,
            },
            None => self.pilots(net, watcher)?,
        };
        let all = self.replications(net, warm_up, watcher)?;
        firings += all.each.iter().map(|run| run.firings).sum::<u64>();
        Ok(Answer {
            firings,
            replications: all.each.len(),
            warm_up,
            length: self.length,
            estimates: estimate::estimates(net, &all),
            is_precise: match self.enough {
                StoppingRule::Replications(_) => true,
                StoppingRule::Precision(share) => {
                    estimate::is_precise(net, &Vec::from_iter(&all.each), share)
                }
            },
            is_settled,
            stopped: watcher.is_stopped(),
        })
    }

    fn pilot_runs(&self) -> usize {
        self.warm_up.map_or(PILOTS as usize, |_| 0)
    }

    /// Replications until there are enough.
    fn replications(
        &self,
        net: &Net,
        warm_up: Time,
        watcher: &dyn Watcher,
    ) -> Result<Runs, RunError> {
        let (most, precision) = match self.enough {
            StoppingRule::Replications(wanted) => (wanted, None),
            StoppingRule::Precision(share) => (MOST, Some(share)),
        };
        let jobs = Jobs::new(most);
        let is_enough = |done: &[&Series]| {
            let is_round = done.len().is_multiple_of(ROUND);
            is_round && precision.is_some_and(|share| estimate::is_precise(net, done, share))
        };
        // Of a number that was asked for there is nothing to be judged.
        let is_enough = precision.map(|_| &is_enough as &IsEnough<'_>);
        jobs.side_by_side(self.threads, watcher, is_enough, |number, watcher| {
            watcher.expect_runs(self.pilot_runs() + self.in_sight(number));
            self.replication(net, PILOTS + number as u64, warm_up, watcher)
        })
    }

    /// Replications that are to be made as far as is known when the one of this number begins.
    fn in_sight(&self, number: usize) -> usize {
        match self.enough {
            StoppingRule::Replications(wanted) => wanted,
            StoppingRule::Precision(_) => (number + 1).next_multiple_of(ROUND),
        }
    }

    /// One replication, cut into batches if it is the only one.
    fn replication(
        &self,
        net: &Net,
        number: u64,
        warm_up: Time,
        watcher: &dyn Watcher,
    ) -> Result<Option<Series>, RunError> {
        let is_single = self.enough == StoppingRule::Replications(1);
        let spans = Spans {
            from: warm_up,
            length: self.length,
            count: if is_single { BATCHES } else { 1 },
        };
        series::run(
            net.simulate(self.seed, number, self.choice),
            &spans,
            watcher,
        )
    }

    /// The warm-up that pilot runs need, and their firings.
    fn pilots(&self, net: &Net, watcher: &dyn Watcher) -> Result<Pilots, RunError> {
        watcher.expect_runs(self.pilot_runs() + self.in_sight(0));
        let spans = Spans {
            from: Time::ZERO,
            length: self.length,
            count: PILOT_VALUES,
        };
        let jobs = Jobs::new(PILOTS as usize);
        let runs = jobs.side_by_side(self.threads, watcher, None, |number, watcher| {
            let run = net.simulate(self.seed, number as u64, self.choice);
            series::run(run, &spans, watcher)
        })?;
        let cuts =
            (0..net.monitors.len()).map(|monitor| warm_up::cut(&mean_series(&runs.each, monitor)));
        let cut = cuts.max().unwrap_or(0) as u64;
        let warm_up = Time::from_nanos(self.length.nanos() / PILOT_VALUES * cut);
        Ok(Pilots {
            warm_up,
            is_settled: !warm_up::is_late(cut as usize, PILOT_VALUES as usize),
            firings: runs.each.iter().map(|run| run.firings).sum(),
        })
    }
}

/// What pilot runs say; where none were made, the warm-up is given.
struct Pilots {
    warm_up: Time,
    is_settled: bool,
    firings: u64,
}

/// Runs by number, made by several threads. They are begun one after the other, and nobody waits for those before: whether there
/// are enough is decided by the first ones, and what was begun beyond them is dropped.
struct Jobs {
    next: AtomicUsize,
    /// Those from this number on are for nothing.
    end: AtomicUsize,
    results: Mutex<Results>,
}

#[derive(Default)]
struct Results {
    by_number: BTreeMap<usize, Result<Option<Series>, RunError>>,
    /// How many of the first ones were judged.
    judged: usize,
    /// Times of those together.
    histograms: Vec<Option<Histogram<u64>>>,
}

/// Whether so many of the first runs are enough.
type IsEnough<'a> = dyn Fn(&[&Series]) -> bool + Sync + 'a;

/// Ends a run that is for nothing.
struct JobWatcher<'a> {
    watcher: &'a dyn Watcher,
    end: &'a AtomicUsize,
    number: usize,
}

impl Watcher for JobWatcher<'_> {
    fn expect_runs(&self, runs: usize) {
        self.watcher.expect_runs(runs);
    }

    fn advance_by(&self, share: f64) {
        self.watcher.advance_by(share);
    }

    fn is_stopped(&self) -> bool {
        self.watcher.is_stopped() || self.number >= self.end.load(Ordering::Relaxed)
    }
}

impl Jobs {
    fn new(count: usize) -> Jobs {
        Jobs {
            next: AtomicUsize::new(0),
            end: AtomicUsize::new(count),
            results: Mutex::default(),
        }
    }

    /// Results in order, until the first ones are enough; all of them, where that is not asked. Jobs that were stopped before they had any
    /// are left out.
    fn side_by_side(
        self,
        threads: usize,
        watcher: &dyn Watcher,
        is_enough: Option<&IsEnough<'_>>,
        job: impl Fn(usize, &dyn Watcher) -> Result<Option<Series>, RunError> + Sync,
    ) -> Result<Runs, RunError> {
        let jobs = &self;
        let work = || {
            loop {
                let number = jobs.next.fetch_add(1, Ordering::Relaxed);
                let end = &jobs.end;
                let own = JobWatcher {
                    watcher,
                    end,
                    number,
                };
                if own.is_stopped() {
                    break;
                }
                let result = job(number, &own);
                jobs.add(number, result, is_enough);
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads.min(jobs.end.load(Ordering::Relaxed)) {
                scope.spawn(work);
            }
            work();
        });
        let end = self.end.into_inner();
        let results = self.results.into_inner();
        let results = results.unwrap_or_else(PoisonError::into_inner);
        let mut runs = Runs {
            each: Vec::new(),
            histograms: results.histograms,
        };
        let by_number = results.by_number.into_iter();
        for (_, result) in by_number.take_while(|&(number, _)| number < end) {
            if let Some(mut run) = result? {
                // After a stop there may be some behind one that has none.
                series::add_times(&mut runs.histograms, &mut run);
                runs.each.push(run);
            }
        }
        Ok(runs)
    }

    /// Takes a result, and judges those without a gap before them.
    fn add(
        &self,
        number: usize,
        result: Result<Option<Series>, RunError>,
        is_enough: Option<&IsEnough<'_>>,
    ) {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let Results {
            by_number,
            judged,
            histograms,
        } = &mut *results;
        by_number.insert(number, result);
        while let Some(result) = by_number.get_mut(judged) {
            let has_failed = result.is_err();
            if let Ok(Some(run)) = result
                && *judged < self.end.load(Ordering::Relaxed)
            {
                series::add_times(histograms, run);
            }
            *judged += 1;
            let are_enough = is_enough.is_some_and(|is_enough| {
                let before = by_number.range(..*judged);
                let before = before.filter_map(|it| it.1.as_ref().ok()?.as_ref());
                is_enough(&Vec::from_iter(before))
            });
            if has_failed || are_enough {
                self.end.fetch_min(*judged, Ordering::Relaxed);
                break;
            }
        }
    }
}

/// The mean over runs of each value of a monitor. A value that no run has is the one before.
fn mean_series(runs: &[Series], monitor: usize) -> Vec<f64> {
    let spans = runs.iter().map(|run| run.rows.len()).min().unwrap_or(0);
    let mut last = 0.0;
    let means = (0..spans).map(|span| {
        let values: Vec<f64> = runs
            .iter()
            .filter_map(|run| run.rows[span][monitor])
            .collect();
        if !values.is_empty() {
            last = values.iter().sum::<f64>() / values.len() as f64;
        }
        last
    });
    means.collect()
}
