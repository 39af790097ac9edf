//! `hotset validate`.

use hotset_experiment::validate::{Accuracy, REPEATS};
use hotset_experiment::{Deviation, Metric, quantile};
use hotset_scenario::Profile;
use serde::Serialize;

use crate::{Document, Json, Table, Tone, View, number, printable};

/// Simulated jobs of fio beside fio itself.
pub struct ValidationView<'a> {
    /// What was measured and simulated.
    pub validated: &'a Accuracy,
}

/// What `hotset validate --json` prints.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Value<'a> {
    /// Fio's version.
    fio: &'a str,
    /// The profile that the simulation took costs from, with what copying took between the jobs.
    profile: &'a Profile,
    /// Repeats that count.
    repeats: usize,
    /// Figures of jobs. None was used to fit the profile.
    cells: Vec<Cell<'a>>,
    /// What the jobs of each file had read from the device.
    device: Vec<Device>,
    /// Reads that did not wait for the device, of jobs whose times tell which these are.
    hits: Vec<Hits<'a>>,
    /// Whether the simulation was told where the jobs' files lie.
    places_known: bool,
    /// Jobs that write, which is not covered yet.
    skipped: Vec<Skipped<'a>>,
    /// Median of error_beyond_interval_percent of cells; null without cells.
    median_error_percent: Option<f64>,
    /// Its 90th percentile; null without cells.
    p90_error_percent: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Cell<'a> {
    /// The job's section; its processes together.
    job: &'a str,
    /// Bytes that its processes read in a second, or the mean time of a read in microseconds.
    metric: Metric,
    /// Median of the repeats.
    measured: f64,
    /// The least of the repeats; with the greatest, an interval of the median of 96.9 %.
    low: f64,
    /// The greatest of the repeats.
    high: f64,
    /// What the simulation says.
    simulated: f64,
    /// How far that is from the median, percent of it.
    error_percent: f64,
    /// How far it is from the nearer end of the interval, percent of that; 0 inside.
    error_beyond_interval_percent: f64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Device {
    /// The job file.
    file: String,
    /// Median of the repeats.
    measured_bytes: f64,
    /// The least of the repeats.
    low_bytes: f64,
    /// The greatest of the repeats.
    high_bytes: f64,
    /// What the simulation says.
    simulated_bytes: f64,
    /// Bytes that the jobs read in all, from memory or not, as simulated.
    read_bytes: f64,
    /// From the nearer end of the interval to the simulation, percent of read_bytes; 0 inside.
    error_beyond_interval_percent: f64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Hits<'a> {
    /// The job's section.
    job: &'a str,
    /// Median of the repeats, a share of all reads.
    measured_share: f64,
    /// The least of the repeats.
    low_share: f64,
    /// The greatest of the repeats.
    high_share: f64,
    /// What the simulation says.
    simulated_share: f64,
    /// From the nearer end of the interval to the simulation, percent of all reads; 0 inside.
    error_beyond_interval_percent: f64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Skipped<'a> {
    /// The job's section.
    job: &'a str,
    /// Its mode, such as randwrite.
    mode: &'a str,
    /// The line of its mode.
    line: usize,
}

fn device(it: &Deviation) -> Device {
    Device {
        file: it.subject.clone(),
        measured_bytes: it.measured,
        low_bytes: it.low,
        high_bytes: it.high,
        simulated_bytes: it.simulated,
        read_bytes: it.whole,
        error_beyond_interval_percent: it.beyond_percent(),
    }
}

fn hits(it: &Deviation) -> Hits<'_> {
    Hits {
        job: &it.subject,
        measured_share: it.measured,
        low_share: it.low,
        high_share: it.high,
        simulated_share: it.simulated,
        error_beyond_interval_percent: it.beyond_percent(),
    }
}

