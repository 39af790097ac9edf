//! `hotset compare`.

mod csv;
mod headline;
mod page;
mod tables;
mod terminal;

use hotset_outcome::{Outcome, SideBySide};
use serde::Serialize;

use crate::{Page, Provenance, Sheets, Style, Table, View, json};

/// Outcomes side by side. Its fields are the keys of `--json`.
#[derive(Serialize)]
pub struct ComparisonView<'a> {
    /// The figures laid beside those of the baseline.
    #[serde(flatten)]
    pub side_by_side: &'a SideBySide,
    /// The outcomes as they were read.
    pub outcomes: &'a [Outcome],
}

impl View for ComparisonView<'_> {
    crate::by_hand!();
    fn terminal(&self, style: Style) -> String {
        terminal::text(self.side_by_side, style)
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(self)
    }
}

impl Sheets for ComparisonView<'_> {
    fn sheets(&self) -> Vec<(&'static str, Table)> {
        csv::sheets(self.side_by_side)
    }
}

impl Page for ComparisonView<'_> {
    fn page(&self, provenance: &Provenance) -> String {
        page::page(self.side_by_side, provenance)
    }
}
