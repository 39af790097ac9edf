//! fio itself: started on jobs, and what it prints of them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _};
use std::ops::Range;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use hotset_machine::{MachineError, OnFile as _, command, end_with_caller};
use hotset_models::fio::Job;
use hotset_scenario::{MeasuredDevice, Profile};
use rustix::fs::{MemfdFlags, memfd_create, statvfs};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use serde::{Deserialize, Serialize};

use super::FioError;
use super::anew::{begin_anew, check_files};
use super::extents::extents;
use super::hits::limit_us;
use super::logs::{self, inside};
use super::places::places;
use super::write_meter::WriteMeter;
use super::written::DeviceWrites;

/// Between two looks whether fio has ended.
const PAUSE: Duration = Duration::from_millis(20);

/// What fio measured of a job's reads, of its writes, or of its syncs, all processes together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct RequestFigures {
    /// Bytes read or written in a second; 0 of syncs.
    pub bytes_per_s: f64,
    /// Reads, writes or syncs in a second.
    #[serde(rename = "reads_per_s")]
    pub requests_per_s: f64,
    /// Mean time of one of them, microseconds.
    pub mean_us: f64,
    /// What 99 % of them do not exceed, microseconds; nothing of early results, and where only sums were measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99_us: Option<f64>,
    /// What 10, 25, 50, 75, 90 and 99 % of them do not exceed, microseconds; nothing of early results, and where only sums were measured. Times
    /// of two kinds show in them, and not in a mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantiles_us: Option<[f64; 6]>,
    /// The share of reads that did not wait for the device; nothing where times do not tell, and of early results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hit_share: Option<f64>,
}

/// What fio measured of a job: its reads, its writes and its syncs, those that it has. Those at its end
/// (`end_fsync`, `fsync_on_close`) are part of its time, and fio does not count them: a job is no longer running then (`TD_FSYNCING`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct JobFigures {
    pub reads: Option<RequestFigures>,
    pub writes: Option<RequestFigures>,
    pub syncs: Option<RequestFigures>,
}

/// What the jobs of a file came to in one round.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Round {
    /// Figures of each job.
    pub figures: Vec<JobFigures>,
    /// What all of them had read from the device.
    pub device_bytes: u64,
    /// What the device was given to write meanwhile; nothing where nothing is written, and where that is not told.
    pub written: Option<DeviceWrites>,
}

/// What fio is to print: with how many reads took how long.
pub(crate) const OUTPUT_FORMAT: &str = "--output-format=json+";
/// Has fio count whole times of requests, and not those without handing them over: once for each request, as it does anyway.
pub(crate) const MEASURED_OPTIONS: &str = "[global]\nlat_percentiles=1\nclat_percentiles=0\n";

