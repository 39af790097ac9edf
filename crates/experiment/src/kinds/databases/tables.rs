//! The table of what was measured: a row for each cell and arm, over all runs.

use hotset_document::{Cell, Table};
use hotset_outcome::Outcome;

use super::result::{DatabasesComparison, DatabasesPrediction};
use super::section::Arm;
use crate::Axis;
use crate::figure::{self, Figure};
use crate::quantile::{median, range};

/// The runs of a cell under an arm.
pub(super) struct Runs<'p> {
    pub cell: &'p str,
    pub arm: &'p str,
    pub points: Vec<&'p DatabasesComparison>,
}

pub(super) const PAGES_PER_S: figure::Unit = |value| format!("{value:.1}");
const MILLISECONDS: figure::Unit = |value| format!("{value:.2}");
const FACTOR: figure::Unit = |value| format!("×{value:.2}");

impl Runs<'_> {
    fn values(&self, of: impl Fn(&DatabasesComparison) -> Option<f64>) -> Vec<f64> {
        self.points.iter().filter_map(|point| of(point)).collect()
    }

    /// A figure's median, with the least and the greatest.
    pub fn cell(
        &self,
        unit: figure::Unit,
        of: impl Fn(&DatabasesComparison) -> Option<f64>,
    ) -> Cell {
        let values = self.values(of);
        let interval = range(&values);
        Figure::cell(median(values).map(|value| Figure::new(unit, value).within(interval)))
    }

    /// The same beside what is simulated.
    fn beside(
        &self,
        unit: figure::Unit,
        of: impl Fn(&DatabasesComparison) -> Option<f64>,
        simulated: impl Fn(&DatabasesPrediction) -> Option<f64>,
    ) -> Cell {
        let values = self.values(of);
        let interval = range(&values);
        let figure = median(values).map(|value| {
            let figure = Figure::new(unit, value).within(interval);
            figure.beside(self.simulated(simulated))
        });
        Figure::cell(figure)
    }

    /// The median of what is simulated of the runs; nothing where none is.
    fn simulated(&self, of: impl Fn(&DatabasesPrediction) -> Option<f64>) -> Option<f64> {
        let predicted = self.points.iter();
        median(predicted.filter_map(|point| of(&point.prediction.as_ref()?.detail)))
    }

    fn pages_per_s(&self) -> Option<f64> {
        median(self.values(foreground_rate))
    }
}

fn foreground(point: &DatabasesComparison) -> Option<&Outcome> {
    point.kept.measured.outcomes.first()
}

/// Pages that the foreground answers in a second.
pub(super) fn foreground_rate(point: &DatabasesComparison) -> Option<f64> {
    foreground(point)?.total.throughput_per_s
}

fn background_rate(point: &DatabasesComparison) -> Option<f64> {
    point.kept.measured.outcomes.get(1)?.total.throughput_per_s
}

fn page_us(point: &DatabasesComparison, p95: bool) -> Option<f64> {
    let pages = foreground(point)?.total.latencies.total.as_ref()?;
    if p95 { pages.p95_us } else { pages.mean_us }
}

/// Processor time of the foreground's database for a page, milliseconds.
fn database_ms(point: &DatabasesComparison) -> Option<f64> {
    let tiers = point.kept.measured.detail.tiers.iter();
    let mut of = tiers.filter(|it| it.application == "foreground" && it.tier == "database");
    of.next()?.ms_per_page
}

/// Reads of the disk in a second.
fn reads_per_s(point: &DatabasesComparison) -> Option<f64> {
    let seconds = point.kept.settings.seconds as f64;
    Some(point.kept.measured.detail.disk_reads as f64 / seconds)
}

/// All runs, by cell and arm.
pub(super) fn all(points: &[DatabasesComparison]) -> Vec<Runs<'_>> {
    let mut all: Vec<Runs> = Vec::new();
    for point in points {
        let of = &point.kept.point;
        let (cell, arm) = (of.on(Axis::Cell), of.on(Axis::Arm));
        match all
            .iter_mut()
            .find(|runs| (runs.cell, runs.arm) == (cell, arm))
        {
            Some(runs) => runs.points.push(point),
            None => all.push(Runs {
                cell,
                arm,
                points: vec![point],
            }),
        }
    }
    all
}

/// The table; none where nothing is measured.
pub(super) fn of(points: &[DatabasesComparison]) -> Vec<(String, Table)> {
    let all = all(points);
    if all.is_empty() {
        return Vec::new();
    }
    let base = |runs: &Runs| {
        let is_base = |it: &&Runs| it.cell == runs.cell && it.arm == Arm::PageCache.name();
        all.iter().find(is_base)?.pages_per_s()
    };
    let over_base = |runs: &Runs| {
        let ratio = runs.pages_per_s()? / base(runs)?;
        Some(Figure::new(FACTOR, ratio))
    };
    let table = Table::of(&all)
        .text("cell", |runs| runs.cell)
        .text("arm", |runs| runs.arm)
        .count("runs", |runs| runs.points.len() as u64)
        .figure("pages/s", |runs| {
            runs.beside(PAGES_PER_S, foreground_rate, |it| it.pages_per_s)
        })
        .figure("over page cache", |runs| Figure::cell(over_base(runs)))
        .figure("mean", |runs| {
            runs.cell(figure::US, |point| page_us(point, false))
        })
        .figure("95 %", |runs| {
            runs.beside(figure::US, |point| page_us(point, true), |it| it.p95_us)
        })
        .figure("reads/s", |runs| runs.cell(PAGES_PER_S, reads_per_s))
        .figure("database ms/page", |runs| {
            runs.cell(MILLISECONDS, database_ms)
        })
        .figure("background pages/s", |runs| {
            runs.beside(PAGES_PER_S, background_rate, |it| it.background_pages_per_s)
        });
    let title =
        "Pages of the foreground: medians of the runs, from the least to the greatest (simulated)";
    vec![(title.to_owned(), table.into())]
}

/// How far simulations are off, over all cells and arms that are simulated.
pub(super) fn accuracy(points: &[DatabasesComparison]) -> Vec<String> {
    let all = all(points);
    let errors = |measured: &dyn Fn(&DatabasesComparison) -> Option<f64>,
                  simulated: &dyn Fn(&DatabasesPrediction) -> Option<f64>| {
        let errors = all.iter().filter_map(|runs| {
            let measured = median(runs.values(measured))?;
            Some((runs.simulated(simulated)? / measured - 1.0).abs())
        });
        errors.collect::<Vec<f64>>()
    };
    let figures = [
        (
            "Pages a second",
            errors(&foreground_rate, &|it| it.pages_per_s),
        ),
        (
            "The 95th percentile of their times",
            errors(&|point| page_us(point, true), &|it| it.p95_us),
        ),
    ];
    let said = figures.into_iter().filter_map(|(what, errors)| {
        let most = errors.iter().copied().reduce(f64::max)?;
        let middle = median(errors)?;
        Some(format!(
            "{what}: simulations are off by {:.1} % in the median of cells and arms, and by {:.1} % at most.",
            100.0 * middle,
            100.0 * most
        ))
    });
    said.collect()
}
