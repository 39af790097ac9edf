//! `hotset validate`.

use hotset_experiment::validate::{Accuracy, REPEATS};
use hotset_experiment::{Deviation, ErrorSummary, Metric};
use hotset_models::fio::Operation;
use hotset_scenario::Profile;
use serde::Serialize;

use crate::{Cell, Column, Document, Json, Table, Tone, View, number, printable};

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
    cells: Vec<JobFigure<'a>>,
    /// What the jobs of each file had read from the device.
    device: Vec<Device>,
    /// What the jobs of each file had the device write, in all and by what it is of; empty where nothing was written, where this user may not
    /// trace the device, and in early results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    written: Vec<DeviceWritten<'a>>,
    /// Reads that did not wait for the device, of jobs whose times tell which these are.
    hits: Vec<Hits<'a>>,
    /// Whether the simulation was told where the jobs' files lie.
    places_known: bool,
    /// The kind of the network mount that the folder is on, as the kernel names it; missing in early results, and on a file system of this
    /// machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    mount: Option<&'a str>,
    /// Jobs that trim, which is not modelled.
    skipped: Vec<Skipped<'a>>,
    /// How far cells of bytes_per_s and mean_us are off in all; missing in early results and without such cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<ErrorSummary>,
    /// How far cells of one metric and operation are off, those that there are; missing in early results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scores: Vec<Score>,
    /// Median of error_beyond_interval_percent of cells of bytes_per_s and mean_us, as errors has it; null without such cells.
    median_error_percent: Option<f64>,
    /// Its 90th percentile; null without cells.
    p90_error_percent: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Cell"))]
struct JobFigure<'a> {
    /// The job's section; its processes together.
    job: &'a str,
    /// Whether it is of the job's reads, of its writes, or of its syncs (fsync); missing in early results, which are of reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<Operation>,
    /// Bytes that its processes read or write in a second, or a time of a read, write or sync in microseconds. The time is the mean, or what
    /// 99 % of them do not exceed.
    metric: Metric,
    /// Median of the repeats.
    measured: f64,
    /// The least of the repeats; with the greatest, an interval of the median of 96.9 %.
    low: f64,
    /// The greatest of the repeats.
    high: f64,
    /// What the simulation says.
    simulated: f64,
    /// How far that is above the median, percent of it; below it with a minus.
    error_percent: f64,
    /// How far it is from the nearer end of the interval, percent of that; 0 inside.
    error_beyond_interval_percent: f64,
}

/// How far cells are off.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "CellScore"))]
struct Score {
    /// Of which figure.
    metric: Metric,
    /// Of reads, of writes or of syncs.
    operation: Operation,
    /// How many cells.
    cells: usize,
    /// Median of their error_beyond_interval_percent.
    median_error_percent: f64,
    /// Its 90th percentile.
    p90_error_percent: f64,
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
    /// How far the simulation is above the median, below it with a minus, percent of read_bytes; missing in early results.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_percent: Option<f64>,
    /// From the nearer end of the interval to the simulation, percent of read_bytes; 0 inside.
    error_beyond_interval_percent: f64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct DeviceWritten<'a> {
    /// The job file.
    file: &'a str,
    /// What is written: all, blocks of the jobs' files, the journal, or all else, that of other programs too.
    metric: Metric,
    /// Median of the repeats.
    measured_bytes: f64,
    /// The least of the repeats.
    low_bytes: f64,
    /// The greatest of the repeats.
    high_bytes: f64,
    /// What the simulation says.
    simulated_bytes: f64,
    /// How far that is above the median, below it with a minus, percent of it or of a hundredth of all that was written, where that is more.
    error_percent: f64,
    /// From the nearer end of the interval to the simulation, percent alike; 0 inside.
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
    /// How far it is above the median, below it with a minus, percent of all reads; missing in early results.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_percent: Option<f64>,
    /// From the nearer end of the interval to the simulation, percent of all reads; 0 inside.
    error_beyond_interval_percent: f64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Skipped<'a> {
    /// The job's section.
    job: &'a str,
    /// Its mode, such as randtrim.
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
        error_percent: Some(it.error_percent()),
        error_beyond_interval_percent: it.beyond_percent(),
    }
}

