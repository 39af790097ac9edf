//! What measuring a directory comes to.

use std::path::PathBuf;

use hotset_outcome::{
    Distribution, GroupKey, GroupKind, Latencies, Outcome, Provenance, ProvenanceKind, Score,
};

use crate::direct::SMALL_BYTES;
use crate::{
    BlockReads, CopyReads, DirectReads, DirectWrites, Figure, FileReads, MappedReads, MountCalls,
    Operation, ParallelReads, SentBlocks, Writes,
};
use hotset_machine::file_system::{DirtyLimits, FileSystem};

/// What measuring a directory comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// The directory.
    pub directory: PathBuf,
    /// What it is on.
    pub file_system: Option<FileSystem>,
    /// When the machine writes back what is dirty; nothing where the kernel does not tell.
    pub dirty_limits: Option<DirtyLimits>,
    /// Calls of the mount; nothing of a file system on this machine.
    pub mount: Option<MountCalls>,
    /// Reading whole files, by size.
    pub files: Vec<FileReads>,
    /// Reading blocks of a large file, by size.
    pub blocks: Vec<BlockReads>,
    /// Reading blocks from the page cache, by working set and size.
    pub copying: Vec<CopyReads>,
    /// Reading a large file that is mapped; nothing where the page cache does not keep files once they are opened anew.
    pub mapped: Option<MappedReads>,
    /// Readers side by side.
    pub readers: Vec<ParallelReads>,
    /// Handing blocks to a local socket, by size.
    pub sending: Vec<SentBlocks>,
    /// Reading past the page cache; nothing where the file system does not, or is in memory only.
    pub direct: Option<DirectReads>,
    /// Writing past the page cache; nothing likewise.
    pub direct_writes: Option<DirectWrites>,
    /// Everything but reading.
    pub operations: Vec<Operation>,
    /// Writing into the page cache, and waiting for the device.
    pub writes: Writes,
}

impl Findings {
    /// The type of the file system, or what stands for it.
    #[must_use]
    pub fn kind(&self) -> &str {
        let known = self.file_system.as_ref();
        known.map_or("file system", |it| it.kind.as_str())
    }

    /// What an operation takes.
    #[must_use]
    pub fn operation(&self, name: &str) -> Option<Figure> {
        let found = self.operations.iter().find(|it| it.name == name)?;
        Some(found.figure)
    }

    /// All figures, and what each is of.
    pub fn figures(&self) -> impl Iterator<Item = (String, Figure)> {
        let operations = self.operations.iter();
        let operations = operations.map(|it| (it.name.to_owned(), it.figure));
        let files = self.files.iter().flat_map(|it| {
            let size = size_name(it.bytes);
            let opened = Some((format!("open and close {size}"), it.open_close));
            let cached = Some((format!("read cached {size}"), it.cached));
            let uncached = it.uncached.map(|it| (format!("read uncached {size}"), it));
            [opened, cached, uncached].into_iter().flatten()
        });
        let blocks = self.blocks.iter().flat_map(|it| {
            let size = size_name(it.bytes);
            let named = |how: &str, figure| (format!("{how} blocks of {size}"), figure);
            [
                Some(named("sequential cached", it.sequential_cached)),
                Some(named("random cached", it.random_cached)),
                it.sequential_uncached
                    .map(|it| named("sequential uncached", it)),
                it.random_uncached.map(|it| named("random uncached", it)),
            ]
            .into_iter()
            .flatten()
        });
        let copying = self.copying.iter().flat_map(|it| {
            let (set, size) = (size_name(it.working_set_bytes), size_name(it.bytes));
            let named = |how: &str, figure| (format!("{how} blocks of {size} of {set}"), figure);
            [
                named("sequential", it.sequential),
                named("random", it.random),
            ]
        });
        let readers = self.readers.iter().flat_map(|it| {
            let named =
                |how: &str, figure| (format!("{} {how}", counted(it.readers, "reader")), figure);
            let cached = Some(named("cached", it.cached));
            let uncached = it.uncached.map(|it| named("uncached", it));
            [cached, uncached].into_iter().flatten()
        });
        operations
            .chain(self.mount_figures())
            .chain(files)
            .chain(blocks)
            .chain(copying)
            .chain(readers)
            .chain(self.mapped_figures())
            .chain(self.sending_figures())
            .chain(self.direct_figures())
            .chain(self.direct_write_figures())
            .chain(self.write_figures())
    }

