//! `hotset simulate trace`.

use hotset_outcome::{Interval, Outcome};
use hotset_trace::Zone;
use hotset_trace::read::ReadSummary;
use serde::Serialize;

use crate::plot::{Axis, Ink, Plot, Series, Unit};
use crate::reading::Reading;
use crate::{Document, Json, Page, Table, Tone, View, number};

/// Points of the picture: fewer than it has pixels, enough to see a cache warm up.
const RUNS: usize = 100;

/// What a cache hits.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ScanView {
    /// Of the whole trace.
    Whole(CacheScanView),
    /// The hit ratio of LRU, estimated from samples of the files drawn by hash.
    Sampled(SampledScanView),
    /// Hit ratios and mean response of the page cache, estimated from samples of the files drawn by importance.
    Estimated(EstimatedScanView),
}

impl View for ScanView {
    fn document(&self) -> Document<'_> {
        match self {
            Self::Whole(view) => view.document(),
            Self::Sampled(view) => view.document(),
            Self::Estimated(view) => view.document(),
        }
    }

    fn value(&self) -> impl Json {
        self
    }
}

/// A trace run through a cache. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CacheScanView {
    /// Name of the eviction policy.
    pub policy: String,
    /// What the cache is filled in: bytes or pages.
    pub unit: String,
    /// Memory, bytes.
    pub memory_bytes: u64,
    /// Name of the profile that priced the misses.
    pub backing: String,
    /// Accesses.
    pub requests: u64,
    /// Accesses served from memory.
    pub hits: u64,
    /// Hits / requests, 0 to 1; null without accesses. With `sampled`, an estimate.
    pub hit_ratio: f64,
    /// Bytes of the hits / bytes of all accesses, 0 to 1; null without accesses. With `sampled`, an estimate.
    pub byte_hit_ratio: f64,
    /// Mean response, microseconds; null without accesses. With `sampled`, an estimate.
    pub mean_us: f64,
    /// How the accesses were read.
    pub reading: ReadSummary,
    /// Zone of the times shown.
    #[serde(skip)]
    pub time_zone: Zone,
    /// The same for `hotset compare`; empty where only the terminal is shown it.
    pub outcomes: Vec<Outcome>,
}

impl View for CacheScanView {
    /// Hit ratios and mean response, and how responses went on where outcomes were counted.
    fn document(&self) -> Document<'_> {
        let mut to = headed(self.headline(), &self.reading, &self.time_zone)
            .titled("hotset: a trace through a cache")
            .with_sections([("responses", "How responses went on")]);
        let reads = number::counted(self.requests, "file read", "file reads");
        let of_reads = format!("of {reads}, from {}", number::bytes(self.memory_bytes));
        let store = format!("misses are read from {}", self.backing);
        to.figure("hit ratio", number::percent(self.hit_ratio), of_reads)
            .figure(
                "byte hit ratio",
                number::percent(self.byte_hit_ratio),
                "of the bytes of those files",
            )
            .figure("mean response", number::duration(self.mean_us), store);
        to.table(move |_| {
            Table::of([self])
                .text("policy", |it| &it.policy)
                .bytes("memory", |it| it.memory_bytes)
                .count("accesses", |it| it.requests)
                .percent("hit ratio", |it| it.hit_ratio)
                .percent("byte hit ratio", |it| it.byte_hit_ratio)
                .duration("mean response", |it| it.mean_us)
        })
        .heading(format!("Misses are read from {}", self.backing));
        if let Some(points) = self.course() {
            to.section("responses")
                .plots(move || vec![course(&self.policy, points.clone())]);
        }
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

impl Page for CacheScanView {}

impl CacheScanView {
    fn headline(&self) -> String {
        format!(
            "{} serves {} of {} from {} of memory; the mean response is {}",
            self.policy,
            number::percent(self.hit_ratio),
            number::counted(self.requests, "file read", "file reads"),
            number::bytes(self.memory_bytes),
            number::duration(self.mean_us),
        )
    }

