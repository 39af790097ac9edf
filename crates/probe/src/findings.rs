//! What measuring a directory comes to.

use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

use hotset_outcome::{
    Distribution, GroupKey, GroupKind, Latencies, Outcome, Provenance, ProvenanceKind, Score,
};
use hotset_scenario::{CostLine, Profile, Reading};

use crate::readers::BLOCK_BYTES;
use crate::{BlockReads, Figure, FileReads, FileSystem, Operation, ParallelReads};

/// What measuring a directory comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// The directory.
    pub directory: PathBuf,
    /// What it is on.
    pub file_system: Option<FileSystem>,
    /// Reading whole files, by size.
    pub files: Vec<FileReads>,
    /// Reading blocks of a large file, by size.
    pub blocks: Vec<BlockReads>,
    /// Readers side by side.
    pub readers: Vec<ParallelReads>,
    /// Everything but reading.
    pub operations: Vec<Operation>,
}

impl Findings {
    /// The type of the file system, or what stands for it.
    #[must_use]
    pub fn kind(&self) -> &str {
        let known = self.file_system.as_ref();
        known.map_or("file system", |it| it.kind.as_str())
    }

    /// The costs of serving files from here, for the planner: lines fitted to whole files, cached and not. Nothing for fewer
    /// than two sizes.
    ///
    /// Files of a memory file system cost uncached what they cost cached.
    #[must_use]
    pub fn profile(&self) -> Option<Profile> {
        let line = |figure: &dyn Fn(&FileReads) -> Figure| {
            CostLine::fit(self.files.iter().map(|it| (it.bytes, figure(it).median_us)))
        };
        let open = self.operation("open and close")?;
        let (cached, uncached) = (
            line(&|it| it.cached)?,
            line(&|it| it.uncached.unwrap_or(it.cached))?,
        );
        Some(Profile {
            open_us: open.median_us,
            reading: Some(self.reading()),
            ..Profile::of_lines(self.kind(), cached, uncached, &self.source())
        })
    }

    /// What the kernel reads ahead here, and how many times as fast as one reader of random blocks the best number of
    /// readers was.
    fn reading(&self) -> Reading {
        let unknown = Reading::default();
        let ahead = self.file_system.as_ref().and_then(|it| it.read_ahead_kib);
        let times = self
            .readers
            .iter()
            .filter_map(|it| Some(it.uncached?.median_us));
        let alone = self.blocks.iter().find(|it| it.bytes == BLOCK_BYTES);
        let alone = alone.and_then(|it| Some(it.random_uncached?.median_us));
        let best = times.fold(f64::INFINITY, f64::min);
        Reading {
            read_ahead_bytes: ahead.map_or(unknown.read_ahead_bytes, |kib| kib << 10),
            parallel: alone.map_or(unknown.parallel, |alone| {
                (alone / best).max(unknown.parallel)
            }),
            processors: thread::available_parallelism().map_or(unknown.processors, NonZero::get),
        }
    }

    /// How far a profile's lines are from the medians of whole files at most, as a share of the median.
    #[must_use]
    pub fn apart(&self, profile: &Profile) -> f64 {
        let files = self.files.iter();
        let apart = |line: CostLine, file: &FileReads, figure: Figure| {
            (line.us(file.bytes) / figure.median_us - 1.0).abs()
        };
        let shares = files.map(|file| {
            let uncached = file.uncached.unwrap_or(file.cached);
            apart(profile.cached, file, file.cached).max(apart(profile.uncached, file, uncached))
        });
        shares.fold(0.0, f64::max)
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
            let cached = Some((format!("read cached {size}"), it.cached));
            let uncached = it.uncached.map(|it| (format!("read uncached {size}"), it));
            [cached, uncached].into_iter().flatten()
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
        let readers = self.readers.iter().flat_map(|it| {
            let named = |how: &str, figure| (format!("{} readers {how}", it.readers), figure);
            let cached = Some(named("cached", it.cached));
            let uncached = it.uncached.map(|it| named("uncached", it));
            [cached, uncached].into_iter().flatten()
        });
        operations.chain(files).chain(blocks).chain(readers)
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
                ("open and close", self.operation("open and close")),
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
