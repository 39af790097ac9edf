//! How long processes take from an answer to their next request.

use std::collections::HashMap;

/// A process.
#[derive(Clone, Copy, Debug, Default)]
struct Reader {
    /// When its last request was served.
    served_ns: u64,
    /// Mean so far; nothing before the second request.
    mean_ns: Option<f64>,
}

/// Share of a mean that the newest time makes: an eighth, in `as_update_thinktime` and `cfq_update_io_thinktime`, and in
/// `bfq_update_io_thinktime`.
const NEWEST: f64 = 0.125;

/// Means of processes.
#[derive(Debug, Default)]
pub(super) struct ThinkTimes(HashMap<u32, Reader>);

impl ThinkTimes {
    /// `reader` has been answered.
    pub fn note_answer(&mut self, now_ns: u64, reader: u32) {
        self.0.entry(reader).or_default().served_ns = now_ns;
    }

    /// `reader` asks.
    pub fn note_request(&mut self, now_ns: u64, reader: u32) {
        let Some(reader) = self.0.get_mut(&reader) else {
            return;
        };
        let took_ns = now_ns.saturating_sub(reader.served_ns) as f64;
        let mean_ns = reader.mean_ns.unwrap_or(took_ns);
        reader.mean_ns = Some(mean_ns + (took_ns - mean_ns) * NEWEST);
    }

    /// Whether `reader` is expected to ask within a time.
    pub fn is_within(&self, reader: u32, time_ns: u64) -> bool {
        let mean_ns = self.0.get(&reader).and_then(|it| it.mean_ns);
        mean_ns.is_none_or(|mean_ns| mean_ns <= time_ns as f64)
    }
}
