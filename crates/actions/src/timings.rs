//! How long the parts of a command took (`--timings`).

use std::time::{Duration, Instant};

use hotset_machine::memory;
use hotset_report::ResourceUsage;

/// Parts in the order they were done, with their seconds.
#[derive(Debug)]
pub struct Timings {
    since: Instant,
    parts: Vec<(&'static str, f64)>,
}

impl Timings {
    /// Starts the clock.
    pub fn start() -> Timings {
        Timings {
            since: Instant::now(),
            parts: Vec::new(),
        }
    }

    /// Ends the part called `name`; the next begins.
    pub fn part(&mut self, name: &'static str) {
        self.parts.push((name, self.since.elapsed().as_secs_f64()));
        self.since = Instant::now();
    }

    /// Adds the parts of a job that timed itself and has just ended.
    pub fn parts(&mut self, parts: &[(&'static str, Duration)]) {
        self.parts
            .extend(parts.iter().map(|(name, time)| (*name, time.as_secs_f64())));
        self.since = Instant::now();
    }

    /// What reports show of it: the parts only if they were `asked` for.
    pub fn usage(self, asked: bool) -> ResourceUsage {
        let parts = self.parts.into_iter().filter(|_| asked);
        ResourceUsage {
            peak_memory_bytes: memory::peak_bytes().ok(),
            timings_seconds: parts
                .map(|(name, seconds)| (name.to_owned(), seconds))
                .collect(),
        }
    }
}
