//! fio's job files: sections of options, after `HOWTO.rst` of fio 3.33.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use super::refused;
use super::value::{bytes, count, flag, microseconds, some_bytes};
use super::{Blocks, Distribution, Engine, Iolog, Job, JobFileError, Pattern};

/// Most processes of a job: those of fio (`REAL_MAX_JOBS`, `os/os.h`).
const MOST_THREADS: u32 = 4096;
/// Most reads that a process has under way.
const MOST_DEPTH: u32 = 65536;
/// Most passes.
const MOST_LOOPS: u32 = 1_000_000;
/// A device reads no less, bytes.
const SECTOR_BYTES: u64 = 512;
/// Longest job file, bytes.
const MOST_FILE_BYTES: u64 = 1 << 20;
/// How alike two names are, from 0 to 1, for one to be taken for a slip of the other.
const ALIKE: f64 = 0.8;

/// Engines of which each read is a call (`engines/sync.c`).
const CALLS: [&str; 5] = ["sync", "psync", "vsync", "pvsync", "pvsync2"];
/// Engines that have several reads under way.
const QUEUES: [&str; 2] = ["libaio", "io_uring"];
/// Modes that write.
const WRITING: [&str; 9] = [
    "write",
    "randwrite",
    "rw",
    "readwrite",
    "randrw",
    "trim",
    "randtrim",
    "trimwrite",
    "randtrimwrite",
];

/// What a job file has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobFile {
    /// Jobs that read.
    pub jobs: Vec<Job>,
    /// Jobs that write; of those nothing else is looked at.
    pub writing: Vec<WritingJob>,
}

/// A job that writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WritingJob {
    /// Its section.
    pub name: String,
    /// The line of its mode, from 1.
    pub line: usize,
    /// Its mode, such as `randwrite`.
    pub mode: String,
}

impl JobFile {
    /// Reads the file at `path`, and the logs that its jobs name.
    ///
    /// # Errors
    /// A file that cannot be read or used, with line, option and what mends it.
    pub fn load(path: &Path) -> Result<Self, JobFileError> {
        let unreadable = |source| JobFileError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let mut text = String::new();
        let file = File::open(path).map_err(unreadable)?;
        let mut start = file.take(MOST_FILE_BYTES + 1);
        start.read_to_string(&mut text).map_err(unreadable)?;
        if text.len() as u64 > MOST_FILE_BYTES {
            return Err(JobFileError::Line {
                path: path.to_owned(),
                line: text.lines().count(),
                message: "is longer than a job file of 1 MiB".to_owned(),
            });
        }
        let mut file = Self::parse(&text, path)?;
        file.jobs.iter_mut().try_for_each(load_log)?;
        Ok(file)
    }

    /// As [`JobFile::load`], from the `text` of the file at `path`. Logs that jobs name are not read: they have no action.
    ///
    /// # Errors
    /// A text that cannot be used.
    pub fn parse(text: &str, path: &Path) -> Result<Self, JobFileError> {
        let wrong = |error: Wrong| JobFileError::Line {
            path: path.to_owned(),
            line: error.line,
            message: error.message,
        };
        sections(text).and_then(jobs).map_err(wrong)
    }
}

fn load_log(job: &mut Job) -> Result<(), JobFileError> {
    let Some(log) = &job.log else {
        return Ok(());
    };
    let log = Iolog::load(&log.path)?;
    if job.direct && !log.unit_bytes().is_multiple_of(SECTOR_BYTES) {
        return Err(JobFileError::Line {
            path: log.path,
            line: 1,
            message: "direct=1 needs reads of whole sectors of 512 bytes; write direct=0"
                .to_owned(),
        });
    }
    job.log = Some(Arc::new(log));
    Ok(())
}

/// What is wrong with a line.
struct Wrong {
    line: usize,
    message: String,
}

impl Wrong {
    fn new(line: usize, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { line, message }
    }
}

/// A line of a section.
#[derive(Clone, Copy)]
struct Setting<'t> {
    line: usize,
    name: &'t str,
    value: Option<&'t str>,
}

