//! Who chooses, while it is simulated, which files a node holds.

use std::fmt;
use std::sync::Arc;

/// Chooses which files a node holds, by what is read there.
pub trait Chooser {
    /// All of a file was read, so many nanoseconds after it began to follow the traffic.
    fn read(&mut self, now_ns: u64, file: u32);

    /// An interval has passed: what is to be changed.
    fn choose(&mut self, now_ns: u64) -> Moves;
}

/// What is to be changed of the files that a node holds, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// Files that are held no longer.
    pub given_up: Vec<u32>,
    /// Files that are to be held, the most valuable first.
    pub taken: Vec<u32>,
}

/// Makes a chooser that knows nothing yet: each run of a simulation has its own.
pub type MakeChooser = Arc<dyn Fn() -> Box<dyn Chooser> + Send + Sync>;

/// From when on the traffic is followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FollowSince {
    /// From the first request.
    #[default]
    Start,
    /// From when the caches are warm.
    WarmUp,
}

/// How files are held by the traffic.
#[derive(Clone)]
pub struct Follow {
    /// Who chooses them.
    pub chooser: MakeChooser,
    /// How long a choice stays, nanoseconds.
    pub interval_ns: u64,
    /// From when on.
    pub since: FollowSince,
    /// How long files that are not in memory are read at a time, nanoseconds.
    pub slice_ns: u64,
    /// How many times as long nothing is read after that.
    pub rest: u64,
}

impl fmt::Debug for Follow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Follow")
            .field("interval_ns", &self.interval_ns)
            .field("since", &self.since)
            .field("slice_ns", &self.slice_ns)
            .field("rest", &self.rest)
            .finish_non_exhaustive()
    }
}
