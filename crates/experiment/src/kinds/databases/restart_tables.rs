//! The tables of restarts: when servers were warm again, and pages a second from the start of the database on.

use hotset_document::Table;

use super::result::{DatabasesComparison, Restarted};
use super::tables::{PAGES_PER_S, Runs, all};
use super::warmth::{WARM_SHARE, WINDOW_SECONDS};
use crate::figure;

/// Time that a row of pages over time stands for, seconds.
const STEP_SECONDS: u64 = 5;

const SECONDS: figure::Unit = |value| match value.is_finite() {
    true => format!("{value:.1}"),
    false => "never".to_owned(),
};

fn restarted(point: &DatabasesComparison) -> Option<&Restarted> {
    point.kept.measured.detail.restart.as_ref()
}

/// When servers were warm again, seconds; infinite where that did not come.
pub(super) fn seconds_to_warm(restarted: &Restarted) -> f64 {
    restarted.seconds_to_warm.unwrap_or(f64::INFINITY)
}

/// The tables; none where nothing is measured.
pub(super) fn of(points: &[DatabasesComparison]) -> Vec<(String, Table)> {
    let all = all(points);
    if all.is_empty() {
        return Vec::new();
    }
    let mut cells: Vec<&str> = all.iter().map(|runs| runs.cell).collect();
    cells.dedup();
    let over_time = cells.into_iter().filter_map(|cell| over_time(&all, cell));
    [until_warm(&all)].into_iter().chain(over_time).collect()
}

/// A row for each cell and way, over all runs.
fn until_warm(all: &[Runs<'_>]) -> (String, Table) {
    let percent = 100.0 * WARM_SHARE;
    let table = Table::of(all)
        .text("cell", |runs| runs.cell)
        .text("way", |runs| runs.arm)
        .count("runs", |runs| runs.points.len() as u64)
        .figure(&format!("seconds to {percent:.0} %"), |runs| {
            runs.cell(SECONDS, |point| restarted(point).map(seconds_to_warm))
        })
        .figure("to the first connection", |runs| {
            runs.cell(SECONDS, |point| Some(restarted(point)?.started_seconds))
        })
        .figure("pages/s before", |runs| {
            runs.cell(PAGES_PER_S, |point| {
                Some(restarted(point)?.warm_pages_per_s)
            })
        })
        .figure("pages/s after", |runs| {
            runs.cell(PAGES_PER_S, |point| {
                point.kept.compared()?.total.throughput_per_s
            })
        })
        .figure("failed pages", |runs| {
            runs.cell(figure::COUNT, |point| {
                Some(point.kept.compared()?.total.errors? as f64)
            })
        })
        .figure("pages dumped", |runs| {
            runs.cell(figure::COUNT, |point| {
                Some(restarted(point)?.dumped_pages? as f64)
            })
        });
    let title = format!(
        "After a restart, until pages a second over {WINDOW_SECONDS} s were {percent:.0} % of those before: medians of the runs, from the \
         least to the greatest"
    );
    (title, table.into())
}

/// Pages a second of a cell from the start of the database on, with a column for each way; nothing without results.
fn over_time(all: &[Runs<'_>], cell: &str) -> Option<(String, Table)> {
    let own: Vec<&Runs<'_>> = all.iter().filter(|runs| runs.cell == cell).collect();
    let points = own.iter().flat_map(|runs| runs.points.iter());
    let seconds = points.filter_map(|point| Some(point.kept.settings.restart.as_ref()?.seconds));
    let steps = seconds.min()? / STEP_SECONDS;
    let ends = (1..=steps).map(|step| step * STEP_SECONDS);
    let mut table = Table::of(ends).count("until second", |end| *end);
    for runs in own {
        table = table.figure(runs.arm, |end| {
            runs.cell(PAGES_PER_S, |point| rate(point, *end))
        });
    }
    let title = format!(
        "{cell}: pages a second after the database was started, over {STEP_SECONDS} s; medians of the runs"
    );
    Some((title, table.into()))
}

/// Pages a second over the step that ends then.
fn rate(point: &DatabasesComparison, end: u64) -> Option<f64> {
    let timeline = point.kept.compared()?.total.timeline.as_ref()?;
    let (from, to) = ((end - STEP_SECONDS) as f64, end as f64);
    let seconds = timeline.seconds.iter().zip(&timeline.requests);
    // A second belongs to the step in which it ends.
    let own = seconds.filter(|(second, _)| from < **second && **second <= to);
    let pages: u64 = own.map(|(_, pages)| *pages).sum();
    Some(pages as f64 / STEP_SECONDS as f64)
}

/// Which ways have runs that were not warm again while they were measured.
pub(super) fn remarks(points: &[DatabasesComparison]) -> Vec<String> {
    let all = all(points);
    let said = all.iter().filter_map(|runs| {
        let own = runs.points.iter().filter_map(|point| restarted(point));
        let never = own.filter(|it| it.seconds_to_warm.is_none()).count();
        (never > 0).then(|| {
            format!(
                "{}, {}: {never} of {} runs were not warm again while they were measured; they count as the longest.",
                runs.cell,
                runs.arm,
                runs.points.len()
            )
        })
    });
    said.collect()
}