fn written(it: &Deviation) -> DeviceWritten<'_> {
    DeviceWritten {
        file: &it.subject,
        metric: it.metric,
        measured_bytes: it.measured,
        low_bytes: it.low,
        high_bytes: it.high,
        simulated_bytes: it.simulated,
        error_percent: it.error_percent(),
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
        error_percent: Some(it.error_percent()),
        error_beyond_interval_percent: it.beyond_percent(),
    }
}

impl View for ValidationView<'_> {
    /// The scores, then every figure, then what was left out.
    fn document(&self) -> Document<'_> {
        let mut to = Document::new(self.headline(), Tone::Strong);
        if !self.validated.cells.is_empty() {
            to.table(move |_| self.scores_table())
                .heading("Errors beyond the range, by figure");
        }
        to.table(move |_| self.cells())
            .heading("Measured and simulated");
        to.table(move |_| self.device())
            .heading("Read from the device");
        to.table(move |_| self.written())
            .heading("Written to the device");
        to.table(move |_| self.hits())
            .heading("Reads that found all in memory");
        to.paragraph(self.remarks());
        to
    }

    fn value(&self) -> impl Json {
        let cells = self.validated.cells.iter().map(|it| JobFigure {
            job: &it.subject,
            operation: Some(it.operation),
            metric: it.metric,
            measured: it.measured,
            low: it.low,
            high: it.high,
            simulated: it.simulated,
            error_percent: it.error_percent(),
            error_beyond_interval_percent: it.beyond_percent(),
        });
        let errors = self.errors();
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
            written: self.validated.written.iter().map(written).collect(),
            hits: self.validated.hits.iter().map(hits).collect(),
            places_known: self.validated.unplaced.is_none(),
            mount: self.validated.mount.as_deref(),
            skipped: skipped.collect(),
            errors,
            scores: self.scores(),
            median_error_percent: errors.map(|it| it.median_beyond_percent),
            p90_error_percent: errors.map(|it| it.p90_beyond_percent),
        }
    }
}

