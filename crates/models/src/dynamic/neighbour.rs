//! Files of other sites, asked for by the clock: they take the web server's processors, and memory and disk of the database's machine.

use std::sync::Arc;

use crate::storage::{OpenFile, Read};
use crate::tiers::Traffic;

/// Files that are sent at a time at most: connections of nginx's worker where it is not told otherwise (`worker_connections`).
const MOST_SENT: usize = 512;
/// How long a request waits until it is looked whether there are fewer. Assumed.
pub(super) const LOOK_NS: u64 = 10_000_000;

/// Requests for files, again and again.
pub(super) struct Neighbour {
    pub traffic: Arc<Traffic>,
    /// What a request costs the web server beside sending, nanoseconds.
    pub request_ns: u64,
    /// The number of the first file in the storage.
    pub first_file: u32,
    /// The next request, and when its round began.
    row: usize,
    round_ns: u64,
    /// Those under way by number, and numbers that are free.
    going: Vec<Option<Sending>>,
    free: Vec<u32>,
}

/// A file on its way.
pub(super) struct Sending {
    /// Its request's row, and when it came.
    pub row: usize,
    pub since_ns: u64,
    pub file: OpenFile,
    /// The piece that is read.
    pub read: Option<Read>,
    pub bytes: u64,
    /// Processor time of what was copied.
    pub copying_ns: u64,
    pub has_waited: bool,
}

impl Neighbour {
    /// Of at least one request, each of which has a time.
    pub fn new(traffic: Arc<Traffic>, request_ns: u64, first_file: u32) -> Option<Self> {
        let is_timed = traffic.times_ns.len() == traffic.requests.len();
        (is_timed && !traffic.requests.is_empty()).then(|| Self {
            traffic,
            request_ns,
            first_file,
            row: 0,
            round_ns: 0,
            going: Vec::new(),
            free: Vec::new(),
        })
    }

    /// When the next request comes.
    pub fn next_ns(&self) -> u64 {
        self.round_ns
            .saturating_add(self.traffic.times_ns[self.row])
    }

    /// Takes the next request; its row.
    pub fn take(&mut self) -> usize {
        let row = self.row;
        self.row += 1;
        if self.row == self.traffic.requests.len() {
            let last_ns = self.traffic.times_ns.last().copied().unwrap_or_default();
            // The next round begins as long after the last request as requests are apart.
            let gap_ns = (last_ns / self.row as u64).max(1);
            self.round_ns = self.round_ns.saturating_add(last_ns).saturating_add(gap_ns);
            self.row = 0;
        }
        row
    }

    /// Whether as many files are being sent as can be.
    pub fn is_full(&self) -> bool {
        self.going.len() - self.free.len() >= MOST_SENT
    }

    /// A file is sent from now on; its number.
    pub fn begin(&mut self, sending: Sending) -> u32 {
        match self.free.pop() {
            Some(number) => {
                self.going[number as usize] = Some(sending);
                number
            }
            None => {
                self.going.push(Some(sending));
                self.going.len() as u32 - 1
            }
        }
    }

    /// What is sent under a number.
    pub fn sending(&mut self, number: u32) -> Option<&mut Sending> {
        self.going.get_mut(number as usize)?.as_mut()
    }

    /// It is sent; its number is free.
    pub fn end(&mut self, number: u32) -> Option<Sending> {
        let sending = self.going.get_mut(number as usize)?.take()?;
        self.free.push(number);
        Some(sending)
    }
}
