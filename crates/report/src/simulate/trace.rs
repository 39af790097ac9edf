//! `hotset simulate trace`.

use hotset_outcome::{Interval, Outcome};
use hotset_trace::Zone;
use hotset_trace::read::ReadSummary;
use serde::Serialize;

use crate::reading::Reading;
use crate::terminal::{paragraph, section, wrapped};
use crate::{Column, Style, Table, View, json, number, printable};

/// A trace run through a cache. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// Share of the accesses served from memory.
    pub hit_ratio: f64,
    /// Share of the bytes served from memory.
    pub byte_hit_ratio: f64,
    /// Mean response, microseconds.
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
    crate::by_hand!();
    /// Hit ratios and mean response.
    fn terminal(&self, style: Style) -> String {
        let mut table = Table::new([
            Column::text("policy"),
            Column::bytes("memory"),
            Column::number("accesses"),
            Column::percent("hit ratio"),
            Column::percent("byte hit ratio"),
            Column::duration("mean response"),
        ]);
        table.row([
            self.policy.clone(),
            number::bytes(self.memory_bytes),
            number::count(self.requests),
            number::percent(self.hit_ratio),
            number::percent(self.byte_hit_ratio),
            number::duration(self.mean_us),
        ]);
        let heading = format!("Misses are read from {}", printable(&self.backing));
        headline(&self.headline(), &self.reading, &self.time_zone, style)
            + &section(style, &heading, &table.render(style))
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(self)
    }
}

impl CacheScanView {
    pub(super) fn headline(&self) -> String {
        format!(
            "{} serves {} of {} from {} of memory; the mean response is {}",
            self.policy,
            number::percent(self.hit_ratio),
            number::counted(self.requests, "file read", "file reads"),
            number::bytes(self.memory_bytes),
            number::duration(self.mean_us),
        )
    }
}

/// The sentence that would do if nothing else were read, and how the accesses were read.
fn headline(sentence: &str, reading: &ReadSummary, zone: &Zone, style: Style) -> String {
    let reading = Reading::new(reading, zone).terminal(style);
    paragraph(style, sentence, Style::strong) + &reading
}

/// The hit ratio of LRU, estimated from samples of the files. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SampledScanView {
    /// Name of the eviction policy.
    pub policy: String,
    /// What the cache is filled in: bytes or pages.
    pub unit: String,
    /// Memory, bytes.
    pub memory_bytes: u64,
    /// Accesses.
    pub requests: u64,
    /// Estimated share of the accesses served from memory.
    pub hit_ratio: f64,
    /// Its least and greatest over the samples.
    pub hit_ratio_interval: Interval,
    /// How it was sampled.
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
pub struct Samples {
    /// Share of the files in a sample.
    pub file_share: f64,
    /// Samples drawn.
    pub samples: usize,
    /// Seed of the samples.
    pub seed: u64,
    /// By what files are drawn.
    pub drawn_by: DrawnBy,
    /// Share of the accesses that a sample has on average, where that differs from one of the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_share: Option<f64>,
    /// How many files of a sample the memory holds with all that they stand for; nothing where that is not known, or each
    /// stands for itself alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_held: Option<f64>,
}

/// By what files are drawn into a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawnBy {
    /// By hash: each file alike.
    Hash,
    /// By their shares of the cost, of the bytes, of the memory and of the accesses.
    Importance,
}

/// An estimated hit ratio.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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
    crate::by_hand!();
    /// Hit ratios at several memories with their intervals.
    fn terminal(&self, style: Style) -> String {
        let level = number::percent(self.hit_ratio_interval.level);
        let mut table = Table::new([
            Column::text("policy"),
            Column::number("memory"),
            Column::number("accesses"),
            Column::number(&format!("hit ratio ({level} interval)")),
        ]);
        for point in &self.curve {
            let Interval { low, high, .. } = point.hit_ratio_interval;
            table.row([
                self.policy.clone(),
                number::bytes(point.memory_bytes),
                number::count(self.requests),
                number::percent_with_interval(point.hit_ratio, low, high),
            ]);
        }
        let Samples {
            file_share,
            samples,
            seed,
            ..
        } = self.sampled;
        let heading = format!(
            "Estimated from {samples} samples of {} of the files, seed {seed}",
            number::percent(file_share)
        );
        headline(&self.headline(), &self.reading, &self.time_zone, style)
            + &section(style, &heading, &table.render(style))
            + &wrapped(SAMPLING_CAVEAT, style)
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(self)
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
    /// Estimated share of the accesses served from memory.
    pub hit_ratio: f64,
    /// Where one more sample would lie.
    pub hit_ratio_interval: Interval,
    /// Estimated share of the bytes served from memory.
    pub byte_hit_ratio: f64,
    /// Where one more sample would lie.
    pub byte_hit_ratio_interval: Interval,
    /// Estimated mean response, microseconds.
    pub mean_us: f64,
    /// Where one more sample would lie.
    pub mean_us_interval: Interval,
    /// How it was sampled.
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
    crate::by_hand!();
    /// Hit ratios and mean response with their intervals.
    fn terminal(&self, style: Style) -> String {
        let level = number::percent(self.hit_ratio_interval.level);
        let mut table = Table::new([
            Column::text("estimate"),
            Column::number("value"),
            Column::number(&format!("{level} interval")),
        ]);
        let share = |of: f64| number::percent(of);
        let rows = [
            ("hit ratio", self.hit_ratio, self.hit_ratio_interval),
            (
                "byte hit ratio",
                self.byte_hit_ratio,
                self.byte_hit_ratio_interval,
            ),
        ];
        for (name, value, Interval { low, high, .. }) in rows {
            let interval = format!("{} to {}", share(low), share(high));
            table.row([name.to_owned(), share(value), interval]);
        }
        let Interval { low, high, .. } = self.mean_us_interval;
        table.row([
            "mean response".to_owned(),
            number::duration(self.mean_us),
            format!("{} to {}", number::duration(low), number::duration(high)),
        ]);
        let heading = format!(
            "Estimated from {} samples of {} of the files, drawn by importance, seed {}; misses are read from {}",
            self.sampled.samples,
            number::percent(self.sampled.file_share),
            self.sampled.seed,
            printable(&self.backing)
        );
        headline(&self.headline(), &self.reading, &self.time_zone, style)
            + &section(style, &heading, &table.render(style))
            + &wrapped(&self.caveat(), style)
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(self)
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
