//! `hotset net run`.

use hotset_outcome::Outcome;
use hotset_petri::{Answer, Estimate, Kind};
use serde::Serialize;

use crate::{Cell, Column, Document, Json, Table, Tone, View, number};

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
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct NetRun<'a> {
    /// Name of the net.
    net: &'a str,
    /// Firings of all runs, warm-up and pilot runs included.
    firings: u64,
    /// Seconds that the runs took by the clock.
    seconds: f64,
    /// Replications that the intervals rest on.
    replications: usize,
    /// Simulated seconds that each replication was measured, after its warm-up.
    simulated_seconds: f64,
    /// Simulated seconds that were left out of each.
    warm_up_seconds: f64,
    /// Seed of every random choice.
    seed: u64,
    /// Whether it was interrupted before there were enough replications.
    stopped: bool,
    /// Monitors that saw enough for an interval.
    monitors: Vec<Monitor<'a>>,
    /// This run, as `hotset compare` reads it: times and rates as groups of kind job, numbers of tokens and
    /// utilisations as resources.
    outcomes: [&'a Outcome; 1],
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Monitor<'a> {
    /// Name of the monitor, with the path of its page.
    name: &'a str,
    /// Mean over replications, or over batches of a single one; times are in seconds, rates in firings a second.
    mean: f64,
    /// Lower end of the 95 % interval.
    low: f64,
    /// Upper end of the 95 % interval.
    high: f64,
    /// What the mean is the mean of: tokens in places or the share of busy servers over time, firings in a second of
    /// simulated time, times in seconds, other values.
    kind: &'static str,
    /// Firings or values of all replications; absent for averages over time.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    /// Median of the times, in seconds; absent where no times were recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    p50: Option<f64>,
    /// 95th percentile of the times, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    p95: Option<f64>,
    /// 99th percentile of the times, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    p99: Option<f64>,
    /// Longest time, in seconds.
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

    fn value(&self) -> impl Json {
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
