//! Repeated runs of the throughput phase: the foreground's rate against the best way of using the memory that nobody plans.

use hotset_outcome::Interval;

use super::arms::{self, Arm, Means, PAGE_CACHE, Traffic};
use super::prediction::ShownPoint;
use super::workload::SITES;
use crate::Axis;
use crate::quantile::median;
use crate::table::{Figure, Row, Table, Unit};

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
fn all(points: &[ShownPoint]) -> Vec<Runs<'_>> {
    let mut all: Vec<Runs> = Vec::new();
    for point in points {
        let of = &point.kept.point;
        let (cell, name, run) = (of.on(Axis::Cell), of.on(Axis::Arm), of.on(Axis::Run));
        let throughput = point.kept.detail.throughput.as_ref();
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
pub(super) fn table(points: &[ShownPoint]) -> Table {
    let all = all(points);
    let row = |runs: &Runs| Row {
        labels: vec![runs.cell.to_owned(), runs.name.to_owned()],
        figures: vec![
            Some(Figure::new(Unit::Count, runs.rates.len() as f64)),
            Some(Figure::new(Unit::PerS, runs.median(0))),
            best_unplanned(&all, runs.cell).and_then(|best| ratio(runs, best, 0)),
            page_cache(&all, runs.cell).and_then(|alone| ratio(runs, alone, 0)),
            Some(Figure::new(Unit::PerS, runs.median(1))),
            page_cache(&all, runs.cell).and_then(|alone| ratio(runs, alone, 1)),
        ],
    };
    Table {
        title: "Requests a second with several clients of each site, median of the runs".to_owned(),
        labels: vec!["cell".to_owned(), "memory".to_owned()],
        columns: [
            "runs",
            "foreground",
            "÷ best unplanned",
            "÷ page cache",
            "background",
            "÷ page cache",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: all.iter().map(row).collect(),
    }
}

/// The median of a site's ratios to `best`, with its interval.
fn ratio(runs: &Runs, best: &Runs, site: usize) -> Option<Figure> {
    let ratios = runs.ratios(best, site);
    let interval = median_interval(&ratios);
    Some(Figure {
        interval: interval.filter(|_| runs.name != best.name),
        ..Figure::new(Unit::Ratio, median(ratios)?)
    })
}

/// The planned arms under which a stated priority is starved: the whole interval of the foreground's ratio lies below
/// [`SHARE`].
pub(super) fn starved(points: &[ShownPoint]) -> Option<String> {
    let all = all(points);
    let planned = all.iter().filter(|runs| runs.arm.has_priority());
    let judged: Vec<(String, bool)> = planned
        .filter_map(|runs| {
            let best = best_unplanned(&all, runs.cell)?;
            let interval = median_interval(&runs.ratios(best, 0))?;
            let name = format!("{} {}", runs.cell, runs.name);
            Some((name, interval.high < SHARE))
        })
        .collect();
    remark("foreground ÷ best unplanned", judged)
}

/// The sites that are slower while hotset follows both of them alike than with the page cache alone: the whole interval of their
/// ratio lies below [`SHARE`].
pub(super) fn slowed(points: &[ShownPoint]) -> Option<String> {
    let all = all(points);
    let alike = |runs: &&Runs| runs.arm.means == Means::Run && !runs.arm.has_priority();
    let judged = all.iter().filter(alike).flat_map(|runs| {
        let alone = page_cache(&all, runs.cell);
        let of_site = move |(site, name): (usize, &&str)| {
            let interval = median_interval(&runs.ratios(alone?, site))?;
            let name = format!("{} {}, {name}", runs.cell, runs.name);
            Some((name, interval.high < SHARE))
        };
        SITES.iter().enumerate().filter_map(of_site)
    });
    remark("sites ÷ page cache", judged.collect())
}

/// What is said of cases, each by its name and whether its whole interval lies below [`SHARE`].
fn remark(what: &str, judged: Vec<(String, bool)>) -> Option<String> {
    let below = judged.iter().filter(|(_, is_below)| *is_below);
    let below: Vec<&str> = below.map(|(name, _)| name.as_str()).collect();
    let kept = judged.len() - below.len();
    let named = match below.as_slice() {
        [] => String::new(),
        names => format!("; below it with the whole interval: {}", names.join(", ")),
    };
    (!judged.is_empty()).then(|| {
        format!(
            "{what}: {SHARE} is reached or within the interval in {kept} of {} cases{named}",
            judged.len()
        )
    })
}

/// The interval from the least to the largest of `values`: it misses the median of what they are drawn from only if all
/// are on the same side of it, with a probability of 1 / 2^(n - 1) (W. R. Thompson, "On confidence ranges for the median",
/// Annals of Mathematical Statistics 7 (1936) 122-128). Nothing for fewer than two.
fn median_interval(values: &[f64]) -> Option<Interval> {
    let exponent = i32::try_from(values.len().checked_sub(1)?).ok()?;
    (exponent > 0).then(|| Interval {
        low: values.iter().copied().fold(f64::INFINITY, f64::min),
        high: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        level: 1.0 - 0.5_f64.powi(exponent),
    })
}
