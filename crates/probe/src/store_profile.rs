//! The profile that findings make, and how well it fits them.

use std::num::NonZero;
use std::ops::RangeInclusive;
use std::thread;

use hotset_scenario::{
    CopyCost, CostLine, Device, DeviceKind, FileCalls, FileSystemSpec, FlushCost, Journal,
    MeasuredDevice, MeasuredWrites, Profile, Reading, Scheduler, SendCost, Writing,
};

use crate::copying;
use crate::direct::SMALL_BYTES;
use crate::readers::BLOCK_BYTES;
use crate::{
    BlockReads, DirectReads, DirectWrite, Figure, FileReads, Findings, InFlight, MappedBlocks,
    ParallelReads, SentBlocks, size_name,
};
use hotset_machine::file_system::{DirtyLimits, FileSystem};

/// The longest time of `[writing]`, a year.
const NEVER_S: f64 = 365.0 * 86_400.0;
/// Times between two commits that a profile may have, seconds.
const COMMIT_S: RangeInclusive<u64> = 1..=86_400;
/// The smallest journal that a profile may have, bytes.
const LEAST_JOURNAL_BYTES: u64 = 4 << 20;
/// Columns of a comment in a profile's file.
const COLUMNS: usize = 110;

/// Where a line is farthest from what it is fitted to.
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    /// `cached`, `uncached`, `device` or `device.write`.
    pub line: &'static str,
    /// Bytes of the file or request.
    pub bytes: u64,
    /// The median there.
    pub measured_us: f64,
    /// What the line says.
    pub fitted_us: f64,
}

impl Misfit {
    /// How far apart they are, as a share of the median.
    #[must_use]
    pub fn share(&self) -> f64 {
        (self.fitted_us / self.measured_us - 1.0).abs()
    }

    fn of(line: &'static str, fitted: CostLine, points: &[(u64, f64)]) -> Option<Self> {
        let points = points.iter().map(|&(bytes, measured_us)| Self {
            line,
            bytes,
            measured_us,
            fitted_us: fitted.us(bytes),
        });
        points.max_by(|a, b| a.share().total_cmp(&b.share()))
    }
}

impl Findings {
    /// The costs of serving files from here: lines fitted to whole files, cached and not, and for models the device and what
    /// copying costs. Nothing for fewer than two sizes.
    ///
    /// Files of a memory file system cost uncached what they cost cached.
    #[must_use]
    pub fn profile(&self) -> Option<Profile> {
        let cached = CostLine::fit(self.cached_points())?;
        let uncached = CostLine::fit(self.uncached_points())?;
        let open = self.operation("open and close")?;
        Some(Profile {
            open_us: open.median_us,
            reading: Some(self.reading()),
            copy: copying::costs(&self.copying),
            mapped: self.copying_of_mapped(),
            sending: self.sending(),
            write: self.writes.costs(),
            fsync: self.writes.sync_costs(),
            flush: self.flush(),
            calls: Some(self.calls()),
            writing: self.dirty_limits.as_ref().map(writing),
            flush_us: self.flush_us(),
            wake_us: self.writes.wake_us(),
            file_system: self.file_system.as_ref().and_then(laid_out_by),
            mount: self.measured_mount(),
            device: self.device().or_else(|| self.device_of_calls()),
            ..Profile::of_lines(self.kind(), cached, uncached, &self.source())
        })
    }

    /// [`Findings::doubts`] as comments of the profile's file.
    #[must_use]
    pub fn comments(&self, profile: &Profile) -> String {
        let doubts = self.doubts(profile);
        let lines = doubts.iter().flat_map(|doubt| wrapped(doubt));
        lines.map(|line| format!("# {line}\n")).collect()
    }

