//! What of a point is measured: with repeated runs, the paced phase is a point of its own and so is every run.

use super::arms::{Arm, Means};
use super::workload::CellWorkload;
use crate::{Axis, Point};

/// The paced phase on the axis of runs; the others are numbers from 1.
pub(super) const PACED: &str = "paced";

/// The phases of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Phases {
    /// One client in the order of the trace.
    pub paced: bool,
    /// Several clients of each site, and how they end.
    pub throughput: Option<End>,
    /// Whether arms take turns in runs, and not with a second node.
    in_runs: bool,
}

/// How a throughput phase ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Clients wait for their last answers, whose times count.
    WithAnswers,
    /// On time, without the last answers: only rates count, and the last answers of large files take up to half a minute.
    OnTime,
}

impl Phases {
    /// Those of `point`, with a throughput phase of so many seconds where it has one.
    pub fn of(point: &Point, throughput_seconds: u64) -> Self {
        let run = point.on(Axis::Run);
        let end = match run {
            "" => Some(End::WithAnswers),
            PACED => None,
            _ => Some(End::OnTime),
        };
        Self {
            paced: run.is_empty() || run == PACED,
            throughput: end.filter(|_| throughput_seconds > 0),
            in_runs: !run.is_empty(),
        }
    }

    /// The accesses that warm a node up: the training part, and for a throughput phase without the paced one before it the
    /// accesses of that one too, so that caches are as they are where the one follows the other.
    pub fn warming<'w>(&self, workload: &'w CellWorkload) -> &'w [u32] {
        match self.paced {
            true => workload.training(),
            false => &workload.accesses,
        }
    }

    /// Whether a second node with the page cache alone is asked in turn.
    pub fn beside(&self, arm: &Arm) -> bool {
        arm.is_compared() && !self.in_runs
    }
}

/// The points of cells and arms that are measured in so many runs: first the paced phases, then run by run, every run beginning
/// with another arm.
pub(super) fn in_runs(cells: &[String], arms: &[&Arm], runs: u64) -> Vec<Point> {
    // What follows the traffic is measured by the traffic of the runs.
    let planned = arms.iter().filter(|arm| arm.means != Means::Run);
    let paced = planned.flat_map(|arm| {
        let of_cell = move |cell: &String| point(cell, arm.name, PACED);
        cells.iter().map(of_cell)
    });
    let mut points: Vec<Point> = paced.collect();
    for run in 1..=runs {
        let first = (run - 1) as usize % arms.len().max(1);
        let (later, sooner) = arms.split_at(first);
        for cell in cells {
            let of_arm = |arm: &&Arm| point(cell, arm.name, &run.to_string());
            points.extend(sooner.iter().chain(later).map(of_arm));
        }
    }
    points
}

fn point(cell: &str, arm: &str, run: &str) -> Point {
    let point = Point::default().with(Axis::Cell, cell);
    point.with(Axis::Arm, arm).with(Axis::Run, run)
}
