//! How fast files are placed: at once, or so that the store is there for those who are served.

use crate::Pace;
use std::time::Duration;

/// Placing without haste is interrupted after so long, to look at what is held already and to write down what is.
const SLICE: Duration = Duration::from_millis(500);

/// Where files are placed, and by which clock.
pub trait Workplace {
    /// A file to be placed.
    type File;

    /// The time, from any beginning.
    fn now(&self) -> Duration;

    /// Whether all of a file is in memory already.
    fn is_cached(&mut self, file: &Self::File) -> bool;

    /// Places a file. Whether it is held.
    fn place(&mut self, file: Self::File) -> bool;
}

/// When which of the files that are to be placed are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pacing {
    is_unfinished: bool,
    goes_on: Duration,
    /// When files that are not in memory are read again.
    reads_from: Duration,
}

impl Pacing {
    /// So long files that are not in memory are read at a time. Longer turns would make those wait who are served from the same disk.
    pub const READ_SLICE: Duration = Duration::from_millis(100);
    /// How many times as long as they were read nothing is read after them: files are read in a fifth of the time.
    pub const REST: u32 = 4;

    /// Whether files that there is room for are still to be placed.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.is_unfinished
    }

    /// How long it is from `now` until more of them are placed; none where none are left.
    #[must_use]
    pub fn wait(&self, now: Duration) -> Option<Duration> {
        self.is_unfinished.then(|| self.goes_on.saturating_sub(now))
    }

    /// Places files, the most valuable first, as many as it is time for. What that took, without what could not be placed.
    pub fn place<W: Workplace>(
        &mut self,
        pace: Pace,
        files: Vec<W::File>,
        work: &mut W,
    ) -> Duration {
        match pace {
            Pace::AtOnce => {
                self.is_unfinished = false;
                files.into_iter().map(|file| timed(work, file)).sum()
            }
            Pace::Unhurried => self.place_slice(files, work),
        }
    }

    /// Places for a while what is in memory already. Only then, and in a fifth of the time, it reads what is not: a disk that the
    /// server's clients keep busy is theirs.
    fn place_slice<W: Workplace>(&mut self, files: Vec<W::File>, work: &mut W) -> Duration {
        let mut took = Duration::ZERO;
        let mut absent = Vec::new();
        for file in files {
            if took >= SLICE {
                self.is_unfinished = true;
                self.goes_on = work.now();
                return took;
            }
            match work.is_cached(&file) {
                true => took += timed(work, file),
                false => absent.push(file),
            }
        }
        let began = work.now();
        let mut absent = absent.into_iter();
        if began >= self.reads_from {
            for file in absent.by_ref() {
                took += timed(work, file);
                if work.now() - began >= Self::READ_SLICE {
                    break;
                }
            }
            let ended = work.now();
            self.reads_from = ended + Self::REST * (ended - began);
        }
        self.is_unfinished = absent.next().is_some();
        self.goes_on = self.reads_from;
        took
    }
}

fn timed<W: Workplace>(work: &mut W, file: W::File) -> Duration {
    let began = work.now();
    match work.place(file) {
        true => work.now() - began,
        false => Duration::ZERO,
    }
}