impl Setting<'_> {
    fn wrong(&self, message: impl std::fmt::Display) -> Wrong {
        let value = self
            .value
            .map_or_else(String::new, |value| format!("={value}"));
        Wrong::new(self.line, format!("`{}{value}`: {message}", self.name))
    }
}

/// A job's section, with what `[global]` says before it.
struct Section<'t> {
    line: usize,
    name: &'t str,
    settings: Vec<Setting<'t>>,
}

/// The sections of jobs.
fn sections(text: &str) -> Result<Vec<Section<'_>>, Wrong> {
    let (mut global, mut sections): (Vec<Setting>, Vec<Section>) = (Vec::new(), Vec::new());
    let mut in_global = None;
    for (number, line) in text.lines().enumerate() {
        let (number, line) = (number + 1, line.trim());
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = header(line, number)? {
            in_global = Some(name == "global");
            if name != "global" {
                let settings = global.clone();
                sections.push(Section {
                    line: number,
                    name,
                    settings,
                });
            }
            continue;
        }
        let setting = setting(line, number);
        match (in_global, sections.last_mut()) {
            (Some(true), _) => global.push(setting),
            (Some(false), Some(section)) => section.settings.push(setting),
            _ => {
                return Err(
                    setting.wrong("stands before the first section; write [global] above it")
                );
            }
        }
    }
    Ok(sections)
}

fn header(line: &str, number: usize) -> Result<Option<&str>, Wrong> {
    let Some(rest) = line.strip_prefix('[') else {
        return Ok(None);
    };
    match rest.strip_suffix(']').map(str::trim) {
        Some(name) if !name.is_empty() && !name.contains(['[', ']', '/']) => Ok(Some(name)),
        _ => Err(Wrong::new(
            number,
            format!("`{line}`: write a section as [name], without slashes"),
        )),
    }
}

fn setting(text: &str, line: usize) -> Setting<'_> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (text, None),
    };
    Setting { line, name, value }
}

fn jobs(sections: Vec<Section<'_>>) -> Result<JobFile, Wrong> {
    let mut file = JobFile::default();
    if sections.is_empty() {
        return Err(Wrong::new(
            1,
            "has no job; write a section such as [scan], then rw=read, bs=64k and size=1g",
        ));
    }
    for (number, section) in sections.iter().enumerate() {
        if sections[..number].iter().any(|it| it.name == section.name) {
            let message = format!(
                "`[{}]`: is the name of another job; give it one of its own",
                section.name
            );
            return Err(Wrong::new(section.line, message));
        }
        match writing(section) {
            Some(job) => file.writing.push(job),
            None => file.jobs.push(job(section)?),
        }
    }
    Ok(file)
}

/// The section as a job that writes, if it is one.
fn writing(section: &Section<'_>) -> Option<WritingJob> {
    let modes = section.settings.iter().rev();
    let mode = modes
        .clone()
        .find(|it| matches!(it.name, "rw" | "readwrite"))?;
    let value = mode.value.filter(|value| WRITING.contains(value))?;
    Some(WritingJob {
        name: section.name.to_owned(),
        line: mode.line,
        mode: value.to_owned(),
    })
}

fn job(section: &Section<'_>) -> Result<Job, Wrong> {
    let mut job = Job::new(section.name, section.line);
    for setting in &section.settings {
        set(&mut job, setting).map_err(|message| setting.wrong(message))?;
    }
    let draws_anew = job.draws_anew || job.distribution != Distribution::Uniform;
    if draws_anew && job.pattern == Pattern::Random {
        job.pattern = Pattern::RandomAnew;
    }
    check(&job)
        .map_err(|message| Wrong::new(section.line, format!("`[{}]`: {message}", section.name)))?;
    Ok(job)
}

