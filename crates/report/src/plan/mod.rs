//! `hotset plan`.

mod headline;
mod json;
mod page;
mod tables;
mod terminal;
mod view;

use crate::{Page, Provenance, Style, View};

pub use view::PlanView;

impl View for PlanView<'_> {
    fn terminal(&self, style: Style) -> String {
        terminal::text(self, style)
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(self)
    }
}

impl Page for PlanView<'_> {
    fn page(&self, provenance: &Provenance) -> String {
        page::page(self, provenance)
    }
}
