//! A job: what is read, how, and for how long.

use std::sync::Arc;

use hotset_cache::PAGE_BYTES;

use super::{Allocation, Blocks, Delivery, Distribution, Iolog, RangeSync, WriteSync};
use crate::divisor::common_divisor;
use crate::read_ahead::Advice;

/// What a job does with its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It reads them.
    Reads,
    /// It writes them.
    Writes,
    /// It reads some and writes the others (`rw`, `randrw`).
    Both,
}

impl Mode {
    /// Whether there are reads.
    #[must_use]
    pub fn reads(self) -> bool {
        self != Self::Writes
    }

    /// Whether there are writes.
    #[must_use]
    pub fn writes(self) -> bool {
        self != Self::Reads
    }
}

/// The order in which blocks are read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One after the other.
    Sequential,
    /// At random places, each once in a pass.
    Random,
    /// At random places, drawn anew each time (`norandommap`).
    RandomAnew,
}

/// fio's engine that maps files.
pub(super) const MAPPED: &str = "mmap";
/// Its engine of Linux' older asynchronous calls.
const LIBAIO: &str = "libaio";

/// How reads are handed to the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A call that returns with the data, by fio's name.
    Calls(String),
    /// Several at a time, by fio's name.
    Queue(String),
    /// The file is mapped, and copied from there (`engines/mmap.c`).
    Mapped,
}

impl Engine {
    /// As fio calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Calls(name) | Self::Queue(name) => name,
            Self::Mapped => MAPPED,
        }
    }
}

/// A job of a job file, with what it takes from `[global]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Its section.
    pub name: String,
    /// The section's line, from 1.
    pub line: usize,
    /// Whether it reads, writes, or both.
    pub mode: Mode,
    /// Of a hundred requests of a job that does both, those that read (`rwmixread`).
    pub read_percent: u32,
    /// What each of its writes has on the device before it is over (`sync`).
    pub write_sync: WriteSync,
    /// The file is synced after so many writes of it (`fsync`).
    pub sync_every: Option<u32>,
    /// Its data is synced after so many writes of it (`fdatasync`).
    pub data_sync_every: Option<u32>,
    /// What is done after some writes with pages that were written (`sync_file_range`).
    pub range_sync: Option<RangeSync>,
    /// The file is synced when all is written (`end_fsync`).
    pub syncs_at_end: bool,
    /// The file is synced when it is closed, which is at the end too (`fsync_on_close`).
    pub syncs_on_close: bool,
    /// Whether its file is there with data before it writes (`overwrite`).
    pub overwrites: bool,
    /// How blocks of its file are allocated, where that is new (`fallocate`).
    pub allocation: Allocation,
    /// Whether it writes behind the end of its file (`file_append`); `offset_bytes` is that end then.
    pub appends: bool,
    /// Whether its file is made when it is opened (`create_on_open`).
    pub creates_on_open: bool,
    /// The order of its reads and writes.
    pub pattern: Pattern,
    /// At random places, how many blocks lie in a row (`rw=randread:8`).
    pub in_row: u32,
    /// Of blocks one after the other, bytes that are passed over between two (`rw=read:4k`).
    pub hole_bytes: u64,
    /// Bytes of its reads (`bs`, `bsrange`, `bssplit`).
    pub blocks: Blocks,
    /// Bytes of the file that are read (`size`).
    pub size_bytes: u64,
    /// Bytes that are read in all where not the size (`io_size`).
    pub io_bytes: Option<u64>,
    /// Where in the file it begins (`offset`).
    pub offset_bytes: u64,
    /// Which blocks are drawn how often (`random_distribution`).
    pub distribution: Distribution,
    /// Of a hundred reads at random, those that do not go on where the last one ended (`percentage_random`).
    pub random_percent: u32,
    /// Whether each pass at random is as the first (`randrepeat`).
    pub repeats: bool,
    /// How many processes do the same (`numjobs`).
    pub threads: u32,
    /// Reads at the same time (`iodepth`), where the engine can have several.
    pub depth: u32,
    /// How reads are handed to the kernel.
    pub engine: Engine,
    /// What becomes of what is read. fio keeps it.
    pub delivery: Delivery,
    /// Past the page cache.
    pub direct: bool,
    /// Longest time, microseconds.
    pub runtime_us: Option<f64>,
    /// Whether it begins anew until that time is over.
    pub time_based: bool,
    /// Passes over the file.
    pub loops: u32,
    /// Waits for all jobs before it.
    pub stonewall: bool,
    /// Drops the file from the page cache before each pass.
    pub invalidate: bool,
    /// A log that says what is read (`read_iolog`); order, sizes and rates above then mean nothing, as in fio.
    pub log: Option<Arc<Iolog>>,
    /// Whether nothing is waited for between two lines of the log (`replay_no_stall`).
    pub replays_at_once: bool,
    /// A file that all processes share.
    pub filename: Option<String>,
    /// Where files are.
    pub directory: Option<String>,
    /// Time before anything is counted, microseconds.
    pub ramp_us: f64,
    /// Time before a process begins (`startdelay`), microseconds.
    pub delay_us: f64,
    /// The most bytes a second that a process reads.
    pub bytes_per_s: Option<u64>,
    /// The most reads a second of a process, where all are of the smallest size (`rate_iops`).
    pub reads_per_s: Option<u32>,
    /// A pause after each read, microseconds.
    pub think_us: f64,
    /// Whether fio tells the kernel in which order it reads (`fadvise_hint`).
    pub advises: bool,
    /// Whether blocks at random are drawn anew each time; `pattern` says so once the whole section is read.
    pub(crate) draws_anew: bool,
    /// Whether an option has a list with a value for each direction.
    pub(crate) has_lists: bool,
    /// Whether `bsrange` or `bssplit` has told sizes, so that `bs` says nothing.
    pub(crate) has_sizes: bool,
}

