//! `hotset validate`.

use hotset_experiment::validate::{REPEATS, Validated};
use hotset_experiment::{Deviation, Metric, quantile};
use hotset_scenario::Profile;
use serde::Serialize;

use crate::terminal::{paragraph, sections, wrapped};
use crate::{Cell, Column, Style, Table, View, json, number, printable};

/// Simulated jobs of fio beside fio itself.
pub struct ValidationView<'a> {
    /// What was measured and simulated.
    pub validated: &'a Validated,
}

/// What `hotset validate --json` prints.
#[derive(Serialize)]
struct Printed<'a> {
    fio: &'a str,
    profile: &'a Profile,
    repeats: usize,
    cells: Vec<PrintedCell<'a>>,
    device: Vec<PrintedDevice>,
    hits: Vec<PrintedHits<'a>>,
    places_known: bool,
    skipped: Vec<Skipped<'a>>,
    median_error_percent: Option<f64>,
    p90_error_percent: Option<f64>,
}

#[derive(Serialize)]
struct PrintedCell<'a> {
    job: &'a str,
    metric: &'static str,
    measured: f64,
    low: f64,
    high: f64,
    simulated: f64,
    error_percent: f64,
    error_beyond_interval_percent: f64,
}

#[derive(Serialize)]
struct PrintedDevice {
    file: String,
    measured_bytes: f64,
    low_bytes: f64,
    high_bytes: f64,
    simulated_bytes: f64,
    read_bytes: f64,
    error_beyond_interval_percent: f64,
}

#[derive(Serialize)]
struct PrintedHits<'a> {
    job: &'a str,
    measured_share: f64,
    low_share: f64,
    high_share: f64,
    simulated_share: f64,
    error_beyond_interval_percent: f64,
}

#[derive(Serialize)]
struct Skipped<'a> {
    job: &'a str,
    mode: &'a str,
    line: usize,
}

fn printed(it: &Deviation) -> PrintedDevice {
    PrintedDevice {
        file: it.subject.clone(),
        measured_bytes: it.measured,
        low_bytes: it.low,
        high_bytes: it.high,
        simulated_bytes: it.simulated,
        read_bytes: it.whole,
        error_beyond_interval_percent: it.beyond_percent(),
    }
}

fn printed_hits(it: &Deviation) -> PrintedHits<'_> {
    PrintedHits {
        job: &it.subject,
        measured_share: it.measured,
        low_share: it.low,
        high_share: it.high,
        simulated_share: it.simulated,
        error_beyond_interval_percent: it.beyond_percent(),
    }
}

impl View for ValidationView<'_> {
    crate::by_hand!();
    /// The scores, then every figure, then what was left out.
    fn terminal(&self, style: Style) -> String {
        let tables = [
            ("Measured and simulated", self.cells()),
            ("Read from the device", self.device()),
            ("Reads that found all in memory", self.hits()),
        ];
        paragraph(style, &self.headline(), Style::strong)
            + &sections(style, tables)
            + "\n"
            + &wrapped(&self.remarks(), style)
    }

    fn json(&self) -> serde_json::Result<String> {
        let cell = |it: &Deviation| (it.error_percent(), it.beyond_percent());
        let cells = self.validated.cells.iter().map(|it| {
            let (error_percent, error_beyond_interval_percent) = cell(it);
            PrintedCell {
                job: &it.subject,
                metric: it.metric.name(),
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
        json::text(&Printed {
            fio: &self.validated.fio,
            profile: &self.validated.profile,
            repeats: REPEATS,
            cells: cells.collect(),
            device: self.validated.device.iter().map(printed).collect(),
            hits: self.validated.hits.iter().map(printed_hits).collect(),
            places_known: self.validated.unplaced.is_none(),
            skipped: skipped.collect(),
            median_error_percent: self.score(0.5),
            p90_error_percent: self.score(0.9),
        })
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

    fn cells(&self) -> Table {
        let mut table = Table::new([
            Column::flexible("job"),
            Column::text("figure"),
            Column::number(&format!("measured, median of {REPEATS} (range)")),
            Column::number("simulated"),
            Column::percent("error"),
            Column::percent("beyond range"),
        ]);
        for it in &self.validated.cells {
            let (name, text): (_, fn(f64) -> String) = match it.metric {
                Metric::BytesPerS => ("MB/s", |value| number::plain(value / 1e6)),
                Metric::MeanUs => ("mean", number::duration),
                Metric::DeviceBytes | Metric::HitShare => continue,
            };
            let measured = format!("{} ({}–{})", text(it.measured), text(it.low), text(it.high));
            table.row([
                Cell::from(printable(&it.subject)),
                name.into(),
                measured.into(),
                text(it.simulated).into(),
                Cell::percent(it.error_percent() / 100.0),
                Cell::percent(it.beyond_percent() / 100.0),
            ]);
        }
        table
    }

    fn device(&self) -> Table {
        let mut table = Table::new([
            Column::flexible("job file"),
            Column::number(&format!("measured, median of {REPEATS} (range)")),
            Column::number("simulated"),
            Column::number("of"),
            Column::percent("beyond range, of all"),
        ]);
        let text = |bytes: f64| number::bytes(bytes as u64);
        for it in &self.validated.device {
            let measured = format!("{} ({}–{})", text(it.measured), text(it.low), text(it.high));
            table.row([
                Cell::from(printable(&it.subject)),
                measured.into(),
                text(it.simulated).into(),
                text(it.whole).into(),
                Cell::percent(it.beyond_percent() / 100.0),
            ]);
        }
        table
    }

    fn hits(&self) -> Table {
        let mut table = Table::new([
            Column::flexible("job"),
            Column::number(&format!("measured, median of {REPEATS} (range)")),
            Column::percent("simulated"),
            Column::percent("beyond range, of all"),
        ]);
        for it in &self.validated.hits {
            let text = |share: f64| number::percent(share);
            let measured = format!("{} ({}–{})", text(it.measured), text(it.low), text(it.high));
            table.row([
                Cell::from(printable(&it.subject)),
                measured.into(),
                Cell::percent(it.simulated),
                Cell::percent(it.beyond_percent() / 100.0),
            ]);
        }
        table
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
