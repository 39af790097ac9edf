//! What is to be said of the curve of gain against memory: its knee, and points where more memory looks worse.

use hotset_outcome::Interval;
use hotset_plan::{
    Arm, ArmScore, CurvePoint, Plan, SampledArm, SampledPoint, Setback, SetbackCause, SetbackFigure,
};

use crate::number;

/// What a row of the curve is marked with; nothing for most.
pub(super) fn mark(plan: &Plan, point: &CurvePoint) -> String {
    let is_knee = plan.knee_memory_bytes == Some(point.memory_bytes);
    let marks = [
        (is_knee, "knee"),
        (!point.setbacks.is_empty(), "worse"),
        (point.sampled.is_some(), "sampled"),
    ];
    let marks = marks.iter().filter(|(is_so, _)| *is_so);
    marks.map(|(_, mark)| *mark).collect::<Vec<_>>().join(", ")
}

/// Where the gain of a point lies: by how much the traffic says, or where it was sampled, by how much the sample says of the traffic.
pub(super) fn gain_interval(point: &CurvePoint) -> Option<Interval> {
    match point.sampled {
        Some(sampled) => sampled.weighted_gain,
        None => point.plan.weighted_gain_interval,
    }
}

/// A memory of the curve, so that no two look the same.
pub(super) fn memory_text(plan: &Plan, memory_bytes: u64) -> String {
    let memories: Vec<u64> = plan.curve.iter().map(|point| point.memory_bytes).collect();
    let texts = number::bytes_apart(&memories);
    let mut known = memories.iter().zip(texts);
    let known = known.find(|(known, _)| **known == memory_bytes);
    known.map_or_else(|| number::bytes(memory_bytes), |(_, text)| text)
}

/// Sentences below the curve.
pub(super) fn notes(plan: &Plan) -> Vec<String> {
    let knee = plan.knee_memory_bytes.map(|memory| {
        format!(
            "The knee of the plan's curve is at {}: up to there each further byte of memory saves more time than the \
             average over the curve, beyond it less.",
            memory_text(plan, memory)
        )
    });
    let gain = falling_gain(plan);
    let notes = sampled(plan).into_iter().chain(knee).chain(gain);
    notes.chain(setbacks(plan)).collect()
}

/// What rows are of which not every read was scored, and how far they may be off.
fn sampled(plan: &Plan) -> Option<String> {
    let first = plan.curve.iter().find_map(|point| point.sampled)?;
    let arms: Vec<(&ArmScore, SampledArm)> = plan.curve.iter().flat_map(sampled_arms).collect();
    let of_response = arms.iter().filter_map(|(score, sampled)| {
        let mean_us = score.weighted_mean_us;
        Some(off(mean_us, sampled.weighted_mean_us?) / mean_us)
    });
    let of_hits = arms.iter();
    let of_hits = of_hits.filter_map(|(score, it)| Some(off(score.hit_ratio, it.hit_ratio?)));
    Some(format!(
        "The log is long, so rows marked sampled are estimated from {} of the file reads held out. What they save is given with the 95 % \
         interval of the estimate. By such intervals, mean responses are off by {} at most, and hit ratios by {}.",
        number::percent(first.access_share),
        number::percent(of_response.fold(0.0, f64::max)),
        number::percent(of_hits.fold(0.0, f64::max)),
    ))
}

/// Both arms of a point that was estimated from a sample.
fn sampled_arms(point: &CurvePoint) -> impl Iterator<Item = (&ArmScore, SampledArm)> {
    let arms = |sampled: SampledPoint| {
        [
            (&point.page_cache, sampled.page_cache),
            (&point.plan, sampled.plan),
        ]
    };
    point.sampled.map(arms).into_iter().flatten()
}

/// How far a figure may be off by its interval.
fn off(value: f64, interval: Interval) -> f64 {
    (value - interval.low).max(interval.high - value)
}