/// Takes one option over.
fn set(job: &mut Job, setting: &Setting<'_>) -> Result<(), String> {
    let Some(value) = setting.value.or_else(|| alone(setting.name)) else {
        return Err(match refused::reason(setting.name) {
            Some(reason) => reason.to_owned(),
            None => unknown(setting.name, "needs a value"),
        });
    };
    match setting.name {
        "name" | "description" | "group_reporting" | "thread" => {}
        "rw" | "readwrite" => set_pattern(job, value)?,
        "bs" | "blocksize" => job.blocks = Blocks::One(some_bytes(value)?),
        "bsrange" | "blocksize_range" => job.blocks = Blocks::range(value)?,
        "bssplit" => job.blocks = Blocks::split(value)?,
        "size" => job.size_bytes = some_bytes(value).map_err(|it| no_percent(value, it))?,
        "io_size" | "io_limit" => job.io_bytes = Some(some_bytes(value)?),
        "offset" => job.offset_bytes = bytes(value).map_err(|it| no_percent(value, it))?,
        "numjobs" => job.threads = count(value, MOST_THREADS)?,
        "iodepth" => job.depth = count(value, MOST_DEPTH)?,
        "ioengine" => job.engine = engine(value)?,
        "direct" => job.direct = flag(value)?,
        "runtime" | "timeout" => {
            job.runtime_us = Some(microseconds(value, 1e6)?).filter(|&it| it > 0.0)
        }
        "time_based" => job.time_based = flag(value)?,
        "loops" => job.loops = count(value, MOST_LOOPS)?,
        "stonewall" | "wait_for_previous" => job.stonewall = flag(value)?,
        "invalidate" => job.invalidate = flag(value)?,
        "filename" => job.filename = Some(filename(value)?),
        "read_iolog" => job.log = Some(Arc::new(Iolog::unread(one_path(value)?))),
        "directory" => job.directory = Some(one_path(value)?),
        "ramp_time" => job.ramp_us = microseconds(value, 1e6)?,
        "startdelay" => job.delay_us = delay(value)?,
        "rate" => job.bytes_per_s = Some(rate(value)?),
        "rate_iops" => job.reads_per_s = Some(count(value, u32::MAX)?),
        "thinktime" => job.think_us = microseconds(value, 1.0)?,
        "fadvise_hint" => job.advises = flag(value)?,
        "norandommap" => job.draws_anew = flag(value)?,
        "random_distribution" => job.distribution = value.parse()?,
        "randrepeat" => job.repeats = flag(value)?,
        "percentage_random" => job.random_percent = percent(value)?,
        name => {
            return Err(match refused::reason(name) {
                Some(reason) => reason.to_owned(),
                None => unknown(name, "is not known"),
            });
        }
    }
    Ok(())
}

/// What an option that stands alone means: yes, where it is a question.
fn alone(name: &str) -> Option<&'static str> {
    const QUESTIONS: [&str; 9] = [
        "time_based",
        "stonewall",
        "wait_for_previous",
        "group_reporting",
        "thread",
        "norandommap",
        "invalidate",
        "direct",
        "randrepeat",
    ];
    QUESTIONS.contains(&name).then_some("1")
}

/// An option that is not known, with the one that is most like it.
fn unknown(name: &str, what: &str) -> String {
    const KNOWN: [&str; 32] = [
        "rw",
        "bs",
        "bsrange",
        "bssplit",
        "size",
        "io_size",
        "offset",
        "numjobs",
        "iodepth",
        "ioengine",
        "direct",
        "runtime",
        "time_based",
        "loops",
        "stonewall",
        "invalidate",
        "filename",
        "read_iolog",
        "directory",
        "ramp_time",
        "startdelay",
        "rate",
        "rate_iops",
        "thinktime",
        "fadvise_hint",
        "norandommap",
        "random_distribution",
        "percentage_random",
        "randrepeat",
        "group_reporting",
        "thread",
        "description",
    ];
    let likeness = |known: &&&str| (strsim::jaro_winkler(name, known) * 1e6) as u64;
    let nearest = KNOWN.iter().max_by_key(likeness);
    match nearest.filter(|known| strsim::jaro_winkler(name, known) >= ALIKE) {
        Some(known) if *known != name => format!("{what}; did you mean {known}?"),
        _ => format!("{what}; options that are modelled: {}", KNOWN.join(", ")),
    }
}

fn set_pattern(job: &mut Job, value: &str) -> Result<(), String> {
    job.pattern = match value {
        "read" => Pattern::Sequential,
        "randread" => Pattern::Random,
        _ => return Err("write read or randread; read:N and other modes are not modelled".into()),
    };
    Ok(())
}