    /// Mean responses of consecutive file reads, if there are several.
    fn course(&self) -> Option<Vec<(f64, f64)>> {
        let (_, response) = self.outcomes.first()?.total.response()?;
        let series = response.series.as_ref()?;
        let mut before = 0.0;
        let middle = |(requests, mean_us): (f64, f64)| {
            before += requests;
            (before - requests / 2.0, mean_us)
        };
        let points: Vec<(f64, f64)> = series.runs(RUNS).into_iter().map(middle).collect();
        (points.len() > 1).then_some(points)
    }
}

/// Shows whether the cache was warm and when traffic changed.
fn course(policy: &str, points: Vec<(f64, f64)>) -> Plot {
    Plot {
        title: "Mean response in the course of the file reads",
        description: "Means of consecutive file reads, in their order; lower is better.",
        x: Axis::linear("file reads", Unit::Plain),
        y: Axis::linear("mean response", Unit::Duration),
        series: vec![Series::line(policy, Ink::Main, points)],
    }
}

/// A document that begins with the sentence that would do if nothing else were read, and how the accesses were read.
fn headed<'a>(sentence: String, reading: &ReadSummary, zone: &Zone) -> Document<'a> {
    let mut to = Document::new(sentence, Tone::Strong);
    to.in_terminal(|to| Reading::new(reading, zone).show(to));
    to
}

/// The hit ratio of LRU, estimated from samples of the files. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SampledScanView {
    /// Name of the eviction policy.
    pub policy: String,
    /// What the cache is filled in: bytes or pages.
    pub unit: String,
    /// Memory, bytes.
    pub memory_bytes: u64,
    /// Accesses.
    pub requests: u64,
    /// Hits / requests, 0 to 1; null without accesses. With `sampled`, an estimate.
    pub hit_ratio: f64,
    /// Its least and greatest over the samples.
    pub hit_ratio_interval: Interval,
    /// How the files of an estimate were sampled; absent where the whole trace was run.
    pub sampled: Samples,
    /// The same at several memories, ascending.
    pub curve: Vec<SampledPoint>,
    /// How the accesses were read.
    pub reading: ReadSummary,
    /// Zone of the times shown.
    #[serde(skip)]
    pub time_zone: Zone,
}

/// How files were sampled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Samples {
    /// Share of the files in a sample.
    pub file_share: f64,
    /// Samples drawn.
    pub samples: usize,
    /// Seed of the samples.
    pub seed: u64,
    /// By what files are drawn.
    pub drawn_by: DrawnBy,
    /// Share of the accesses that a sample has on average; absent where files are drawn by hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_share: Option<f64>,
    /// How many files of a sample the memory holds with all that they stand for; nothing where that is not known, or each
    /// stands for itself alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_held: Option<f64>,
}

/// By what files are drawn into a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DrawnBy {
    /// By hash: each file alike.
    Hash,
    /// By their shares of the cost, of the bytes, of the memory and of the accesses.
    Importance,
}

/// An estimated hit ratio.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SampledPoint {
    /// Memory, bytes.
    pub memory_bytes: u64,
    /// Estimated share of the accesses served from memory.
    pub hit_ratio: f64,
    /// Its least and greatest over the samples.
    pub hit_ratio_interval: Interval,
}

/// What readers of a sampled hit ratio have to know.
const SAMPLING_CAVEAT: &str = "In many logs a few files get most reads. A sample that has such a file, or lacks it, can \
    mislead more than the interval shows: scan the whole trace before you rely on this.";

