//! How far each parameter moves each job, the strongest first.

use std::collections::BTreeMap;

use hotset_document::{Cell, Rows, Table};
use hotset_scenario::parse_bytes;

use super::result::{Detail, StoreComparison};
use super::section::Parameter;
use crate::Axis;
use crate::figure::{self, Figure};

/// What a parameter does to the jobs of a store.
struct Effect<'p> {
    parameter: &'p Parameter,
    /// The greatest throughput over the least, of each job.
    swings: Vec<f64>,
    /// Percent of throughput for a percent of the parameter, of each job; nothing of what is no quantity.
    elasticities: Option<Vec<f64>>,
}

impl Effect<'_> {
    /// The geometric mean of the swings: the same whichever job is in which unit.
    fn mean_swing(&self) -> f64 {
        let logarithms: f64 = self.swings.iter().map(|it| it.ln()).sum();
        (logarithms / self.swings.len().max(1) as f64).exp()
    }
}

/// Two tables of a store: swings, and elasticities.
pub(super) fn of(point: &StoreComparison) -> [(String, Table); 2] {
    let store = point.kept.point.on(Axis::Store);
    let effects = effects(point);
    let jobs = &point.kept.measured.detail.at_base;
    let mut swings = labelled(effects.iter());
    let known = effects.iter().filter(|it| it.elasticities.is_some());
    let mut elasticities = labelled(known);
    for (number, job) in jobs.iter().enumerate() {
        swings = swings.figure(&job.job, |it| ratio(Some(it.swings[number])));
        elasticities = elasticities.figure(&job.job, |it| {
            ratio(it.elasticities.as_ref().map(|all| all[number]))
        });
    }
    let swings = swings.figure("mean", |it| ratio(Some(it.mean_swing())));
    [
        (
            format!("{store}: greatest over least throughput"),
            swings.into(),
        ),
        (
            format!("{store}: elasticity of throughput"),
            elasticities.into(),
        ),
    ]
}

fn ratio(value: Option<f64>) -> Cell {
    Figure::cell(value.map(|value| Figure::new(figure::RATIO, value)))
}

/// A row for each of some effects.
fn labelled<'e>(effects: impl Iterator<Item = &'e Effect<'e>>) -> Rows<&'e Effect<'e>> {
    Table::of(effects)
        .text("parameter", |effect| {
            let Parameter { name, values, .. } = effect.parameter;
            let ends = values.first().zip(values.last());
            let ends = ends.map_or(String::new(), |(first, last)| format!(" {first} … {last}"));
            format!("{name}{ends}")
        })
        .text("part", |effect| &effect.parameter.part)
}

/// Of all parameters, the strongest first.
fn effects(point: &StoreComparison) -> Vec<Effect<'_>> {
    let parameters = point.kept.settings.parameters.iter();
    let effect = |parameter| effect(parameter, &point.kept.measured.detail);
    let mut effects: Vec<_> = parameters.map(effect).collect();
    effects.sort_by(|a, b| b.mean_swing().total_cmp(&a.mean_swing()));
    effects
}

fn effect<'p>(parameter: &'p Parameter, detail: &Detail) -> Effect<'p> {
    let own: Vec<_> = detail
        .varied
        .iter()
        .filter(|it| it.parameter == parameter.name)
        .collect();
    let jobs = 0..detail.at_base.len();
    let rates = |job: usize| {
        own.iter()
            .filter_map(move |it| Some(it.jobs.get(job)?.bytes_per_s))
    };
    let swing = |job: usize| {
        let all = || rates(job).chain([detail.at_base[job].bytes_per_s]);
        all().fold(0.0, f64::max) / all().fold(f64::INFINITY, f64::min)
    };
    let quantities: Option<Vec<f64>> = own.iter().map(|it| quantity(&it.value)).collect();
    let elasticities = quantities.map(|quantities| {
        let points = |job| quantities.iter().copied().zip(rates(job));
        jobs.clone().map(|job| slope(points(job))).collect()
    });
    Effect {
        parameter,
        swings: jobs.map(swing).collect(),
        elasticities,
    }
}

/// A number, or a size.
fn quantity(value: &str) -> Option<f64> {
    let bytes = || parse_bytes(value).ok().map(|bytes| bytes as f64);
    value.parse().ok().or_else(bytes).filter(|it| *it > 0.0)
}

/// The slope of the line of least squares through the logarithms.
fn slope(points: impl Iterator<Item = (f64, f64)>) -> f64 {
    let points: Vec<_> = points.map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = points.len().max(1) as f64;
    let x_mean = points.iter().map(|it| it.0).sum::<f64>() / count;
    let y_mean = points.iter().map(|it| it.1).sum::<f64>() / count;
    let covariance: f64 = points
        .iter()
        .map(|(x, y)| (x - x_mean) * (y - y_mean))
        .sum();
    let variance: f64 = points.iter().map(|(x, _)| (x - x_mean).powi(2)).sum();
    match variance > 0.0 {
        true => covariance / variance,
        false => 0.0,
    }
}

/// The parts in the order of their strongest parameters.
pub(super) fn remark(point: &StoreComparison) -> String {
    let mut parts: BTreeMap<&str, f64> = BTreeMap::new();
    for effect in effects(point) {
        let strongest = parts.entry(&effect.parameter.part).or_insert(1.0);
        *strongest = strongest.max(effect.mean_swing());
    }
    let mut parts: Vec<_> = parts.into_iter().collect();
    parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let parts = parts
        .iter()
        .map(|(part, swing)| format!("{part} {swing:.2}"));
    format!(
        "{}: greatest mean swing of a parameter by part: {}.",
        point.kept.point.on(Axis::Store),
        parts.collect::<Vec<_>>().join(", ")
    )
}