/// fio's version.
pub(crate) fn version() -> Result<String, FioError> {
    let output = Command::new("fio").arg("--version").output();
    let output = output.map_err(|_| FioError::NoFio)?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Refuses a file system with less room.
pub(crate) fn check_room(directory: &Path, needed_bytes: u64) -> Result<(), FioError> {
    let found = statvfs(directory).on("look up the file system of", directory)?;
    let free_bytes = found.f_bavail.saturating_mul(found.f_frsize);
    match free_bytes < needed_bytes {
        true => Err(FioError::NoRoom {
            folder: directory.to_owned(),
            needed_bytes,
            free_bytes,
        }),
        false => Ok(()),
    }
}

/// Runs `jobs` with their files in `folder`; by `profile`, their hits are told, and by `meter` what the device is given to write.
pub(crate) fn run(
    jobs: &[Job],
    folder: &Path,
    (profile, meter): (&Profile, Option<&WriteMeter>),
    goes_on: &dyn Fn() -> bool,
) -> Result<Round, FioError> {
    if jobs.is_empty() {
        return Ok(Round::default());
    }
    fs::create_dir_all(folder).on("make", folder)?;
    begin_anew(jobs, folder)?;
    check_files(jobs, folder)?;
    logs::write(jobs, folder)?;
    logs::lay_out(jobs, folder)?;
    // Beside the folder: in it, jobs may have files of any name.
    let [job_file, result] = ["fio", "json"].map(|ending| folder.with_extension(ending));
    let text: String = jobs.iter().map(|job| inside(job).to_fio()).collect();
    let text = MEASURED_OPTIONS.to_owned() + &text;
    fs::write(&job_file, text).on("write", &job_file)?;
    // In memory: a full disk would take nothing of what fio says about it.
    let errors = memfd_create("fio-errors", MemfdFlags::CLOEXEC).on("make a file for", "fio")?;
    let mut errors = File::from(errors);
    let stderr = errors.try_clone().on("share a file with", "fio")?;
    let mut command = Command::new("fio");
    command
        .args([OUTPUT_FORMAT, "--output"])
        .args([&result, &job_file])
        .current_dir(folder)
        // What it says is searched for causes.
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr);
    // Whoever kills this process wants no more to be written.
    end_with_caller(&mut command);
    let meter = meter.filter(|_| jobs.iter().any(|job| job.mode.writes()));
    meter.map(WriteMeter::begin).transpose()?;
    let mut running = FioProcess(command.spawn().map_err(|_| FioError::NoFio)?);
    let (status, device_bytes) = running.end(goes_on)?;
    let requests = meter.map(WriteMeter::end).transpose()?.flatten();
    if !status.success() {
        let mut said = Vec::new();
        let read = errors.rewind().and_then(|()| errors.read_to_end(&mut said));
        read.on("read the errors of", "fio")?;
        let printed = fs::read(&result).unwrap_or_default();
        let words = [said, printed].map(|it| String::from_utf8_lossy(&it).into_owned());
        return Err(failed(jobs, &reason(&words, folder)));
    }
    let figures = figures(jobs, &result, &|job| limit_us(job, profile));
    // A full disk may take nothing of what fio prints.
    let figures = figures.map_err(|error| match is_full(folder) {
        true => failed(jobs, FULL),
        false => error,
    })?;
    // Where files are is asked last, which has them written back.
    let written = meter
        .zip(requests)
        .and_then(|(meter, requests)| written(jobs, folder, meter, &requests));
    Ok(Round {
        figures,
        device_bytes,
        written,
    })
}

/// What requests were of; nothing where it is not told where the jobs' files lie.
fn written(
    jobs: &[Job],
    folder: &Path,
    meter: &WriteMeter,
    requests: &[Range<u64>],
) -> Option<DeviceWrites> {
    let tool = |program: &str, arguments: &[&OsStr]| command::run(program, arguments);
    let places = places(jobs, folder, &|file| extents(&tool, file)).ok()?;
    meter.divide(requests, &places)
}

/// What fio wrote of `jobs` into `result`; reads that take less than `limit_us` are hits.
pub(crate) fn figures(
    jobs: &[Job],
    result: &Path,
    limit_us: &dyn Fn(&Job) -> Option<f64>,
) -> Result<Vec<JobFigures>, FioError> {
    let text = fs::read_to_string(result).on("read", result)?;
    let printed: FioOutput =
        serde_json::from_str(&text).map_err(|it| failed(jobs, &it.to_string()))?;
    let figures = jobs.iter().map(|job| printed.of(job, limit_us(job)));
    let figures: Option<Vec<JobFigures>> = figures.collect();
    let nothing = "it reports a job of which nothing was counted; give a longer runtime, or a shorter ramp_time";
    figures.ok_or_else(|| failed(jobs, nothing))
}

/// What mends a full file system.
const FULL: &str = "the file system of --on is full; free some of it, or give smaller sizes";
/// Why the file system may refuse to write while fio runs, as fio and the C library say it, and what mends that.
const REFUSALS: [(&str, &str); 4] = [
    ("No space left on device", FULL),
    ("ENOSPC", FULL),
    (
        "Disk quota exceeded",
        "the quota on the file system of --on is used up; raise it, or give smaller sizes",
    ),
    (
        "Read-only file system",
        "the file system of --on has become read-only; mount it anew, or name a folder on another one",
    ),
];
/// Where less is free, nothing more is written, bytes.
const FULL_BYTES: u64 = 1 << 20;

