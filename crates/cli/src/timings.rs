//! How long the parts of a command took (`--timings`).

use std::time::{Duration, Instant};

/// Parts in the order they were done, with their seconds.
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

    /// `{"part": seconds}`.
    pub fn json(&self) -> serde_json::Value {
        self.parts
            .iter()
            .map(|&(name, seconds)| (name.to_owned(), serde_json::Value::from(seconds)))
            .collect()
    }

    /// One line a part.
    pub fn text(&self) -> String {
        let mut text = String::from("\nTimings\n");
        for (name, seconds) in &self.parts {
            text += &format!("  {name:<24} {seconds:>8.3} s\n");
        }
        text
    }
}