impl View for ValidationView<'_> {
    /// The scores, then every figure, then what was left out.
    fn document(&self) -> Document<'_> {
        let mut to = Document::new(self.headline(), Tone::Strong);
        to.table(move |_| self.cells())
            .heading("Measured and simulated");
        to.table(move |_| self.device())
            .heading("Read from the device");
        to.table(move |_| self.hits())
            .heading("Reads that found all in memory");
        to.paragraph(self.remarks());
        to
    }

    fn value(&self) -> impl Json {
        let cell = |it: &Deviation| (it.error_percent(), it.beyond_percent());
        let cells = self.validated.cells.iter().map(|it| {
            let (error_percent, error_beyond_interval_percent) = cell(it);
            Cell {
                job: &it.subject,
                metric: it.metric,
                measured: it.measured,
                low: it.low,
                high: it.high,
                simulated: it.simulated,
                error_percent,
                error_beyond_interval_percent,
            }
        });
        let skipped = self.validated.skipped.iter().map(|job| Skipped {
            job: &job.name,
            mode: &job.mode,
            line: job.line,
        });
        Value {
            fio: &self.validated.fio,
            profile: &self.validated.profile,
            repeats: REPEATS,
            cells: cells.collect(),
            device: self.validated.device.iter().map(device).collect(),
            hits: self.validated.hits.iter().map(hits).collect(),
            places_known: self.validated.unplaced.is_none(),
            skipped: skipped.collect(),
            median_error_percent: self.score(0.5),
            p90_error_percent: self.score(0.9),
        }
    }
}

impl ValidationView<'_> {
    fn headline(&self) -> String {
        match (self.score(0.5), self.score(0.9)) {
            (Some(median), Some(p90)) => format!(
                "Beyond the measured interval, the simulation is off by {} in the median of {}, and by {} at the 90th percentile",
                number::percent(median / 100.0),
                number::counted(self.validated.cells.len() as u64, "figure", "figures"),
                number::percent(p90 / 100.0),
            ),
            _ => "No job reads: nothing is compared".to_owned(),
        }
    }

    /// A quantile of the errors beyond the interval.
    fn score(&self, share: f64) -> Option<f64> {
        let cells = self.validated.cells.iter();
        let mut errors: Vec<f64> = cells.map(Deviation::beyond_percent).collect();
        errors.sort_unstable_by(f64::total_cmp);
        quantile(&errors, share)
    }

    fn cells(&self) -> impl Into<Table> {
        Table::of(&self.validated.cells)
            .flexible("job", |it| &it.subject)
            .text("figure", |it| match it.metric {
                Metric::BytesPerS => "MB/s",
                _ => "mean",
            })
            .figure(&measured(), range)
            .figure("simulated", |it| words(it, it.simulated))
            .percent("error", |it| it.error_percent() / 100.0)
            .percent("beyond range", |it| it.beyond_percent() / 100.0)
    }

    fn device(&self) -> impl Into<Table> {
        Table::of(&self.validated.device)
            .flexible("job file", |it| &it.subject)
            .figure(&measured(), range)
            .figure("simulated", |it| words(it, it.simulated))
            .figure("of", |it| words(it, it.whole))
            .percent("beyond range, of all", |it| it.beyond_percent() / 100.0)
    }

    fn hits(&self) -> impl Into<Table> {
        Table::of(&self.validated.hits)
            .flexible("job", |it| &it.subject)
            .figure(&measured(), range)
            .percent("simulated", |it| it.simulated)
            .percent("beyond range, of all", |it| it.beyond_percent() / 100.0)
    }

    fn remarks(&self) -> String {
        let skipped = self.validated.skipped.iter();
        let skipped: Vec<String> = skipped
            .map(|job| format!("{} ({})", printable(&job.name), job.mode))
            .collect();
        let skipped = match skipped.is_empty() {
            true => String::new(),
            false => format!(
                " Writing is not covered yet, and left out: {}.",
                skipped.join(", ")
            ),
        };
        if self.validated.cells.is_empty() {
            return skipped.trim_start().to_owned();
        }
        let unplaced = self
            .validated
            .unplaced
            .as_ref()
            .map_or_else(String::new, |why| {
                let why = printable(why);
                format!(" Where files lie is not known, and taken to be in one go: {why}.")
            });
        format!(
            "{} ran all jobs in turn, {REPEATS} times after one that does not count. No figure here was used to fit the profile. \
             Bytes and hits are not in the score.{unplaced}{skipped}",
            printable(&self.validated.fio)
        )
    }
}

/// Header of what was measured.
fn measured() -> String {
    format!("measured, median of {REPEATS} (range)")
}

/// The median and the range of what was measured.
fn range(it: &&Deviation) -> String {
    let [median, low, high] = [it.measured, it.low, it.high].map(|value| words(it, value));
    format!("{median} ({low}–{high})")
}

/// A value of this figure as people read it.
fn words(it: &Deviation, value: f64) -> String {
    match it.metric {
        Metric::BytesPerS => number::plain(value / 1e6),
        Metric::MeanUs => number::duration(value),
        Metric::DeviceBytes => number::bytes(value as u64),
        Metric::HitShare => number::percent(value),
    }
}