/// Why fio failed on files in `folder`, by what it said and what it printed.
fn reason([said, printed]: &[String; 2], folder: &Path) -> String {
    let refused = |it: &&(&str, &str)| said.contains(it.0) || printed.contains(it.0);
    if let Some((_, message)) = REFUSALS.iter().find(refused) {
        return (*message).to_owned();
    }
    let first = said.lines().find(|line| !line.trim().is_empty());
    let unknown = match is_full(folder) {
        true => FULL,
        false => "it does not say why",
    };
    first.unwrap_or(unknown).to_owned()
}

/// Whether the file system of `folder` takes nothing more.
fn is_full(folder: &Path) -> bool {
    check_room(folder, FULL_BYTES).is_err()
}

fn failed(jobs: &[Job], message: &str) -> FioError {
    let first = jobs.first();
    FioError::Failed {
        job: first.map_or_else(String::new, |job| job.name.clone()),
        message: message.to_owned(),
    }
}

/// fio while it runs; ended with its processes when dropped.
struct FioProcess(Child);

impl FioProcess {
    /// How it ended, and what it has had read from the device.
    fn end(&mut self, goes_on: &dyn Fn() -> bool) -> Result<(ExitStatus, u64), FioError> {
        let pid = WaitId::Pid(Pid::from_child(&self.0));
        loop {
            // Its counters are there until it is waited for.
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            let ended = waitid(pid.clone(), options).on("wait for", "fio")?;
            // Before all else: Ctrl-C ends fio as well, which then says that it failed.
            if !goes_on() {
                return Err(FioError::Interrupted);
            }
            if ended.is_some() {
                let device_bytes = read_bytes(self.0.id())?;
                return Ok((self.0.wait().on("wait for", "fio")?, device_bytes));
            }
            thread::sleep(PAUSE);
        }
    }
}

impl Drop for FioProcess {
    /// fio ends its processes on SIGTERM, and would leave them on SIGKILL.
    fn drop(&mut self) {
        if let Ok(None) = self.0.try_wait() {
            let _ended = kill_process(Pid::from_child(&self.0), Signal::TERM);
            let _waited = self.0.wait();
        }
    }
}

/// What of fio's JSON is read (`stat.c` of fio 3.33).
#[derive(Deserialize)]
struct FioOutput {
    jobs: Vec<JobOutput>,
}

#[derive(Deserialize)]
struct JobOutput {
    jobname: String,
    read: Requests,
    write: Requests,
    #[serde(default)]
    sync: Syncs,
}

/// Syncs of one process.
#[derive(Default, Deserialize)]
struct Syncs {
    lat_ns: Times,
}

/// Reads or writes of one process.
#[derive(Deserialize)]
struct Requests {
    bw_bytes: f64,
    iops: f64,
    total_ios: f64,
    lat_ns: Times,
}

#[derive(Default, Deserialize)]
struct Times {
    mean: f64,
    /// How many were measured.
    #[serde(default, rename = "N")]
    count: f64,
    /// How many requests took about so long, nanoseconds: within 1.6 % (`plat_val_to_idx`, `stat.c`).
    #[serde(default)]
    bins: BTreeMap<u64, u64>,
}

impl Times {
    /// Requests that took less.
    fn below(&self, limit_us: f64) -> u64 {
        let fast = self.bins.iter();
        fast.filter(|&(&ns, _)| (ns as f64) < limit_us * 1e3)
            .map(|(_, count)| count)
            .sum()
    }
}

impl FioOutput {
    /// The processes of `job` together; nothing where they asked for nothing, or fio counted no times, as of a job within its `ramp_time`.
    fn of(&self, job: &Job, limit_us: Option<f64>) -> Option<JobFigures> {
        let own = || self.jobs.iter().filter(|it| it.jobname == job.name);
        let reads: Vec<&Requests> = own().map(|it| &it.read).collect();
        let writes: Vec<&Requests> = own().map(|it| &it.write).collect();
        let figures = JobFigures {
            reads: together(&reads, limit_us),
            writes: together(&writes, None),
            syncs: syncs(&own().collect::<Vec<_>>()),
        };
        (figures.reads.is_some() || figures.writes.is_some()).then_some(figures)
    }
}