fn engine(value: &str) -> Result<Engine, String> {
    if CALLS.contains(&value) {
        Ok(Engine::Calls(value.to_owned()))
    } else if QUEUES.contains(&value) {
        Ok(Engine::Queue(value.to_owned()))
    } else {
        Err(format!(
            "is not modelled; write one of {}, {}",
            CALLS.join(", "),
            QUEUES.join(", ")
        ))
    }
}

/// The rate of reads: fio takes one for each direction, reads first.
fn rate(value: &str) -> Result<u64, String> {
    match value.contains(',') {
        true => Err("write one rate, that of reads".into()),
        false => some_bytes(value),
    }
}

/// Of reads: fio takes one for each direction, reads first.
fn percent(value: &str) -> Result<u32, String> {
    let reads = value.split(',').next().unwrap_or(value);
    match reads.parse() {
        Ok(percent @ 0..=100) => Ok(percent),
        _ => Err("write a whole number from 0 to 100".into()),
    }
}

/// fio takes a range of times too, and draws.
fn delay(value: &str) -> Result<f64, String> {
    match value.contains(['-', ':']) {
        true => Err("write one time; one drawn from a range is not modelled".into()),
        false => microseconds(value, 1e6),
    }
}

fn filename(value: &str) -> Result<String, String> {
    match value {
        "" => Err("write the name of a file".into()),
        name if name.contains(':') => Err("a process reads one file; name one".into()),
        name => Ok(name.to_owned()),
    }
}

fn one_path(value: &str) -> Result<String, String> {
    match value {
        "" => Err("write a name".into()),
        name if name.contains(':') => Err("several names are not modelled; write one".into()),
        name => Ok(name.to_owned()),
    }
}

fn no_percent(value: &str, message: String) -> String {
    match value.ends_with('%') {
        true => "no file is looked at, so a share of one is not known; write bytes".into(),
        false => message,
    }
}

/// What options together must be.
fn check(job: &Job) -> Result<(), String> {
    let in_blocks = job.size_bytes.is_multiple_of(job.blocks.least());
    let zoned = job.distribution.zoned_bytes();
    let checks = [
        (
            job.log.is_some() && job.threads > 1,
            "read_iolog and numjobs together are not modelled: fio has the other processes read the first file alone; write \
             a job for each process",
        ),
        (
            job.log.is_none() && job.size_bytes == 0,
            "has no size; write one, such as size=1g",
        ),
        (
            job.size_bytes > 0 && job.blocks.least() > job.size_bytes,
            "bs is larger than size; give a smaller bs",
        ),
        (
            job.io_bytes.is_some_and(|it| it < job.blocks.most()),
            "io_size is smaller than bs; give a larger one",
        ),
        (
            job.bytes_per_s.is_some() && job.reads_per_s.is_some(),
            "rate and rate_iops exclude each other, in fio too; give one of them",
        ),
        (
            job.distribution != Distribution::Uniform && !in_blocks,
            "random_distribution needs a size of whole blocks: fio ends when it draws the last one, which is cut off",
        ),
        (
            zoned.is_some_and(|bytes| bytes > job.size_bytes),
            "random_distribution has zones behind the end of size; fio ends with an error",
        ),
        (
            job.io_bytes.is_some() && job.loops > 1,
            "io_size and loops together are not modelled; give one of them",
        ),
        (
            job.time_based && job.runtime_us.is_none(),
            "time_based needs a runtime, such as runtime=10s",
        ),
        (
            job.direct && !(job.blocks.least() | job.offset_bytes).is_multiple_of(SECTOR_BYTES),
            "direct=1 needs a bs and an offset of whole sectors of 512 bytes",
        ),
        (
            job.think_us > 0.0 && job.handed_over() > 1,
            "thinktime with an iodepth above 1 is not modelled; write iodepth=1",
        ),
    ];
    match checks.iter().find(|(is_wrong, _)| *is_wrong) {
        Some((_, message)) => Err((*message).to_owned()),
        None => Ok(()),
    }
}
