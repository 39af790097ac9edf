//! What a daemon that follows the traffic shows of itself while it runs: a page for people, metrics for programs.

mod metrics;
mod view;

use hotset_live::{HotFile, Move, Point};
use hotset_trace::Zone;

use crate::plot::{Axis, Ink, Plot, Series, Unit};
use crate::status::without_reads;
use crate::{Bar, Bars, Document, Provenance, Table, Tone, number};

pub use view::RunView;

/// Seconds after which the page is loaded anew.
const REFRESH_SECONDS: u32 = 5;

/// Sections of the page.
const SECTIONS: [(&str, &str); 5] = [
    ("saved", "What holding has saved"),
    ("sites", "Site by site"),
    ("hits", "Predicted and achieved"),
    ("heat", "Live heat"),
    ("moves", "What moved, and why"),
];

impl RunView<'_> {
    /// One page that opens offline and loads itself anew every few seconds.
    #[must_use]
    pub fn page(&self, provenance: &Provenance) -> String {
        self.document().page(provenance)
    }

    /// The text format of OpenMetrics 1.0, which Prometheus reads.
    ///
    /// # Errors
    /// When memory for the text runs out.
    pub fn metrics(&self) -> Result<String, std::fmt::Error> {
        metrics::metrics(self)
    }

    fn document(&self) -> Document<'_> {
        let figures = &self.daemon.figures;
        let mut to = Document::new(self.headline(), Tone::Plain)
            .titled("hotset: the memory tier as it follows the traffic")
            .renewed_every(REFRESH_SECONDS)
            .with_sections(SECTIONS);
        self.show_figures(&mut to);
        self.show_saved(&mut to);
        to.section("sites")
            .table(move |_| self.status.site_table())
            .caption("Files held for each site, and what the logs say of its file reads in the last interval with reads.");
        to.section("sites").lines(
            "Requests that nothing is learnt from",
            &self.status.passed_over(),
        );
        let achieved = self.hit_ratios(|point| point.hit_ratio);
        match achieved.len() < 2 {
            true => to
                .section("hits")
                .sentence("There is a plot here after two intervals with reads.".to_owned()),
            false => to.section("hits").plots(move || vec![self.over_time()]),
        };
        match figures.hottest.is_empty() {
            true => to
                .section("heat")
                .sentence("No file was asked for yet.".to_owned()),
            false => to.section("heat").bars(move || hottest(&figures.hottest)),
        };
        if figures.moves.is_empty() {
            to.section("moves")
                .sentence("Nothing has moved yet.".to_owned());
        }
        to.section("moves")
            .table(move |_| moves(figures.moves.iter().rev()))
            .caption("The newest first.");
        to
    }

    fn headline(&self) -> String {
        let last = self.daemon.figures.last();
        match last.hit_ratio() {
            None => format!("Following the logs. {}", without_reads(self.daemon)),
            Some(ratio) => format!(
                "{} of the last interval's {} found their file held in memory",
                number::percent(ratio),
                number::counted(last.reads, "file read", "file reads"),
            ),
        }
    }

    fn show_figures(&self, to: &mut Document) {
        let figures = &self.daemon.figures;
        let (last, all) = (figures.last(), figures.all());
        let share =
            |ratio: Option<f64>| ratio.map_or_else(|| number::NONE.to_owned(), number::percent);
        let state = self.status.status.state.as_ref();
        let budget = state.map_or(0, |state| state.budget_bytes);
        let held = self.status.status.held_bytes;
        let since_start = format!("{} since the start", share(all.hit_ratio()));
        let may_be_held = format!("of {} that may be held", number::bytes(budget));
        let in_machine = format!("of {} in this machine", number::bytes(self.total_bytes));
        let available = number::bytes(self.available_bytes);
        to.figure("Hit ratio", share(last.hit_ratio()), since_start)
            .figure(
                "Predicted",
                share(figures.predicted_hit_ratio),
                "for the files chosen last",
            )
            .figure("Held", number::bytes(held), may_be_held)
            .figure(
                "Moved",
                number::bytes(all.moved_bytes),
                "into memory since the start",
            )
            .figure("Memory available", available, in_machine);
        if let Some(mean_us) = last.mean_us() {
            to.figure(
                "Mean response",
                number::duration(mean_us),
                "as the server logged it",
            );
        }
    }

    /// What holding has saved beside the page cache alone.
    fn show_saved<'v>(&'v self, to: &mut Document<'v>) {
        let Some(saving) = self.status.saving() else {
            let text = "It is told after the first interval with reads.";
            to.section("saved").sentence(text.to_owned());
            return;
        };
        to.section("saved")
            .sentence(saving.saved())
            .sentence(saving.warning());
        to.table(move |_| saving.table())
            .caption("In the last interval with reads, and since the start. A sign before a figure says that the page cache alone would have done better.");
        if self.hit_ratios(|point| point.memory_hit_ratio).len() > 1 {
            to.plots(move || vec![self.in_memory_over_time()]);
        }
    }

    fn in_memory_over_time(&self) -> Plot {
        let alone = self.hit_ratios(|point| point.page_cache_hit_ratio);
        let with_held = self.hit_ratios(|point| point.memory_hit_ratio);
        Plot {
            title: "Found in memory, predicted, of each interval",
            description: "The share of file reads that found their file in memory, held or in the page cache, beside what the page cache alone would have had.",
            x: Axis::time(Zone::UTC.rules(), "UTC"),
            y: Axis::linear("share of reads", Unit::Share),
            series: vec![
                Series::line("page cache alone", Ink::Baseline, alone),
                Series::line("with held files", Ink::Main, with_held),
            ],
        }
    }

    /// A ratio of each interval that has one, by the time of its end.
    fn hit_ratios(&self, ratio: fn(&Point) -> Option<f64>) -> Vec<(f64, f64)> {
        let history = self.daemon.figures.history.iter();
        history
            .filter_map(|point| Some((point.time_ms as f64 * 1000.0, ratio(point)?)))
            .collect()
    }

    fn over_time(&self) -> Plot {
        let predicted = self.hit_ratios(|point| point.predicted_hit_ratio);
        let achieved = self.hit_ratios(|point| point.hit_ratio);
        Plot {
            title: "Hit ratio of each interval",
            description: "The share of file reads that were of held files, beside what was predicted when the files were chosen.",
            x: Axis::time(Zone::UTC.rules(), "UTC"),
            y: Axis::linear("hit ratio", Unit::Share),
            series: vec![
                Series::line("predicted", Ink::Baseline, predicted),
                Series::line("achieved", Ink::Main, achieved),
            ],
        }
    }
}

