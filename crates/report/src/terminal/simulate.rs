//! `hotset simulate trace`.

use super::section;
use crate::{Column, Style, Table, number};

/// A trace run through a cache.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Simulated {
    /// Name of the eviction policy.
    pub policy: String,
    /// What the cache is filled in: bytes or pages.
    pub unit: String,
    /// Memory, bytes.
    pub memory_bytes: u64,
    /// Name of the profile that priced the misses.
    pub backing: String,
    /// Accesses.
    pub requests: u64,
    /// Accesses served from memory.
    pub hits: u64,
    /// Share of the accesses served from memory.
    pub hit_ratio: f64,
    /// Share of the bytes served from memory.
    pub byte_hit_ratio: f64,
    /// Mean response, microseconds.
    pub mean_us: f64,
}

/// Hit ratios and mean response, the runs one below the other.
pub fn simulate(runs: &[Simulated], style: Style) -> String {
    let mut table = Table::new([
        Column::text("policy"),
        Column::number("memory"),
        Column::number("accesses"),
        Column::number("hit ratio"),
        Column::number("byte hit ratio"),
        Column::number("mean response"),
    ]);
    for run in runs {
        table.row([
            run.policy.clone(),
            number::bytes(run.memory_bytes),
            number::count(run.requests),
            number::percent(run.hit_ratio),
            number::percent(run.byte_hit_ratio),
            number::duration(run.mean_us),
        ]);
    }
    let backing = runs.first().map_or("", |run| run.backing.as_str());
    let text = section(
        style,
        &format!("From store {}", crate::printable(backing)),
        &table.render(style),
    );
    text.trim_start().to_owned()
}
