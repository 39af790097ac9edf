//! `hotset simulate fio`.

use std::collections::BTreeMap;

use hotset_models::file_system::FileSystemKind;
use hotset_models::fio::{Job, JobResult};
use hotset_outcome::Outcome;
use hotset_scenario::Profile;
use serde::Serialize;

use crate::table::optional;
use crate::terminal::{paragraph, sections, wrapped};
use crate::{Cell, Column, Style, Table, View, json, number, printable};

/// Jobs of fio, simulated.
pub struct FioView<'a> {
    /// What the jobs ran on.
    pub profile: &'a Profile,
    /// Memory for pages of files, bytes; nothing where all fit.
    pub memory_bytes: Option<u64>,
    /// Seed of the places that are read at random.
    pub seed: u64,
    /// The jobs.
    pub jobs: &'a [Job],
    /// A result for each job.
    pub results: &'a [JobResult],
}

/// What `hotset simulate fio --json` prints.
#[derive(Serialize)]
struct Simulated<'a> {
    profile: &'a str,
    memory_bytes: Option<u64>,
    seed: u64,
    jobs: Vec<JobFigures<'a>>,
    outcomes: Vec<&'a Outcome>,
}

/// What outcomes have no key for.
#[derive(Serialize)]
struct JobFigures<'a> {
    job: &'a str,
    seconds: f64,
    bytes_per_s: f64,
    device_bytes: u64,
    bottleneck: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<&'a BTreeMap<String, u64>>,
}

impl<'a> JobFigures<'a> {
    fn of(job: &'a Job, result: &'a JobResult) -> Self {
        Self {
            job: &result.outcome.name,
            seconds: result.seconds,
            bytes_per_s: result.bytes_per_s,
            device_bytes: result.device_bytes,
            bottleneck: result.bottleneck.map(|it| it.name()),
            left_out: job.log.as_ref().map(|log| &log.left_out),
        }
    }
}

impl View for FioView<'_> {
    crate::by_hand!();
    /// What each job gets, and what keeps it from more.
    fn terminal(&self, style: Style) -> String {
        let tables = [
            ("Jobs", self.jobs()),
            ("Latencies", self.latencies()),
            ("Busy while the job ran", self.resources()),
        ];
        paragraph(style, &self.headline(), Style::strong)
            + &sections(style, tables)
            + "\n"
            + &wrapped(
                &format!(
                    "{}{}{}{CAVEAT}",
                    self.uncounted(),
                    self.left_out(),
                    self.not_modelled()
                ),
                style,
            )
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(&Simulated {
            profile: &self.profile.name,
            memory_bytes: self.memory_bytes,
            seed: self.seed,
            jobs: self.figures().collect(),
            outcomes: self.results.iter().map(|it| &it.outcome).collect(),
        })
    }
}

/// What readers of a simulated job have to know.
const CAVEAT: &str = "Files are in memory when the first job begins, as far as they fit; invalidate=1, fio's default, drops them \
    again. hotset validate measures how far such predictions are from fio itself on a machine.";

impl FioView<'_> {
    fn figures(&self) -> impl Iterator<Item = JobFigures<'_>> {
        let jobs = self.jobs.iter().zip(self.results);
        jobs.map(|(job, result)| JobFigures::of(job, result))
    }

    /// Jobs that have no figures.
    fn uncounted(&self) -> String {
        let none = |it: &&JobResult| it.outcome.total.mean_us().is_none();
        let jobs = self.results.iter().filter(none);
        let names: Vec<_> = jobs.map(|it| printable(&it.outcome.name)).collect();
        match names[..] {
            [] => String::new(),
            _ => format!(
                "No read of {} was counted; give a longer runtime, or a shorter ramp_time. ",
                names.join(", ")
            ),
        }
    }

    /// What logs of reads have besides reads.
    fn left_out(&self) -> String {
        let of_job = |it: JobFigures<'_>| {
            let actions = it.left_out?.iter();
            let actions = actions.map(|(action, count)| {
                format!("{} of {action}", number::counted(*count, "line", "lines"))
            });
            let actions: Vec<String> = actions.collect();
            (!actions.is_empty()).then(|| format!("{} of {}", actions.join(", "), it.job))
        };
        let jobs: Vec<String> = self.figures().filter_map(of_job).collect();
        match jobs[..] {
            [] => String::new(),
            _ => format!(
                "Left out, as only reads are modelled: {}. ",
                jobs.join("; ")
            ),
        }
    }

    /// A file system that the model does not know.
    fn not_modelled(&self) -> String {
        let spec = self.profile.file_system.as_ref();
        match spec.filter(|spec| FileSystemKind::named(&spec.kind).is_none()) {
            Some(spec) => format!(
                "{} is not modelled: files are laid out as on ext4, and no server or network is followed. ",
                printable(&spec.kind)
            ),
            None => String::new(),
        }
    }

    fn headline(&self) -> String {
        let memory = self.memory_bytes.map_or_else(
            || "memory for all files".to_owned(),
            |bytes| format!("{} of memory for files", number::bytes(bytes)),
        );
        let jobs = number::counted(self.results.len() as u64, "job", "jobs");
        format!(
            "{jobs} simulated on {} with {memory}",
            printable(&self.profile.name)
        )
    }

    fn jobs(&self) -> Table {
        let mut table = Table::new([
            Column::flexible("job"),
            Column::number("MB/s"),
            Column::per_second("reads"),
            Column::percent("hits"),
            Column::bytes("read"),
            Column::bytes("from device"),
            Column::text("bottleneck"),
        ]);
        for result in self.results {
            let total = &result.outcome.total;
            table.row([
                printable(&result.outcome.name).into(),
                Cell::plain(result.bytes_per_s / 1e6),
                optional(total.throughput_per_s, Cell::per_second),
                optional(total.hit_ratio(), Cell::percent),
                optional(total.bytes, Cell::bytes),
                Cell::bytes(result.device_bytes),
                optional(result.bottleneck, |it| it.name()),
            ]);
        }
        table
    }

    fn latencies(&self) -> Table {
        let columns = ["mean", "p50", "p95", "p99", "longest"].map(Column::duration);
        let mut table = Table::new([Column::flexible("job")].into_iter().chain(columns));
        for result in self.results {
            let Some(times) = &result.outcome.total.latencies.response else {
                continue;
            };
            let figures = [
                times.mean_us,
                times.p50_us,
                times.p95_us,
                times.p99_us,
                times.max_us,
            ];
            let cells = figures.map(|it| optional(it, Cell::duration));
            table.row(
                [printable(&result.outcome.name).into()]
                    .into_iter()
                    .chain(cells),
            );
        }
        table
    }

    /// A column for each resource.
    fn resources(&self) -> Table {
        let names = self
            .results
            .first()
            .map_or(&[][..], |it| &it.outcome.resources);
        let columns = names.iter().map(|resource| Column::percent(&resource.name));
        let mut table = Table::new([Column::flexible("job")].into_iter().chain(columns));
        for result in self.results {
            let shares = result.outcome.resources.iter();
            let cells = shares.map(|it| optional(it.utilisation, Cell::percent));
            table.row(
                [printable(&result.outcome.name).into()]
                    .into_iter()
                    .chain(cells),
            );
        }
        table
    }
}
