//! What plans came to, cell by cell: beside the page cache alone, and beside the best of the other arms.

use super::result::{DatabasesComparison, ServerMemory};
use super::section::Arm;
use super::tables::foreground_rate;
use crate::Axis;
use crate::quantile::{median, range};

/// A plan is to be so near to the best arm, as a share of the pages that this answers.
const NEAR: f64 = 0.05;

/// A cell with its arms.
struct Cell<'p> {
    name: &'p str,
    points: Vec<&'p DatabasesComparison>,
}

impl<'p> Cell<'p> {
    /// All that have runs.
    fn all(points: &'p [DatabasesComparison]) -> Vec<Self> {
        let mut cells: Vec<Self> = Vec::new();
        for point in points {
            let name = point.kept.point.on(Axis::Cell);
            match cells.iter_mut().find(|cell| cell.name == name) {
                Some(cell) => cell.points.push(point),
                None => cells.push(Self {
                    name,
                    points: vec![point],
                }),
            }
        }
        cells
    }

    fn of<'c>(&'c self, arm: Arm) -> impl Iterator<Item = &'p DatabasesComparison> + 'c {
        let points = self.points.iter().copied();
        points.filter(move |it| it.kept.point.on(Axis::Arm) == arm.name())
    }

    /// Pages a second of the runs under an arm.
    fn rates(&self, arm: Arm) -> Vec<f64> {
        self.of(arm).filter_map(foreground_rate).collect()
    }

    /// What plans gave the servers: in each run something else, so the run in the middle by the foreground's pool.
    fn planned(&self) -> Option<&'p [ServerMemory]> {
        let plans = self.of(Arm::Plan);
        let plans = plans.map(|it| it.kept.measured.detail.planned.as_slice());
        let mut plans: Vec<&[ServerMemory]> = plans.filter(|it| !it.is_empty()).collect();
        plans.sort_by_key(|plan| plan.first().map(|it| it.pool_bytes));
        plans.get(plans.len() / 2).copied()
    }

    /// What the plan came to as a share of the best other arm; nothing where one of both is missing.
    fn beside_best(&self) -> Option<f64> {
        let plan = median(self.rates(Arm::Plan))?;
        let others = [Arm::PageCache, Arm::Pool, Arm::Pin, Arm::Ramfs];
        let others = others.into_iter().filter_map(|arm| median(self.rates(arm)));
        let best = others.reduce(f64::max).filter(|best| *best > 0.0)?;
        Some(plan / best)
    }

    /// Whether all its runs were below all of the page cache alone; nothing where one of both is missing.
    fn is_worse(&self) -> Option<bool> {
        let plan = range(&self.rates(Arm::Plan))?;
        let page_cache = range(&self.rates(Arm::PageCache))?;
        Some(plan[1] < page_cache[0])
    }
}

/// What was planned, how near to the best arms that comes, and where it is worse than the page cache alone.
pub(super) fn remarks(points: &[DatabasesComparison]) -> Vec<String> {
    let cells = Cell::all(points);
    let planned = cells.iter();
    let planned = planned.filter_map(|cell| Some(in_words(cell.name, cell.planned()?)));
    planned
        .chain(near_best(&cells))
        .chain(worse(&cells))
        .collect()
}

fn in_words(cell: &str, plan: &[ServerMemory]) -> String {
    let servers = plan.iter().map(|it| {
        let pins = match it.pinned.is_empty() {
            true => String::new(),
            false => format!(" and {} pinned", it.pinned.join(", ")),
        };
        format!(
            "the {} a pool of {} MiB{pins}",
            it.application,
            it.pool_bytes >> 20
        )
    });
    let servers: Vec<String> = servers.collect();
    format!("{cell}: the plan gives {}.", servers.join(", "))
}

fn near_best(cells: &[Cell<'_>]) -> Option<String> {
    let shares = cells.iter().filter_map(Cell::beside_best);
    let shares: Vec<f64> = shares.collect();
    let near = shares.iter().filter(|share| **share >= 1.0 - NEAR);
    (!shares.is_empty()).then(|| {
        format!(
            "The plan is within {:.0} % of the best other arm in {} of {} cells.",
            100.0 * NEAR,
            near.count(),
            shares.len()
        )
    })
}

fn worse(cells: &[Cell<'_>]) -> Option<String> {
    let worse = |cell: &&Cell<'_>| cell.is_worse() == Some(true);
    let known = cells.iter().filter(|cell| cell.is_worse().is_some());
    let names: Vec<&str> = cells.iter().filter(worse).map(|cell| cell.name).collect();
    (known.count() > 0).then(|| match names.is_empty() {
        true => {
            "Under the plan no cell has all runs below those of the page cache alone.".to_owned()
        }
        false => format!(
            "Under the plan all runs are below those of the page cache alone: {}.",
            names.join(", ")
        ),
    })
}
