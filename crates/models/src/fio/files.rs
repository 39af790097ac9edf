//! The files of jobs.

use std::collections::{BTreeMap, BTreeSet};

use super::{Engine, Job, Pattern};
use crate::divisor::common_divisor;
use crate::file_system::FilePlaces;
use crate::page_cache::StoredFile;
use crate::storage::{OpenFile, Storage, Usage};

/// Files by name, and the bytes that each has.
pub(super) struct Files {
    numbers: BTreeMap<String, u32>,
    sizes: Vec<u64>,
}

impl Files {
    pub fn of(jobs: &[Job]) -> Self {
        let (mut numbers, mut sizes) = (BTreeMap::new(), Vec::new());
        for (name, bytes) in jobs.iter().flat_map(of_job) {
            let number = *numbers.entry(name).or_insert(sizes.len() as u32);
            if number as usize == sizes.len() {
                sizes.push(0);
            }
            let size: &mut u64 = &mut sizes[number as usize];
            *size = (*size).max(bytes);
        }
        Self { numbers, sizes }
    }

    /// All, and where they lie if that is known.
    pub fn stored<'p>(&self, places: &'p FilePlaces) -> Vec<StoredFile<'p>> {
        let of_bytes = |&bytes: &u64| StoredFile {
            store: 0,
            bytes,
            extents: None,
        };
        let mut stored: Vec<_> = self.sizes.iter().map(of_bytes).collect();
        for (name, &number) in &self.numbers {
            stored[number as usize].extents = places.of(name);
        }
        stored
    }

    /// Those of the process with this number, which is `thread` of `job`, just opened. Files of its stage have `stage_bytes`.
    pub fn opened<W>(
        &self,
        (job, thread): (&Job, u32),
        process: u32,
        stage_bytes: u64,
        storage: &mut Storage<W>,
    ) -> Vec<OpenFile> {
        let usage = Usage {
            process,
            advice: job.advice(),
            mapped: job.engine == Engine::Mapped,
            delivery: job.delivery,
            sequential: job.pattern == Pattern::Sequential,
            // What has come from the device is in no cache of the processor.
            working_set_bytes: match job.invalidate {
                true => u64::MAX,
                false => stage_bytes,
            },
        };
        let files = job.files(thread).into_iter();
        files
            .map(|(name, bytes)| storage.open(self.number(&name), bytes, usage))
            .collect()
    }

    /// Bytes of all files of `jobs`; a file that several read counts once.
    pub fn bytes_of(&self, jobs: &[Job]) -> u64 {
        let files = jobs.iter().flat_map(of_job);
        let sizes: BTreeMap<u32, u64> = files
            .map(|(name, bytes)| (self.number(&name), bytes))
            .collect();
        sizes.into_values().fold(0, u64::saturating_add)
    }

    /// The numbers of all files of `job`, each once.
    pub fn numbers_of(&self, job: &Job) -> BTreeSet<u32> {
        of_job(job).map(|(name, _)| self.number(&name)).collect()
    }

    /// The numbers of the files of the process that is `thread` of `job`, in their order.
    pub fn of_process(&self, job: &Job, thread: u32) -> Vec<u32> {
        let files = job.files(thread).into_iter();
        files.map(|(name, _)| self.number(&name)).collect()
    }

    /// Those that some of `jobs` finds with data; the others do not exist before they are written.
    pub fn found_by(&self, jobs: &[Job]) -> BTreeSet<u32> {
        let finding = jobs.iter().filter(|job| job.finds_its_files());
        finding.flat_map(|job| self.numbers_of(job)).collect()
    }

    fn number(&self, name: &str) -> u32 {
        self.numbers.get(name).copied().unwrap_or(0)
    }
}

/// The files of all processes of `job`, and the bytes of each.
fn of_job(job: &Job) -> impl Iterator<Item = (String, u64)> + '_ {
    (0..job.threads).flat_map(|thread| job.files(thread))
}

/// The largest number of bytes that every place where a read or a write begins or ends is a multiple of. Reads past the page cache leave
/// nothing there that is to be followed.
pub(super) fn unit_bytes(jobs: &[Job]) -> u64 {
    let followed = jobs.iter().filter(|job| !job.direct || job.mode.writes());
    followed.map(Job::unit_bytes).fold(0, common_divisor)
}