impl Job {
    /// A job of which only the name is known, with fio's defaults.
    pub(crate) fn new(name: &str, line: usize) -> Self {
        Self {
            name: name.to_owned(),
            line,
            mode: Mode::Reads,
            // fio's default (`options.c`).
            read_percent: 50,
            write_sync: WriteSync::None,
            sync_every: None,
            data_sync_every: None,
            range_sync: None,
            syncs_at_end: false,
            syncs_on_close: false,
            overwrites: false,
            allocation: Allocation::Native,
            appends: false,
            creates_on_open: false,
            pattern: Pattern::Sequential,
            in_row: 1,
            hole_bytes: 0,
            // fio's default (`options.c`).
            blocks: Blocks::One(4096),
            size_bytes: 0,
            io_bytes: None,
            offset_bytes: 0,
            distribution: Distribution::Uniform,
            random_percent: 100,
            repeats: true,
            threads: 1,
            depth: 1,
            engine: Engine::Calls("psync".to_owned()),
            delivery: Delivery::Kept,
            direct: false,
            runtime_us: None,
            time_based: false,
            loops: 1,
            stonewall: false,
            invalidate: true,
            log: None,
            replays_at_once: false,
            filename: None,
            directory: None,
            ramp_us: 0.0,
            delay_us: 0.0,
            bytes_per_s: None,
            reads_per_s: None,
            think_us: 0.0,
            advises: true,
            draws_anew: false,
            has_lists: false,
            has_sizes: false,
        }
    }

    /// Reads of one process that are under way at the same time.
    #[must_use]
    pub fn lanes(&self) -> u32 {
        match self.kept() {
            1 => self.handed_over(),
            _ => 1,
        }
    }

    /// Reads that a process has handed over and not taken back.
    pub(crate) fn handed_over(&self) -> u32 {
        match self.engine {
            Engine::Calls(_) | Engine::Mapped => 1,
            Engine::Queue(_) => self.depth,
        }
    }

    /// Reads that have their data before the first of them is taken back. Through the page cache, `io_submit` returns when
    /// the data is there (`aio_read`, `fs/aio.c`, calls the file system's own read): libaio reads one after the other, and takes
    /// the first back when its queue is full (`queue_full`, `backend.c` of fio). It writes so too. io_uring has several reads under way, and one
    /// write of a file at a time (`io_prep_async_work`, `io_uring/io_uring.c`: `hash_reg_file`).
    pub(crate) fn kept(&self) -> u32 {
        match &self.engine {
            Engine::Queue(name)
                if !self.direct && (name == LIBAIO || self.mode == Mode::Writes) =>
            {
                self.depth
            }
            Engine::Queue(_) | Engine::Calls(_) | Engine::Mapped => 1,
        }
    }

