//! Replications: as many as the answer needs, on all processors, the same on any number of them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::{interval, warm_up};
use crate::error::RunError;
use crate::run::Choice;
use crate::time::Time;
use crate::{Net, Simulation};

/// Pilot runs whose mean says how long the warm-up is. They are no part of the answer.
const PILOTS: u64 = 5;
/// Values of each monitor in a pilot run.
const PILOT_VALUES: u64 = 1000;
/// Batches of a single run. Twenty to thirty are usual (Schmeiser, "Batch size effects in the analysis of simulation
/// output", Operations Research 30, 1982).
const BATCHES: u64 = 30;
/// Replications of a round. Between rounds it is decided whether there are enough, whatever the number of threads is.
const ROUND: usize = 10;
/// No more than so many replications, however wide the intervals are.
const MOST: usize = 1000;

/// When there are enough replications.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Enough {
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
    pub enough: Enough,
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
            enough: Enough::Precision(0.05),
            seed: 0,
            choice: Choice::Fair,
            threads: thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// Who follows an experiment.
pub trait Watcher: Sync {
    /// So many replications are done.
    fn done(&self, replications: usize) {
        let _ = replications;
    }

    /// Whether to stop with what is known so far.
    fn stops(&self) -> bool {
        false
    }
}

/// Nobody.
impl Watcher for () {}

/// What a monitor says.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The monitor's name.
    pub name: String,
    /// The mean over replications, or over batches of one.
    pub mean: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
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
    /// Monitors that saw something in at least two replications or batches.
    pub estimates: Vec<Estimate>,
    /// Whether it was stopped before there were enough.
    pub stopped: bool,
    /// Whether the intervals are as narrow as was asked for.
    pub is_precise: bool,
}

/// What one replication gave: rows of values by monitor. A row is the replication, or a batch of it.
struct Run {
    rows: Vec<Vec<Option<f64>>>,
    firings: u64,
}

impl Experiment {
    /// Runs a net.
    ///
    /// # Errors
    /// The error of the first replication that has one.
    pub fn run(&self, net: &Net, watcher: &dyn Watcher) -> Result<Answer, RunError> {
        let (warm_up, mut firings) = match self.warm_up {
            Some(given) => (given, 0),
            None => self.pilots(net, watcher)?,
        };
        let mut rows = Vec::new();
        let mut replications = 0;
        loop {
            let wanted = self.next_round(replications, &rows);
            if wanted == 0 || watcher.stops() {
                break;
            }
            let first = replications;
            let runs = self.side_by_side(wanted, watcher, |it| {
                let number = PILOTS + (first + it) as u64;
                let run = self.replication(net, number, warm_up, watcher);
                watcher.done(first + it + 1);
                run
            })?;
            for run in runs {
                replications += 1;
                firings += run.firings;
                rows.extend(run.rows);
            }
        }
        Ok(Answer {
            firings,
            replications,
            warm_up,
            estimates: estimates(net, &rows),
            is_precise: match self.enough {
                Enough::Replications(_) => true,
                Enough::Precision(share) => is_precise(&rows, share),
            },
            stopped: watcher.stops(),
        })
    }

    /// How many replications are to follow.
    fn next_round(&self, done: usize, rows: &[Vec<Option<f64>>]) -> usize {
        match self.enough {
            Enough::Replications(wanted) => wanted.saturating_sub(done).min(ROUND),
            Enough::Precision(_) if done >= MOST => 0,
            Enough::Precision(share) if done > 0 && is_precise(rows, share) => 0,
            Enough::Precision(_) => ROUND,
        }
    }

    /// One replication, cut into batches if it is the only one.
    fn replication(
        &self,
        net: &Net,
        number: u64,
        warm_up: Time,
        watcher: &dyn Watcher,
    ) -> Result<Option<Run>, RunError> {
        let mut run = net.simulate(self.seed, number, self.choice);
        run.run_until(warm_up)?;
        let is_single = self.enough == Enough::Replications(1);
        let batches = if is_single { BATCHES } else { 1 };
        let rows = series(&mut run, warm_up, self.length, batches, watcher)?;
        let firings = run.firings();
        Ok(rows.map(|rows| Run { rows, firings }))
    }

