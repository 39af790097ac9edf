//! The device that a file system is on, as its profile has it.

use super::{Costs, Station};

/// A device: delays overlap, bytes pass one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    costs: Costs,
    /// Requests that wait for their first byte.
    pub delays: Station,
    /// The way that bytes take.
    pub transfer: Station,
    /// Where the last request ended: the file, and bytes from its start.
    end: Option<(u32, u64)>,
    /// Bytes read so far.
    pub bytes: u64,
}

impl Device {
    pub fn new(costs: Costs) -> Self {
        Self {
            costs,
            delays: Station::new(costs.slots),
            transfer: Station::new(1),
            end: None,
            bytes: 0,
        }
    }

    /// Reads `bytes` from `offset` of `file`; when they are there. A request of a stream that begins where the last one ended
    /// has no delay of its own: the profile's line has one delay for files that are read in many such requests.
    pub fn read(&mut self, now_ns: u64, file: u32, offset: u64, bytes: u64, streams: bool) -> u64 {
        let goes_on = streams && self.end == Some((file, offset));
        self.end = Some((file, offset + bytes));
        self.bytes += bytes;
        let found_ns = match goes_on {
            true => now_ns,
            false => self.delays.serve(now_ns, self.costs.delay()),
        };
        self.transfer.serve(found_ns, self.costs.transfer(bytes))
    }
}
