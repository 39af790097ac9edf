//! What a device was given to write, by what it is of.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Bytes that a device was given while jobs ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct DeviceWrites {
    /// Blocks of the jobs' files.
    pub data: u64,
    /// The file system's journal.
    pub journal: u64,
    /// All else: the file system's own blocks.
    pub metadata: u64,
}

impl DeviceWrites {
    /// All together.
    pub fn all(self) -> u64 {
        self.data + self.journal + self.metadata
    }

    /// Of these requests, the journal and the jobs' files having these places; bytes of the device each.
    pub fn of(requests: &[Range<u64>], journal: Vec<Range<u64>>, data: Vec<Range<u64>>) -> Self {
        let (journal, data) = (sorted(journal), sorted(data));
        let bytes =
            |runs: &[Range<u64>]| -> u64 { requests.iter().map(|it| shared(it, runs)).sum() };
        let all: u64 = requests.iter().map(|it| it.end - it.start).sum();
        let (journal, data) = (bytes(&journal), bytes(&data));
        Self {
            data,
            journal,
            metadata: all.saturating_sub(data + journal),
        }
    }
}

/// In the order of the device; no two of them have bytes in common.
fn sorted(mut runs: Vec<Range<u64>>) -> Vec<Range<u64>> {
    runs.sort_by_key(|run| run.start);
    runs.dedup_by(|next, run| {
        let meets = next.start <= run.end;
        if meets {
            run.end = run.end.max(next.end);
        }
        meets
    });
    runs
}

/// Bytes of a request that lie in sorted runs.
fn shared(request: &Range<u64>, runs: &[Range<u64>]) -> u64 {
    let first = runs.partition_point(|run| run.end <= request.start);
    let own = runs[first..].iter();
    let own = own.take_while(|run| run.start < request.end);
    own.map(|run| run.end.min(request.end) - run.start.max(request.start))
        .sum()
}