/// Syncs of all processes of a job together. fio says how many there were, and for how long it wrote.
fn syncs(own: &[&JobOutput]) -> Option<RequestFigures> {
    let times = own.iter().map(|it| &it.sync.lat_ns);
    let requests: f64 = times.clone().map(|it| it.count).sum();
    let time_ns: f64 = times.clone().map(|it| it.count * it.mean).sum();
    let of_writes = |it: &&JobOutput| match it.write.total_ios {
        0.0 => 0.0,
        writes => it.write.iops * it.sync.lat_ns.count / writes,
    };
    (time_ns > 0.0).then(|| RequestFigures {
        bytes_per_s: 0.0,
        requests_per_s: own.iter().map(of_writes).sum(),
        mean_us: time_ns / requests / 1e3,
        p99_us: quantile_us(times.clone(), 0.99),
        quantiles_us: quantiles_us(times),
        hit_share: None,
    })
}

/// Requests of all processes of a job together; those that take less than `limit_us` are hits.
fn together(own: &[&Requests], limit_us: Option<f64>) -> Option<RequestFigures> {
    let requests: f64 = own.iter().map(|it| it.total_ios).sum();
    let time_ns: f64 = own.iter().map(|it| it.total_ios * it.lat_ns.mean).sum();
    (time_ns > 0.0).then(|| RequestFigures {
        bytes_per_s: own.iter().map(|it| it.bw_bytes).sum(),
        requests_per_s: own.iter().map(|it| it.iops).sum(),
        mean_us: time_ns / requests / 1e3,
        p99_us: quantile_us(own.iter().map(|it| &it.lat_ns), 0.99),
        quantiles_us: quantiles_us(own.iter().map(|it| &it.lat_ns)),
        hit_share: limit_us.map(|limit_us| {
            let hits = own.iter().map(|it| it.lat_ns.below(limit_us));
            hits.sum::<u64>() as f64 / requests
        }),
    })
}

/// The times that the shares of a profile's quantiles do not exceed, likewise.
fn quantiles_us<'t>(own: impl Iterator<Item = &'t Times> + Clone) -> Option<[f64; 6]> {
    let all = MeasuredDevice::QUANTILES.map(|share| quantile_us(own.clone(), share));
    let all: Option<Vec<f64>> = all.into_iter().collect();
    all?.try_into().ok()
}

/// The time that this share of all requests does not exceed, microseconds; nothing where fio counted no times.
fn quantile_us<'t>(own: impl Iterator<Item = &'t Times>, share: f64) -> Option<f64> {
    let mut bins: BTreeMap<u64, u64> = BTreeMap::new();
    for (&ns, &count) in own.flat_map(|it| &it.bins) {
        *bins.entry(ns).or_default() += count;
    }
    let requests: u64 = bins.values().sum();
    let rank = (share * requests as f64).ceil() as u64;
    let mut up_to: u64 = 0;
    let (ns, _) = bins.into_iter().find(|(_, count)| {
        up_to += count;
        up_to >= rank
    })?;
    Some(ns as f64 / 1e3)
}

/// Bytes that a process and those it has waited for have had read from devices (`read_bytes` in proc(5)). Those of the caller would be
/// of all that it does at the same time.
fn read_bytes(process: u32) -> Result<u64, MachineError> {
    let path = format!("/proc/{process}/io");
    let path = Path::new(&path);
    let text = fs::read_to_string(path).on("read", path)?;
    let bytes = text
        .lines()
        .find_map(|line| line.strip_prefix("read_bytes: "));
    let bytes = bytes.and_then(|it| it.trim().parse().ok());
    let missing = || io::Error::other("it has no line read_bytes");
    bytes.ok_or_else(missing).on("read", path)
}