impl View for SampledScanView {
    /// Hit ratios at several memories with their intervals.
    fn document(&self) -> Document<'_> {
        let level = number::percent(self.hit_ratio_interval.level);
        let share = number::percent(self.sampled.file_share);
        let Samples { samples, seed, .. } = self.sampled;
        let mut to = headed(self.headline(), &self.reading, &self.time_zone);
        to.table(move |_| {
            Table::of(&self.curve)
                .text("policy", |_| &self.policy)
                .bytes("memory", |it| it.memory_bytes)
                .count("accesses", |_| self.requests)
                .figure(&format!("hit ratio ({level} interval)"), |it| {
                    let Interval { low, high, .. } = it.hit_ratio_interval;
                    number::percent_with_interval(it.hit_ratio, low, high)
                })
        })
        .heading(format!(
            "Estimated from {samples} samples of {share} of the files, seed {seed}"
        ))
        .below(Tone::Plain, SAMPLING_CAVEAT.to_owned());
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

impl SampledScanView {
    fn headline(&self) -> String {
        let Interval { low, high, .. } = self.hit_ratio_interval;
        format!(
            "{} serves about {} of {} from {} of memory",
            self.policy,
            number::percent_with_interval(self.hit_ratio, low, high),
            number::counted(self.requests, "file read", "file reads"),
            number::bytes(self.memory_bytes),
        )
    }
}

/// Hit ratios and mean response, estimated from files drawn by importance. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct EstimatedScanView {
    /// Name of the eviction policy.
    pub policy: String,
    /// What the cache is filled in: bytes or pages.
    pub unit: String,
    /// Memory, bytes.
    pub memory_bytes: u64,
    /// Name of the profile that priced the misses.
    pub backing: String,
    /// Accesses.
    pub requests: u64,
    /// Hits / requests, 0 to 1; null without accesses. With `sampled`, an estimate.
    pub hit_ratio: f64,
    /// Where one more sample would lie.
    pub hit_ratio_interval: Interval,
    /// Bytes of the hits / bytes of all accesses, 0 to 1; null without accesses. With `sampled`, an estimate.
    pub byte_hit_ratio: f64,
    /// Where one more sample would lie.
    pub byte_hit_ratio_interval: Interval,
    /// Mean response, microseconds; null without accesses. With `sampled`, an estimate.
    pub mean_us: f64,
    /// Where one more sample would lie.
    pub mean_us_interval: Interval,
    /// How the files of an estimate were sampled; absent where the whole trace was run.
    pub sampled: Samples,
    /// How the accesses were read.
    pub reading: ReadSummary,
    /// Zone of the times shown.
    #[serde(skip)]
    pub time_zone: Zone,
}

/// What readers of such an estimate have to know.
const IMPORTANCE_CAVEAT: &str = "Important files are in every sample, and first reads are counted exactly. All samples err alike in \
    part, so an interval is where one more sample would lie, not where their mean would.";

/// With fewer, nearly each file of a sample pushes out all others: intervals covered 83 to 96 % of the hit ratios, else all
/// (`benches/results/2026-11-23-sampling.md`).
const FEWEST_HELD: f64 = 2.0;

impl View for EstimatedScanView {
    /// Hit ratios and mean response with their intervals.
    fn document(&self) -> Document<'_> {
        let level = number::percent(self.hit_ratio_interval.level);
        type Words = fn(f64) -> String;
        let estimates: [(&str, f64, Interval, Words); 3] = [
            (
                "hit ratio",
                self.hit_ratio,
                self.hit_ratio_interval,
                number::percent,
            ),
            (
                "byte hit ratio",
                self.byte_hit_ratio,
                self.byte_hit_ratio_interval,
                number::percent,
            ),
            (
                "mean response",
                self.mean_us,
                self.mean_us_interval,
                number::duration,
            ),
        ];
        let mut to = headed(self.headline(), &self.reading, &self.time_zone);
        to.table(move |_| {
            Table::of(estimates)
                .text("estimate", |it| it.0)
                .figure("value", |it| it.3(it.1))
                .figure(&format!("{level} interval"), |it| {
                    format!("{} to {}", it.3(it.2.low), it.3(it.2.high))
                })
        })
        .heading(format!(
            "Estimated from {} samples of {} of the files, drawn by importance, seed {}; misses are read from {}",
            self.sampled.samples,
            number::percent(self.sampled.file_share),
            self.sampled.seed,
            self.backing
        ))
        .below(Tone::Plain, self.caveat());
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

impl EstimatedScanView {
    fn caveat(&self) -> String {
        let held = self.sampled.files_held;
        let too_few = held.filter(|held| *held < FEWEST_HELD).map(|held| {
            format!(
                " This memory holds only {held:.1} files of a sample with all that they stand for: the estimate may err by more than its \
                 intervals. Sample more files, or scan the whole trace."
            )
        });
        IMPORTANCE_CAVEAT.to_owned() + &too_few.unwrap_or_default()
    }

    fn headline(&self) -> String {
        let Interval { low, high, .. } = self.hit_ratio_interval;
        let of_mean = self.mean_us_interval;
        format!(
            "{} serves about {} of {} from {} of memory; the mean response is about {}",
            self.policy,
            number::percent_with_interval(self.hit_ratio, low, high),
            number::counted(self.requests, "file read", "file reads"),
            number::bytes(self.memory_bytes),
            number::duration_with_interval(self.mean_us, of_mean.low, of_mean.high),
        )
    }
}