    /// Whether a process that syncs does nothing else meanwhile, with several requests under way: libaio has no call for that
    /// (`fio_libaio_queue`, `engines/libaio.c` of fio).
    pub(crate) fn syncs_alone(&self) -> bool {
        matches!(&self.engine, Engine::Queue(name) if name == LIBAIO) && self.lanes() > 1
    }

    /// Whether its files are there with data before the first job begins. fio lays them out for jobs that read or overwrite (`extend_file`,
    /// `filesetup.c`). Logs are of files that are there.
    #[must_use]
    pub fn finds_its_files(&self) -> bool {
        let is_laid_out = self.overwrites && !self.appends && !self.creates_on_open;
        self.log.is_some() || self.mode.reads() || is_laid_out
    }

    /// How blocks of its files are allocated where it makes them.
    pub(crate) fn made_by(&self) -> Allocation {
        match self.creates_on_open {
            true => Allocation::None,
            false => self.allocation,
        }
    }

    /// The file of process `number`, as fio names it.
    #[must_use]
    pub fn file(&self, number: u32) -> String {
        let name = match &self.filename {
            Some(name) => name.clone(),
            None => format!("{}.{number}.0", self.name),
        };
        self.inside(&name)
    }

    /// A file where the job has its files.
    fn inside(&self, name: &str) -> String {
        match &self.directory {
            Some(directory) => format!("{}/{name}", directory.trim_end_matches('/')),
            None => name.to_owned(),
        }
    }

    /// Bytes of the files of each process.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        match &self.log {
            Some(log) => log
                .files
                .iter()
                .fold(0, |sum, file| sum.saturating_add(file.bytes)),
            None => self.offset_bytes + self.size_bytes,
        }
    }

    /// The files of process `number`, and the bytes of each.
    #[must_use]
    pub fn files(&self, number: u32) -> Vec<(String, u64)> {
        match &self.log {
            Some(log) => {
                let files = log.files.iter();
                files.map(|it| (self.inside(&it.name), it.bytes)).collect()
            }
            None => vec![(self.file(number), self.file_bytes())],
        }
    }

    /// The largest number of bytes that every place where a read begins or ends is a multiple of.
    pub(crate) fn unit_bytes(&self) -> u64 {
        match &self.log {
            Some(log) => log.unit_bytes(),
            // Faults are of pages, however large blocks are.
            None if self.engine == Engine::Mapped => {
                common_divisor(self.blocks.least(), PAGE_BYTES)
            }
            None => {
                let step = common_divisor(self.blocks.least(), self.hole_bytes);
                common_divisor(step, self.offset_bytes)
            }
        }
    }

    /// Bytes after which a process reads no more (`io_issue_bytes_exceeded`, `backend.c`).
    pub(crate) fn total_bytes(&self) -> u64 {
        let passes = self.size_bytes.saturating_mul(u64::from(self.loops));
        self.io_bytes.unwrap_or(passes)
    }

    /// Bytes a second that a process keeps to. fio has the smallest size stand for all where reads are counted
    /// (`__setup_rate`, `init.c`).
    pub(crate) fn pace(&self) -> Option<u64> {
        let reads = self.reads_per_s.map(u64::from);
        let bytes = reads.map(|reads| reads.saturating_mul(self.blocks.least()));
        self.bytes_per_s.or(bytes)
    }

    /// Time from the start of its stage in which nothing is counted, microseconds.
    pub(crate) fn uncounted_us(&self) -> f64 {
        self.delay_us + self.ramp_us
    }

    /// What fio tells the kernel (`td_io_open_file`, `ioengines.c`).
    pub(crate) fn advice(&self) -> Advice {
        match (self.advises, self.pattern) {
            (false, _) if self.engine == Engine::Mapped => Advice::Around,
            (false, _) => Advice::Normal,
            // Whatever `rw` says, a log of reads makes it `read` (`read_iolog`, `iolog.c`).
            (true, _) if self.log.is_some() => Advice::Sequential,
            (true, Pattern::Sequential) => Advice::Sequential,
            (true, Pattern::Random | Pattern::RandomAnew) => Advice::Random,
        }
    }
}
