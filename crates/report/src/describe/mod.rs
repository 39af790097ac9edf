//! `hotset describe`: what the traffic looks like.
//!
//! | deed | place |
//! | --- | --- |
//! | what is shown, in which order; what `--json` prints | `mod.rs` |
//! | its tables; its plots | `tables.rs`; `plots.rs`, `rate_over_time.rs` |
//! | requests by hour of the day: shares and sentence; plot | `hours.rs`; `plots.rs` |
//! | what is to be known of it, in sentences | `headline.rs`, `hours.rs`, `left_out.rs`, `not_found.rs` |

mod headline;
mod hours;
mod left_out;
mod not_found;
mod plots;
mod rate_over_time;
mod tables;

use hotset_describe::{Description, SiteDescription};
use hotset_trace::read::ReadSummary;
use serde::Serialize;

use crate::reading::Reading;
use crate::{Document, Json, Page, Sheets, Tone, View, number};

/// Rows of each list in the terminal.
const LISTED: usize = 10;
/// Status codes that have a column of their own in the terminal.
const CODES_IN_TERMINAL: usize = 8;
/// The same on the page.
const CODES_ON_PAGE: usize = 12;

/// Sections of the page.
pub(crate) const SECTIONS: [(&str, &str); 6] = [
    ("traffic", "Traffic"),
    ("popularity", "Popularity and memory"),
    ("sizes", "Files and their sizes"),
    ("clients", "Clients"),
    ("missing", "Paths answered 404"),
    ("counted", "What was counted"),
];

/// What traffic looks like.
pub struct DescriptionView<'a> {
    /// Its description.
    pub description: &'a Description,
    /// How it was read.
    pub reading: &'a ReadSummary,
}

/// The description, whose keys are declared in `hotset_describe`, and how its requests were read.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Value<'a> {
    #[serde(flatten)]
    description: &'a Description,
    /// How the input was read, with the keys of import.json from rules to steps_back.
    reading: &'a ReadSummary,
}

impl View for DescriptionView<'_> {
    /// Traffic, popularity and sizes per site and in total.
    fn document(&self) -> Document<'_> {
        let of = self.description;
        let mut to = Document::new(headline::headline(of), Tone::Strong)
            .titled("hotset: the traffic of your sites")
            .with_sections(SECTIONS);
        show_figures(&of.total, &mut to);
        Reading::new(self.reading, &of.time_zone).show(to.section("counted"));
        to.in_terminal(|to| _ = to.warning(left_out::note(of)));
        show_traffic(of, &mut to);
        to
    }

    fn value(&self) -> impl Json {
        Value {
            description: self.description,
            reading: self.reading,
        }
    }
}

impl Sheets for DescriptionView<'_> {}

impl Page for DescriptionView<'_> {}

fn show_figures(total: &SiteDescription, to: &mut Document) {
    let reads = format!("{} file reads", number::count(total.accesses));
    let bytes = number::bytes(total.object_bytes);
    to.figure("Requests", number::count(total.requests), reads)
        .figure("Files", number::count(total.objects), bytes)
        .figure(
            "Sent",
            number::bytes(total.response_bytes),
            "response bodies",
        );
    let rate = &total.requests_per_second;
    if let (Some(mean), Some(peak)) = (rate.mean, rate.peak_minute) {
        let remark = format!("{} in the busiest minute", number::per_second(peak));
        to.figure("Mean rate", number::per_second(mean), remark);
    }
    if let Some(zipf) = &total.zipf {
        let interval = format!("95 % interval {:.3}–{:.3}", zipf.low, zipf.high);
        to.figure("Zipf exponent", format!("{:.3}", zipf.alpha), interval);
    }
}

/// Adds traffic, popularity, files, clients and paths that are not there.
pub(crate) fn show_traffic<'a>(of: &'a Description, to: &mut Document<'a>) {
    to.section("traffic")
        .table(move |_| tables::traffic(of))
        .heading("Traffic")
        .caption(
            "All requests. File reads are the GET requests that read a file's data; figures about memory count only them. \
             The peak minute is the busiest calendar minute, or the mean where that is higher: a log of less than a \
             minute fills none.",
        )
        .sheet("traffic")
        .below(Tone::Plain, hours::in_words(of));
    to.plots(move || vec![plots::rate(of), plots::hours_of_day(of)]);
    to.table(move |_| tables::responses(of))
        .heading("Responses")
        .caption("Responses by class of status.")
        .sheet("responses");
    to.table(move |_| tables::status_codes(of, CODES_IN_TERMINAL))
        .heading("Status codes");
    to.table(move |_| tables::status_codes(of, CODES_ON_PAGE))
        .caption("Responses by status.");
    to.table(move |_| tables::statuses(of))
        .sheet("status-codes");
    to.table(move |_| tables::methods(of))
        .heading("Methods")
        .caption("Requests by method.")
        .sheet("methods");
    to.section("sizes")
        .table(move |_| tables::files(of))
        .heading("Files")
        .caption("Distinct files that were read.")
        .sheet("files");
    to.plots(move || vec![plots::sizes(&of.total)]);
    show_popularity(of, to.section("popularity"));
    to.section("sizes")
        .table(move |most| tables::hottest(of, most))
        .heading("Hottest files")
        .caption("Hottest files.")
        .list()
        .first(LISTED, usize::MAX)
        .sheet("hottest-files");
    show_clients(of, to.section("clients"));
    show_missing(of, to.section("missing"));
}

fn show_popularity<'a>(of: &'a Description, to: &mut Document<'a>) {
    let left_out = left_out::note(of).map(|note| note + ".");
    to.on_page(|to| _ = to.sentence(left_out));
    to.plots(move || vec![plots::miss_ratio(of), plots::byte_miss_ratio(of)]);
    to.table(move |_| tables::popularity(of))
        .heading("Memory for a share of the file reads, and popularity")
        .caption(
            "Bytes of the hottest files that receive this share of the file reads. The Zipf exponent says how steeply \
             popularity falls; it is fitted to the counts by maximum likelihood. Sites whose exponents differ are \
             populations of their own, and all of them together have no exponent.",
        )
        .sheet("memory");
    to.table(move |_| tables::zipf_of_the_head(of))
        .heading("Popularity of the hottest files alone")
        .caption("The same exponent for the hottest files alone.")
        .sheet("head");
    to.on_page(|to| _ = to.sentence(plots::sites_not_drawn(of)));
}

fn show_clients<'a>(of: &'a Description, to: &mut Document<'a>) {
    let what = "A client is an address in the log. It is shown as a pseudonym unless whoever made this page kept addresses.";
    to.on_page(|to| _ = to.sentence(what.to_owned()));
    to.table(move |most| tables::top_clients(of, most))
        .heading("Clients with the most requests")
        .caption("Clients with the most requests.")
        .list()
        .first(LISTED, usize::MAX)
        .sheet("clients");
}

fn show_missing<'a>(of: &'a Description, to: &mut Document<'a>) {
    let remark = not_found::remark(&of.total);
    let none = of.lists.not_found.is_empty().then(|| "None.".to_owned());
    to.on_page(|to| _ = to.sentence(remark.clone().or(none)));
    to.table(move |most| tables::not_found(of, most))
        .heading("Paths most often answered 404")
        .caption("Paths that were answered 404 most often.")
        .list()
        .first(LISTED, usize::MAX)
        .sheet("not-found")
        .below(Tone::Faint, remark);
}
