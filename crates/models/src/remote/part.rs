//! Stores that several servers have: what one of them has, and what clients that only read know of all.

use std::ops::Range;

use super::cluster::{ClusterPart, ClusterReadMount};
use super::nfs::FileCall;
use super::pvfs::{ParallelPart, ParallelReadMount};
use super::rounds::{RoundCall, ServedFile, Unanswered};

/// What one of several servers has of a store.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// Of PVFS 1 or OrangeFS.
    Parallel(ParallelPart),
    /// Of Lustre, GlusterFS or MooseFS.
    Cluster(ClusterPart),
}

impl Part {
    /// The number of the server.
    #[must_use]
    pub fn place(&self) -> usize {
        match self {
            Self::Parallel(it) => it.place,
            Self::Cluster(it) => it.place,
        }
    }

    /// The part of the server of this number.
    #[must_use]
    pub fn at(self, place: usize) -> Self {
        match self {
            Self::Parallel(it) => Self::Parallel(ParallelPart { place, ..it }),
            Self::Cluster(it) => Self::Cluster(ClusterPart { place, ..it }),
        }
    }

    /// Copies of each file.
    pub(crate) fn copies(&self) -> u32 {
        match self {
            Self::Parallel(_) => 1,
            Self::Cluster(it) => it.copies(),
        }
    }

    /// Bytes, in whole pages, that the server has of a copy of a file with so many bytes. All clients share so many files.
    pub(crate) fn stored_bytes(&self, (number, copy): (u32, u32), files: usize, bytes: u64) -> u64 {
        match self {
            Self::Parallel(it) if copy == 0 => it.stored_bytes(number, bytes),
            Self::Parallel(_) => 0,
            Self::Cluster(it) => it.stored_bytes((number, copy), files, bytes),
        }
    }
}

/// What a client that only reads knows of the files of such a store.
pub(crate) enum RoundMount {
    Parallel(ParallelReadMount),
    Cluster(ClusterReadMount),
}

impl RoundMount {
    /// Of these files, of which nothing is known. The servers have `count` files.
    pub fn new(part: &Part, count: usize, files: Vec<ServedFile>) -> Self {
        match part {
            Part::Parallel(it) => Self::Parallel(ParallelReadMount::new(it, files)),
            Part::Cluster(it) => Self::Cluster(ClusterReadMount::new(it, count, files)),
        }
    }

    /// Calls with data that it may have under way with a server at a time; any number where none is given.
    pub fn calls_in_flight(&self) -> Option<u32> {
        match self {
            Self::Parallel(_) => None,
            Self::Cluster(it) => it.calls_in_flight(),
        }
    }

    /// What a request of the kernel for so many bytes costs its daemon, nanoseconds.
    pub fn daemon_ns(&self, bytes: u64) -> u64 {
        match self {
            Self::Parallel(_) => 0,
            Self::Cluster(it) => it.daemon_ns(bytes),
        }
    }

    /// Whether an open drops what the page cache has of a file: clients of PVFS 1 and OrangeFS cache none.
    pub fn drops_pages(&self) -> bool {
        matches!(self, Self::Parallel(_))
    }

    /// Calls that opening a file takes.
    pub fn open(&mut self, now_ns: u64, file: u32) -> Vec<RoundCall> {
        match self {
            Self::Parallel(it) => it.open(now_ns, file),
            Self::Cluster(it) => it.open(now_ns, file),
        }
    }

    /// Calls that closing it takes.
    pub fn close(&mut self, now_ns: u64, file: u32) -> Vec<RoundCall> {
        match self {
            Self::Parallel(it) => it.close(now_ns, file),
            Self::Cluster(it) => it.close(now_ns, file),
        }
    }

    /// Calls that bring these bytes of a file. None where the client has them already.
    pub fn read(&mut self, now_ns: u64, file: u32, bytes: Range<u64>) -> Vec<RoundCall> {
        match self {
            Self::Parallel(it) => it.read(file, bytes),
            Self::Cluster(it) => it.read(now_ns, file, bytes),
        }
    }

    /// Something that was wanted of a file has failed.
    pub fn forget(&mut self, file: u32) {
        match self {
            Self::Parallel(it) => it.forget(file),
            Self::Cluster(it) => it.forget(file),
        }
    }

    /// What becomes of a call to a server that keeps silent, which was made so often before. Of its round, so many were not answered and not needed.
    pub fn unanswered(&self, asked: (u32, FileCall), (tries, missing): (u32, u32)) -> Unanswered {
        match self {
            // OrangeFS gives up after half an hour (`ClientJobBMITimeoutSecs`, `ClientRetryLimit`), which is longer than what is followed.
            Self::Parallel(_) => Unanswered::Waits,
            Self::Cluster(it) => it.unanswered(asked, (tries, missing)),
        }
    }
}
