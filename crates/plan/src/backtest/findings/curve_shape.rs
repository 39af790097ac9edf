//! The shape of the curve of gain against memory: its knee, and where more memory does worse than less.

use super::curve_point::{CurvePoint, Setback, SetbackCause, SetbackFigure};
use crate::backtest::scoring::arm::Arm;
use crate::backtest::scoring::score::ArmScore;
use crate::knee::knee;

/// Figures closer than this, relatively, are equal but for the order of additions.
const TIE: f64 = 1e-9;

/// The memory at the [`knee()`] of the plan's curve, in bytes. Points are exact, or all scored on the same sample.
pub(crate) fn knee_memory_bytes(curve: &[CurvePoint]) -> Option<u64> {
    let point = |it: &CurvePoint| (it.memory_bytes as f64, it.plan.weighted_mean_us);
    let points: Vec<(f64, f64)> = curve.iter().map(point).collect();
    Some(curve[knee(&points)?].memory_bytes)
}

/// Notes at each point of `curve`, by rising memory, what is worse there than with less memory.
pub(crate) fn note_setbacks(curve: &mut [CurvePoint]) {
    for at in 1..curve.len() {
        let (less, here) = (&curve[..at], &curve[at]);
        let setbacks = [
            page_cache_setback(less, here, SetbackFigure::HitRatio),
            page_cache_setback(less, here, SetbackFigure::WeightedMeanUs),
            plan_setback(less, here),
        ];
        curve[at].setbacks = setbacks.into_iter().flatten().collect();
    }
}

fn page_cache_setback(
    less: &[CurvePoint],
    here: &CurvePoint,
    figure: SetbackFigure,
) -> Option<Setback> {
    let than = better(less, here, |point| &point.page_cache, figure)?;
    Some(Setback {
        arm: Arm::PageCache,
        figure,
        than_memory_bytes: than.memory_bytes,
        than: figure.of(&than.page_cache),
        cause: SetbackCause::Replacement,
    })
}

/// What the plan does worse; fewer hits only where the response is not longer as well.
fn plan_setback(less: &[CurvePoint], here: &CurvePoint) -> Option<Setback> {
    let setback = |figure: SetbackFigure| {
        let than = better(less, here, |point| &point.plan, figure)?;
        let learnt = |point: &CurvePoint| point.validated.plan_mean_us;
        let missed = |point: &CurvePoint| {
            let validated = &point.validated;
            (validated.missed_targets, validated.target_excess)
        };
        Some(Setback {
            arm: Arm::Plan,
            figure,
            than_memory_bytes: than.memory_bytes,
            than: figure.of(&than.plan),
            cause: match figure {
                _ if missed(here) < missed(than) => SetbackCause::Targets,
                _ if here.validated.rejected => SetbackCause::Waiting,
                SetbackFigure::HitRatio => SetbackCause::Objective,
                _ if learnt(here) <= learnt(than) * (1.0 + TIE) => SetbackCause::Traffic,
                _ => SetbackCause::Replacement,
            },
        })
    };
    setback(SetbackFigure::WeightedMeanUs).or_else(|| setback(SetbackFigure::HitRatio))
}

/// The best point with less memory, if it does better than `here`.
fn better<'c>(
    less: &'c [CurvePoint],
    here: &CurvePoint,
    arm: fn(&CurvePoint) -> &ArmScore,
    figure: SetbackFigure,
) -> Option<&'c CurvePoint> {
    let badness = |point: &CurvePoint| figure.badness(arm(point));
    let best = less
        .iter()
        .min_by(|a, b| badness(a).total_cmp(&badness(b)))?;
    (badness(here) > badness(best) * (1.0 + TIE)).then_some(best)
}
