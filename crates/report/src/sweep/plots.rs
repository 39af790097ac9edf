//! A plot for each varied key: the mean response and its 95th percentile, with the other keys as at the best point.

use hotset_scenario::FigureUnit;

use super::point::{ChosenPoint, SiteFigures};
use super::value::{SweepBy, SweepView, VariedKey};
use crate::plot::{Axis, Ink, Plot, Series, Unit};

/// The ends of a range that are so many times apart are drawn on a logarithmic axis.
const WIDE: f64 = 8.0;
/// Width of a bar, of which the next one begins 1 further on.
const BAR: f64 = 0.7;

/// One for each key that has several values.
pub(super) fn plots(view: &SweepView) -> Vec<Plot> {
    let keys = view.varied.iter().enumerate();
    let keys = keys.filter(|(_, key)| key.values.len() > 1);
    keys.map(|(at, key)| plot(view, at, key)).collect()
}

fn plot(view: &SweepView, at: usize, key: &VariedKey) -> Plot {
    let along = along(view, at);
    let series = match key.unit {
        Some(_) => lines(view, at, key, &along),
        None => bars(key, &along),
    };
    Plot {
        title: "Response",
        description: match view.by {
            SweepBy::Simulate => {
                "The mean response and the one that 95 % of the requests stay below, of all sites together, with the other keys as at \
                 the best point. Lower is better."
            }
            SweepBy::Model => {
                "The mean response of all sites together, with the other keys as at the best point. Lower is better."
            }
        },
        x: axis(key),
        y: Axis::linear("response", Unit::Duration),
        series,
    }
}

/// What all sites together got at each value of a key, with the other keys as at the best point, or as at the first.
fn along(view: &SweepView, at: usize) -> Vec<(usize, &SiteFigures)> {
    let best = view.best.as_ref().map_or(0, |it| it.point as usize);
    let Some(best) = view.all.get(best) else {
        return Vec::new();
    };
    let is_along = |places: &[usize]| {
        let pairs = places.iter().zip(&best.places).enumerate();
        pairs
            .filter(|(key, _)| *key != at)
            .all(|(_, (a, b))| a == b)
    };
    let points = view.all.iter().filter(|it| is_along(&it.places));
    points
        .filter_map(|it| Some((it.places[at], it.figures.all()?)))
        .collect()
}

fn lines(
    view: &SweepView,
    at: usize,
    key: &VariedKey,
    along: &[(usize, &SiteFigures)],
) -> Vec<Series> {
    let scale = scale(key);
    let line = |of: fn(&SiteFigures) -> Option<f64>| {
        let points = along.iter();
        let points = points.filter_map(|(place, it)| Some((key.figures[*place] * scale, of(it)?)));
        let mut points: Vec<(f64, f64)> = points.collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    };
    let mut series = Vec::new();
    if view.by == SweepBy::Simulate {
        let p95 = line(|it| it.p95_us);
        series.push(Series::line("95th percentile", Ink::Baseline, p95));
    }
    series.push(Series::line("mean", Ink::Main, line(|it| it.mean_us)));
    let place = |of: &ChosenPoint| Some(view.all.get(of.point as usize)?.places[at]);
    let knee = view.knee.as_ref().filter(|_| view.minimised == key.path);
    let knee = knee.and_then(place);
    series.extend(knee.map(|place| Series::at("knee", key.figures[place] * scale)));
    series
}

fn bars(key: &VariedKey, along: &[(usize, &SiteFigures)]) -> Vec<Series> {
    let bar = |(nth, (place, it)): (usize, &(usize, &SiteFigures))| {
        let from = nth as f64;
        let bars = vec![(from, from + BAR, it.mean_us?)];
        Some(Series::bars(&key.values[*place], Ink::Other(nth), bars))
    };
    along.iter().enumerate().filter_map(bar).collect()
}

/// Rates are drawn in Mbit/s.
fn scale(key: &VariedKey) -> f64 {
    match key.unit {
        Some(FigureUnit::BitsPerS) => 1e-6,
        _ => 1.0,
    }
}

fn axis(key: &VariedKey) -> Axis {
    let (unit, label) = match key.unit {
        Some(FigureUnit::Bytes) => (Unit::Bytes, key.path.clone()),
        Some(FigureUnit::Us) => (Unit::Duration, key.path.clone()),
        Some(FigureUnit::BitsPerS) => (Unit::Plain, format!("{}, Mbit/s", key.path)),
        Some(FigureUnit::Percent) => (Unit::Plain, format!("{}, %", key.path)),
        Some(FigureUnit::Plain) => (Unit::Plain, key.path.clone()),
        None => (Unit::Place, key.path.clone()),
    };
    let least = key.figures.iter().copied().fold(f64::INFINITY, f64::min);
    let most = key.figures.iter().copied().fold(0.0, f64::max);
    match least > 0.0 && most >= WIDE * least {
        true => Axis::log(&label, unit),
        false => Axis::linear(&label, unit),
    }
}