    /// For each of a profile's lines, where it is farthest from the medians.
    #[must_use]
    pub fn misfits(&self, profile: &Profile) -> Vec<Misfit> {
        let lines = [
            Misfit::of("cached", profile.cached, &self.cached_points()),
            self.is_evictable()
                .then(|| Misfit::of("uncached", profile.uncached, &self.uncached_points()))
                .flatten(),
            self.device_line()
                .and_then(|line| Misfit::of("device", line, &self.device_points())),
            self.write_line()
                .and_then(|line| Misfit::of("device.write", line, &self.write_points())),
        ];
        lines.into_iter().flatten().collect()
    }

    /// How far a profile's lines are from the medians of whole files at most, as a share of the median.
    #[must_use]
    pub fn apart(&self, profile: &Profile) -> f64 {
        let misfits = self.misfits(profile).into_iter();
        let files = misfits.filter(|it| !it.line.starts_with("device"));
        files.map(|it| it.share()).fold(0.0, f64::max)
    }

    /// What a reader of the profile has to know: where it is off, what is missing, what is noisy.
    #[must_use]
    pub fn doubts(&self, profile: &Profile) -> Vec<String> {
        let misfits = self.misfits(profile);
        let mut doubts: Vec<String> = misfits.iter().map(in_words).collect();
        doubts.extend(self.lack_of_device());
        doubts.extend(self.doubts_of_mount());
        doubts.extend(self.share_of_dirty());
        let noisy = self.noisy();
        if !noisy.is_empty() {
            let names = noisy.join(", ");
            doubts.push(format!(
                "Too noisy for an interval within 5 %: {names}. Try again on a quieter machine."
            ));
        }
        doubts
    }

    fn lack_of_device(&self) -> Option<String> {
        let why = match (&self.direct, self.is_evictable()) {
            (Some(_), _) => return None,
            (None, false) => "files of this file system are in memory and nowhere else",
            (None, true) if self.mount.is_some() => {
                return Some(
                    "This mount does not read past the page cache (O_DIRECT): [device] is made of blocks that were not in it."
                        .to_owned(),
                );
            }
            (None, true) => "this file system does not read past the page cache (O_DIRECT)",
        };
        Some(format!("The device is not measured: {why}."))
    }

    /// A limit of the device's own, which profiles do not have.
    fn share_of_dirty(&self) -> Option<String> {
        let share = self.file_system.as_ref()?.dirty_share?;
        (share.most_percent < 100).then(|| {
            format!(
                "Of what may be dirty, {} % may be this device's (max_ratio), which the profile does not say.",
                share.most_percent
            )
        })
    }

    fn is_evictable(&self) -> bool {
        self.files.iter().any(|it| it.uncached.is_some())
    }

    fn cached_points(&self) -> Vec<(u64, f64)> {
        if self.forgets() {
            return self.uncached_points();
        }
        let point = |it: &FileReads| (it.bytes, it.cached.median_us);
        self.files.iter().map(point).collect()
    }

    fn uncached_points(&self) -> Vec<(u64, f64)> {
        let point = |it: &FileReads| (it.bytes, it.uncached.unwrap_or(it.cached).median_us);
        self.files.iter().map(point).collect()
    }

    /// Single requests that the kernel does not cut.
    fn device_points(&self) -> Vec<(u64, f64)> {
        let most = self.max_request_bytes();
        let alone = self.direct.iter().flat_map(|direct| &direct.alone);
        let alone = alone.filter(|it| it.bytes <= most);
        alone.map(|it| (it.bytes, it.figure.median_us)).collect()
    }

    fn device_line(&self) -> Option<CostLine> {
        CostLine::fit(self.device_points())
    }

    /// Single writes that the kernel does not cut.
    fn writes_alone(&self) -> impl Iterator<Item = &DirectWrite> {
        let most = self.max_request_bytes();
        let alone = self.direct_writes.iter().flat_map(|direct| &direct.alone);
        alone.filter(move |it| it.bytes <= most)
    }

    /// Those at random places.
    fn write_points(&self) -> Vec<(u64, f64)> {
        let alone = self.writes_alone();
        alone.map(|it| (it.bytes, it.random.median_us)).collect()
    }

    fn write_line(&self) -> Option<CostLine> {
        CostLine::fit(self.write_points())
    }

