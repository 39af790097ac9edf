//! Figures of a document that cannot be true.

use std::collections::HashSet;
use std::hash::Hash;

use crate::series::LARGEST;
use crate::{Distribution, Group, LatencyKind, Outcome, Resource, Score, Timeline};

/// Figures that contradict themselves or each other.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Contradiction {
    /// Below zero, or longer or more than anything is.
    #[error("{what} is {value:?}; it must lie between 0 and {most:e}")]
    OutOfRange {
        /// Its key.
        what: String,
        /// What stands there.
        value: f64,
        /// The most that can be true.
        most: f64,
    },
    /// A part larger than its whole.
    #[error("{part_count} {part} of {whole_count} {whole}")]
    PartExceedsWhole {
        /// Key of the part.
        part: &'static str,
        /// The part.
        part_count: u64,
        /// Key of the whole.
        whole: &'static str,
        /// The whole.
        whole_count: u64,
    },
    /// A histogram of more or fewer values than the count.
    #[error("the histogram of {latency} holds {held} values, but its count is {count}")]
    Histogram {
        /// Name of the distribution.
        latency: &'static str,
        /// Values in the histogram.
        held: u128,
        /// Values by the count.
        count: u64,
    },
    /// Buckets out of order.
    #[error("the histogram of {latency} is not ascending at value {value}")]
    Unsorted {
        /// Name of the distribution.
        latency: &'static str,
        /// The value that is not above the one before.
        value: u64,
    },
    /// A series of more or fewer requests than the count.
    #[error("the series of {latency} spans {series} requests, but its count is {count}")]
    Series {
        /// Name of the distribution.
        latency: &'static str,
        /// Requests in the series.
        series: u64,
        /// Values by the count.
        count: u64,
    },
    /// Percentiles or ends of an interval in the wrong order.
    #[error("{lower} of {latency} is above its {upper}")]
    Disorder {
        /// Name of the distribution.
        latency: &'static str,
        /// What should be below.
        lower: &'static str,
        /// What should be above.
        upper: &'static str,
    },
    /// An interval of no coverage.
    #[error("the interval of the mean of {latency} has level {level}; it must lie between 0 and 1")]
    Level {
        /// Name of the distribution.
        latency: &'static str,
        /// Its level.
        level: f64,
    },
    /// Two groups, resources or links of one name.
    #[error("is listed twice")]
    Twice,
    /// Time that stands still or goes backwards.
    #[error("seconds of the timeline do not ascend at {seconds}")]
    NotAscending {
        /// The time that is not after the one before.
        seconds: f64,
    },
    /// A column of a timeline with more or fewer values than there are points.
    #[error("the timeline has {values} {column} at {points} points")]
    Column {
        /// Its key.
        column: &'static str,
        /// Its values.
        values: usize,
        /// Points in time.
        points: usize,
    },
}

/// Holds an outcome to what can be true; what cannot comes with its place: the total, or which group, resource or link.
pub(crate) fn outcome(outcome: &Outcome) -> Result<(), (String, Contradiction)> {
    let at = |place: String| move |contradiction| (place, contradiction);
    score(&outcome.total).map_err(at("total".to_owned()))?;
    let mut seen = HashSet::new();
    for Group { key, score: of } in &outcome.groups {
        let place = format!("{} `{key}`", key.kind.name());
        once(&mut seen, key)
            .and_then(|()| score(of))
            .map_err(at(place))?;
    }
    let mut seen = HashSet::new();
    for of in &outcome.resources {
        let found = once(&mut seen, of.name.as_str()).and_then(|()| resource(of));
        found.map_err(at(format!("resource `{}`", of.name)))?;
    }
    let mut seen = HashSet::new();
    for of in &outcome.links {
        let found = once(&mut seen, of.name.as_str()).and_then(|()| timeline(of.timeline.as_ref()));
        found.map_err(at(format!("link `{}`", of.name)))?;
    }
    Ok(())
}

fn once<T: Eq + Hash>(seen: &mut HashSet<T>, name: T) -> Result<(), Contradiction> {
    seen.insert(name).then_some(()).ok_or(Contradiction::Twice)
}

fn score(score: &Score) -> Result<(), Contradiction> {
    part("hits", score.hits, "requests", score.requests)?;
    part("hit_bytes", score.hit_bytes, "bytes", score.bytes)?;
    within("throughput_per_s", LARGEST, score.throughput_per_s)?;
    timeline(score.timeline.as_ref())?;
    let mut all = score.latencies.iter();
    all.try_for_each(|(kind, distribution)| check_distribution(kind, distribution))
}

fn resource(resource: &Resource) -> Result<(), Contradiction> {
    within("utilisation", FULL, resource.utilisation)?;
    within("mean_queue_length", LARGEST, resource.mean_queue_length)?;
    timeline(resource.timeline.as_ref())
}

