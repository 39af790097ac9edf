//! Repeated runs of the throughput phase: the foreground's rate against the best way of using the memory that nobody plans.

use hotset_document::{Cell, Table};

use super::arms::{self, Arm, Means, PAGE_CACHE, Traffic};
use super::prediction::CellComparison;
use super::workload::SITES;
use crate::Axis;
use crate::figure::{COUNT, Figure, PER_S, RATIO};
use crate::quantile::{median, range};

/// A stated priority is starved where the foreground stays below this share of its rate under the best unplanned way.
const SHARE: f64 = 0.95;

/// The runs of an arm in a cell.
struct Runs<'p> {
    cell: &'p str,
    name: &'p str,
    arm: &'static Arm,
    /// By number of the run.
    rates: Vec<(&'p str, [f64; 2])>,
}

impl Runs<'_> {
    /// The median rate of a site.
    fn median(&self, site: usize) -> f64 {
        let rates = self.rates.iter();
        median(rates.map(|(_, rates)| rates[site])).unwrap_or(f64::NAN)
    }

    fn rate_in(&self, run: &str, site: usize) -> Option<f64> {
        let mut rates = self.rates.iter();
        let (_, rates) = rates.find(|(number, _)| *number == run)?;
        Some(rates[site])
    }

    /// The rate of a site over that of `best`, run by run.
    fn ratios(&self, best: &Runs, site: usize) -> Vec<f64> {
        let rates = self.rates.iter();
        rates
            .filter_map(|(run, rates)| Some(rates[site] / best.rate_in(run, site)?))
            .collect()
    }
}

/// All runs, cell by cell and arm by arm.
fn all(points: &[CellComparison]) -> Vec<Runs<'_>> {
    let mut all: Vec<Runs> = Vec::new();
    for point in points {
        let of = &point.kept.point;
        let (cell, name, run) = (of.on(Axis::Cell), of.on(Axis::Arm), of.on(Axis::Run));
        let throughput = point.kept.measured.detail.throughput.as_ref();
        let throughput = throughput.filter(|_| !run.is_empty());
        let Some((throughput, arm)) = throughput.zip(arms::named(name).ok()) else {
            continue;
        };
        let rates = [throughput.foreground_per_s, throughput.background_per_s];
        match all
            .iter_mut()
            .find(|runs| (runs.cell, runs.name) == (cell, name))
        {
            Some(runs) => runs.rates.push((run, rates)),
            None => all.push(Runs {
                cell,
                name,
                arm,
                rates: vec![(run, rates)],
            }),
        }
    }
    all
}

/// The way of using a cell's memory that nobody plans and under which the foreground is fastest.
fn best_unplanned<'r, 'p>(all: &'r [Runs<'p>], cell: &str) -> Option<&'r Runs<'p>> {
    let unplanned = all.iter().filter(|runs| {
        let serves_both = runs.arm.traffic == Traffic::BothSites;
        runs.cell == cell && serves_both && runs.arm.goal().is_none()
    });
    unplanned.max_by(|a, b| a.median(0).total_cmp(&b.median(0)))
}

/// The page cache alone in a cell.
fn page_cache<'r, 'p>(all: &'r [Runs<'p>], cell: &str) -> Option<&'r Runs<'p>> {
    let mut all = all.iter();
    all.find(|runs| runs.cell == cell && runs.name == PAGE_CACHE.name)
}

/// Medians of the runs.
pub(super) fn table(points: &[CellComparison]) -> Table {
    let all = all(points);
    let alone = |runs: &Runs| page_cache(&all, runs.cell);
    let rate = |runs: &Runs, site| Figure::cell(Some(Figure::new(PER_S, runs.median(site))));
    Table::of(&all)
        .text("cell", |runs| runs.cell)
        .text("memory", |runs| runs.name)
        .figure("runs", |runs| {
            Figure::cell(Some(Figure::new(COUNT, runs.rates.len() as f64)))
        })
        .figure("foreground", |runs| rate(runs, 0))
        .figure("÷ best unplanned", |runs| {
            ratio(runs, best_unplanned(&all, runs.cell), 0)
        })
        .figure("÷ page cache", |runs| ratio(runs, alone(runs), 0))
        .figure("background", |runs| rate(runs, 1))
        .figure("÷ page cache", |runs| ratio(runs, alone(runs), 1))
        .into()
}

/// The median of a site's ratios to `best`, with its interval.
fn ratio(runs: &Runs, best: Option<&Runs>, site: usize) -> Cell {
    let figure = || {
        let best = best?;
        let ratios = runs.ratios(best, site);
        let interval = range(&ratios).filter(|_| runs.name != best.name);
        Some(Figure::new(RATIO, median(ratios)?).within(interval))
    };
    Figure::cell(figure())
}

/// The planned arms under which a stated priority is starved: the whole interval of the foreground's ratio lies below
/// [`SHARE`].
pub(super) fn starved(points: &[CellComparison]) -> Option<String> {
    let all = all(points);
    let planned = all.iter().filter(|runs| runs.arm.has_priority());
    let verdicts: Vec<(String, bool)> = planned
        .filter_map(|runs| {
            let best = best_unplanned(&all, runs.cell)?;
            let [_, high] = range(&runs.ratios(best, 0))?;
            let name = format!("{} {}", runs.cell, runs.name);
            Some((name, high < SHARE))
        })
        .collect();
    remark("foreground ÷ best unplanned", verdicts)
}

/// The sites that are slower while hotset follows both of them alike than with the page cache alone: the whole interval of their
/// ratio lies below [`SHARE`].
pub(super) fn slowed(points: &[CellComparison]) -> Option<String> {
    let all = all(points);
    let alike = |runs: &&Runs| runs.arm.means == Means::Run && !runs.arm.has_priority();
    let verdicts = all.iter().filter(alike).flat_map(|runs| {
        let alone = page_cache(&all, runs.cell);
        let of_site = move |(site, name): (usize, &&str)| {
            let [_, high] = range(&runs.ratios(alone?, site))?;
            let name = format!("{} {}, {name}", runs.cell, runs.name);
            Some((name, high < SHARE))
        };
        SITES.iter().enumerate().filter_map(of_site)
    });
    remark("sites ÷ page cache", verdicts.collect())
}

/// What is said of cases, each by its name and whether its whole interval lies below [`SHARE`].
fn remark(what: &str, verdicts: Vec<(String, bool)>) -> Option<String> {
    let below = verdicts.iter().filter(|(_, is_below)| *is_below);
    let below: Vec<&str> = below.map(|(name, _)| name.as_str()).collect();
    let kept = verdicts.len() - below.len();
    let named = match below.as_slice() {
        [] => String::new(),
        names => format!("; below it with the whole interval: {}", names.join(", ")),
    };
    (!verdicts.is_empty()).then(|| {
        format!(
            "{what}: {SHARE} is reached or within the interval in {kept} of {} cases{named}",
            verdicts.len()
        )
    })
}