impl ValidationView<'_> {
    fn headline(&self) -> String {
        let Some(errors) = self.errors() else {
            return "No job reads or writes: nothing is compared".to_owned();
        };
        let size = |percent: f64| number::percent(percent / 100.0);
        let signed = |percent: f64| number::signed_percent(percent / 100.0);
        format!(
            "The simulation is off by {} in the median of {}, from {} to {}. Beyond the range of fio's own runs it is off by {} \
             in the median, and by {} at the 90th percentile",
            size(errors.median_percent),
            number::counted(errors.figures as u64, "figure", "figures"),
            signed(errors.lowest_percent),
            signed(errors.highest_percent),
            size(errors.median_beyond_percent),
            size(errors.p90_beyond_percent),
        )
    }

    /// Of all cells but quantiles, which have scores of their own.
    fn errors(&self) -> Option<ErrorSummary> {
        let cells = self.validated.cells.iter();
        ErrorSummary::of(cells.filter(|it| it.metric.is_in_totals()))
    }

    /// One for each metric and operation that there are cells of.
    fn scores(&self) -> Vec<Score> {
        let operations = [Operation::Read, Operation::Write, Operation::Fsync];
        let metrics = [Metric::BytesPerS, Metric::MeanUs, Metric::P99Us];
        let kinds = operations.into_iter();
        let kinds = kinds.flat_map(|operation| metrics.map(|metric| (operation, metric)));
        let score = |(operation, metric): (Operation, Metric)| {
            let cells = self.validated.cells.iter();
            let own = cells.filter(|it| (it.operation, it.metric) == (operation, metric));
            let errors = ErrorSummary::of(own)?;
            Some(Score {
                metric,
                operation,
                cells: errors.figures,
                median_error_percent: errors.median_beyond_percent,
                p90_error_percent: errors.p90_beyond_percent,
            })
        };
        kinds.filter_map(score).collect()
    }

    fn scores_table(&self) -> impl Into<Table> {
        Table::of(self.scores())
            .text("figure", |it| figure(it.metric, it.operation))
            .count("figures", |it| it.cells as u64)
            .percent("median", |it| it.median_error_percent / 100.0)
            .percent("90th percentile", |it| it.p90_error_percent / 100.0)
    }

    fn cells(&self) -> impl Into<Table> {
        Table::of(&self.validated.cells)
            .flexible("job", |it| &it.subject)
            .text("figure", |it| figure(it.metric, it.operation))
            .figure(&measured(), range)
            .figure("simulated", |it| words(it, it.simulated))
            .column(Column::percent("error"), error)
            .percent("beyond range", |it| it.beyond_percent() / 100.0)
    }

    fn device(&self) -> impl Into<Table> {
        Table::of(&self.validated.device)
            .flexible("job file", |it| &it.subject)
            .figure(&measured(), range)
            .figure("simulated", |it| words(it, it.simulated))
            .figure("of", |it| words(it, it.whole))
            .column(Column::percent("error, of all"), error)
            .percent("beyond range, of all", |it| it.beyond_percent() / 100.0)
    }

    fn written(&self) -> impl Into<Table> {
        Table::of(&self.validated.written)
            .flexible("job file", |it| &it.subject)
            .text("what", |it| written_name(it.metric))
            .figure(&measured(), range)
            .figure("simulated", |it| words(it, it.simulated))
            .column(Column::percent("error"), error)
            .percent("beyond range", |it| it.beyond_percent() / 100.0)
    }

    fn hits(&self) -> impl Into<Table> {
        Table::of(&self.validated.hits)
            .flexible("job", |it| &it.subject)
            .figure(&measured(), range)
            .percent("simulated", |it| it.simulated)
            .column(Column::percent("error, of all"), error)
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
                " Trimming is not modelled, and left out: {}.",
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
        let mount = self.validated.mount.as_ref();
        let mount = mount.map_or_else(String::new, |kind| {
            format!(
                " The folder is on a mount ({}): a request to the simulated device is a call. What servers read from their disks is not \
                 counted here, and they may keep files in memory between the runs.",
                printable(kind)
            )
        });
        format!(
            "{} ran all jobs in turn, {REPEATS} times after one that does not count. An error above 0 says that more is simulated than \
             was measured. No figure here was used to fit the profile. 99th percentiles, bytes and hits are not in the headline.{}{mount}{unplaced}{skipped}",
            printable(&self.validated.fio),
            self.lacks()
        )
    }

    /// What of writing the profile does not say, where jobs write.
    fn lacks(&self) -> String {
        let mut cells = self.validated.cells.iter();
        let writes = cells.any(|it| it.operation == Operation::Write);
        let lacks = self.validated.profile.lacks_of_writing();
        match writes && !lacks.is_empty() {
            true => format!(
                " The profile has no {}: costs of reading and the kernel's defaults are taken. hotset probe FOLDER -o FILE measures a store with them.",
                lacks.join(" and no ")
            ),
            false => String::new(),
        }
    }
}

/// What a figure of a job is called.
fn figure(metric: Metric, operation: Operation) -> String {
    let what = match metric {
        Metric::P99Us => "p99",
        Metric::MeanUs => "mean",
        // Bytes of the device and hits have tables of their own.
        _ => "MB/s",
    };
    format!("{what}, {}", operation.name())
}

/// What bytes to the device are called.
fn written_name(metric: Metric) -> &'static str {
    match metric {
        Metric::WrittenDataBytes => "files of jobs",
        Metric::WrittenJournalBytes => "journal",
        Metric::WrittenMetadataBytes => "all else",
        _ => "all",
    }
}

/// Header of what was measured.
fn measured() -> String {
    format!("measured, median of {REPEATS} (range)")
}

/// How far the simulation is off, with its sign.
fn error(it: &&Deviation) -> Cell {
    Cell::signed_percent(it.error_percent() / 100.0)
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
        Metric::MeanUs | Metric::P99Us => number::duration(value),
        Metric::HitShare => number::percent(value),
        _ => number::bytes(value as u64),
    }
}
