//! fio's options that are modelled, a row for each (`fio_options`, `options.c` of fio 3.33).

use std::sync::Arc;

use super::values::{delay, engine, filename, no_percent, one_path, percent, rate, set_pattern};
use crate::fio::value::{block, bytes, count, flag, microseconds, some_bytes};
use crate::fio::{Blocks, Iolog, Job, Pattern};

/// Most processes of a job: those of fio (`REAL_MAX_JOBS`, `os/os.h`).
const MOST_THREADS: u32 = 4096;
/// Most reads that a process has under way.
const MOST_DEPTH: u32 = 65536;
/// Most passes.
const MOST_LOOPS: u32 = 1_000_000;

/// What values an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// 0 or 1; the option alone says 1.
    Flag,
    /// What these words say.
    Words(&'static str),
    /// Anything: the option changes nothing.
    Any,
}

const BYTES: ValueKind = ValueKind::Words("bytes");
const COUNT: ValueKind = ValueKind::Words("a number");
const TIME: ValueKind = ValueKind::Words("a time");
const NAME: ValueKind = ValueKind::Words("a name");
const PERCENT: ValueKind = ValueKind::Words("percent");

/// An option of fio that is modelled.
#[derive(Clone, Copy, Debug)]
pub struct FioOption {
    /// Its name in job files.
    pub name: &'static str,
    /// Another name that fio has for it.
    pub alias: Option<&'static str>,
    /// What values it takes.
    pub value: ValueKind,
    /// fio's default, where that is a value.
    pub default: Option<&'static str>,
    /// What it says of a job.
    pub meaning: &'static str,
    /// Takes a value over into a job.
    pub(super) set: fn(&mut Job, &str) -> Result<(), String>,
    /// What fio is told of a job; nothing where it need not be told.
    pub(super) told: fn(&Job) -> Option<String>,
}

