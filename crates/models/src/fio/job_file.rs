//! fio's job files: sections of options, after `HOWTO.rst` of fio 3.33.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use super::options::{SECTOR_BYTES, TRIMMING, check, set};
use super::sections::{JobSection, LineError, Sections};
use super::{Distribution, Iolog, Job, JobFileError, Mode, Pattern};

/// Most processes of all jobs: those of fio (`REAL_MAX_JOBS`, `os/os.h`).
const MOST_PROCESSES: u64 = 4096;
/// Most reads of all processes that are under way at the same time.
const MOST_READS: u64 = 1 << 20;
/// Most bytes of all reads that are under way at the same time: fio has a buffer for each.
const MOST_BUFFER_BYTES: u64 = 64 << 30;
/// Longest job file, bytes.
const MOST_FILE_BYTES: u64 = 1 << 20;

/// What a job file has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobFile {
    /// Its jobs.
    pub jobs: Vec<Job>,
    /// Jobs that trim, where those are to be left out; of those nothing else is looked at.
    pub trimming: Vec<TrimmingJob>,
}

/// A job that trims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrimmingJob {
    /// Its section.
    pub name: String,
    /// The line of its mode, from 1.
    pub line: usize,
    /// Its mode, such as `randtrim`.
    pub mode: String,
}

impl JobFile {
    /// Reads the file at `path`, and the logs that its jobs name.
    ///
    /// # Errors
    /// A file that cannot be read or used, with line, option and what mends it.
    pub fn load(path: &Path) -> Result<Self, JobFileError> {
        let mut file = Self::parse(&text_of(path)?, path)?;
        file.load_logs(Path::new(""))?;
        Ok(file)
    }

    /// As [`JobFile::load`], with jobs that trim named and not read.
    ///
    /// # Errors
    /// As there.
    pub fn load_without_trims(path: &Path) -> Result<Self, JobFileError> {
        let mut file = Self::parse_without_trims(&text_of(path)?, path)?;
        file.load_logs(Path::new(""))?;
        Ok(file)
    }

    /// Reads the logs that its jobs name; `folder` is where relative paths begin.
    ///
    /// # Errors
    /// A log that cannot be read or used.
    pub fn load_logs(&mut self, folder: &Path) -> Result<(), JobFileError> {
        let mut jobs = self.jobs.iter_mut();
        jobs.try_for_each(|job| load_log(job, folder))
    }

    /// As [`JobFile::load`], from the `text` of the file at `path`. Logs that jobs name are not read: they have no action.
    ///
    /// # Errors
    /// A text that cannot be used.
    pub fn parse(text: &str, path: &Path) -> Result<Self, JobFileError> {
        Self::of(text, path, false)
    }

    /// As [`JobFile::parse`], with jobs that trim named and not read.
    ///
    /// # Errors
    /// As there.
    pub fn parse_without_trims(text: &str, path: &Path) -> Result<Self, JobFileError> {
        Self::of(text, path, true)
    }

    fn of(text: &str, path: &Path, without_trims: bool) -> Result<Self, JobFileError> {
        let wrong = |error: LineError| JobFileError::in_line(path, error.line, error.message);
        let sections = Sections::of(text).map_err(wrong)?;
        jobs(&sections, without_trims).map_err(wrong)
    }
}

/// What stands in the file at `path`.
fn text_of(path: &Path) -> Result<String, JobFileError> {
    let unreadable = |error| JobFileError::unreadable(path, error);
    let mut text = String::new();
    let file = File::open(path).map_err(unreadable)?;
    let mut start = file.take(MOST_FILE_BYTES + 1);
    start.read_to_string(&mut text).map_err(unreadable)?;
    if text.len() as u64 > MOST_FILE_BYTES {
        let message = "is longer than a job file of 1 MiB";
        return Err(JobFileError::in_line(path, text.lines().count(), message));
    }
    Ok(text)
}

