//! The page of a daemon.

use super::{RunView, tables};
use crate::page::{Document, KeyFigure, Section, plots};
use crate::plot::{Axis, Ink, Plot, Series, Unit};
use crate::{Provenance, number};
use hotset_live::Point;
use hotset_trace::Zone;
use maud::{Markup, html};

/// Seconds after which the page is loaded anew.
const REFRESH_SECONDS: u32 = 5;

pub(super) fn page(view: &RunView, provenance: &Provenance) -> String {
    Document {
        title: "hotset: the memory tier as it follows the traffic",
        headline: headline(view),
        figures: key_figures(view),
        sections: vec![
            Section::new("sites", "Site by site", sites(view)),
            Section::new("hits", "Predicted and achieved", over_time(view)),
            Section::new("heat", "Live heat", heat(view)),
            Section::new("moves", "What moved, and why", moves(view)),
        ],
        provenance,
    }
    .render_anew_every(Some(REFRESH_SECONDS))
}

fn headline(view: &RunView) -> String {
    let last = view.daemon.figures.last();
    match last.hit_ratio() {
        None => "Following the logs. No file was read yet.".to_owned(),
        Some(ratio) => format!(
            "{} of the last interval's {} found their file held in memory",
            number::percent(ratio),
            number::counted(last.reads, "file read", "file reads"),
        ),
    }
}

fn key_figures(view: &RunView) -> Vec<KeyFigure> {
    let figures = &view.daemon.figures;
    let (last, all) = (figures.last(), figures.all());
    let share = |ratio: Option<f64>| ratio.map_or_else(|| "–".to_owned(), number::percent);
    let state = view.status.status.state.as_ref();
    let (held, budget) = state.map_or((0, 0), |state| (state.held_bytes(), state.budget_bytes));
    let mut all_figures = vec![
        KeyFigure::new(
            "Hit ratio",
            share(last.hit_ratio()),
            format!("{} since the start", share(all.hit_ratio())),
        ),
        KeyFigure::new(
            "Predicted",
            share(figures.predicted_hit_ratio),
            "for the files chosen last".to_owned(),
        ),
        KeyFigure::new(
            "Held",
            number::bytes(held),
            format!("of {} that may be held", number::bytes(budget)),
        ),
        KeyFigure::new(
            "Moved",
            number::bytes(all.moved_bytes),
            "into memory since the start".to_owned(),
        ),
        KeyFigure::new(
            "Memory available",
            number::bytes(view.available_bytes),
            format!("of {} in this machine", number::bytes(view.total_bytes)),
        ),
    ];
    if let Some(mean_us) = last.mean_us() {
        all_figures.push(KeyFigure::new(
            "Mean response",
            number::duration(mean_us),
            "as the server logged it".to_owned(),
        ));
    }
    all_figures
}

fn sites(view: &RunView) -> Markup {
    html! {
        (view.status.site_table().html(
            "Files held for each site, and what the logs say of its file reads in the last interval with reads."))
    }
}

/// Hit ratios over time.
fn over_time(view: &RunView) -> Markup {
    let history = &view.daemon.figures.history;
    let points = |ratio: fn(&Point) -> Option<f64>| {
        let times = history
            .iter()
            .filter_map(|point| Some((point, ratio(point)?)));
        times
            .map(|(point, ratio)| (point.time_ms as f64 * 1000.0, ratio))
            .collect::<Vec<_>>()
    };
    let achieved = points(|point| point.hit_ratio);
    let predicted = points(|point| point.predicted_hit_ratio);
    if achieved.len() < 2 {
        return html! { p { "There is a plot here after two intervals with reads." } };
    }
    plots(&[Plot {
        title: "Hit ratio of each interval",
        description: "The share of file reads that were of held files, beside what was predicted when the files were chosen.",
        x: Axis::time(Zone::UTC.rules(), "UTC"),
        y: Axis::linear("hit ratio", Unit::Share),
        series: vec![
            Series::line("predicted", Ink::Baseline, predicted),
            Series::line("achieved", Ink::Main, achieved),
        ],
    }])
}

fn heat(view: &RunView) -> Markup {
    match view.daemon.figures.hottest.as_slice() {
        [] => html! { p { "No file was asked for yet." } },
        files => tables::hottest(files),
    }
}

fn moves(view: &RunView) -> Markup {
    let moves = tables::moves(view.daemon.figures.moves.iter().rev());
    match moves.is_empty() {
        true => html! { p { "Nothing has moved yet." } },
        false => html! { (moves.html("The newest first.")) },
    }
}
