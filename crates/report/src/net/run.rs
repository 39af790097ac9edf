//! `hotset net run`.

use hotset_outcome::Outcome;
use hotset_petri::{Answer, Estimate, Kind};
use serde::Serialize;

use crate::{Cell, Column, Document, Table, Tone, View, number};

/// What runs of a net gave.
pub struct NetRunView<'a> {
    /// The net's name.
    pub net: &'a str,
    /// What the runs gave.
    pub answer: &'a Answer,
    /// The same for `hotset compare`.
    pub outcome: Outcome,
    /// Seed of every random choice.
    pub seed: u64,
    /// How long the runs took by the clock, in seconds.
    pub seconds: f64,
}

/// What `hotset net run --json` prints.
#[derive(Serialize)]
struct NetRun<'a> {
    net: &'a str,
    firings: u64,
    seconds: f64,
    replications: usize,
    simulated_seconds: f64,
    warm_up_seconds: f64,
    seed: u64,
    stopped: bool,
    monitors: Vec<Monitor<'a>>,
    outcomes: [&'a Outcome; 1],
}

#[derive(Serialize)]
struct Monitor<'a> {
    name: &'a str,
    mean: f64,
    low: f64,
    high: f64,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p50: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p95: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p99: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<f64>,
}

impl<'a> Monitor<'a> {
    fn of(it: &'a Estimate) -> Monitor<'a> {
        Monitor {
            name: &it.name,
            mean: it.mean,
            low: it.low,
            high: it.high,
            kind: it.kind.name(),
            count: it.count,
            p50: it.quantile(0.5),
            p95: it.quantile(0.95),
            p99: it.quantile(0.99),
            max: it.longest(),
        }
    }
}

impl View for NetRunView<'_> {
    /// How it was run, then each monitor, then the times.
    fn document(&self) -> Document<'_> {
        let answer = self.answer;
        let headline = format!(
            "{}: {} of {} after a warm-up of {}, seed {}; {}.",
            self.net,
            number::counted(answer.replications as u64, "replication", "replications"),
            answer.length,
            answer.warm_up,
            self.seed,
            number::counted(answer.firings, "firing", "firings"),
        );
        let mut to = Document::new(headline, Tone::Strong);
        to.table(move |_| {
            Table::of(&answer.estimates)
                .text("monitor", |it| &it.name)
                .text(
                    "mean (95 % interval), in seconds where it is a time",
                    |it| {
                        let [mean, low, high] = [it.mean, it.low, it.high].map(number::plain);
                        format!("{mean} ({low}–{high})")
                    },
                )
        })
        .bare();
        to.table(move |_| times(answer)).heading("Times");
        to
    }

    fn value(&self) -> impl Serialize {
        let answer = self.answer;
        NetRun {
            net: self.net,
            firings: answer.firings,
            seconds: self.seconds,
            replications: answer.replications,
            simulated_seconds: answer.length.secs(),
            warm_up_seconds: answer.warm_up.secs(),
            seed: self.seed,
            stopped: answer.stopped,
            monitors: answer.estimates.iter().map(Monitor::of).collect(),
            outcomes: [&self.outcome],
        }
    }
}

/// How times are distributed; nothing where none were recorded.
fn times(answer: &Answer) -> impl Into<Table> {
    let recorded = answer.estimates.iter();
    let time = |seconds: Option<f64>| {
        seconds.map_or_else(Cell::default, |seconds| Cell::duration(seconds * 1e6))
    };
    Table::of(recorded.filter(|it| it.kind == Kind::Times))
        .text("monitor", |it| &it.name)
        .count("values", |it| it.count.unwrap_or(0))
        .column(Column::duration("median"), |it| time(it.quantile(0.5)))
        .column(Column::duration("95 %"), |it| time(it.quantile(0.95)))
        .column(Column::duration("99 %"), |it| time(it.quantile(0.99)))
        .column(Column::duration("longest"), |it| time(it.longest()))
}
