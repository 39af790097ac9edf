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

/// An option that changes nothing.
const PLAIN: FioOption = FioOption {
    name: "",
    alias: None,
    value: ValueKind::Any,
    default: None,
    meaning: "nothing",
    set: |_, _| Ok(()),
    told: |_| None,
};

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
        set: |job, value| put(&mut job.blocks, block(value).map(Blocks::One)),
        told: |job| blocks(job, "bs"),
    },
    FioOption {
        name: "bsrange",
        alias: Some("blocksize_range"),
        value: ValueKind::Words("bytes-bytes"),
        meaning: "bytes of each read, drawn from a range",
        set: |job, value| put(&mut job.blocks, Blocks::range(value)),
        told: |job| blocks(job, "bsrange"),
        ..PLAIN
    },
    FioOption {
        name: "bssplit",
        value: ValueKind::Words("bytes/percent:…"),
        meaning: "bytes of each read, drawn by shares; of lists with commas the first, that of reads",
        set: |job, value| put(&mut job.blocks, Blocks::split(value)),
        told: |job| blocks(job, "bssplit"),
        ..PLAIN
    },
    FioOption {
        name: "size",
        value: BYTES,
        meaning: "bytes of the file that are read",
        set: |job, value| {
            put(
                &mut job.size_bytes,
                some_bytes(value).map_err(|it| no_percent(value, it)),
            )
        },
        told: |job| (job.size_bytes > 0).then(|| job.size_bytes.to_string()),
        ..PLAIN
    },
    FioOption {
        name: "io_size",
        alias: Some("io_limit"),
        value: BYTES,
        meaning: "bytes that are read in all, where not the size",
        set: |job, value| put(&mut job.io_bytes, some_bytes(value).map(Some)),
        told: |job| text(job.io_bytes),
        ..PLAIN
    },
    FioOption {
        name: "offset",
        value: BYTES,
        default: Some("0"),
        meaning: "where in the file the job begins",
        set: |job, value| {
            put(
                &mut job.offset_bytes,
                bytes(value).map_err(|it| no_percent(value, it)),
            )
        },
        told: |job| text(Some(job.offset_bytes)),
        ..PLAIN
    },
    FioOption {
        name: "numjobs",
        value: COUNT,
        default: Some("1"),
        meaning: "how many processes do the same",
        set: |job, value| put(&mut job.threads, count(value, MOST_THREADS)),
        told: |job| text(Some(job.threads)),
        ..PLAIN
    },
    FioOption {
        name: "iodepth",
        value: COUNT,
        default: Some("1"),
        meaning: "reads at the same time, where the engine can have several",
        set: |job, value| put(&mut job.depth, count(value, MOST_DEPTH)),
        told: |job| text(Some(job.depth)),
        ..PLAIN
    },
    FioOption {
        name: "ioengine",
        value: ValueKind::Words("sync, psync, vsync, pvsync, pvsync2, libaio, io_uring or mmap"),
        default: Some("psync"),
        meaning: "how reads are handed to the kernel",
        set: |job, value| put(&mut job.engine, engine(value)),
        told: |job| text(Some(job.engine.name())),
        ..PLAIN
    },
    FioOption {
        name: "direct",
        value: ValueKind::Flag,
        default: Some("0"),
        meaning: "past the page cache",
        set: |job, value| put(&mut job.direct, flag(value)),
        told: |job| bit(job.direct),
        ..PLAIN
    },
    FioOption {
        name: "runtime",
        alias: Some("timeout"),
        value: TIME,
        meaning: "the longest time of the job",
        set: |job, value| {
            job.runtime_us = Some(microseconds(value, 1e6)?).filter(|&it| it > 0.0);
            Ok(())
        },
        told: |job| job.runtime_us.and_then(time),
        ..PLAIN
    },
    FioOption {
        name: "time_based",
        value: ValueKind::Flag,
        default: Some("0"),
        meaning: "the job begins anew until that time is over",
        set: |job, value| put(&mut job.time_based, flag(value)),
        told: |job| yes(job.time_based),
        ..PLAIN
    },
    FioOption {
        name: "loops",
        value: COUNT,
        default: Some("1"),
        meaning: "passes over the file",
        set: |job, value| put(&mut job.loops, count(value, MOST_LOOPS)),
        told: |job| text(Some(job.loops)),
        ..PLAIN
    },
    FioOption {
        name: "stonewall",
        alias: Some("wait_for_previous"),
        value: ValueKind::Flag,
        default: Some("0"),
        meaning: "the job waits for all before it",
        set: |job, value| put(&mut job.stonewall, flag(value)),
        told: |job| yes(job.stonewall),
    },
    FioOption {
        name: "invalidate",
        value: ValueKind::Flag,
        default: Some("1"),
        meaning: "the file is dropped from the page cache before each pass",
        set: |job, value| put(&mut job.invalidate, flag(value)),
        told: |job| bit(job.invalidate),
        ..PLAIN
    },
    FioOption {
        name: "filename",
        value: NAME,
        meaning: "a file that all processes share",
        set: |job, value| put(&mut job.filename, filename(value).map(Some)),
        told: |job| job.filename.clone(),
        ..PLAIN
    },
    FioOption {
        name: "read_iolog",
        value: NAME,
        meaning: "a log that says what is read",
        set: |job, value| {
            job.log = Some(Arc::new(Iolog::unread(one_path(value)?)));
            Ok(())
        },
        told: |job| text(job.log.as_ref().map(|it| it.path.display())),
        ..PLAIN
    },
    FioOption {
        name: "replay_no_stall",
        value: ValueKind::Flag,
        default: Some("0"),
        meaning: "nothing is waited for between two lines of the log",
        set: |job, value| put(&mut job.replays_at_once, flag(value)),
        ..PLAIN
    },
    FioOption {
        name: "directory",
        value: NAME,
        meaning: "where files are",
        set: |job, value| put(&mut job.directory, one_path(value).map(Some)),
        told: |job| job.directory.clone(),
        ..PLAIN
    },
    FioOption {
        name: "ramp_time",
        value: TIME,
        default: Some("0"),
        meaning: "time before anything is counted",
        set: |job, value| put(&mut job.ramp_us, microseconds(value, 1e6)),
        told: |job| time(job.ramp_us),
        ..PLAIN
    },
    FioOption {
        name: "startdelay",
        value: TIME,
        default: Some("0"),
        meaning: "time before a process begins",
        set: |job, value| put(&mut job.delay_us, delay(value)),
        told: |job| time(job.delay_us),
        ..PLAIN
    },
    FioOption {
        name: "rate",
        value: BYTES,
        meaning: "the most bytes a second that a process reads",
        set: |job, value| put(&mut job.bytes_per_s, rate(value).map(Some)),
        told: |job| text(job.bytes_per_s),
        ..PLAIN
    },
    FioOption {
        name: "rate_iops",
        value: COUNT,
        meaning: "the most reads a second of a process",
        set: |job, value| put(&mut job.reads_per_s, count(value, u32::MAX).map(Some)),
        told: |job| text(job.reads_per_s),
        ..PLAIN
    },
    FioOption {
        name: "thinktime",
        value: TIME,
        default: Some("0"),
        meaning: "a pause after each read; microseconds without a unit",
        set: |job, value| put(&mut job.think_us, microseconds(value, 1.0)),
        told: |job| time(job.think_us),
        ..PLAIN
    },
    FioOption {
        name: "fadvise_hint",
        value: ValueKind::Words("0 or 1"),
        default: Some("1"),
        meaning: "fio tells the kernel in which order it reads",
        set: |job, value| put(&mut job.advises, flag(value)),
        told: |job| bit(job.advises),
        ..PLAIN
    },
    FioOption {
        name: "norandommap",
        value: ValueKind::Flag,
        default: Some("0"),
        meaning: "places at random are drawn anew each time",
        set: |job, value| put(&mut job.draws_anew, flag(value)),
        told: |job| bit(job.pattern == Pattern::RandomAnew),
        ..PLAIN
    },
    FioOption {
        name: "random_distribution",
        value: ValueKind::Words("random, zipf, pareto, normal, zoned or zoned_abs"),
        default: Some("random"),
        meaning: "which blocks are drawn how often",
        set: |job, value| put(&mut job.distribution, value.parse()),
        told: |job| text(Some(&job.distribution)),
        ..PLAIN
    },
    FioOption {
        name: "percentage_random",
        value: PERCENT,
        default: Some("100"),
        meaning: "reads at random that do not go on where the last one ended",
        set: |job, value| put(&mut job.random_percent, percent(value)),
        told: |job| text(Some(job.random_percent)),
        ..PLAIN
    },
    FioOption {
        name: "randrepeat",
        value: ValueKind::Flag,
        default: Some("1"),
        meaning: "each pass at random is as the first",
        set: |job, value| put(&mut job.repeats, flag(value)),
        told: |job| bit(job.repeats),
        ..PLAIN
    },
    FioOption {
        name: "group_reporting",
        value: ValueKind::Flag,
        meaning: "nothing: the processes of a job are always reported together",
        ..PLAIN
    },
    FioOption {
        name: "thread",
        value: ValueKind::Flag,
        meaning: "nothing: threads are processes",
        ..PLAIN
    },
    FioOption {
        name: "description",
        value: ValueKind::Any,
        meaning: "nothing",
        ..PLAIN
    },
];

fn put<T>(field: &mut T, value: Result<T, String>) -> Result<(), String> {
    *field = value?;
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
