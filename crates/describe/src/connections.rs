//! Connections, counted.

use hotset_trace::{Requests, Trace, TraceOrigin, sessions::CONNECTION_GAP_US};

/// Numbers of connections; none where the trace names no clients or has no times.
#[derive(Default)]
pub(crate) struct Connections {
    pub(crate) sites: Vec<u64>,
    pub(crate) total: Option<u64>,
}

impl Connections {
    /// Of each site and of all, from connections that were rebuilt already where they are given.
    pub(crate) fn of(trace: &Trace, stored: Option<&[u32]>) -> Self {
        match stored {
            Some(ids) if ids.len() == trace.requests.len() => Self::stored(trace, ids),
            _ => Self::count(trace),
        }
    }

    /// Distinct connections of each site's requests, and of all.
    fn stored(trace: &Trace, ids: &[u32]) -> Self {
        let mut by_site: Vec<(u16, u32)> = trace
            .requests
            .site
            .iter()
            .copied()
            .zip(ids.iter().copied())
            .collect();
        by_site.sort_unstable();
        by_site.dedup();
        let mut sites = vec![0; trace.sites.len()];
        for &(site, _) in &by_site {
            if let Some(connections) = sites.get_mut(usize::from(site)) {
                *connections += 1;
            }
        }
        let mut all: Vec<u32> = by_site
            .into_iter()
            .map(|(_, connection)| connection)
            .collect();
        all.sort_unstable();
        all.dedup();
        Self {
            sites,
            total: Some(all.len() as u64),
        }
    }

    fn count(trace: &Trace) -> Self {
        if trace.clients.is_empty() || trace.origin == TraceOrigin::Untimed {
            return Self::default();
        }
        let rows = rows_by_time(&trace.requests);
        let mut counter = ConnectionCounter::new(trace.clients.len());
        let total = counter.count(&trace.requests, rows.iter().map(|&row| row as usize));
        if trace.sites.len() == 1 {
            return Self {
                sites: vec![total],
                total: Some(total),
            };
        }
        let mut by_site = vec![Vec::new(); trace.sites.len()];
        for row in rows {
            if let Some(rows) = by_site.get_mut(usize::from(trace.requests.site[row as usize])) {
                rows.push(row as usize);
            }
        }
        let sites = by_site
            .into_iter()
            .map(|rows| counter.count(&trace.requests, rows.into_iter()))
            .collect();
        Self {
            sites,
            total: Some(total),
        }
    }
}

/// Counts connections by the rule of `hotset_trace::sessions` without numbering them, in one pass.
struct ConnectionCounter {
    /// For each client, who counted it last and when it was seen.
    seen: Vec<(u32, i64)>,
    round: u32,
}

impl ConnectionCounter {
    /// A counter for client ids below `clients`.
    fn new(clients: usize) -> Self {
        Self {
            seen: vec![(0, 0); clients],
            round: 0,
        }
    }

    /// Connections of the requests in `rows`, which are in order of time.
    fn count(&mut self, requests: &Requests, rows: impl Iterator<Item = usize>) -> u64 {
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
