//! `hotset simulate fio`.

use std::collections::BTreeMap;

use hotset_models::file_system::FileSystemKind;
use hotset_models::fio::{Bottleneck, Job, JobResult, OperationResult, WrittenBytes};
use hotset_outcome::Outcome;
use hotset_scenario::{DeviceKind, PageKeeping, Profile};
use serde::Serialize;

use super::file_server::{self, FileServerValue, FileServerView, RemoteFigures, bottleneck};
use crate::{Cell, Document, Json, Table, Tone, View, number, printable};

/// Jobs of fio, simulated.
pub struct FioView<'a> {
    /// What the jobs ran on.
    pub profile: &'a Profile,
    /// Memory for pages of files, bytes; nothing where all fit.
    pub memory_bytes: Option<u64>,
    /// The file server that has the files, if one does. The profile and the memory are the client's then.
    pub server: Option<FileServerView<'a>>,
    /// Seed of the places that are read at random.
    pub seed: u64,
    /// The jobs.
    pub jobs: &'a [Job],
    /// A result for each job.
    pub results: &'a [JobResult],
}

/// What `hotset simulate fio --json` prints.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Value<'a> {
    /// Name of the profile that costs are taken from.
    profile: &'a str,
    /// Where its figures are from.
    source: &'a str,
    /// What kind of device the profile describes: measured, drive or ssd; null where it has none. Requests then wait for nothing but the delay and
    /// the rate of its line for files that are not cached.
    device: Option<&'static str>,
    /// Memory for pages of files, bytes; null where all fit.
    memory_bytes: Option<u64>,
    /// Only of a store on a file server: what it is. Profile and memory are the client's then.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_server: Option<FileServerValue<'a>>,
    /// Seed of the places that are read at random.
    seed: u64,
    /// What outcomes have no key for, job by job.
    jobs: Vec<JobFigures<'a>>,
    /// One for each job, as `hotset compare` reads it. Its requests are reads and writes, and its hits those that waited for no device and
    /// were not paused. It has their times as response, and the resources while its stage ran.
    outcomes: Vec<&'a Outcome>,
}

/// What outcomes have no key for.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct JobFigures<'a> {
    /// The job's section; its processes together.
    job: &'a str,
    /// From the start of counting to the end of the last request.
    seconds: f64,
    /// Bytes that it read and wrote in a second.
    bytes_per_s: f64,
    /// Bytes that the device read for it, read-ahead included.
    device_bytes: u64,
    /// Bytes of its files that the device was given while its stage ran, and those of the journal and of metadata for them. What is still
    /// dirty then is in none.
    device_written_bytes: WrittenBytes,
    /// Reads, writes and waits for files to be on the device (fsync) apart: those that it has.
    operations: &'a [OperationResult],
    /// What its requests spend most of their time with: the device, a processor, or the job's own pauses. With writes it may be the
    /// kernel's pauses where too much is dirty (throttle). It may also be waiting until files are on the device (flush), or for the journal
    /// (journal). Null where they take no time.
    bottleneck: Option<Bottleneck>,
    /// Only where the job replays a log (read_iolog): how many of its lines are left out, by their action.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<&'a BTreeMap<String, u64>>,
    /// Only on a file server: what the client and the server had to do with each other while the job's stage ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    remote: Option<RemoteFigures<'a>>,
}

impl<'a> JobFigures<'a> {
    fn of(job: &'a Job, result: &'a JobResult) -> Self {
        Self {
            job: &result.outcome.name,
            seconds: result.seconds,
            bytes_per_s: result.bytes_per_s,
            device_bytes: result.device_bytes,
            device_written_bytes: result.device_written_bytes,
            operations: &result.operations,
            bottleneck: result.bottleneck,
            left_out: job.log.as_ref().map(|log| &log.left_out),
            remote: RemoteFigures::of(result),
        }
    }
}

impl View for FioView<'_> {
    /// What each job gets, and what keeps it from more.
    fn document(&self) -> Document<'_> {
        let mut to = Document::new(self.headline(), Tone::Strong);
        to.table(move |_| self.jobs_table()).heading("Jobs");
        to.table(move |_| self.latencies()).heading("Latencies");
        if self.writes() {
            to.table(move |_| self.operations())
                .heading("Reads and writes apart");
        }
        match &self.server {
            None => {
                to.table(move |_| self.resources())
                    .heading("Busy while the job ran");
                let remarks = [
                    self.uncounted(),
                    self.left_out(),
                    self.not_modelled(),
                    self.of_the_mount(),
                    self.of_the_device(),
                    self.of_writing(),
                    CAVEAT.to_owned(),
                ];
                to.paragraph(remarks.concat());
            }
            Some(server) => self.add_server(server, &mut to),
        }
        to
    }

    fn value(&self) -> impl Json {
        Value {
            profile: &self.profile.name,
            source: &self.profile.source,
            device: self.device().map(DeviceKind::name),
            memory_bytes: self.memory_bytes,
            file_server: self.server.as_ref().map(FileServerView::value),
            seed: self.seed,
            jobs: self.figures().collect(),
            outcomes: self.results.iter().map(|it| &it.outcome).collect(),
        }
    }
}