/// All, in the order in which messages list them.
pub const OPTIONS: &[FioOption] = &[
    FioOption {
        name: "rw",
        alias: Some("readwrite"),
        value: ValueKind::Words("read or randread"),
        default: Some("read"),
        meaning: "the order of reads",
        set: set_pattern,
        told: |job| {
            let random = job.pattern != Pattern::Sequential;
            Some(if random { "randread" } else { "read" }.to_owned())
        },
    },
    FioOption {
        name: "bs",
        alias: Some("blocksize"),
        value: BYTES,
        default: Some("4096"),
        meaning: "bytes of each read",
        set: |job, value| {
            job.blocks = Blocks::One(block(value)?);
            Ok(())
        },
        told: |job| blocks(job, "bs"),
    },
    FioOption {
        name: "bsrange",
        alias: Some("blocksize_range"),
        value: ValueKind::Words("bytes-bytes"),
        default: None,
        meaning: "bytes of each read, drawn from a range",
        set: |job, value| {
            job.blocks = Blocks::range(value)?;
            Ok(())
        },
        told: |job| blocks(job, "bsrange"),
    },
    FioOption {
        name: "bssplit",
        alias: None,
        value: ValueKind::Words("bytes/percent:…"),
        default: None,
        meaning: "bytes of each read, drawn by shares; of lists with commas the first, that of reads",
        set: |job, value| {
            job.blocks = Blocks::split(value)?;
            Ok(())
        },
        told: |job| blocks(job, "bssplit"),
    },
    FioOption {
        name: "size",
        alias: None,
        value: BYTES,
        default: None,
        meaning: "bytes of the file that are read",
        set: |job, value| {
            job.size_bytes = some_bytes(value).map_err(|it| no_percent(value, it))?;
            Ok(())
        },
        told: |job| (job.size_bytes > 0).then(|| job.size_bytes.to_string()),
    },
    FioOption {
        name: "io_size",
        alias: Some("io_limit"),
        value: BYTES,
        default: None,
        meaning: "bytes that are read in all, where not the size",
        set: |job, value| {
            job.io_bytes = Some(some_bytes(value)?);
            Ok(())
        },
        told: |job| text(job.io_bytes),
    },
    FioOption {
        name: "offset",
        alias: None,
        value: BYTES,
        default: Some("0"),
        meaning: "where in the file the job begins",
        set: |job, value| {
            job.offset_bytes = bytes(value).map_err(|it| no_percent(value, it))?;
            Ok(())
        },
        told: |job| text(Some(job.offset_bytes)),
    },
    FioOption {
        name: "numjobs",
        alias: None,
        value: COUNT,
        default: Some("1"),
        meaning: "how many processes do the same",
        set: |job, value| {
            job.threads = count(value, MOST_THREADS)?;
            Ok(())
        },
        told: |job| text(Some(job.threads)),
    },
    FioOption {
        name: "iodepth",
        alias: None,
        value: COUNT,
        default: Some("1"),
        meaning: "reads at the same time, where the engine can have several",
        set: |job, value| {
            job.depth = count(value, MOST_DEPTH)?;
            Ok(())
        },
        told: |job| text(Some(job.depth)),
    },
    FioOption {
        name: "ioengine",
        alias: None,
        value: ValueKind::Words("sync, psync, vsync, pvsync, pvsync2, libaio, io_uring or mmap"),
        default: Some("psync"),
        meaning: "how reads are handed to the kernel",
        set: |job, value| {
            job.engine = engine(value)?;
            Ok(())
        },
        told: |job| text(Some(job.engine.name())),
    },
    FioOption {
        name: "direct",
        alias: None,
        value: ValueKind::Flag,
        default: Some("0"),
        meaning: "past the page cache",
        set: |job, value| {
            job.direct = flag(value)?;
            Ok(())
        },
        told: |job| bit(job.direct),
    },
    FioOption {
        name: "runtime",
        alias: Some("timeout"),
        value: TIME,
        default: None,
        meaning: "the longest time of the job",
        set: |job, value| {
            job.runtime_us = Some(microseconds(value, 1e6)?).filter(|&it| it > 0.0);
            Ok(())
        },
        told: |job| job.runtime_us.and_then(time),
    },
    FioOption {
        name: "time_based",
        alias: None,
        value: ValueKind::Flag,
        default: Some("0"),
        meaning: "the job begins anew until that time is over",
        set: |job, value| {
            job.time_based = flag(value)?;
            Ok(())
        },
        told: |job| yes(job.time_based),
    },
    FioOption {
        name: "loops",
        alias: None,
        value: COUNT,
        default: Some("1"),
        meaning: "passes over the file",
        set: |job, value| {
            job.loops = count(value, MOST_LOOPS)?;
            Ok(())
        },
        told: |job| text(Some(job.loops)),
    },
    FioOption {
        name: "stonewall",
        alias: Some("wait_for_previous"),
        value: ValueKind::Flag,
        default: Some("0"),
        meaning: "the job waits for all before it",
        set: |job, value| {
            job.stonewall = flag(value)?;
            Ok(())
        },
        told: |job| yes(job.stonewall),
    },
    FioOption {
        name: "invalidate",
        alias: None,
        value: ValueKind::Flag,
        default: Some("1"),
        meaning: "the file is dropped from the page cache before each pass",
        set: |job, value| {
            job.invalidate = flag(value)?;
            Ok(())
        },
        told: |job| bit(job.invalidate),
    },
    FioOption {
        name: "filename",
        alias: None,
        value: NAME,
        default: None,
        meaning: "a file that all processes share",
        set: |job, value| {
            job.filename = Some(filename(value)?);
            Ok(())
        },
        told: |job| job.filename.clone(),
    },
    FioOption {
        name: "read_iolog",
        alias: None,
        value: NAME,
        default: None,
        meaning: "a log that says what is read",
        set: |job, value| {
            job.log = Some(Arc::new(Iolog::unread(one_path(value)?)));
            Ok(())
        },
        told: |job| text(job.log.as_ref().map(|it| it.path.display())),
    },
    FioOption {
        name: "replay_no_stall",
        alias: None,
        value: ValueKind::Flag,
        default: Some("0"),
        meaning: "nothing is waited for between two lines of the log",
        set: |job, value| {
            job.replays_at_once = flag(value)?;
            Ok(())
        },
        told: |_| None,
    },
    FioOption {
        name: "directory",
        alias: None,
        value: NAME,
        default: None,
        meaning: "where files are",
        set: |job, value| {
            job.directory = Some(one_path(value)?);
            Ok(())
        },
        told: |job| job.directory.clone(),
    },
    FioOption {
        name: "ramp_time",
        alias: None,
        value: TIME,
        default: Some("0"),
        meaning: "time before anything is counted",
        set: |job, value| {
            job.ramp_us = microseconds(value, 1e6)?;
            Ok(())
        },
        told: |job| time(job.ramp_us),
    },
    FioOption {
        name: "startdelay",
        alias: None,
        value: TIME,
        default: Some("0"),
        meaning: "time before a process begins",
        set: |job, value| {
            job.delay_us = delay(value)?;
            Ok(())
        },
        told: |job| time(job.delay_us),
    },
    FioOption {
        name: "rate",
        alias: None,
        value: BYTES,
        default: None,
        meaning: "the most bytes a second that a process reads",
        set: |job, value| {
            job.bytes_per_s = Some(rate(value)?);
            Ok(())
        },
        told: |job| text(job.bytes_per_s),
    },
    FioOption {
        name: "rate_iops",
        alias: None,
        value: COUNT,
        default: None,
        meaning: "the most reads a second of a process",
        set: |job, value| {
            job.reads_per_s = Some(count(value, u32::MAX)?);
            Ok(())
        },
        told: |job| text(job.reads_per_s),
    },
    FioOption {
        name: "thinktime",
        alias: None,
        value: TIME,
        default: Some("0"),
        meaning: "a pause after each read; microseconds without a unit",
        set: |job, value| {
            job.think_us = microseconds(value, 1.0)?;
            Ok(())
        },
        told: |job| time(job.think_us),
    },
    FioOption {
        name: "fadvise_hint",
        alias: None,
        value: ValueKind::Words("0 or 1"),
        default: Some("1"),
        meaning: "fio tells the kernel in which order it reads",
        set: |job, value| {
            job.advises = flag(value)?;
            Ok(())
        },
        told: |job| bit(job.advises),
    },
    FioOption {
        name: "norandommap",
        alias: None,
        value: ValueKind::Flag,
        default: Some("0"),
        meaning: "places at random are drawn anew each time",
        set: |job, value| {
            job.draws_anew = flag(value)?;
            Ok(())
        },
        told: |job| bit(job.pattern == Pattern::RandomAnew),
    },
    FioOption {
        name: "random_distribution",
        alias: None,
        value: ValueKind::Words("random, zipf, pareto, normal, zoned or zoned_abs"),
        default: Some("random"),
        meaning: "which blocks are drawn how often",
        set: |job, value| {
            job.distribution = value.parse()?;
            Ok(())
        },
        told: |job| text(Some(&job.distribution)),
    },
    FioOption {
        name: "percentage_random",
        alias: None,
        value: PERCENT,
        default: Some("100"),
        meaning: "reads at random that do not go on where the last one ended",
        set: |job, value| {
            job.random_percent = percent(value)?;
            Ok(())
        },
        told: |job| text(Some(job.random_percent)),
    },
    FioOption {
        name: "randrepeat",
        alias: None,
        value: ValueKind::Flag,
        default: Some("1"),
        meaning: "each pass at random is as the first",
        set: |job, value| {
            job.repeats = flag(value)?;
            Ok(())
        },
        told: |job| bit(job.repeats),
    },
    FioOption {
        name: "group_reporting",
        alias: None,
        value: ValueKind::Flag,
        default: None,
        meaning: "nothing: the processes of a job are always reported together",
        set: nothing,
        told: |_| None,
    },
    FioOption {
        name: "thread",
        alias: None,
        value: ValueKind::Flag,
        default: None,
        meaning: "nothing: threads are processes",
        set: nothing,
        told: |_| None,
    },
    FioOption {
        name: "description",
        alias: None,
        value: ValueKind::Any,
        default: None,
        meaning: "nothing",
        set: nothing,
        told: |_| None,
    },
];

fn nothing(_job: &mut Job, _value: &str) -> Result<(), String> {
    Ok(())
}

fn text(value: Option<impl ToString>) -> Option<String> {
    value.map(|it| it.to_string())
}

fn bit(value: bool) -> Option<String> {
    text(Some(u8::from(value)))
}

fn yes(value: bool) -> Option<String> {
    value.then(|| "1".to_owned())
}

fn time(us: f64) -> Option<String> {
    Some(format!("{us:.0}us"))
}

/// The sizes of blocks, where they are told by the option of this name.
fn blocks(job: &Job, name: &str) -> Option<String> {
    let (told_by, value) = job.blocks.to_fio();
    (told_by == name).then_some(value)
}
