//! fio's options that are modelled, a row for each (`fio_options`, `options.c` of fio 3.33).

use std::sync::Arc;

use super::values::{
    delay, engine, every, filename, mode, no_percent, one_path, percent, rate, set_pattern, share,
};
use crate::fio::value::{block, bytes, count, flag, microseconds, some_bytes};
use crate::fio::{Allocation, Blocks, Iolog, Job, Mode, Pattern, RangeSync, WriteSync};

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
    /// The value that a job has for fio; nothing where fio need not be given the option.
    pub(super) written: fn(&Job) -> Option<String>,
}

impl FioOption {
    /// An option that changes nothing of a job, and that fio is not given.
    const fn new(name: &'static str, value: ValueKind, meaning: &'static str) -> Self {
        Self {
            name,
            alias: None,
            value,
            default: None,
            meaning,
            set: |_, _| Ok(()),
            written: |_| None,
        }
    }

    const fn alias(mut self, alias: &'static str) -> Self {
        self.alias = Some(alias);
        self
    }

    const fn default(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    const fn set(mut self, set: fn(&mut Job, &str) -> Result<(), String>) -> Self {
        self.set = set;
        self
    }

    const fn written(mut self, written: fn(&Job) -> Option<String>) -> Self {
        self.written = written;
        self
    }
}

/// All, in the order in which messages list them.
pub const OPTIONS: &[FioOption] = &[
    FioOption::new(
        "rw",
        ValueKind::Words("read, randread, write, randwrite, rw or randrw; then :number"),
        "whether the job reads, writes or both, and in which order; bytes that are passed over between two blocks, or at random how many lie in a row",
    )
    .alias("readwrite")
    .default("read")
    .set(set_pattern)
    .written(|job| text(Some(mode(job)))),
    FioOption::new(
        "rwmixread",
        PERCENT,
        "requests that read, of a job that does both",
    )
    .default("50")
    .set(|job, value| put(&mut job.read_percent, share(value)))
    .written(|job| (job.mode == Mode::Both).then(|| job.read_percent.to_string())),
    FioOption::new(
        "rwmixwrite",
        PERCENT,
        "the same by those that write; what is said last counts",
    )
    .default("50")
    .set(|job, value| put(&mut job.read_percent, share(value).map(|it| 100 - it))),
    FioOption::new(
        "sync",
        ValueKind::Words("none, sync or dsync"),
        "each write waits until it is on the device: its data and all else of the file, or what it takes to find the data",
    )
    .default("none")
    .set(|job, value| put(&mut job.write_sync, value.parse()))
    .written(|job| (job.write_sync != WriteSync::None).then(|| job.write_sync.to_string())),
    FioOption::new(
        "fsync",
        COUNT,
        "after so many writes the file is synced; 0 for never",
    )
    .default("0")
    .set(|job, value| put(&mut job.sync_every, every(value)))
    .written(|job| text(job.sync_every)),
    FioOption::new(
        "fdatasync",
        COUNT,
        "the same without what it does not take to find the data",
    )
    .default("0")
    .set(|job, value| put(&mut job.data_sync_every, every(value)))
    .written(|job| text(job.data_sync_every)),
    FioOption::new(
        "sync_file_range",
        ValueKind::Words("wait_before, write or wait_after, with commas; then :number"),
        "after so many writes, what is done with the pages written since the last sync",
    )
    .set(|job, value| put(&mut job.range_sync, value.parse::<RangeSync>().map(Some)))
    .written(|job| text(job.range_sync)),
    FioOption::new(
        "end_fsync",
        ValueKind::Flag,
        "the file is synced when all is written",
    )
    .default("0")
    .set(|job, value| put(&mut job.syncs_at_end, flag(value)))
    .written(|job| yes(job.syncs_at_end)),
    FioOption::new(
        "fsync_on_close",
        ValueKind::Flag,
        "the file is synced when it is closed, which is at the end too",
    )
    .default("0")
    .set(|job, value| put(&mut job.syncs_on_close, flag(value)))
    .written(|job| yes(job.syncs_on_close)),
    FioOption::new(
        "overwrite",
        ValueKind::Flag,
        "the file is there with data before the job writes",
    )
    .default("0")
    .set(|job, value| put(&mut job.overwrites, flag(value)))
    .written(|job| yes(job.overwrites)),
    FioOption::new(
        "fallocate",
        ValueKind::Words("none, native, posix, keep or truncate"),
        "how blocks of a new file are allocated before the job writes",
    )
    .default("native")
    .set(|job, value| put(&mut job.allocation, value.parse()))
    .written(|job| (job.allocation != Allocation::Native).then(|| job.allocation.to_string())),
    FioOption::new(
        "file_append",
        ValueKind::Flag,
        "the job writes behind the end that its file has when fio starts",
    )
    .default("0")
    .set(|job, value| put(&mut job.appends, flag(value)))
    .written(|job| yes(job.appends)),
    FioOption::new(
        "create_on_open",
        ValueKind::Flag,
        "the file is made when it is opened, so nothing of it is allocated before",
    )
    .default("0")
    .set(|job, value| put(&mut job.creates_on_open, flag(value)))
    .written(|job| yes(job.creates_on_open)),
    FioOption::new(
        "create_fsync",
        ValueKind::Flag,
        "nothing: files are on the device before the first job begins",
    )
    .default("1"),
    FioOption::new(
        "write_barrier",
        COUNT,
        "nothing: none of the engines that are modelled has barriers",
    )
    .default("0"),
    FioOption::new("bs", BYTES, "bytes of each read")
        .alias("blocksize")
        .default("4096")
        .set(|job, value| {
            let bytes = block(value)?;
            // fio looks at it where nothing else tells sizes, before or behind it (`fixup_options`, `init.c`).
            if !job.has_sizes {
                job.blocks = Blocks::One(bytes);
            }
            Ok(())
        })
        .written(|job| blocks(job, "bs")),
    FioOption::new(
        "bsrange",
        ValueKind::Words("bytes-bytes"),
        "bytes of each read, drawn from a range",
    )
    .alias("blocksize_range")
    .set(|job, value| {
        job.has_lists |= value.contains(',');
        job.has_sizes = true;
        put(&mut job.blocks, Blocks::range(value))
    })
    .written(|job| blocks(job, "bsrange")),
    FioOption::new(
        "bssplit",
        ValueKind::Words("bytes/percent:…"),
        "bytes of each read, drawn by shares; of lists with commas the first, that of reads",
    )
    .set(|job, value| {
        job.has_lists |= value.contains(',');
        job.has_sizes = true;
        put(&mut job.blocks, Blocks::split(value))
    })
    .written(|job| blocks(job, "bssplit")),
    FioOption::new("size", BYTES, "bytes of the file that are read")
        .set(|job, value| {
            put(
                &mut job.size_bytes,
                some_bytes(value).map_err(|it| no_percent(value, it)),
            )
        })
        .written(|job| (job.size_bytes > 0).then(|| job.size_bytes.to_string())),
    FioOption::new(
        "io_size",
        BYTES,
        "bytes that are read in all, where not the size",
    )
    .alias("io_limit")
    .set(|job, value| put(&mut job.io_bytes, some_bytes(value).map(Some)))
    .written(|job| text(job.io_bytes)),
    FioOption::new("offset", BYTES, "where in the file the job begins")
        .default("0")
        .set(|job, value| {
            put(
                &mut job.offset_bytes,
                bytes(value).map_err(|it| no_percent(value, it)),
            )
        })
        // fio does not look at it where a job appends.
        .written(|job| text((!job.appends).then_some(job.offset_bytes))),
    FioOption::new("numjobs", COUNT, "how many processes do the same")
        .default("1")
        .set(|job, value| put(&mut job.threads, count(value, MOST_THREADS)))
        .written(|job| text(Some(job.threads))),
    FioOption::new(
        "iodepth",
        COUNT,
        "reads at the same time, where the engine can have several",
    )
    .default("1")
    .set(|job, value| put(&mut job.depth, count(value, MOST_DEPTH)))
    .written(|job| text(Some(job.depth))),
    FioOption::new(
        "ioengine",
        ValueKind::Words("sync, psync, vsync, pvsync, pvsync2, libaio, io_uring or mmap"),
        "how reads are handed to the kernel",
    )
    .default("psync")
    .set(|job, value| put(&mut job.engine, engine(value)))
    .written(|job| text(Some(job.engine.name()))),
    FioOption::new("direct", ValueKind::Flag, "past the page cache")
        .default("0")
        .set(|job, value| put(&mut job.direct, flag(value)))
        .written(|job| bit(job.direct)),
    FioOption::new("runtime", TIME, "the longest time of the job")
        .alias("timeout")
        .set(|job, value| {
            job.runtime_us = Some(microseconds(value, 1e6)?).filter(|&it| it > 0.0);
            Ok(())
        })
        .written(|job| job.runtime_us.and_then(time)),
    FioOption::new(
        "time_based",
        ValueKind::Flag,
        "the job begins anew until that time is over",
    )
    .default("0")
    .set(|job, value| put(&mut job.time_based, flag(value)))
    .written(|job| yes(job.time_based)),
    FioOption::new("loops", COUNT, "passes over the file")
        .default("1")
        .set(|job, value| put(&mut job.loops, count(value, MOST_LOOPS)))
        .written(|job| text(Some(job.loops))),
    FioOption::new(
        "stonewall",
        ValueKind::Flag,
        "the job waits for all before it",
    )
    .alias("wait_for_previous")
    .default("0")
    .set(|job, value| put(&mut job.stonewall, flag(value)))
    .written(|job| yes(job.stonewall)),
    FioOption::new(
        "invalidate",
        ValueKind::Flag,
        "the file is dropped from the page cache before each pass",
    )
    .default("1")
    .set(|job, value| put(&mut job.invalidate, flag(value)))
    .written(|job| bit(job.invalidate)),
    FioOption::new("filename", NAME, "a file that all processes share")
        .set(|job, value| put(&mut job.filename, filename(value).map(Some)))
        .written(|job| job.filename.clone()),
    FioOption::new("read_iolog", NAME, "a log that says what is read")
        .set(|job, value| {
            job.log = Some(Arc::new(Iolog::unread(one_path(value)?)));
            Ok(())
        })
        .written(|job| text(job.log.as_ref().map(|it| it.path.display()))),
    FioOption::new(
        "replay_no_stall",
        ValueKind::Flag,
        "nothing is waited for between two lines of the log",
    )
    .default("0")
    .set(|job, value| put(&mut job.replays_at_once, flag(value))),
    FioOption::new("directory", NAME, "where files are")
        .set(|job, value| put(&mut job.directory, one_path(value).map(Some)))
        .written(|job| job.directory.clone()),
    FioOption::new("ramp_time", TIME, "time before anything is counted")
        .default("0")
        .set(|job, value| put(&mut job.ramp_us, microseconds(value, 1e6)))
        .written(|job| time(job.ramp_us)),
    FioOption::new("startdelay", TIME, "time before a process begins")
        .default("0")
        .set(|job, value| put(&mut job.delay_us, delay(value)))
        .written(|job| time(job.delay_us)),
    FioOption::new(
        "rate",
        BYTES,
        "the most bytes a second that a process reads, and as many that it writes",
    )
    .set(|job, value| put(&mut job.bytes_per_s, rate(value).map(Some)))
    .written(|job| text(job.bytes_per_s)),
    FioOption::new("rate_iops", COUNT, "the most reads a second of a process, and as many writes")
        .set(|job, value| put(&mut job.reads_per_s, count(value, u32::MAX).map(Some)))
        .written(|job| text(job.reads_per_s)),
    FioOption::new(
        "thinktime",
        TIME,
        "a pause after each read; microseconds without a unit",
    )
    .default("0")
    .set(|job, value| put(&mut job.think_us, microseconds(value, 1.0)))
    .written(|job| time(job.think_us)),
    FioOption::new(
        "fadvise_hint",
        ValueKind::Words("0 or 1"),
        "fio tells the kernel in which order it reads",
    )
    .default("1")
    .set(|job, value| put(&mut job.advises, flag(value)))
    .written(|job| bit(job.advises)),
    FioOption::new(
        "norandommap",
        ValueKind::Flag,
        "places at random are drawn anew each time",
    )
    .default("0")
    .set(|job, value| put(&mut job.draws_anew, flag(value)))
    .written(|job| bit(job.pattern == Pattern::RandomAnew)),
    FioOption::new(
        "random_distribution",
        ValueKind::Words("random, zipf, pareto, normal, zoned or zoned_abs"),
        "which blocks are drawn how often",
    )
    .default("random")
    .set(|job, value| {
        job.has_lists |= value.contains(',');
        put(&mut job.distribution, value.parse())
    })
    .written(|job| text(Some(&job.distribution))),
    FioOption::new(
        "percentage_random",
        PERCENT,
        "reads at random that do not go on where the last one ended",
    )
    .default("100")
    .set(|job, value| {
        job.has_lists |= value.contains(',');
        put(&mut job.random_percent, percent(value))
    })
    .written(|job| text(Some(job.random_percent))),
    FioOption::new(
        "randrepeat",
        ValueKind::Flag,
        "each pass at random is as the first",
    )
    .default("1")
    .set(|job, value| put(&mut job.repeats, flag(value)))
    .written(|job| bit(job.repeats)),
    FioOption::new(
        "group_reporting",
        ValueKind::Flag,
        "nothing: the processes of a job are always reported together",
    ),
    FioOption::new("thread", ValueKind::Flag, "nothing: threads are processes"),
    FioOption::new("description", ValueKind::Any, "nothing"),
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
    let (of, value) = job.blocks.to_fio();
    (of == name).then_some(value)
}
