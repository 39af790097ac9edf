//! The columns of a schedule.

use std::iter::repeat_n;

use crate::{ReplayError, request};

/// What to send, in columns; rows sorted by (intended start of connection, connection, order in it).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Site names.
    pub sites: Vec<String>,
    /// Request targets: percent-encoded paths.
    pub targets: Vec<Box<[u8]>>,
    /// The target whose requests are POSTs, if there is one; all others are GETs.
    pub posts_to: Option<u32>,
    /// Index of the site of each request.
    pub site: Vec<u16>,
    /// Index of the target of each request.
    pub target: Vec<u32>,
    /// Connection of each request, dense, in order of start.
    pub connection: Vec<u32>,
    /// Intended start of each connection, microseconds from the replay's start.
    pub start_us: Vec<i64>,
    /// Microseconds after its connection's start, for each request, never falling within a connection.
    pub offset_us: Vec<i64>,
    /// Bytes of the body expected, for each request; [`UNKNOWN_BYTES`] where that is not known.
    pub expected_bytes: Vec<u64>,
}

/// In [`Schedule::expected_bytes`]: the size is not known and no length is wrong.
pub const UNKNOWN_BYTES: u64 = u64::MAX;

impl Schedule {
    /// The same requests, all due within `length_us` microseconds (at least 1). What connections have left at the end is sent from the start
    /// on, over connections of its own, as if the time before had been alike. So as many requests are due at any time as on average, which
    /// otherwise takes as long as connections last.
    #[must_use]
    pub fn folded(&self, length_us: i64) -> Schedule {
        let length_us = length_us.max(1);
        let due = |row: usize| {
            let start = self.start_us[self.connection[row] as usize];
            start.saturating_add(self.offset_us[row])
        };
        let place = |row: usize| (self.connection[row], due(row) / length_us);
        let rows: Vec<usize> = (0..self.connection.len()).collect();
        let mut parts: Vec<&[usize]> = rows
            .chunk_by(|&one, &next| place(one) == place(next))
            .collect();
        // Stable: parts that begin at once keep their order.
        parts.sort_by_key(|part| due(part[0]) % length_us);
        let order = parts.concat();
        let numbered = (0..).zip(&parts);
        let offsets = |part: &&[usize]| {
            let first = due(part[0]);
            part.iter()
                .map(|&row| due(row) - first)
                .collect::<Vec<i64>>()
        };
        Schedule {
            sites: self.sites.clone(),
            targets: self.targets.clone(),
            posts_to: self.posts_to,
            site: order.iter().map(|&row| self.site[row]).collect(),
            target: order.iter().map(|&row| self.target[row]).collect(),
            connection: numbered
                .flat_map(|(number, part)| repeat_n(number, part.len()))
                .collect(),
            start_us: parts.iter().map(|part| due(part[0]) % length_us).collect(),
            offset_us: parts.iter().flat_map(offsets).collect(),
            expected_bytes: order.iter().map(|&row| self.expected_bytes[row]).collect(),
        }
    }

    /// When the last request is made if connections start at `starts`, microseconds.
    pub(super) fn end(&self, starts: &[i64]) -> i64 {
        let requests = self.connection.iter().zip(&self.offset_us);
        let made = requests
            .map(|(connection, offset)| starts[*connection as usize].saturating_add(*offset));
        made.max().unwrap_or(0)
    }

    /// Whether the columns fit together, so that nothing later has to ask.
    pub(crate) fn check(&self) -> Result<(), ReplayError> {
        let rows = self.site.len();
        let columns = [
            self.target.len(),
            self.connection.len(),
            self.offset_us.len(),
            self.expected_bytes.len(),
        ];
        let sites = self
            .site
            .iter()
            .all(|&site| usize::from(site) < self.sites.len());
        let targets = self
            .target
            .iter()
            .all(|&target| (target as usize) < self.targets.len());
        let faults = [
            (rows == 0, "it has no requests"),
            (u32::try_from(rows).is_err(), "it has 2^32 requests or more"),
            (
                columns.iter().any(|&length| length != rows),
                "they differ in length",
            ),
            (!sites, "a request's site is not among the sites"),
            (!targets, "a request's target is not among the targets"),
            (
                !connections_rise(&self.connection, self.start_us.len()),
                "connections are not numbered in order of their rows",
            ),
            (
                !self.start_us.is_sorted(),
                "connections are not in order of their start",
            ),
            (
                !self.targets.iter().all(|target| request::is_path(target)),
                "a target is not a percent-encoded path",
            ),
        ];
        let fault = faults.iter().find(|(fault, _)| *fault);
        fault.map_or(Ok(()), |(_, why)| Err(ReplayError::Schedule(why)))
    }
}

/// Whether connections are 0, 1, 2 … in order, each with at least one row.
fn connections_rise(numbers: &[u32], connections: usize) -> bool {
    let steps = numbers
        .windows(2)
        .all(|pair| pair[1].wrapping_sub(pair[0]) <= 1);
    let last = numbers.last().map_or(0, |&last| last as usize + 1);
    steps && numbers.first().is_none_or(|&first| first == 0) && last == connections
}