    /// The warm-up that pilot runs need, and their firings.
    fn pilots(&self, net: &Net, watcher: &dyn Watcher) -> Result<(Time, u64), RunError> {
        let runs = self.side_by_side(PILOTS as usize, watcher, |number| {
            let mut run = net.simulate(self.seed, number as u64, self.choice);
            let rows = series(&mut run, Time::ZERO, self.length, PILOT_VALUES, watcher)?;
            let firings = run.firings();
            Ok(rows.map(|rows| Run { rows, firings }))
        })?;
        let cuts =
            (0..net.monitors.len()).map(|monitor| warm_up::cut(&mean_series(&runs, monitor)));
        let cut = cuts.max().unwrap_or(0) as u64;
        let warm_up = Time::from_nanos(self.length.nanos() / PILOT_VALUES * cut);
        Ok((warm_up, runs.iter().map(|run| run.firings).sum()))
    }

    /// Results of jobs by number, made by all threads. Jobs that were stopped are left out.
    fn side_by_side(
        &self,
        jobs: usize,
        watcher: &dyn Watcher,
        job: impl Fn(usize) -> Result<Option<Run>, RunError> + Sync,
    ) -> Result<Vec<Run>, RunError> {
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::new());
        let work = || {
            while !watcher.stops() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= jobs {
                    break;
                }
                let result = job(number);
                let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                results.push((number, result));
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads.min(jobs) {
                scope.spawn(work);
            }
            work();
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|&(number, _)| number);
        results
            .into_iter()
            .filter_map(|(_, result)| result.transpose())
            .collect()
    }
}

/// Rows of values over spans of equal length; nothing if it was stopped.
fn series(
    run: &mut Simulation<'_>,
    from: Time,
    length: Time,
    spans: u64,
    watcher: &dyn Watcher,
) -> Result<Option<Vec<Vec<Option<f64>>>>, RunError> {
    /// A single span is run in so many parts, between which it may be stopped.
    const PARTS: u64 = 100;
    let parts = if spans == 1 { PARTS } else { 1 };
    let at = |part: u64| {
        let share = u128::from(length.nanos()) * u128::from(part) / u128::from(spans * parts);
        from + Time::from_nanos(share as u64)
    };
    let mut rows = Vec::new();
    run.reset_monitors();
    for part in 1..=spans * parts {
        if watcher.stops() {
            return Ok(None);
        }
        run.run_until(at(part))?;
        if part % parts == 0 {
            rows.push(run.monitors());
            run.reset_monitors();
        }
    }
    Ok(Some(rows))
}

/// The mean over runs of each value of a monitor. A value that no run has is the one before.
fn mean_series(runs: &[Run], monitor: usize) -> Vec<f64> {
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

fn values_of(rows: &[Vec<Option<f64>>], monitor: usize) -> Vec<f64> {
    rows.iter().filter_map(|row| row[monitor]).collect()
}

fn is_precise(rows: &[Vec<Option<f64>>], share: f64) -> bool {
    let monitors = rows.first().map_or(0, Vec::len);
    (0..monitors).all(|monitor| {
        let interval = interval::mean_and_half_width(&values_of(rows, monitor));
        interval.is_none_or(|(mean, half_width)| half_width <= share * mean.abs())
    })
}

fn estimates(net: &Net, rows: &[Vec<Option<f64>>]) -> Vec<Estimate> {
    let monitors = net.monitors().enumerate();
    let estimates = monitors.filter_map(|(monitor, name)| {
        let (mean, half_width) = interval::mean_and_half_width(&values_of(rows, monitor))?;
        Some(Estimate {
            name: name.to_owned(),
            mean,
            low: mean - half_width,
            high: mean + half_width,
        })
    });
    estimates.collect()
}
