//! `hotset replay`: what clients saw of a trace that was sent.
//!
//! | deed | place |
//! | --- | --- |
//! | what is shown, in which order | `mod.rs` |
//! | what `--json` prints | `view.rs` |
//! | its tables; its plots | `tables.rs`; `plots.rs` |
//! | what it comes to, and what to know of it, in sentences | `headline.rs`, `notes.rs` |
//! | the same of sessions of emulated browsers | `sessions.rs` |

mod headline;
mod notes;
mod plots;
mod sessions;
mod tables;
mod view;

use crate::reading::Reading;
use crate::{Document, Json, Page, Sheets, Tone, View, first_byte, number};

pub use notes::scale_limit;
pub use sessions::{PageFigures, SessionsView};
pub use view::{ReplayPart, ReplaySecond, ReplaySite, ReplaySizeClass, ReplayView, TimeSummary};

/// Sections of the page.
const SECTIONS: [(&str, &str); 6] = [
    ("times", "How long requests took"),
    ("time", "Over time"),
    ("parts", "Sites and sizes"),
    ("errors", "Errors"),
    ("sent", "What was sent"),
    ("read", "How the trace was read"),
];

impl View for ReplayView {
    /// Rates and times, where they come from, sites, sizes, errors.
    fn document(&self) -> Document<'_> {
        let tone = match self.total.errors {
            0 => Tone::Strong,
            _ => Tone::Warning,
        };
        let mut to = Document::new(headline::headline(self), tone)
            .titled("hotset: a trace replayed")
            .with_sections(SECTIONS);
        self.show_figures(&mut to);
        let limit = self.client_limit.as_ref();
        let limit = limit.map(|limit| format!("The client was the limit: {limit}"));
        to.section("sent").notes(self.notes());
        to.on_page(|to| _ = to.warning(limit));
        Reading::new(&self.reading, &self.time_zone).show(to.section("read"));
        self.show_times(&mut to);
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

impl Sheets for ReplayView {}

impl Page for ReplayView {}

impl ReplayView {
    fn show_figures(&self, to: &mut Document) {
        let total = &self.total;
        let duration =
            |us: Option<f64>| us.map_or_else(|| number::NONE.to_owned(), number::duration);
        let due = self.requested_rate.map_or_else(
            || "closed loop".to_owned(),
            |rate| format!("{} due", number::per_second(rate)),
        );
        let above = |share| {
            let line = first_byte::line_in_words();
            format!("{} above {line}", number::percent(share))
        };
        let late = total.late_first_byte_share.map_or_else(String::new, above);
        let failed = total.errors as f64 / total.requests.max(1) as f64;
        let (first_byte, from_due) = (total.first_byte_us.p99, total.from_intended_us.p99);
        to.figure("First byte, 99 %", duration(first_byte), late)
            .figure(
                "From when it was due, 99 %",
                duration(from_due),
                "to the last byte",
            )
            .figure("Answered", number::per_second(self.achieved_rate), due)
            .figure(
                "Requests",
                number::count(total.requests),
                number::bytes(total.bytes),
            )
            .figure(
                "Errors",
                number::count(total.errors),
                number::percent(failed),
            );
    }

    fn show_times<'s>(&'s self, to: &mut Document<'s>) {
        to.section("times")
            .table(move |_| tables::times(self))
            .heading("Times of the requests")
            .caption(
                "Times of the requests that were answered. A request is due at its time in the trace; waiting for a \
                 busy connection counts from then on.",
            )
            .sheet("times");
        to.plots(move || plots::distributions(self));
        to.section("time").plots(move || plots::over_time(self));
        let what = "Time from sending a request to its first byte, and from when it was due to its last byte";
        let sites = to.section("parts").table(move |_| tables::sites(self));
        sites.sheet("sites");
        if self.sites.len() > 1 {
            sites
                .heading("Sites: time to the first byte")
                .caption(format!("{what}, by site."));
        }
        let sizes = to.table(move |_| tables::sizes(self));
        sizes
            .caption(format!("{what}, by size of the file."))
            .sheet("sizes");
        if self.size_classes.len() > 1 {
            sizes.heading("Sizes of the files: time to the first byte");
        }
        to.table(move |_| tables::seconds(&self.timeline))
            .sheet("seconds");
        to.section("errors")
            .table(move |_| tables::errors(&self.total))
            .heading("Errors")
            .caption("Requests that failed. Their times are in no other table.")
            .sheet("errors");
    }
}
