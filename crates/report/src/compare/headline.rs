//! What outcomes laid side by side come to.

use super::tables::latency_text;
use crate::number;
use hotset_outcome::{Compared, GroupKind, SideBySide, Traffic};

/// The fastest by its mean, or the only other outcome.
pub(super) fn headline(side_by_side: &SideBySide) -> String {
    let baseline = &side_by_side.baseline;
    let others = &side_by_side.compared[1..];
    let ratio = |of: &Compared| of.total.against_baseline?.mean_ratio;
    let known: Vec<(&Compared, f64)> = others
        .iter()
        .filter_map(|other| Some((other, ratio(other)?)))
        .collect();
    let Some(&(least, ratio)) = known.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else {
        return without_means(side_by_side);
    };
    let (name, against) = (&least.name, least.total.against_baseline);
    let interval = against.and_then(|against| against.mean_ratio_interval);
    let times = match interval {
        Some(ends) => number::ratio_with_interval(ratio, ends.low, ends.high),
        None => number::plain(ratio),
    };
    let text = if others.len() == 1 {
        format!("{name}'s mean is {times} × {baseline}'s")
    } else if ratio < 1.0 {
        format!("Fastest: {name}, {times} × {baseline}'s mean")
    } else {
        format!("Fastest: {baseline}; next is {name}, {times} × its mean")
    };
    match against.is_some_and(|against| against.may_be_chance()) {
        true => text + "; the difference may be chance",
        false => text,
    }
}

/// Figures of groups alone, as published tables have them.
fn without_means(side_by_side: &SideBySide) -> String {
    let others = side_by_side.compared.len() as u64 - 1;
    let kinds = GroupKind::ALL.into_iter().filter(|kind| {
        let mut groups = side_by_side.compared.iter().flat_map(|of| &of.groups);
        groups.any(|group| group.key.kind == *kind)
    });
    let by: String = kinds
        .map(|kind| format!(", {0} by {0}", kind.name()))
        .collect();
    format!(
        "{} compared with {}{by}",
        number::counted(others, "outcome", "outcomes"),
        side_by_side.baseline
    )
}

/// What keeps the figures from being about the same thing.
pub(super) fn notes(side_by_side: &SideBySide) -> Vec<String> {
    let baseline = &side_by_side.baseline;
    let others = side_by_side.compared.iter();
    let notes = others.flat_map(|of| {
        [
            other_traffic(of, &side_by_side.compared[0]),
            other_times(of, baseline),
            other_groups(of, baseline),
        ]
    });
    notes.flatten().collect()
}

/// Figures of different requests.
fn other_traffic(of: &Compared, baseline: &Compared) -> Option<String> {
    if of.same_traffic != Some(false) {
        return None;
    }
    let of_logs = (of.provenance.traffic.as_ref())
        .zip(baseline.provenance.traffic.as_ref())
        .filter(|(own, against)| own != against);
    let (own, against) = match of_logs {
        Some((own, against)) => (of_log(own), of_log(against)),
        None => (served(of), served(baseline)),
    };
    Some(format!(
        "{} and {} did not serve the same traffic, so the ratio compares that as well: {own} against {against}",
        of.name, baseline.name
    ))
}

fn of_log(traffic: &Traffic) -> String {
    let requests = number::counted(traffic.requests, "request", "requests");
    let reads = number::counted(traffic.accesses, "file read", "file reads");
    let times = traffic.first.as_ref().zip(traffic.last.as_ref());
    let times = times.map_or_else(String::new, |(first, last)| {
        format!(" from {first} to {last}")
    });
    format!("{requests} with {reads}{times}")
}

fn served(of: &Compared) -> String {
    let requests = of.total.requests.unwrap_or(0);
    number::counted(requests, "request", "requests")
}

/// A mean of one kind of time over a mean of another.
fn other_times(of: &Compared, baseline: &str) -> Option<String> {
    let (own, against) = of.total.against_baseline?.latencies?;
    (own != against).then(|| {
        format!(
            "Different times are compared: {} of {}, {} of {baseline}",
            latency_text(own),
            of.name,
            latency_text(against)
        )
    })
}

fn other_groups(of: &Compared, baseline: &str) -> Option<String> {
    const SHOWN: usize = 4;
    let kind = of.not_shared.first()?.kind;
    let groups = of.not_shared.iter().filter(|key| key.kind == kind);
    let mut shown: Vec<String> = groups.map(ToString::to_string).collect();
    if shown.len() > SHOWN {
        shown.truncate(SHOWN);
        shown.push("…".to_owned());
    }
    Some(format!(
        "{} and {baseline} served different {}s, so their totals are not of the same traffic: only one has {}",
        of.name,
        kind.name(),
        shown.join(", ")
    ))
}
