//! What memory buys, as pictures.

use hotset_outcome::Interval;
use hotset_plan::{ArmScore, CurvePoint, Plan};

use super::curve_notes;
use super::view::PlanView;
use crate::plot::{Axis, Ink, Plot, Series, Unit};

pub(super) fn response_against_memory(view: &PlanView) -> Plot {
    let line = |arm: fn(&CurvePoint) -> &ArmScore| {
        let points = view.plan.curve.iter();
        let response = |point: &CurvePoint| arm(point).weighted_mean_us;
        points
            .map(|point| (point.memory_bytes as f64, response(point)))
            .collect()
    };
    let alone = line(|point| &point.page_cache);
    let plan = line(|point| &point.plan);
    let series = [
        Series::line("page cache alone", Ink::Baseline, alone),
        Series::line("plan", Ink::Main, plan),
    ];
    Plot {
        title: match view.is_weighted() {
            true => "Weighted mean response against memory",
            false => "Mean response against memory",
        },
        description: match view.plan.knee_memory_bytes {
            Some(_) => {
                "On the file reads held out. Lower is better. The knee is where a further byte begins to save less than on average."
            }
            None => "On the file reads held out. Lower is better.",
        },
        x: Axis::log("memory", Unit::Bytes),
        y: Axis::linear("mean response", Unit::Duration),
        series: series.into_iter().chain(knee(view.plan)).collect(),
    }
}

pub(super) fn gain_against_memory(plan: &Plan) -> Plot {
    let points = || plan.curve.iter();
    let band = points().filter_map(|point| {
        let Interval { low, high, .. } = curve_notes::gain_interval(point)?;
        Some((point.memory_bytes as f64, low, high))
    });
    let line =
        points().filter_map(|point| Some((point.memory_bytes as f64, point.plan.weighted_gain?)));
    let series = [
        Series::band("95 % interval", Ink::Main, band.collect()),
        Series::line("plan", Ink::Main, line.collect()),
    ];
    Plot {
        title: "Gain against memory",
        description: "How much lower the mean response is with the plan than with the page cache alone.",
        x: Axis::log("memory", Unit::Bytes),
        y: Axis::linear("saved", Unit::Share),
        series: series.into_iter().chain(knee(plan)).collect(),
    }
}

/// The knee of the plan's curve.
fn knee(plan: &Plan) -> Option<Series> {
    plan.knee_memory_bytes
        .map(|memory| Series::at("knee", memory as f64))
}
