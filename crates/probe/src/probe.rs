//! What of a directory is measured.

use std::path::Path;
use std::time::Duration;

use hotset_machine::file_system::FileSystem;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// What is measured, and how long.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// Sizes of files that are read as a whole, and how many there are of each, so that no drive still has them when they
    /// come again.
    pub files: Vec<(u64, usize)>,
    /// Size of the file that is read by blocks, bytes: at least the largest block.
    pub large_bytes: u64,
    /// Sizes of blocks, bytes.
    pub blocks: Vec<u64>,
    /// How many bytes are read again and again where copying from the page cache is measured, rising, at most `large_bytes`: each
    /// is copied from another level of the processor's caches, or from memory.
    pub working_sets: Vec<u64>,
    /// Numbers of readers side by side.
    pub readers: Vec<usize>,
    /// Sizes of single requests past the page cache, bytes: multiples of 4096, at most `large_bytes`.
    pub direct: Vec<u64>,
    /// Numbers of such requests at the same time.
    pub in_flight: Vec<usize>,
    /// Sizes of blocks that are written into the page cache, bytes, powers of two, at most 16 MiB.
    pub written: Vec<u64>,
    /// Bytes, likewise, that are written before the device is waited for.
    pub synced: Vec<u64>,
    /// Numbers of programs that wait for the device at the same time.
    pub writers: Vec<usize>,
    /// Milliseconds in which nothing is done before the device is waited for.
    pub idle_ms: Vec<u64>,
    /// The longest that a figure is sampled, where its interval does not get tight before.
    pub patience: Duration,
}

impl Default for Probe {
    /// From 4 KiB, a page, to 16 MiB; half a GiB in all.
    fn default() -> Self {
        let files = [
            (4 * KIB, 256),
            (16 * KIB, 256),
            (64 * KIB, 256),
            (256 * KIB, 128),
            (MIB, 48),
            (4 * MIB, 16),
            (16 * MIB, 8),
        ];
        Self {
            files: files.to_vec(),
            large_bytes: 256 * MIB,
            blocks: files.iter().map(|&(bytes, _)| bytes).collect(),
            // Powers of four from what second caches of processors hold to what no cache does.
            working_sets: vec![256 * KIB, MIB, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB],
            readers: vec![1, 2, 4, 8],
            direct: vec![4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, MIB],
            in_flight: vec![1, 2, 4, 8, 16, 32],
            written: vec![4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, MIB],
            synced: vec![4 * KIB, 64 * KIB, MIB, 16 * MIB],
            writers: vec![1, 2, 4, 8],
            // More than a tick of the kernel's clock, after which times of change are new; and enough for processors and devices to sleep.
            idle_ms: vec![5, 100],
            patience: Duration::from_secs(2),
        }
    }
}

impl Probe {
    /// What suits a directory: less of it where each byte passes a network and back.
    #[must_use]
    pub fn suited(directory: &Path) -> Self {
        match FileSystem::of(directory)
            .as_ref()
            .is_some_and(FileSystem::is_remote)
        {
            true => Self::over_network(),
            false => Self::default(),
        }
    }

    /// From 4 KiB to 4 MiB; 130 MiB in all.
    #[must_use]
    pub fn over_network() -> Self {
        let files = [
            (4 * KIB, 64),
            (16 * KIB, 64),
            (64 * KIB, 64),
            (256 * KIB, 32),
            (MIB, 16),
            (4 * MIB, 8),
        ];
        Self {
            files: files.to_vec(),
            large_bytes: 64 * MIB,
            blocks: files.iter().map(|&(bytes, _)| bytes).collect(),
            working_sets: vec![256 * KIB, MIB, 4 * MIB, 16 * MIB, 64 * MIB],
            in_flight: vec![1, 2, 4, 8, 16],
            synced: vec![4 * KIB, 64 * KIB, MIB],
            patience: Duration::from_secs(1),
            ..Self::default()
        }
    }

    /// Bytes that are written for a while.
    pub(crate) fn bytes(&self) -> u64 {
        let files = self.files.iter();
        let files: u64 = files.map(|&(bytes, count)| bytes * count as u64).sum();
        // As much again as writing and the operations write, and for the file system's own records.
        files + self.large_bytes + 2 * 64 * MIB
    }
}
