//! Measured beside predicted, cell by cell.

use hotset_document::{Cell, Rows, Table};
use hotset_outcome::{GroupKey, GroupKind};

use super::arms::{ARMS, Arm, Goal};
use super::closed_scores;
use super::prediction::{self, CellComparison, PacedPrediction};
use super::result::PacedPhase;
use super::runs;
use super::workload::{SITES, correlation_in_words};
use crate::figure::{self, Figure, Unit};
use crate::{AGREEMENT, Axis};

/// One table of each phase.
pub(super) fn of(points: &[CellComparison]) -> Vec<(String, Table)> {
    let title = |title: &str| title.to_owned();
    vec![
        (
            title("One client in the order of the trace (in brackets: predicted)"),
            paced(points),
        ),
        (
            title("Mean response by site with one client (in brackets: predicted)"),
            by_site(points),
        ),
        (
            title("Requests a second with several clients of each site"),
            throughput(points),
        ),
        (
            title("Requests a second with several clients of each site, median of the runs"),
            runs::table(points),
        ),
        (
            title("Closed loops of several clients of each site (in brackets: simulated)"),
            closed_scores::table(points),
        ),
    ]
}

/// A row for each of some points.
fn labelled<'p, T>(
    points: impl Iterator<Item = (&'p CellComparison, T)>,
) -> Rows<(&'p CellComparison, T)> {
    Table::of(points)
        .text("cell", |(point, _)| point.kept.point.on(Axis::Cell))
        .text("memory", |(point, _)| point.kept.point.on(Axis::Arm))
}

/// What the planner's model says of the paced phase.
fn predicted(point: &CellComparison) -> Option<&PacedPrediction> {
    point.prediction.as_ref()?.detail.paced.as_ref()
}

fn cell(unit: Unit, value: Option<f64>) -> Cell {
    Figure::cell(value.map(|value| Figure::new(unit, value)))
}

fn paced(points: &[CellComparison]) -> Table {
    let points = points.iter();
    let paced =
        points.filter_map(|point| Some((point, point.kept.measured.detail.paced.as_ref()?)));
    let beside = |unit, value, point: &CellComparison, of: fn(&PacedPrediction) -> u64| {
        let predicted = predicted(point).map(|paced| of(paced) as f64);
        Figure::cell(Some(Figure::new(unit, value as f64).beside(predicted)))
    };
    labelled(paced)
        .figure("response", |(point, _)| {
            cell(figure::US, point.measured.mean_us)
        })
        .figure("÷ page cache", |(point, _)| {
            let prediction = point.prediction.as_ref();
            let interval = point.measured.ratio_interval;
            let ratio = point.measured.ratio.map(|ratio| {
                Figure::new(figure::RATIO, ratio)
                    .within(interval.map(|interval| [interval.low, interval.high]))
                    .beside(prediction.and_then(|prediction| prediction.ratio))
            });
            Figure::cell(ratio)
        })
        .figure("uncached", |(point, paced): &(_, &PacedPhase)| {
            let uncached = paced.counts.uncached;
            uncached.map_or_else(Cell::default, |uncached| {
                beside(figure::COUNT, uncached, point, |it| it.misses)
            })
        })
        .figure("disk read", |(point, paced)| {
            let bytes = paced.counts.disk_read_bytes;
            beside(figure::BYTES, bytes, point, |it| it.read_bytes)
        })
        .into()
}

fn by_site(points: &[CellComparison]) -> Table {
    let paced = points.iter().filter_map(|point| {
        point.kept.measured.detail.paced.as_ref()?;
        let sites = SITES.map(|site| {
            let of_site = point.kept.compared()?;
            let of_site = of_site.score_of(&GroupKey::new(GroupKind::Site, site))?;
            of_site.latencies.total.as_ref()?.mean_us
        });
        sites.iter().any(Option::is_some).then_some((point, sites))
    });
    let mut table = labelled(paced);
    for (number, site) in SITES.iter().enumerate() {
        table = table.figure(site, |(point, sites)| {
            let predicted = predicted(point);
            let predicted = predicted.and_then(|paced| paced.site_mean_us.get(number).copied());
            let mean = sites[number].map(|us| Figure::new(figure::US, us).beside(predicted));
            Figure::cell(mean)
        });
    }
    table.into()
}

/// Those of runs have a table of their own.
fn throughput(points: &[CellComparison]) -> Table {
    let single = points
        .iter()
        .filter(|point| point.kept.point.on(Axis::Run).is_empty());
    let measured =
        single.filter_map(|point| Some((point, point.kept.measured.detail.throughput.as_ref()?)));
    labelled(measured)
        .figure("foreground", |(_, of)| {
            cell(figure::PER_S, Some(of.foreground_per_s))
        })
        .figure("background", |(_, of)| {
            let rate = Some(of.background_per_s);
            cell(figure::PER_S, rate.filter(|rate| *rate > 0.0))
        })
        .into()
}

/// How sizes and popularity of the sites hang together; each way that these points have of it once.
pub(super) fn sizes(points: &[CellComparison]) -> Vec<String> {
    let mut said = Vec::new();
    for point in points {
        let sentence = correlation_in_words(point.kept.settings.workload.size_correlation);
        if !said.contains(&sentence) {
            said.push(sentence);
        }
    }
    said
}

/// Which kept results have no prediction beside them because their requests had been asked before.
pub(super) fn asked_before(points: &[CellComparison]) -> Option<String> {
    let asked = points
        .iter()
        .filter(|point| prediction::asks_again(&point.kept));
    let count = asked.count();
    (count > 0).then(|| {
        format!(
            "no prediction beside {count} of the phases with one client: other clients had asked the same requests right before \
             them, in a build that settled so"
        )
    })
}

/// In how many cells the ratio of each plan for both sites was predicted, where it was measured.
pub(super) fn agreement(points: &[CellComparison]) -> impl Iterator<Item = String> {
    let plans = ARMS.iter().filter(|arm| arm.goal() == Some(Goal::Mean));
    plans.filter_map(move |arm| agreement_of(arm, points))
}

fn agreement_of(arm: &Arm, points: &[CellComparison]) -> Option<String> {
    let own = points
        .iter()
        .filter(|point| point.kept.point.on(Axis::Arm) == arm.name);
    let judged: Vec<bool> = own.filter_map(|point| point.agrees).collect();
    let close = judged.iter().filter(|agrees| **agrees).count();
    (!judged.is_empty()).then(|| {
        format!(
            "{} ÷ page cache: within {AGREEMENT} of what was predicted in {close} of {} cells",
            arm.name,
            judged.len()
        )
    })
}