/// What readers of a simulated job have to know.
const CAVEAT: &str = "Files are in memory when the first job begins, as far as they fit; invalidate=1, fio's default, drops them \
    again. hotset validate measures how far such predictions are from fio itself on a machine.";

/// What readers of a simulated job that writes have to know.
const WRITING: &str = "Of jobs that write, only syncs after a few writes were compared with fio. ";

impl<'a> FioView<'a> {
    /// What is shown of a file server.
    fn add_server<'s>(&'s self, server: &FileServerView<'a>, to: &mut Document<'s>) {
        to.table(move |_| file_server::calls(self.results))
            .heading("Calls");
        to.table(move |_| file_server::parts(self.results))
            .heading("Where the time of a call goes");
        to.table(move |_| file_server::links(self.results))
            .heading("Clients' links");
        to.table(move |_| file_server::busy(self.results))
            .heading("Busy while the job ran");
        let remarks = [
            self.uncounted(),
            self.left_out(),
            server.remarks(),
            server.caveat().to_owned(),
        ];
        to.paragraph(remarks.concat());
    }
}

impl FioView<'_> {
    fn figures(&self) -> impl Iterator<Item = JobFigures<'_>> {
        let jobs = self.jobs.iter().zip(self.results);
        jobs.map(|(job, result)| JobFigures::of(job, result))
    }

    /// Whether a job writes.
    fn writes(&self) -> bool {
        self.jobs.iter().any(|job| job.mode.writes())
    }

    /// What is assumed of writing.
    fn of_writing(&self) -> String {
        if !self.writes() {
            return String::new();
        }
        let name = printable(&self.profile.name);
        let copying = match self.profile.write.is_empty() {
            true => format!(
                "{name} has no rows [[write]]: writing into memory is taken to cost what reading from it does. "
            ),
            false => String::new(),
        };
        let times = match self.profile.writing {
            None => format!("{name} has no [writing]: the kernel's defaults are taken. "),
            Some(_) => String::new(),
        };
        let probe = match self.profile.lacks_of_writing()[..] {
            [] => "",
            _ => "hotset probe FOLDER -o FILE measures a store with them. ",
        };
        let file_system = self.profile.file_system.as_ref();
        let journal = match file_system.and_then(|it| it.journal) {
            None => {
                "The file system is taken to have a journal of metadata, written after the data. "
            }
            Some(_) => "",
        };
        let has_cache = self.device().is_some_and(|it| it.write_cache_bytes() > 0);
        let cache = match self.profile.flush_us {
            None if !has_cache => {
                "The device is taken to have no cache of its own that loses data. "
            }
            _ => "",
        };
        let as_it_reads = match self.has_prices_of_writing() {
            true => "",
            false => "The device is taken to write as it reads. ",
        };
        let limit = self.profile.writing.and_then(|it| it.dirty_limit_bytes);
        let limit = match self.memory_bytes.or(limit) {
            None => {
                "No memory is given, so nobody is slowed down by too many dirty pages; give --set memory=8GiB, or what the machine has. "
            }
            Some(_) => "",
        };
        format!("{copying}{times}{probe}{journal}{cache}{as_it_reads}{limit}{WRITING}")
    }

    /// Whether the profile says what writing to its device takes.
    fn has_prices_of_writing(&self) -> bool {
        match self.device() {
            Some(DeviceKind::Measured(spec)) => spec.write.is_some(),
            Some(DeviceKind::Ssd(spec)) => spec.write_us.is_some(),
            Some(DeviceKind::Drive(_)) | None => false,
        }
    }

    /// Jobs that have no figures.
    fn uncounted(&self) -> String {
        let none = |it: &&JobResult| it.outcome.total.mean_us().is_none();
        let jobs = self.results.iter().filter(none);
        let names: Vec<_> = jobs.map(|it| printable(&it.outcome.name)).collect();
        match names[..] {
            [] => String::new(),
            _ => format!(
                "No {} of {} was counted; give a longer runtime, or a shorter ramp_time. ",
                if self.writes() { "request" } else { "read" },
                names.join(", ")
            ),
        }
    }

    /// What logs have that is not followed.
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
            _ => format!("Left out of logs: {}. ", jobs.join("; ")),
        }
    }

    /// What is taken of a mount that the profile is of.
    fn of_the_mount(&self) -> String {
        let Some(mount) = self.profile.mount else {
            return String::new();
        };
        let kept = match mount.keeps {
            PageKeeping::Kept => "",
            PageKeeping::UntilOpened => "Opening a file drops it from memory there. ",
            PageKeeping::Never => "All goes past the page cache there. ",
        };
        format!(
            "{} is of a mount: a request to the device is a call, and servers and network are as they were measured. {kept}",
            printable(&self.profile.name)
        )
    }

    /// A file system that the model does not know.
    fn not_modelled(&self) -> String {
        let spec = self.profile.file_system.as_ref();
        match spec.filter(|spec| FileSystemKind::named(&spec.kind).is_none()) {
            Some(_) if self.profile.mount.is_some() => String::new(),
            Some(spec) => format!(
                "{} is not modelled: files are laid out as on ext4, and no server or network is followed. ",
                printable(&spec.kind)
            ),
            None => String::new(),
        }
    }

    fn device(&self) -> Option<&DeviceKind> {
        self.profile.device.as_ref().map(|it| &it.kind)
    }

    /// Where the profile has no device, or one that nobody has measured.
    fn of_the_device(&self) -> String {
        let name = printable(&self.profile.name);
        match self.device() {
            Some(DeviceKind::Measured(_)) => String::new(),
            Some(_) => {
                format!("The device of {name} is described as in a data sheet, not measured. ")
            }
            None => {
                let at_once = match self.profile.reading {
                    Some(reading) if reading.parallel > 1.0 => {
                        "as many at a time as reading.parallel says"
                    }
                    _ => "one after the other, whatever the iodepth",
                };
                format!(
                    "{name} has no device: requests wait for the delay of its line for files that are not cached, {at_once}, then for \
                     its rate, and for nothing else. hotset probe measures the device of a store. "
                )
            }
        }
    }

    fn headline(&self) -> String {
        let memory = self.memory_bytes.map_or_else(
            || "memory for all files".to_owned(),
            |bytes| format!("{} of memory for files", number::bytes(bytes)),
        );
        let jobs = number::counted(self.results.len() as u64, "job", "jobs");
        let place = match &self.server {
            None => printable(&self.profile.name).into_owned(),
            Some(server) => server.place(),
        };
        format!("{jobs} simulated on {place} with {memory}")
    }

    fn jobs_table(&self) -> impl Into<Table> {
        let (requests, bytes) = match self.writes() {
            true => ("requests", "read, written"),
            false => ("reads", "read"),
        };
        Table::of(self.results)
            .flexible("job", |it| &it.outcome.name)
            .plain("MB/s", |it| it.bytes_per_s / 1e6)
            .per_second(requests, |it| it.outcome.total.throughput_per_s)
            .percent("hits", |it| it.outcome.total.hit_ratio())
            .bytes(bytes, |it| it.outcome.total.bytes)
            .bytes("from device", |it| it.device_bytes)
            .bytes("to device", |it| it.device_written_bytes.all())
            .shown_if(self.writes())
            .text("bottleneck", |it| bottleneck(it))
    }

    /// A row for each operation of each job.
    fn operations(&self) -> impl Into<Table> {
        let results = self.results.iter();
        let operations = results.flat_map(|it| it.operations.iter().map(move |of| (it, of)));
        Table::of(operations)
            .flexible("job", |it| &it.0.outcome.name)
            .text("operation", |it| Cell::known(Some(it.1.operation.name())))
            .count("requests", |it| it.1.requests)
            .plain("MB/s", |it| it.1.bytes_per_s / 1e6)
            .duration("mean", |it| Some(it.1.mean_us))
            .duration("p99", |it| Some(it.1.p99_us))
    }

    fn latencies(&self) -> impl Into<Table> {
        let results = self.results.iter();
        let times = results.filter_map(|it| {
            let times = it.outcome.total.latencies.response.as_ref()?;
            Some((&it.outcome.name, times))
        });
        Table::of(times)
            .flexible("job", |it| it.0)
            .duration("mean", |it| it.1.mean_us)
            .duration("p50", |it| it.1.p50_us)
            .duration("p95", |it| it.1.p95_us)
            .duration("p99", |it| it.1.p99_us)
            .duration("longest", |it| it.1.max_us)
    }

    /// A column for each resource.
    fn resources(&self) -> impl Into<Table> {
        let mut table = Table::of(self.results).flexible("job", |it| &it.outcome.name);
        let first = self.results.first();
        let resources = first.map_or(&[][..], |it| &it.outcome.resources);
        for (number, resource) in resources.iter().enumerate() {
            table = table.percent(&resource.name, |it| {
                it.outcome
                    .resources
                    .get(number)
                    .and_then(|it| it.utilisation)
            });
        }
        table
    }
}
