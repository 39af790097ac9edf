//! How fast files are placed: at once, or so that the store is there for those who are served.

use crate::Pace;
use std::time::Duration;

/// Placing without haste is interrupted after so long, to look at what is held already and to write down what is.
const SLICE: Duration = Duration::from_millis(500);
/// Of that, so long for files that are not in memory. Longer turns would make those wait who are served from the same disk.
const READ_SLICE: Duration = Duration::from_millis(100);
/// Files are read in a fifth of the time.
const REST: u32 = 4;

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
                if work.now() - began >= READ_SLICE {
                    break;
                }
            }
            let ended = work.now();
            self.reads_from = ended + REST * (ended - began);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Files take so many milliseconds each, and are in memory or not.
    #[derive(Default)]
    struct Machine {
        now_ms: u64,
        placed: Vec<&'static str>,
    }

    type File = (&'static str, u64, bool);

    impl Workplace for Machine {
        type File = File;

        fn now(&self) -> Duration {
            Duration::from_millis(self.now_ms)
        }

        fn is_cached(&mut self, &(_, _, is_cached): &File) -> bool {
            is_cached
        }

        fn place(&mut self, (name, took_ms, _): File) -> bool {
            self.now_ms += took_ms;
            self.placed.push(name);
            name != "refused"
        }
    }

    #[test]
    fn at_once_everything_is_placed_in_its_order() {
        let (mut pacing, mut machine) = (Pacing::default(), Machine::default());
        let files = vec![("a", 900, false), ("refused", 50, true), ("b", 900, true)];
        let took = pacing.place(Pace::AtOnce, files, &mut machine);
        assert_eq!(machine.placed, ["a", "refused", "b"]);
        assert_eq!(
            took,
            Duration::from_millis(1800),
            "what failed does not count"
        );
        assert_eq!(pacing.wait(machine.now()), None);
    }

    #[test]
    fn what_is_in_memory_comes_first_in_slices_of_half_a_second() {
        let (mut pacing, mut machine) = (Pacing::default(), Machine::default());
        let cached = [("b", 300, true), ("c", 300, true), ("d", 300, true)];
        let files = [vec![("a", 10, false)], cached.to_vec()].concat();
        pacing.place(Pace::Unhurried, files, &mut machine);
        assert_eq!(machine.placed, ["b", "c"], "600 ms are more than a slice");
        assert_eq!(pacing.wait(machine.now()), Some(Duration::ZERO));
        pacing.place(
            Pace::Unhurried,
            vec![("a", 10, false), ("d", 300, true)],
            &mut machine,
        );
        assert_eq!(machine.placed, ["b", "c", "d", "a"]);
        assert!(!pacing.is_unfinished());
    }

    #[test]
    fn files_are_read_in_a_fifth_of_the_time() {
        let (mut pacing, mut machine) = (Pacing::default(), Machine::default());
        let mut files: Vec<File> = (0..20).map(|_| ("a", 50, false)).collect();
        while !files.is_empty() {
            let before = machine.placed.len();
            pacing.place(Pace::Unhurried, files.clone(), &mut machine);
            let placed = machine.placed.len() - before;
            assert_eq!(placed, 2, "a turn of 100 ms");
            files.drain(..placed);
            let wait = pacing.wait(machine.now());
            assert_eq!(
                wait,
                (!files.is_empty()).then(|| Duration::from_millis(400))
            );
            // Who comes back too early reads nothing.
            let before = machine.placed.len();
            pacing.place(Pace::Unhurried, files.clone(), &mut machine);
            assert_eq!(machine.placed.len(), before);
            machine.now_ms += 400;
        }
        assert_eq!(machine.now_ms, 5000, "one second of reading");
    }
}
