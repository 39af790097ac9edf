//! `hotset describe`.

mod hours;
mod page;
mod rate_over_time;
mod tables;
mod terminal;

use hotset_describe::Description;
use hotset_trace::read::ReadSummary;

use crate::reading::Reading;
use crate::{Page, Provenance, Style, View, json, number};

pub(crate) use page::sections;

/// What traffic looks like.
pub struct DescriptionView<'a> {
    /// Its description.
    pub description: &'a Description,
    /// How it was read.
    pub reading: &'a ReadSummary,
}

impl View for DescriptionView<'_> {
    fn terminal(&self, style: Style) -> String {
        terminal::text(self.description, &Reading::from(self.reading), style)
    }

    /// The description; its keys are declared in `hotset_describe`.
    fn json(&self) -> serde_json::Result<String> {
        json::text(self.description)
    }
}

impl Page for DescriptionView<'_> {
    fn page(&self, provenance: &Provenance) -> String {
        page::page(self.description, &Reading::from(self.reading), provenance)
    }
}

/// What the traffic looks like.
fn headline(description: &Description) -> String {
    let total = &description.total;
    let start = format!(
        "{} for {} ({})",
        number::counted(total.requests, "request", "requests"),
        number::counted(total.objects, "file", "files"),
        number::bytes(total.object_bytes)
    );
    if total.accesses == 0 {
        return format!("{start}; no request is a file read");
    }
    let memory = number::bytes(total.bytes_for_percent_of_requests.p90);
    format!("{start}; the hottest {memory} of files receive 90 % of the reads")
}
