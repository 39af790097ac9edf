//! Answers to one client, counted one by one in order.

use std::time::Duration;

use hotset_outcome::{Recorder, Score};
use hotset_replay::Answer;

/// Times of one site or of several.
#[derive(Default)]
pub(crate) struct Answers {
    total: Recorder,
    first_byte: Recorder,
}

impl Answers {
    /// Counts an answer; `cached`: no disk had to be asked.
    pub fn record(&mut self, cached: bool, bytes: u64, answer: &Answer) {
        self.total.record(cached, bytes, us(answer.total));
        self.first_byte.record(cached, bytes, us(answer.first_byte));
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.total.score().requests.unwrap_or(0)
    }

    /// Their score so far.
    pub fn score(&self) -> Score {
        let mut score = self.total.score();
        score.latencies.total = score.latencies.response.take();
        score.latencies.first_byte = self.first_byte.score().latencies.response;
        // The series of the whole response serves both; a second one would double the document.
        if let Some(first_byte) = &mut score.latencies.first_byte {
            first_byte.series = None;
        }
        score
    }
}

fn us(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1000.0
}
