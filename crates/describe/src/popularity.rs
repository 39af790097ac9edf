//! Objects by accesses.

use crate::{BytesForPercent, OneTimers};

/// One accessed object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CountedFile {
    pub(crate) object: u32,
    pub(crate) accesses: u64,
    pub(crate) size: u64,
}

/// Accessed objects by falling accesses, then rising size, then id.
pub(crate) struct Ranking(Vec<CountedFile>);

impl Ranking {
    pub(crate) fn new(mut objects: Vec<CountedFile>) -> Self {
        objects.sort_unstable_by_key(|entry| {
            (std::cmp::Reverse(entry.accesses), entry.size, entry.object)
        });
        Self(objects)
    }

    pub(crate) fn objects(&self) -> &[CountedFile] {
        &self.0
    }

    pub(crate) fn accesses(&self) -> u64 {
        self.0.iter().map(|entry| entry.accesses).sum()
    }

    pub(crate) fn bytes(&self) -> u64 {
        bytes_of(&self.0)
    }

    pub(crate) fn bytes_for_percent(&self) -> BytesForPercent {
        let bytes = |percent| bytes_of(&self.0[..self.objects_for(percent)]);
        BytesForPercent {
            p90: bytes(90),
            p95: bytes(95),
            p97: bytes(97),
            p98: bytes(98),
            p99: bytes(99),
        }
    }

    /// How many objects from the top receive at least `percent` of the accesses.
    fn objects_for(&self, percent: u64) -> usize {
        let wanted = u128::from(self.accesses()) * u128::from(percent);
        let mut covered = 0;
        let enough = |entry: &CountedFile| {
            covered += u128::from(entry.accesses) * 100;
            covered >= wanted
        };
        self.0.iter().position(enough).map_or(0, |last| last + 1)
    }

    pub(crate) fn one_timers(&self) -> OneTimers {
        let first = self.0.partition_point(|entry| entry.accesses > 1);
        let once = &self.0[first..];
        OneTimers {
            objects: once.len() as u64,
            object_share: share(once.len() as u64, self.0.len() as u64),
            bytes: bytes_of(once),
            byte_share: share(bytes_of(once), self.bytes()),
        }
    }

    /// (accesses, objects with as many accesses), by rising accesses.
    pub(crate) fn spectrum(&self) -> Vec<(u64, u64)> {
        let runs = self.0.chunk_by(|a, b| a.accesses == b.accesses);
        let mut spectrum: Vec<(u64, u64)> = runs
            .map(|run| (run[0].accesses, run.len() as u64))
            .collect();
        spectrum.reverse();
        spectrum
    }
}

fn bytes_of(objects: &[CountedFile]) -> u64 {
    objects
        .iter()
        .fold(0, |sum, entry| sum.saturating_add(entry.size))
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}
