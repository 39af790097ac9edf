//! Connections, counted.

use hotset_trace::{Requests, sessions::CONNECTION_GAP_US};

/// Counts connections by the rule of `hotset_trace::sessions` without numbering them, in one pass.
pub(crate) struct ConnectionCounter {
    /// For each client, who counted it last and when it was seen.
    seen: Vec<(u32, i64)>,
    round: u32,
}

impl ConnectionCounter {
    /// A counter for client ids below `clients`.
    pub(crate) fn new(clients: usize) -> Self {
        Self {
            seen: vec![(0, 0); clients],
            round: 0,
        }
    }

    /// Connections of the requests in `rows`, which are in order of time.
    pub(crate) fn count(&mut self, requests: &Requests, rows: impl Iterator<Item = usize>) -> u64 {
        self.round += 1;
        rows.filter(|&row| self.opens(requests.client[row], requests.time_us[row]))
            .count() as u64
    }

    fn opens(&mut self, client: u32, time_us: i64) -> bool {
        let Some(seen) = self.seen.get_mut(client as usize) else {
            return false;
        };
        let (round, last_us) = std::mem::replace(seen, (self.round, time_us));
        round != self.round || time_us.saturating_sub(last_us) > CONNECTION_GAP_US
    }
}

/// Rows in order of time; rows of equal time stay in log order.
pub(crate) fn rows_by_time(requests: &Requests) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..requests.len() as u32).collect();
    if !requests.time_us.is_sorted() {
        rows.sort_by_key(|&row| requests.time_us[row as usize]);
    }
    rows
}
