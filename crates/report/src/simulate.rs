//! `hotset simulate trace`.

use hotset_outcome::Outcome;
use serde::Serialize;

use crate::terminal::section;
use crate::{Column, Style, Table, View, json, number, printable};

/// A trace run through a cache. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CacheScanView {
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
    /// The same for `hotset compare`; empty where only the terminal is shown it.
    pub outcomes: Vec<Outcome>,
}

impl View for CacheScanView {
    /// Hit ratios and mean response.
    fn terminal(&self, style: Style) -> String {
        let mut table = Table::new([
            Column::text("policy"),
            Column::number("memory"),
            Column::number("accesses"),
            Column::number("hit ratio"),
            Column::number("byte hit ratio"),
            Column::number("mean response"),
        ]);
        table.row([
            self.policy.clone(),
            number::bytes(self.memory_bytes),
            number::count(self.requests),
            number::percent(self.hit_ratio),
            number::percent(self.byte_hit_ratio),
            number::duration(self.mean_us),
        ]);
        let heading = format!("From store {}", printable(&self.backing));
        let text = section(style, &heading, &table.render(style));
        text.trim_start().to_owned()
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(self)
    }
}