/// Where the share saved is largest, if it falls beyond.
fn falling_gain(plan: &Plan) -> Option<String> {
    let gain = |point: &CurvePoint| point.plan.weighted_gain;
    let known = || {
        plan.curve
            .iter()
            .filter_map(|point| Some((point, gain(point)?)))
    };
    let (most, largest) = known().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let (last, gain) = known().next_back()?;
    (gain < largest && last.memory_bytes > most.memory_bytes).then(|| {
        format!(
            "The share saved is largest at {} and falls beyond it, because the page cache alone needs less help the \
             more memory it has.",
            memory_text(plan, most.memory_bytes)
        )
    })
}

/// A sentence for each kind of setback.
fn setbacks(plan: &Plan) -> Vec<String> {
    let mut kinds: Vec<(Setback, Vec<String>)> = Vec::new();
    for point in &plan.curve {
        for setback in &point.setbacks {
            let place = place(plan, point, setback);
            let same = |kind: &&mut (Setback, Vec<String>)| {
                let of = |setback: &Setback| (setback.arm, setback.figure, setback.cause);
                of(&kind.0) == of(setback)
            };
            match kinds.iter_mut().find(same) {
                Some((_, places)) => places.push(place),
                None => kinds.push((*setback, vec![place])),
            }
        }
    }
    let sentence = |(setback, places): &(Setback, Vec<String>)| {
        format!(
            "{} than with less memory: {}. {}",
            subject(setback),
            shortened(places),
            reason(setback)
        )
    };
    kinds.iter().map(sentence).collect()
}

/// Places listed for a kind of setback.
const PLACES_SHOWN: usize = 3;

fn shortened(places: &[String]) -> String {
    let shown = places.iter().take(PLACES_SHOWN).cloned();
    let hidden = places.len().saturating_sub(PLACES_SHOWN) as u64;
    let more = (hidden > 0).then(|| format!("and {} more", number::count(hidden)));
    shown.chain(more).collect::<Vec<_>>().join("; ")
}

fn place(plan: &Plan, point: &CurvePoint, setback: &Setback) -> String {
    let arm = match setback.arm {
        Arm::PageCache => &point.page_cache,
        _ => &point.plan,
    };
    let figure = |value: f64| match setback.figure {
        SetbackFigure::HitRatio => number::percent(value),
        SetbackFigure::WeightedMeanUs => number::duration(value),
    };
    format!(
        "{} at {}, {} at {}",
        figure(setback.figure.of(arm)),
        memory_text(plan, point.memory_bytes),
        figure(setback.than),
        memory_text(plan, setback.than_memory_bytes)
    )
}

fn subject(setback: &Setback) -> &'static str {
    match (setback.arm, setback.figure) {
        (Arm::PageCache, SetbackFigure::HitRatio) => "The page cache alone has fewer hits",
        (Arm::PageCache, SetbackFigure::WeightedMeanUs) => "The page cache alone is slower",
        (_, SetbackFigure::HitRatio) => "The plan has fewer hits",
        (_, SetbackFigure::WeightedMeanUs) => "The plan is slower",
    }
}

fn reason(setback: &Setback) -> &'static str {
    match (setback.arm, setback.cause) {
        (Arm::PageCache, _) => {
            "What the page cache keeps with more memory need not include what it keeps with less."
        }
        (_, SetbackCause::Traffic) => {
            "Its split and files did better on the traffic it learnt from; the held-out traffic differs."
        }
        (_, SetbackCause::Objective) => "It gives up hits for a shorter mean response.",
        (_, SetbackCause::Targets) => {
            "It meets more targets on the traffic it learnt from, or comes nearer to them, and targets come before the mean."
        }
        (_, SetbackCause::Waiting) => {
            "A faster plan would starve a site with a weight or a target once its clients wait for answers."
        }
        (_, SetbackCause::Replacement) => {
            "What the page cache beside the held files keeps with more memory need not include what it keeps with less."
        }
    }
}
