//! `hotset experiment scores`.

use hotset_experiment::{ErrorSummary, FigureScore, Metric, ScoredExperiment, Scores};
use serde::Serialize;

use crate::{Document, Json, Table, View};

/// How far simulated jobs of several experiments are off. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ExperimentScoresView {
    /// Program and version.
    pub tool: String,
    /// Each experiment, and all together.
    #[serde(flatten)]
    pub scores: Scores,
}

impl View for ExperimentScoresView {
    /// All experiments together, by group and by figure; then each by itself.
    fn document(&self) -> Document<'_> {
        let Scores {
            experiments,
            scores,
        } = &self.scores;
        let mut to = Document::default();
        if scores.is_empty() {
            to.sentence("No results of jobs yet: run the experiments first.".to_owned());
            return to;
        }
        let of = move |is_group: bool| {
            let own = scores
                .iter()
                .filter(move |it| it.metric.is_none() == is_group);
            own.collect::<Vec<_>>()
        };
        to.table(move |_| table(of(true)))
            .heading("Errors beyond the measured interval");
        to.table(move |_| table(of(false)))
            .heading("By figure and operation");
        to.table(move |_| each(experiments))
            .heading("Throughput and mean times, by experiment");
        to.paragraph(lacks(experiments));
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

/// A row for each score: of jobs that the model was made beside, then of those that were set aside.
fn table(scores: Vec<&FigureScore>) -> impl Into<Table> {
    Table::of(scores)
        .text("figures", |it| words(it))
        .count("count", |it| it.known.map(count))
        .percent("median", |it| it.known.map(median))
        .percent("90th percentile", |it| it.known.map(p90))
        .count("set aside: count", |it| it.set_aside.map(count))
        .percent("set aside: median", |it| it.set_aside.map(median))
        .percent("set aside: 90th percentile", |it| it.set_aside.map(p90))
}

/// A row for each experiment.
fn each(experiments: &[ScoredExperiment]) -> impl Into<Table> {
    Table::of(experiments)
        .flexible("experiment", |it| &it.name)
        .text("measured", |it| format!("{} of {}", it.measured, it.points))
        .count("count", |it| it.known.map(count))
        .percent("median", |it| it.known.map(median))
        .percent("90th percentile", |it| it.known.map(p90))
        .count("set aside: count", |it| it.set_aside.map(count))
        .percent("set aside: median", |it| it.set_aside.map(median))
        .percent("set aside: 90th percentile", |it| it.set_aside.map(p90))
}

fn count(errors: ErrorSummary) -> u64 {
    errors.figures as u64
}

fn median(errors: ErrorSummary) -> f64 {
    errors.median_beyond_percent / 100.0
}

fn p90(errors: ErrorSummary) -> f64 {
    errors.p90_beyond_percent / 100.0
}

/// Which experiments are not in it.
fn lacks(experiments: &[ScoredExperiment]) -> Option<String> {
    let none = experiments.iter().filter(|it| it.figures == 0);
    let names: Vec<&str> = none.map(|it| it.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "Of these no figures of jobs are kept, or they have none: {}.",
            names.join(", ")
        )
    })
}

/// What figures are called.
fn words(score: &FigureScore) -> String {
    let (Some(metric), Some(operation)) = (score.metric, score.operation) else {
        return score.group.to_owned();
    };
    let what = match metric {
        Metric::BytesPerS => "bytes a second",
        Metric::MeanUs => "mean time",
        Metric::P99Us => "99th percentile",
        Metric::DeviceBytes => "bytes from the device",
        Metric::HitShare => "hits",
        Metric::WrittenBytes => "bytes to the device",
        Metric::WrittenDataBytes => "blocks of files",
        Metric::WrittenJournalBytes => "journal",
        Metric::WrittenMetadataBytes => "metadata",
    };
    format!("{what}, {}", operation.name())
}