    /// As for reads: the line through single writes, and what several in flight come to. What a write takes less that goes on where the
    /// last one ended is that of the smallest ones, which are nearly all delay.
    fn writes_of_device(&self) -> Option<MeasuredWrites> {
        let direct = self.direct_writes.as_ref()?;
        let line = self.write_line()?;
        let delay_us = line.fixed_us.max(0.0);
        let smallest = self.writes_alone().min_by_key(|it| it.bytes);
        let more_us = smallest.map_or(0.0, |it| it.sequential.median_us - it.random.median_us);
        Some(MeasuredWrites {
            delay_us,
            sequential_delay_us: (delay_us + more_us).max(0.0),
            bytes_per_us: line.bytes_per_us,
            total_bytes_per_us: best_rate(&direct.in_flight).max(line.bytes_per_us),
            delay_quantiles_us: (direct.quantiles_us)
                .map(|quantiles| delays_us(quantiles, line.bytes_per_us)),
            in_flight_us: in_flight_us(&direct.in_flight),
            segment_us: segment_us(direct.segment),
        })
    }

    /// The largest request: as the kernel tells, else the largest that was measured.
    fn max_request_bytes(&self) -> u64 {
        let system = self.file_system.as_ref();
        let alone = self.direct.iter().flat_map(|direct| &direct.alone);
        let measured = alone.map(|it| it.bytes).max();
        let limit = system.and_then(FileSystem::max_request_bytes);
        limit.or(measured).unwrap_or(SMALL_BYTES)
    }

    /// The line through single requests is one request's delay and rate. By Little's law the device serves as many at the same
    /// time as its best rate of small requests times what one of them takes alone, and each of several in flight takes as long as
    /// all of them together times their number. All together get at most the best rate that
    /// was seen: of requests in flight, or of a reader for whom the kernel reads ahead. Such a reader gets no more than it got alone.
    fn device(&self) -> Option<Device> {
        let direct = self.direct.as_ref()?;
        let line = self.device_line()?;
        let stream = self.stream();
        let total = best_rate(&direct.in_flight).max(line.bytes_per_us);
        Some(Device {
            kind: DeviceKind::Measured(MeasuredDevice {
                delay_us: line.fixed_us,
                bytes_per_us: line.bytes_per_us,
                slots: slots(direct),
                total_bytes_per_us: total.max(stream.unwrap_or(0.0)),
                stream_bytes_per_us: stream,
                max_request_bytes: self.max_request_bytes(),
                in_flight_us: in_flight_us(&direct.in_flight),
                segment_us: segment_us(direct.segment),
                write: self.writes_of_device(),
                delay_quantiles_us: (direct.quantiles_us)
                    .map(|quantiles| delays_us(quantiles, line.bytes_per_us)),
            }),
            scheduler: self.file_system.as_ref().and_then(scheduler),
            raid: None,
        })
    }

    /// Bytes in a microsecond that a reader gets for whom the kernel reads ahead, the median of all blocks but small ones, which calls
    /// hold up. The best of several noisy figures would be too high.
    fn stream(&self) -> Option<f64> {
        let large = self.blocks.iter().filter(|it| it.bytes >= BLOCK_BYTES);
        let rate = |it: &BlockReads| Some(it.bytes as f64 / it.sequential_uncached?.median_us);
        let mut rates: Vec<f64> = large.filter_map(rate).collect();
        rates.sort_by(f64::total_cmp);
        rates.get(rates.len() / 2).copied()
    }

    fn copying_of_mapped(&self) -> Vec<CopyCost> {
        let row = |it: &MappedBlocks| CopyCost {
            working_set_bytes: None,
            block_bytes: it.bytes,
            sequential_us: it.sequential.median_us,
            random_us: it.random.median_us,
        };
        let blocks = self.mapped.iter().flat_map(|it| &it.blocks);
        blocks.map(row).collect()
    }