    fn direct_write_figures(&self) -> impl Iterator<Item = (String, Figure)> {
        let alone = self.direct_writes.iter().flat_map(|direct| &direct.alone);
        let alone = alone.flat_map(|it| {
            let named = |how: &str, figure| {
                let size = size_name(it.bytes);
                (format!("direct write of {size} {how}"), figure)
            };
            [
                named("at random", it.random),
                named("in sequence", it.sequential),
            ]
        });
        let in_flight = self.direct_writes.iter().flat_map(|it| &it.in_flight);
        let in_flight = in_flight.flat_map(|it| {
            let named = |bytes, figure| {
                let requests = counted(it.requests, "write");
                let size = size_name(bytes);
                (format!("{requests} of {size} in flight"), figure)
            };
            [
                named(SMALL_BYTES, it.small),
                named(it.large_bytes, it.large),
            ]
        });
        alone.chain(in_flight)
    }

    fn write_figures(&self) -> impl Iterator<Item = (String, Figure)> {
        let blocks = self.writes.blocks.iter().flat_map(|it| {
            let named = |how: &str, figure| (format!("{how} {}", size_name(it.bytes)), figure);
            [
                named("write over", it.over),
                named("append", it.appended),
                named("write after a sync", it.after_sync),
            ]
        });
        let syncs = self.writes.syncs.iter();
        let syncs = syncs.map(|it| (format!("fsync after {}", size_name(it.bytes)), it.figure));
        let grown = self.writes.grown.iter();
        let grown = grown.map(|it| {
            let name = format!("fsync after {} at the end", size_name(it.bytes));
            (name, it.figure)
        });
        let writers = self.writes.writers.iter();
        let writers = writers.map(|it| {
            let name = format!("fsync of {}", counted(it.writers, "writer"));
            (name, it.figure)
        });
        let flushes = self.writes.flushes.iter();
        let flushes = flushes.flat_map(|it| {
            let size = size_name(it.bytes);
            [
                (format!("flush after {size}"), it.figure),
                (format!("first flush in a tick after {size}"), it.new_tick),
            ]
        });
        let idle = self.writes.idle.iter().flat_map(|it| {
            let named = |which: &str, figure| {
                let name = format!("{which} after {} ms of idleness", it.idle_ms);
                (name, figure)
            };
            [
                named("first fsync", it.first),
                named("next fsyncs", it.next),
            ]
        });
        let wakes = self.writes.wakes.iter().flat_map(|it| {
            let named = |which: &str, figure| {
                let name = format!("{which} after {} ms of idleness", it.idle_ms);
                (name, figure)
            };
            [
                named("first wake-up", it.first),
                named("next wake-ups", it.next),
            ]
        });
        blocks
            .chain(syncs)
            .chain(grown)
            .chain(writers)
            .chain(flushes)
            .chain(idle)
            .chain(wakes)
    }

    fn mount_figures(&self) -> impl Iterator<Item = (String, Figure)> {
        let mount = self.mount.iter();
        let alone = mount.clone().flat_map(|it| {
            [
                ("call and answer", it.round_trip),
                ("attributes anew", it.attributes),
                ("open, read 4K and close", it.open_read_close),
            ]
        });
        let alone = alone.map(|(name, figure)| (name.to_owned(), figure));
        let callers = mount.flat_map(|it| &it.callers);
        let callers = callers.map(|it| (counted(it.callers, "caller"), it.figure));
        alone.chain(callers)
    }