/// The hottest files, each with a bar as long as it is hot.
fn hottest(files: &[HotFile]) -> Bars {
    let bar = |file: &HotFile| Bar {
        name: String::from_utf8_lossy(&file.path.0).into_owned(),
        group: file.site.clone(),
        bytes: file.size_bytes,
        value: file.heat,
        is_full: file.is_held,
    };
    Bars {
        caption: "The files that are asked for most, by requests as they are remembered. A full bar is held, an empty one is not.",
        headers: ["file", "site", "size", "heat", "requests"],
        rows: files.iter().map(bar).collect(),
    }
}

/// What was moved last and why.
fn moves<'m>(moves: impl Iterator<Item = &'m Move>) -> impl Into<Table> {
    Table::of(moves)
        .text("time (UTC)", |it| time_of_day(it.time_ms))
        .text("what", |it| if it.is_taken { "taken" } else { "given up" })
        .flexible("file", |it| {
            String::from_utf8_lossy(&it.path.0).into_owned()
        })
        .text("why", |it| why(it))
        .text("site", |it| &it.site)
        .figure("size", |it| number::bytes(it.size_bytes))
}

fn why(it: &Move) -> String {
    let times = number::counted(it.heat.round() as u64, "time", "times");
    let asked = format!("asked for {times}");
    match (it.is_taken, it.heat > 0.0) {
        (true, _) => format!(
            "{asked}; each read from memory saves {}",
            number::duration(it.saved_us)
        ),
        (false, true) => format!("{asked}; other files save more for each page"),
        (false, false) => "nobody asks for it any more".to_owned(),
    }
}

/// Hours, minutes and seconds.
fn time_of_day(ms: u64) -> String {
    let seconds = ms / 1000 % 86_400;
    format!(
        "{:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}
