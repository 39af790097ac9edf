//! `hotset replay`.

mod csv;
mod headline;
mod notes;
mod page;
mod tables;
mod terminal;
mod view;

use crate::{Page, Provenance, Sheets, Style, Table, View, json};

pub use view::{
    ReplayContext, ReplayPart, ReplaySecond, ReplaySite, ReplaySizeClass, ReplayView, TimeSummary,
};

impl View for ReplayView {
    crate::by_hand!();
    fn terminal(&self, style: Style) -> String {
        terminal::text(self, style)
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(self)
    }
}

impl Sheets for ReplayView {
    fn sheets(&self) -> Vec<(&'static str, Table)> {
        csv::sheets(self)
    }
}

impl Page for ReplayView {
    fn page(&self, provenance: &Provenance) -> String {
        page::page(self, provenance)
    }
}
