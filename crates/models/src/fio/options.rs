//! Options of fio that are modelled.

use std::sync::Arc;

use super::job::MAPPED;
use super::refused;
use super::sections::Setting;
use super::value::{block, bytes, count, flag, microseconds, some_bytes};
use super::{Blocks, Engine, Iolog, Job, Pattern};

/// Most processes of a job: those of fio (`REAL_MAX_JOBS`, `os/os.h`).
const MOST_THREADS: u32 = 4096;
/// Most reads that a process has under way.
const MOST_DEPTH: u32 = 65536;
/// Most passes.
const MOST_LOOPS: u32 = 1_000_000;
/// How alike two names are, from 0 to 1, for one to be taken for a slip of the other.
const ALIKE: f64 = 0.8;
/// Engines of which each read is a call (`engines/sync.c`).
const CALLS: [&str; 5] = ["sync", "psync", "vsync", "pvsync", "pvsync2"];
/// Engines that have several reads under way.
const QUEUES: [&str; 2] = ["libaio", "io_uring"];

/// Takes one option over.
pub(super) fn set(job: &mut Job, setting: &Setting<'_>) -> Result<(), String> {
    let Some(value) = setting.value.or_else(|| alone(setting.name)) else {
        return Err(match refused::reason(setting.name) {
            Some(reason) => reason.to_owned(),
            None => unknown(setting.name, "needs a value"),
        });
    };
    if value.contains("${") {
        return Err("variables are not filled in; write the value".into());
    }
    match setting.name {
        "name" | "description" | "group_reporting" | "thread" => {}
        "rw" | "readwrite" => set_pattern(job, value)?,
        "bs" | "blocksize" => job.blocks = Blocks::One(block(value)?),
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
        "replay_no_stall" => job.replays_at_once = flag(value)?,
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
    const QUESTIONS: [&str; 10] = [
        "time_based",
        "stonewall",
        "wait_for_previous",
        "group_reporting",
        "thread",
        "norandommap",
        "invalidate",
        "direct",
        "randrepeat",
        "replay_no_stall",
    ];
    QUESTIONS.contains(&name).then_some("1")
}

/// An option that is not known, with the one that is most like it.
fn unknown(name: &str, what: &str) -> String {
    const KNOWN: [&str; 33] = [
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
        "replay_no_stall",
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
    } else if value == MAPPED {
        Ok(Engine::Mapped)
    } else if value == "splice" {
        Err("is not modelled: fio opens its files with O_DIRECT, and Linux since 6.5 then reads past the page cache; write direct=1"
            .into())
    } else {
        Err(format!(
            "is not modelled; write one of {}, {}, {MAPPED}",
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
        "" | "-" | "." | ".." => Err("write the name of a file".into()),
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