    /// Calls that move no data.
    fn calls(&self) -> FileCalls {
        let us = |name: &str| self.operation(name).map(|it| it.median_us);
        FileCalls {
            create_us: us("create"),
            unlink_us: us("unlink"),
            rename_us: us("rename"),
            truncate_us: us("truncate"),
            mkdir_us: us("mkdir"),
        }
    }

    /// What flushing takes; nothing where the device has no volatile cache, or does not tell.
    fn flush_us(&self) -> Option<f64> {
        let figure = self.writes.flush.filter(|_| self.has_volatile_cache());
        figure.map(|figure| figure.median_us)
    }

    /// The same by how much was written.
    fn flush(&self) -> Vec<FlushCost> {
        match self.has_volatile_cache() {
            true => self.writes.flush_costs(),
            false => Vec::new(),
        }
    }

    fn has_volatile_cache(&self) -> bool {
        let device = self.file_system.as_ref().and_then(|it| it.device.as_ref());
        device.and_then(|it| it.volatile_cache) == Some(true)
    }

    fn sending(&self) -> Vec<SendCost> {
        let row = |it: &SentBlocks| SendCost {
            block_bytes: it.bytes,
            written_us: it.written.median_us,
            cold_us: it.cold.median_us,
            sent_us: it.sent.median_us,
        };
        self.sending.iter().map(row).collect()
    }

    /// What the kernel reads ahead here, and how many times as fast as one reader of random blocks the best number of
    /// readers was.
    fn reading(&self) -> Reading {
        let unknown = Reading::default();
        let ahead = self.file_system.as_ref().and_then(|it| it.read_ahead_kib);
        let uncached = |it: &ParallelReads| Some(it.uncached?.median_us);
        let best = self
            .readers
            .iter()
            .filter_map(uncached)
            .fold(f64::INFINITY, f64::min);
        let alone = self.blocks.iter().find(|it| it.bytes == BLOCK_BYTES);
        let alone = alone.and_then(|it| Some(it.random_uncached?.median_us));
        Reading {
            read_ahead_bytes: ahead.map_or(unknown.read_ahead_bytes, |kib| kib << 10),
            parallel: alone.map_or(unknown.parallel, |alone| {
                (alone / best).max(unknown.parallel)
            }),
            fault_us: self.mapped.as_ref().map(|it| it.fault.median_us),
            processors: thread::available_parallelism().map_or(unknown.processors, NonZero::get),
            ..unknown
        }
    }

    fn source(&self) -> String {
        let directory = self.directory.display();
        let on = self.file_system.as_ref();
        let on = on.map(|it| format!(", {} of {}", it.kind, it.source.display()));
        format!(
            "measured by hotset probe in {directory}{}: medians of whole files, least squares of relative errors",
            on.unwrap_or_default()
        )
    }
}

/// Quantiles of small requests without what their bytes take.
fn delays_us(quantiles: [f64; 6], bytes_per_us: f64) -> [f64; 6] {
    quantiles.map(|us| (us - SMALL_BYTES as f64 / bytes_per_us).max(0.0))
}

/// Bytes in a microsecond of all requests in flight together.
fn best_rate(in_flight: &[InFlight]) -> f64 {
    let in_flight = in_flight.iter().flat_map(|it| {
        [
            SMALL_BYTES as f64 / it.small.median_us,
            it.large_bytes as f64 / it.large.median_us,
        ]
    });
    in_flight.fold(0.0, f64::max)
}

/// What a small request takes by how many are in flight, from one on; nothing where that was not measured.
fn in_flight_us(in_flight: &[InFlight]) -> Option<Vec<(usize, f64)>> {
    let pairs = in_flight.iter();
    let pairs = pairs.map(|it| (it.requests, it.requests as f64 * it.small.median_us));
    let pairs: Vec<(usize, f64)> = pairs.collect();
    pairs.first().filter(|pair| pair.0 == 1)?;
    Some(pairs)
}

/// What a further segment takes; nothing where that is lost in the noise.
fn segment_us(segment: Option<Figure>) -> f64 {
    let figure = segment.filter(|it| it.low_us > 0.0);
    figure.map_or(0.0, |it| it.median_us)
}