fn timeline(timeline: Option<&Timeline>) -> Result<(), Contradiction> {
    let Some(timeline) = timeline else {
        return Ok(());
    };
    let (seconds, points) = (&timeline.seconds, timeline.seconds.len());
    let ratios = [
        ("seconds", LARGEST, seconds),
        ("utilisation", FULL, &timeline.utilisation),
        ("queue_length", LARGEST, &timeline.queue_length),
    ];
    let lengths = ratios.map(|(column, _, values)| (column, values.len()));
    let counts = timeline
        .counts()
        .map(|(column, values)| (column, values.len()));
    for (column, values) in lengths.into_iter().chain(counts) {
        if values != 0 && values != points {
            return Err(Contradiction::Column {
                column,
                values,
                points,
            });
        }
    }
    for (column, most, values) in ratios {
        values
            .iter()
            .try_for_each(|&value| within(column, most, Some(value)))?;
    }
    match seconds.windows(2).find(|pair| pair[0] >= pair[1]) {
        None => Ok(()),
        Some(pair) => Err(Contradiction::NotAscending { seconds: pair[1] }),
    }
}

fn part(
    part: &'static str,
    part_count: Option<u64>,
    whole: &'static str,
    whole_count: Option<u64>,
) -> Result<(), Contradiction> {
    match (part_count, whole_count) {
        (Some(part_count), Some(whole_count)) if part_count > whole_count => {
            Err(Contradiction::PartExceedsWhole {
                part,
                part_count,
                whole,
                whole_count,
            })
        }
        _ => Ok(()),
    }
}

/// A resource that was busy all the time. Busy time and elapsed time come from two clocks, so that one may exceed the
/// other by a thousandth.
const FULL: f64 = 1.001;

fn within(what: &str, most: f64, value: Option<f64>) -> Result<(), Contradiction> {
    match value.filter(|value| !(0.0..=most).contains(value)) {
        None => Ok(()),
        Some(value) => Err(Contradiction::OutOfRange {
            what: what.to_owned(),
            value,
            most,
        }),
    }
}

fn check_distribution(kind: LatencyKind, of: &Distribution) -> Result<(), Contradiction> {
    let latency = kind.name();
    let interval = of.mean_interval;
    let values = [
        ("mean_us", of.mean_us),
        ("p50_us", of.p50_us),
        ("p95_us", of.p95_us),
        ("p99_us", of.p99_us),
        ("max_us", of.max_us),
        ("mean_interval.low", interval.map(|ends| ends.low)),
        ("mean_interval.high", interval.map(|ends| ends.high)),
    ];
    for (key, value) in values {
        within(&format!("{latency}.{key}"), LARGEST, value)?;
    }
    ascending(latency, &values[1..5])?;
    ascending(latency, &values[5..])?;
    if let Some(ends) = interval.filter(|ends| !(ends.level > 0.0 && ends.level < 1.0)) {
        let level = ends.level;
        return Err(Contradiction::Level { latency, level });
    }
    check_histogram(latency, of)?;
    check_series(latency, of)
}

fn ascending(
    latency: &'static str,
    values: &[(&'static str, Option<f64>)],
) -> Result<(), Contradiction> {
    let known: Vec<(&'static str, f64)> = values
        .iter()
        .filter_map(|&(key, value)| Some((key, value?)))
        .collect();
    match known.windows(2).find(|pair| pair[0].1 > pair[1].1) {
        None => Ok(()),
        Some(pair) => Err(Contradiction::Disorder {
            latency,
            lower: pair[0].0,
            upper: pair[1].0,
        }),
    }
}

fn check_histogram(latency: &'static str, of: &Distribution) -> Result<(), Contradiction> {
    let buckets = &of.histogram;
    if let Some(pair) = buckets.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
        let value = pair[1].0;
        return Err(Contradiction::Unsorted { latency, value });
    }
    let held: u128 = buckets.iter().map(|&(_, count)| u128::from(count)).sum();
    match of.count {
        Some(count) if !buckets.is_empty() && held != u128::from(count) => {
            Err(Contradiction::Histogram {
                latency,
                held,
                count,
            })
        }
        None if held > u128::from(u64::MAX) => Err(Contradiction::Histogram {
            latency,
            held,
            count: u64::MAX,
        }),
        _ => Ok(()),
    }
}

fn check_series(latency: &'static str, of: &Distribution) -> Result<(), Contradiction> {
    match (&of.series, of.count) {
        (Some(series), Some(count)) if series.requests() != count => Err(Contradiction::Series {
            latency,
            series: series.requests(),
            count,
        }),
        _ => Ok(()),
    }
}
