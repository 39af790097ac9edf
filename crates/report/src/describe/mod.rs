//! `hotset describe`.

mod csv;
mod headline;
mod hours;
mod not_found;
mod page;
mod rate_over_time;
mod tables;
mod terminal;
mod view;

use crate::{Page, Provenance, Sheets, Style, Table, View, json};

pub(crate) use page::sections;
pub use view::DescriptionView;

impl View for DescriptionView<'_> {
    fn terminal(&self, style: Style) -> String {
        terminal::text(self, style)
    }

    /// The description; its keys are declared in `hotset_describe`.
    fn json(&self) -> serde_json::Result<String> {
        json::text(self.description)
    }
}

impl Sheets for DescriptionView<'_> {
    fn sheets(&self) -> Vec<(&'static str, Table)> {
        csv::sheets(self)
    }
}

impl Page for DescriptionView<'_> {
    fn page(&self, provenance: &Provenance) -> String {
        page::page(self, provenance)
    }
}
