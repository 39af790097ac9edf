//! What outcomes laid side by side come to.

use super::tables::latency_text;
use crate::number;
use hotset_outcome::{Compared, GroupKind, SideBySide};

/// The outcome that takes least of the baseline's time, or the only other one.
pub(super) fn headline(side_by_side: &SideBySide) -> String {
    let baseline = &side_by_side.baseline;
    let others = &side_by_side.compared[1..];
    let ratio = |of: &Compared| of.total.against_baseline?.mean_ratio;
    let known: Vec<(&Compared, f64)> = others
        .iter()
        .filter_map(|other| Some((other, ratio(other)?)))
        .collect();
    let Some((least, ratio)) = known.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else {
        let names = number::counted(others.len() as u64, "outcome", "outcomes");
        let kinds = GroupKind::ALL.into_iter().filter(|kind| {
            let mut all = side_by_side.compared.iter().flat_map(|of| &of.groups);
            all.any(|group| group.key.kind == *kind)
        });
        let by: String = kinds
            .map(|kind| format!(", {0} by {0}", kind.name()))
            .collect();
        return format!("{names} beside {baseline}{by}");
    };
    let interval = least
        .total
        .against_baseline
        .and_then(|against| against.mean_ratio_interval);
    let share = match interval {
        Some(ends) => number::ratio_with_interval(*ratio, ends.low, ends.high),
        None => number::plain(*ratio),
    };
    let doubt = if interval.is_some_and(|ends| ends.contains(1.0)) {
        ", which may be no difference"
    } else {
        ""
    };
    let of = if known.len() > 1 {
        format!(", least of {}", others.len())
    } else {
        String::new()
    };
    format!(
        "{} takes {share} of the mean time of {baseline}{doubt}{of}",
        least.name
    )
}

/// What keeps the figures from being about the same thing.
pub(super) fn notes(side_by_side: &SideBySide) -> Vec<String> {
    let compared = side_by_side.compared.iter();
    compared
        .flat_map(|of| [other_times(of), other_groups(of)])
        .flatten()
        .map(|note| note.replace("BASELINE", &side_by_side.baseline))
        .collect()
}

/// A mean of one kind of time over a mean of another.
fn other_times(of: &Compared) -> Option<String> {
    let (own, against) = of.total.against_baseline?.latencies?;
    (own != against).then(|| {
        format!(
            "{}: {} is compared with the {} of BASELINE",
            of.name,
            latency_text(own),
            latency_text(against)
        )
    })
}

fn other_groups(of: &Compared) -> Option<String> {
    const SHOWN: usize = 4;
    let first = of.not_shared.first()?;
    let groups = of.not_shared.iter().filter(|key| key.kind == first.kind);
    let mut shown: Vec<String> = groups.map(ToString::to_string).collect();
    if shown.len() > SHOWN {
        shown.truncate(SHOWN);
        shown.push("…".to_owned());
    }
    Some(format!(
        "{}: its totals are of other {}s than those of BASELINE, not both have {}",
        of.name,
        first.kind.name(),
        shown.join(", ")
    ))
}
