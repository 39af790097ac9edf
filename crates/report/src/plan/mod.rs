//! `hotset plan`.

mod csv;
mod curve_notes;
mod headline;
mod json;
mod order;
mod page;
mod plan_file;
mod tables;
mod terminal;
mod view;

use crate::{Page, Provenance, Sheets, Style, Table, View};

pub use plan_file::{PlanFile, PlanFileError, PlanFileFormat};
pub use view::{OnDisk, PlanView};

impl View for PlanView<'_> {
    crate::by_hand!();
    fn terminal(&self, style: Style) -> String {
        terminal::text(self, style)
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(self)
    }
}

impl Sheets for PlanView<'_> {
    fn sheets(&self) -> Vec<(&'static str, Table)> {
        csv::sheets(self)
    }
}

impl Page for PlanView<'_> {
    fn page(&self, provenance: &Provenance) -> String {
        page::page(self, provenance)
    }
}
