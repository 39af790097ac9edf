//! What the order of the ways of using the memory owes to the model of the page cache.

use hotset_plan::{Arm, Plan, Reversal};

/// Which rows would change places beside a page cache of whole files, which `with` stands for; nothing where none would.
pub(super) fn reversals(plan: &Plan, with: &str) -> Option<String> {
    let changes = |arm: Arm| {
        let overtaken = plan.reversals.iter().filter(|pair| pair.worse == arm);
        let quoted = overtaken.map(|&Reversal { better, .. }| format!("\"{}\"", name(better)));
        let list = quoted.collect::<Vec<_>>().join(" and ");
        (!list.is_empty()).then(|| format!("\"{}\" does better than {list}", name(arm)))
    };
    let changes: Vec<String> = Arm::ALL.iter().copied().filter_map(changes).collect();
    (!changes.is_empty()).then(|| {
        format!(
            "The order of these rows depends on the model of the page cache. {with}, {}.",
            changes.join("; ")
        )
    })
}

/// What tables call a way of using the memory.
pub(super) fn name(arm: Arm) -> &'static str {
    match arm {
        Arm::PageCache => "page cache alone",
        Arm::Lru => "LRU",
        Arm::SizeThreshold => "seen files below 1 MiB",
        Arm::Reservations => "reservations alone",
        Arm::Groups => "memory groups",
        Arm::GroupsAndFiles => "groups and files",
        Arm::Plan => "plan",
        Arm::Adaptive => "plan, renewed",
        Arm::Clairvoyant => "clairvoyant plan",
    }
}