    fn mapped_figures(&self) -> impl Iterator<Item = (String, Figure)> {
        let mapped = self.mapped.iter();
        let fault = mapped.clone().map(|it| ("page fault".to_owned(), it.fault));
        let blocks = mapped.flat_map(|it| &it.blocks).flat_map(|it| {
            let named = |how: &str| format!("{how} mapped blocks of {}", size_name(it.bytes));
            [
                (named("sequential"), it.sequential),
                (named("random"), it.random),
            ]
        });
        fault.chain(blocks)
    }

    fn sending_figures(&self) -> impl Iterator<Item = (String, Figure)> {
        self.sending.iter().flat_map(|it| {
            let named = |how: &str, figure| (format!("{how} {}", size_name(it.bytes)), figure);
            [
                named("write to a socket", it.written),
                named("write to a socket, from memory,", it.cold),
                named("sendfile", it.sent),
            ]
        })
    }

    fn direct_figures(&self) -> impl Iterator<Item = (String, Figure)> {
        let alone = self.direct.iter().flat_map(|direct| &direct.alone);
        let alone = alone.map(|it| (format!("direct {}", size_name(it.bytes)), it.figure));
        let in_flight = self.direct.iter().flat_map(|direct| &direct.in_flight);
        let in_flight = in_flight.flat_map(|it| {
            let named = |bytes, figure| {
                let requests = counted(it.requests, "request");
                (
                    format!("{requests} of {} in flight", size_name(bytes)),
                    figure,
                )
            };
            [
                named(SMALL_BYTES, it.small),
                named(it.large_bytes, it.large),
            ]
        });
        alone.chain(in_flight)
    }

    /// Names of the figures whose interval is too wide.
    #[must_use]
    pub fn noisy(&self) -> Vec<String> {
        let noisy = self.figures().filter(|(_, figure)| !figure.is_tight());
        noisy.map(|(name, _)| name).collect()
    }

    /// The same as an outcome, to be compared with other stores and with published tables: means of opening and closing, and of
    /// reading whole files.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let mut provenance = Provenance::new(ProvenanceKind::Measured);
        let setting = |name: &str, value: String| (name.to_owned(), value);
        provenance.settings = vec![
            setting("file_system", self.kind().to_owned()),
            setting("directory", self.directory.display().to_string()),
        ];
        let mut outcome = Outcome::new(self.kind(), provenance, Score::default());
        for file in &self.files {
            let operations = [
                ("open and close", Some(file.open_close)),
                ("read cached", Some(file.cached)),
                ("read uncached", file.uncached),
            ];
            for (operation, figure) in operations {
                let Some(figure) = figure else { continue };
                let size = GroupKey::new(GroupKind::Size, size_name(file.bytes));
                outcome = outcome.with_group(size.with_operation(operation), score(&figure));
            }
        }
        outcome
    }
}

/// A number of things: `1 reader`, `2 readers`.
fn counted(count: usize, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        count => format!("{count} {thing}s"),
    }
}

fn score(figure: &Figure) -> Score {
    let count = figure.samples as u64;
    Score {
        requests: Some(count),
        latencies: Latencies {
            total: Some(Distribution {
                count: Some(count),
                p50_us: Some(figure.median_us),
                ..Distribution::of_mean(figure.mean_us)
            }),
            ..Latencies::default()
        },
        ..Score::default()
    }
}

/// A size as tables of file systems write it: `4K`, `1M`.
#[must_use]
pub fn size_name(bytes: u64) -> String {
    match bytes {
        bytes if bytes > 0 && bytes.is_multiple_of(1 << 20) => format!("{}M", bytes >> 20),
        bytes if bytes > 0 && bytes.is_multiple_of(1 << 10) => format!("{}K", bytes >> 10),
        bytes => bytes.to_string(),
    }
}
