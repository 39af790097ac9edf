//! fio itself: started on jobs, and what it prints of them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use hotset_machine::{MachineError, OnFile as _};
use hotset_models::fio::Job;
use hotset_scenario::Profile;
use rustix::fs::statvfs;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use serde::{Deserialize, Serialize};

use super::FioError;
use super::hits::limit_us;
use super::logs::{self, inside};

/// Between two looks whether fio has ended.
const PAUSE: Duration = Duration::from_millis(20);

/// What fio measured of a job, all processes together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct ReadFigures {
    /// Bytes read in a second.
    pub bytes_per_s: f64,
    /// Reads in a second.
    pub reads_per_s: f64,
    /// Mean time of a read, microseconds.
    pub mean_us: f64,
    /// The share of reads that did not wait for the device; nothing where times do not tell, and of early results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hit_share: Option<f64>,
}

/// What the jobs of a file came to in one round.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Round {
    /// A figure for each job.
    pub figures: Vec<ReadFigures>,
    /// What all of them had read from the device.
    pub device_bytes: u64,
}

/// What fio is to print: with how many reads took how long.
pub(crate) const OUTPUT_FORMAT: &str = "--output-format=json+";
/// Has fio count whole times of reads, and not those without handing them over: once for each read, as it does anyway.
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

/// Runs `jobs` with their files in `folder`; by `profile`, their hits are told.
pub(crate) fn run(
    jobs: &[Job],
    folder: &Path,
    profile: &Profile,
    goes_on: &dyn Fn() -> bool,
) -> Result<Round, FioError> {
    if jobs.is_empty() {
        return Ok(Round::default());
    }
    fs::create_dir_all(folder).on("make", folder)?;
    logs::write(jobs, folder)?;
    logs::lay_out(jobs, folder)?;
    // Beside the folder: in it, jobs may have files of any name.
    let [job_file, result, errors] =
        ["fio", "json", "errors"].map(|ending| folder.with_extension(ending));
    let text: String = jobs.iter().map(|job| inside(job).to_fio()).collect();
    let text = MEASURED_OPTIONS.to_owned() + &text;
    fs::write(&job_file, text).on("write", &job_file)?;
    let stderr = File::create(&errors).on("make", &errors)?;
    let child = Command::new("fio")
        .args([OUTPUT_FORMAT, "--output"])
        .args([&result, &job_file])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr)
        .spawn();
    let mut running = FioProcess(child.map_err(|_| FioError::NoFio)?);
    let (status, device_bytes) = running.end(goes_on)?;
    if !status.success() {
        let said = fs::read_to_string(&errors).unwrap_or_default();
        let first = said.lines().find(|line| !line.trim().is_empty());
        return Err(failed(jobs, first.unwrap_or("it does not say why")));
    }
    Ok(Round {
        figures: figures(jobs, &result, &|job| limit_us(job, profile))?,
        device_bytes,
    })
}

/// What fio wrote of `jobs` into `result`; reads that take less than `limit_us` are hits.
pub(crate) fn figures(
    jobs: &[Job],
    result: &Path,
    limit_us: &dyn Fn(&Job) -> Option<f64>,
) -> Result<Vec<ReadFigures>, FioError> {
    let text = fs::read_to_string(result).on("read", result)?;
    let printed: FioOutput =
        serde_json::from_str(&text).map_err(|it| failed(jobs, &it.to_string()))?;
    let figures = jobs.iter().map(|job| printed.of(job, limit_us(job)));
    let figures: Option<Vec<ReadFigures>> = figures.collect();
    let nothing = "it reports a job of which nothing was counted; give a longer runtime, or a shorter ramp_time";
    figures.ok_or_else(|| failed(jobs, nothing))
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
    read: Reads,
}

#[derive(Deserialize)]
struct Reads {
    bw_bytes: f64,
    iops: f64,
    total_ios: f64,
    lat_ns: Times,
}

#[derive(Deserialize)]
struct Times {
    mean: f64,
    /// How many reads took about so long, nanoseconds: within 1.6 % (`plat_val_to_idx`, `stat.c`).
    #[serde(default)]
    bins: BTreeMap<u64, u64>,
}

impl Times {
    /// Reads that took less.
    fn below(&self, limit_us: f64) -> u64 {
        let fast = self.bins.iter();
        fast.filter(|&(&ns, _)| (ns as f64) < limit_us * 1e3)
            .map(|(_, count)| count)
            .sum()
    }
}

impl FioOutput {
    /// The processes of `job` together; nothing where they read nothing, or fio counted no times, as of a job within its `ramp_time`.
    fn of(&self, job: &Job, limit_us: Option<f64>) -> Option<ReadFigures> {
        let own = || {
            self.jobs
                .iter()
                .filter(|it| it.jobname == job.name)
                .map(|it| &it.read)
        };
        let reads: f64 = own().map(|it| it.total_ios).sum();
        let time_ns: f64 = own().map(|it| it.total_ios * it.lat_ns.mean).sum();
        (time_ns > 0.0).then(|| ReadFigures {
            bytes_per_s: own().map(|it| it.bw_bytes).sum(),
            reads_per_s: own().map(|it| it.iops).sum(),
            mean_us: time_ns / reads / 1e3,
            hit_share: limit_us.map(|limit_us| {
                let hits = own().map(|it| it.lat_ns.below(limit_us));
                hits.sum::<u64>() as f64 / reads
            }),
        })
    }
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
