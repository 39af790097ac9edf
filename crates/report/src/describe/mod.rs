//! `hotset describe`.

mod headline;
mod hours;
mod page;
mod rate_over_time;
mod tables;
mod terminal;
mod view;

use crate::{Page, Provenance, Style, View, json};

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

impl Page for DescriptionView<'_> {
    fn page(&self, provenance: &Provenance) -> String {
        page::page(self, provenance)
    }
}