fn slots(direct: &DirectReads) -> usize {
    let small = direct.alone.iter().find(|it| it.bytes == SMALL_BYTES);
    let between = direct.in_flight.iter().map(|it| it.small.median_us);
    let best = between.fold(f64::INFINITY, f64::min);
    small.map_or(1, |it| {
        (it.figure.median_us / best).round().max(1.0) as usize
    })
}

/// What files of a file system are laid out by, as profiles say it; nothing where the kernel does not tell.
#[must_use]
pub fn laid_out_by(system: &FileSystem) -> Option<FileSystemSpec> {
    if system.is_remote() {
        // Journals are the servers', and blocks here are pages.
        return Some(FileSystemSpec {
            journal: Some(Journal::None),
            ..FileSystemSpec::new(&system.kind, SMALL_BYTES)
        });
    }
    let known = FileSystemSpec::new(&system.kind, system.block_bytes?);
    let Some(journal) = &system.journal else {
        return Some(known);
    };
    let mode = journal.mode.as_deref().and_then(|mode| match mode {
        "none" => Some(Journal::None),
        "ordered" => Some(Journal::Ordered),
        "writeback" => Some(Journal::Writeback),
        "journal" => Some(Journal::Data),
        _ => None,
    });
    if mode == Some(Journal::None) {
        return Some(FileSystemSpec {
            journal: mode,
            ..known
        });
    }
    let commit_s = journal.commit_s.filter(|it| COMMIT_S.contains(it));
    Some(FileSystemSpec {
        journal: mode,
        commit_s: commit_s.map(|seconds| seconds as f64),
        journal_bytes: journal.bytes.filter(|&bytes| bytes >= LEAST_JOURNAL_BYTES),
        journal_at: journal.at,
        barrier: journal.barrier,
        ..known
    })
}

/// When the machine writes back what is dirty, as profiles say it.
fn writing(limits: &DirtyLimits) -> Writing {
    let usual = Writing::default();
    let percent = |known: Option<u64>, usual: f64| known.map_or(usual, |it| it as f64);
    // 0 is for never, and for at once.
    let flush_s = match limits.flush_centiseconds {
        0 => NEVER_S,
        hundredths => hundredths as f64 / 100.0,
    };
    Writing {
        dirty_background_ratio: percent(limits.background_percent, usual.dirty_background_ratio),
        dirty_background_bytes: limits.background_bytes,
        dirty_limit_ratio: percent(limits.limit_percent, usual.dirty_limit_ratio),
        dirty_limit_bytes: limits.limit_bytes,
        expire_s: (limits.expire_centiseconds as f64 / 100.0).clamp(0.01, NEVER_S),
        flush_s: flush_s.min(NEVER_S),
    }
}

/// The scheduler in force; that of its parts for a RAID, which has none of its own.
fn scheduler(system: &FileSystem) -> Option<Scheduler> {
    let device = system.device.as_ref()?;
    let part = device.parts.first().and_then(|it| it.scheduler.as_ref());
    Scheduler::of(part.or(device.scheduler.as_ref())?)
}

fn in_words(misfit: &Misfit) -> String {
    let what = match misfit.line {
        "device" => "The line of single requests to the device".to_owned(),
        "device.write" => "The line of single writes to the device".to_owned(),
        line => format!("The line `{line}` of whole files"),
    };
    format!(
        "{what} is at most {:.0} % from a median: {} µs for {}, where {} µs were measured.",
        100.0 * misfit.share(),
        short(misfit.fitted_us),
        size_name(misfit.bytes),
        short(misfit.measured_us)
    )
}

/// A time of three digits or more.
fn short(us: f64) -> String {
    let decimals = match us {
        us if us < 1.0 => 3,
        us if us < 10.0 => 2,
        us if us < 100.0 => 1,
        _ => 0,
    };
    format!("{us:.decimals$}")
}

/// Lines of words.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines
            .last_mut()
            .filter(|line| line.len() + word.len() < COLUMNS);
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}