fn load_log(job: &mut Job, folder: &Path) -> Result<(), JobFileError> {
    let Some(log) = &job.log else {
        return Ok(());
    };
    let log = Iolog::load(&folder.join(&log.path))?;
    if job.direct && !log.unit_bytes().is_multiple_of(SECTOR_BYTES) {
        let message = "direct=1 needs reads of whole sectors of 512 bytes; write direct=0";
        return Err(JobFileError::in_line(&log.path, 1, message));
    }
    // Whatever `rw` says (`read_iolog`, `iolog.c`).
    job.mode = match log.directions() {
        (true, true) => Mode::Both,
        (false, true) => Mode::Writes,
        _ => Mode::Reads,
    };
    job.log = Some(Arc::new(match job.replays_at_once {
        true => log.at_once(),
        false => log,
    }));
    Ok(())
}

fn jobs(sections: &Sections<'_>, without_trims: bool) -> Result<JobFile, LineError> {
    let mut file = JobFile::default();
    let (mut names, mut processes, mut reads, mut buffers) = (HashSet::new(), 0, 0, 0);
    for section in sections.jobs() {
        let wrong = |message: &str| {
            LineError::new(section.line, format!("`[{}]`: {message}", section.name))
        };
        if !names.insert(section.name) {
            return Err(wrong("is the name of another job; give it one of its own"));
        }
        if without_trims && let Some(job) = trimming(&section) {
            file.trimming.push(job);
            continue;
        }
        let job = job(&section)?;
        processes += u64::from(job.threads);
        let under_way = u64::from(job.threads) * u64::from(job.handed_over());
        reads += under_way;
        buffers += under_way * job.blocks.most();
        if processes > MOST_PROCESSES {
            return Err(wrong(
                "is more than the 4096 processes that fio has in all; give a smaller numjobs",
            ));
        }
        if reads > MOST_READS {
            return Err(wrong(
                "has more than 1048576 reads at the same time in all; give a smaller iodepth",
            ));
        }
        if buffers > MOST_BUFFER_BYTES {
            return Err(wrong(
                "has more than 64 GiB under way at the same time in all; give a smaller bs or iodepth",
            ));
        }
        file.jobs.push(job);
    }
    find_ends(&mut file.jobs)?;
    match names.is_empty() {
        true => Err(LineError::new(
            1,
            "has no job; write a section such as [scan], then rw=read, bs=64k and size=1g",
        )),
        false => Ok(file),
    }
}

/// Has jobs that append begin where their files end when fio sets them up, which is as long as jobs before have made them by then
/// (`get_start_offset`, `filesetup.c`).
fn find_ends(jobs: &mut [Job]) -> Result<(), LineError> {
    let mut sizes: HashMap<String, u64> = HashMap::new();
    for job in jobs {
        if job.appends {
            let size = sizes.get(&job.file(0)).copied();
            job.offset_bytes = size.unwrap_or(0);
            if job.direct && !job.offset_bytes.is_multiple_of(SECTOR_BYTES) {
                let message = format!(
                    "`[{}]`: file_append=1 with direct=1 needs a file that ends with a whole sector of 512 bytes; give jobs before it \
                     another size",
                    job.name
                );
                return Err(LineError::new(job.line, message));
            }
        }
        let has_size = job.finds_its_files() || job.made_by().gives_size();
        for (name, bytes) in (0..job.threads).flat_map(|thread| job.files(thread)) {
            let size = sizes.entry(name).or_default();
            *size = (*size).max(if has_size { bytes } else { 0 });
        }
    }
    Ok(())
}

/// The section as a job that trims, if it is one.
fn trimming(section: &JobSection<'_, '_>) -> Option<TrimmingJob> {
    let mut settings = section.settings().rev();
    let mode = settings.find(|it| matches!(it.name, "rw" | "readwrite"))?;
    let value = mode.value.filter(|value| TRIMMING.contains(value))?;
    Some(TrimmingJob {
        name: section.name.to_owned(),
        line: mode.line,
        mode: value.to_owned(),
    })
}

fn job(section: &JobSection<'_, '_>) -> Result<Job, LineError> {
    let mut job = Job::new(section.name, section.line);
    for setting in section.settings() {
        set(&mut job, setting).map_err(|message| setting.wrong(message))?;
    }
    let draws_anew = job.draws_anew || job.distribution != Distribution::Uniform;
    if draws_anew && job.pattern == Pattern::Random {
        job.pattern = Pattern::RandomAnew;
    }
    check(&job).map_err(|message| {
        LineError::new(section.line, format!("`[{}]`: {message}", section.name))
    })?;
    Ok(job)
}
