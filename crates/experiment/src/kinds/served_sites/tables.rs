//! The table of what is measured: a row for each cell and store, over all runs.

use hotset_document::Table;
use hotset_outcome::{Outcome, Score};

use super::cell::Site;
use super::result::SitesComparison;
use crate::Axis;
use crate::figure::{self, Figure};
use crate::kinds::pollution::workload::correlation_in_words;
use crate::quantile::{median, range};

/// The runs of a cell on a store.
struct Runs<'p> {
    cell: &'p str,
    store: &'p str,
    points: Vec<&'p SitesComparison>,
}

impl Runs<'_> {
    /// The median of a figure of all runs, with the least and the greatest; nothing where a run has none.
    fn figure(
        &self,
        unit: figure::Unit,
        of: impl Fn(&SitesComparison) -> Option<f64>,
    ) -> Option<Figure> {
        let values: Option<Vec<f64>> = self.points.iter().map(|point| of(point)).collect();
        let values = values?;
        let interval = range(&values);
        Some(Figure::new(unit, median(values)?).within(interval))
    }
}

/// The table; none where nothing is measured.
pub(super) fn of(points: &[SitesComparison]) -> Vec<(String, Table)> {
    let mut all: Vec<Runs> = Vec::new();
    for point in points {
        let of = &point.kept.point;
        let (cell, store) = (of.on(Axis::Cell), of.on(Axis::Store));
        match all
            .iter_mut()
            .find(|runs| (runs.cell, runs.store) == (cell, store))
        {
            Some(runs) => runs.points.push(point),
            None => all.push(Runs {
                cell,
                store,
                points: vec![point],
            }),
        }
    }
    if all.is_empty() {
        return Vec::new();
    }
    let table = Table::of(&all)
        .text("sites", |runs| runs.cell)
        .text("store", |runs| runs.store)
        .figure("runs", |runs| {
            Figure::cell(Some(Figure::new(figure::COUNT, runs.points.len() as f64)))
        })
        .figure("requests/s", |runs| {
            Figure::cell(runs.figure(figure::PER_S, |point| {
                phase(point, "throughput")?.throughput_per_s
            }))
        })
        .figure("response, 1 client", |runs| {
            Figure::cell(runs.figure(figure::US, |point| phase(point, "paced")?.mean_us()))
        })
        .figure("hits", |runs| {
            Figure::cell(runs.figure(figure::RATIO, |point| phase(point, "paced")?.hit_ratio()))
        })
        .figure("bytes a request", |runs| {
            Figure::cell(runs.figure(figure::BYTES, |point| {
                let score = phase(point, "paced")?;
                Some(score.bytes? as f64 / score.requests? as f64)
            }))
        })
        .figure("open and close", |runs| {
            Figure::cell(runs.figure(figure::US, |point| Some(open_close_us(point))))
        })
        .figure("of the response", |runs| {
            Figure::cell(runs.figure(figure::RATIO, |point| {
                Some(open_close_us(point) / phase(point, "paced")?.mean_us()?)
            }))
        });
    let title =
        "Sites through proxy and web servers: medians of the runs, from the least to the greatest";
    vec![(title.to_owned(), table.into())]
}

fn open_close_us(point: &SitesComparison) -> f64 {
    point.kept.measured.detail.open_close_us
}

/// The score of a phase.
fn phase<'p>(point: &'p SitesComparison, phase: &str) -> Option<&'p Score> {
    let end = format!(", {phase}");
    let mut outcomes = point.kept.measured.outcomes.iter();
    let found: Option<&Outcome> = outcomes.find(|outcome| outcome.name.ends_with(&end));
    found.map(|outcome| &outcome.total)
}

/// How sizes and popularity of the sites hang together, each way that these points have of it once. Files of one size are all alike.
pub(super) fn sizes(points: &[SitesComparison]) -> Vec<String> {
    let cells = points.iter().map(|point| &point.kept.settings.cell);
    let mut said = Vec::new();
    for cell in cells.filter(|cell| !matches!(cell.site, Site::Files { .. })) {
        let sentence = correlation_in_words(cell.size_correlation);
        if !said.contains(&sentence) {
            said.push(sentence);
        }
    }
    said
}
