//! A profile of a document's machine as a file, and the lines that are in it.

/// A profile of a store or of servers, as a file of `experiments/documents`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineFile {
    /// Name of the file.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// First line of each file.
pub(super) const MADE: &str =
    "Made of published micro-benchmarks by `reproduce::machine_files`; a test compares it.";

/// Bytes of the reads that A table 2 has.
pub(super) const SMALL: f64 = 4096.0;
pub(super) const LARGE: f64 = 1_048_576.0;

/// Microseconds, and bytes a microsecond.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub fixed_us: f64,
    pub bytes_per_us: f64,
}

impl Line {
    /// Through what 4 KB and 1 MB take.
    pub fn through(small_us: f64, large_us: f64) -> Self {
        let bytes_per_us = (LARGE - SMALL) / (large_us - small_us);
        Self {
            fixed_us: small_us - SMALL / bytes_per_us,
            bytes_per_us,
        }
    }

    /// The same where each byte is sent besides.
    pub fn and_sent_at(self, bytes_per_us: f64) -> Self {
        Self {
            bytes_per_us: 1.0 / (1.0 / self.bytes_per_us + 1.0 / bytes_per_us),
            ..self
        }
    }
}
