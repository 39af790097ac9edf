//! `hotset describe`.

mod csv;
mod headline;
mod hours;
mod json;
mod left_out;
mod not_found;
mod page;
mod rate_over_time;
mod tables;
mod terminal;
mod view;

use crate::{Page, Provenance, Sheets, Style, Table, View};

pub(crate) use page::sections;
pub use view::DescriptionView;

impl View for DescriptionView<'_> {
    crate::by_hand!();
    fn terminal(&self, style: Style) -> String {
        terminal::text(self, style)
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(self)
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
