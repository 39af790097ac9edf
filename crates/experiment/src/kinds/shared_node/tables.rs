//! Measured beside predicted, cell by cell.

use super::arms::{ARMS, Arm, Goal};
use super::prediction::ShownPoint;
use super::runs;
use super::workload::SITES;
use crate::table::{Figure, Row, Table, Unit};
use crate::{AGREEMENT, Axis};
use hotset_outcome::{GroupKey, GroupKind};

/// One table of each phase.
pub(super) fn of(points: &[ShownPoint]) -> Vec<Table> {
    let labels = || vec!["cell".to_owned(), "memory".to_owned()];
    let table =
        |title: &str, columns: &[&str], figures: &dyn Fn(&ShownPoint) -> Vec<Option<Figure>>| {
            let rows = points.iter().map(|point| Row {
                labels: vec![
                    point.kept.point.on(Axis::Cell).to_owned(),
                    point.kept.point.on(Axis::Arm).to_owned(),
                ],
                figures: figures(point),
            });
            Table {
                title: title.to_owned(),
                labels: labels(),
                columns: columns.iter().map(|name| (*name).to_owned()).collect(),
                rows: rows
                    .filter(|row| row.figures.iter().any(Option::is_some))
                    .collect(),
            }
        };
    vec![
        table(
            "One client in the order of the trace (in brackets: predicted)",
            &["response", "÷ page cache", "uncached", "disk read"],
            &paced,
        ),
        table(
            "Mean response by site with one client (in brackets: predicted)",
            &SITES,
            &by_site,
        ),
        table(
            "Requests a second with several clients of each site",
            &["foreground", "background"],
            &throughput,
        ),
        runs::table(points),
    ]
}

fn paced(point: &ShownPoint) -> Vec<Option<Figure>> {
    let Some(paced) = &point.kept.detail.paced else {
        return Vec::new();
    };
    let (measured, counts) = (&point.measured, &paced.counts);
    let prediction = point.prediction.as_ref();
    let predicted = prediction.map(|prediction| &prediction.detail);
    let ratio = measured.ratio.map(|ratio| Figure {
        interval: measured.ratio_interval,
        predicted: prediction.and_then(|prediction| prediction.ratio),
        ..Figure::new(Unit::Ratio, ratio)
    });
    let uncached = counts.uncached.map(|uncached| Figure {
        predicted: predicted.map(|predicted| predicted.misses as f64),
        ..Figure::new(Unit::Count, uncached as f64)
    });
    let read = Figure {
        predicted: predicted.map(|predicted| predicted.read_bytes as f64),
        ..Figure::new(Unit::Bytes, counts.disk_read_bytes as f64)
    };
    let response = measured.mean_us.map(|us| Figure::new(Unit::Us, us));
    vec![response, ratio, uncached, Some(read)]
}

fn by_site(point: &ShownPoint) -> Vec<Option<Figure>> {
    if point.kept.detail.paced.is_none() {
        return Vec::new();
    }
    let outcome = point.kept.compared();
    let predicted = |site: usize| {
        let prediction = point.prediction.as_ref()?;
        prediction.detail.site_mean_us.get(site).copied()
    };
    let figure = |(index, name): (usize, &&str)| {
        let site = outcome?.score_of(&GroupKey::new(GroupKind::Site, *name))?;
        let mean_us = site.latencies.total.as_ref()?.mean_us?;
        Some(Figure {
            predicted: predicted(index),
            ..Figure::new(Unit::Us, mean_us)
        })
    };
    SITES.iter().enumerate().map(figure).collect()
}

/// Those of runs have a table of their own.
fn throughput(point: &ShownPoint) -> Vec<Option<Figure>> {
    if !point.kept.point.on(Axis::Run).is_empty() {
        return Vec::new();
    }
    let rates = point.kept.detail.throughput.as_ref();
    let rate = |rate: f64| Figure::new(Unit::PerS, rate);
    vec![
        rates.map(|of| rate(of.foreground_per_s)),
        rates
            .filter(|of| of.background_per_s > 0.0)
            .map(|of| rate(of.background_per_s)),
    ]
}

/// In how many cells the ratio of each plan for both sites was predicted, where it was measured.
pub(super) fn agreement(points: &[ShownPoint]) -> impl Iterator<Item = String> {
    let plans = ARMS.iter().filter(|arm| arm.goal() == Some(Goal::Mean));
    plans.filter_map(move |arm| agreement_of(arm, points))
}

fn agreement_of(arm: &Arm, points: &[ShownPoint]) -> Option<String> {
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
