//! A device of which only the profile's line is known.

use hotset_outcome::Resource;

use super::Device;
use crate::block::Request;
use crate::station::Station;

/// Delays overlap, as many as there are slots; bytes pass one after the other.
#[derive(Clone, Debug)]
pub(crate) struct CostLines {
    delay_ns: f64,
    ns_per_byte: f64,
    delays: Station,
    transfer: Station,
    /// Where the last request ended.
    end: Option<u64>,
}

impl CostLines {
    pub fn new(delay_ns: f64, ns_per_byte: f64, slots: usize) -> Self {
        Self {
            delay_ns,
            ns_per_byte,
            delays: Station::new(slots),
            transfer: Station::new(1),
            end: None,
        }
    }
}

impl Device for CostLines {
    /// It has a queue of its own.
    fn slots(&self) -> usize {
        usize::MAX
    }

    /// A request of a stream that begins where the last one ended has no delay of its own: the profile's line has one delay for
    /// files that are read in many such requests.
    fn accept(&mut self, now_ns: u64, request: &Request, begun: &mut Vec<(u64, u32)>) {
        let goes_on = request.streams && self.end == Some(request.offset);
        self.end = Some(request.end());
        let found_ns = match goes_on {
            true => now_ns,
            false => self.delays.serve(now_ns, self.delay_ns as u64),
        };
        let passing_ns = (request.bytes as f64 * self.ns_per_byte) as u64;
        begun.push((self.transfer.serve(found_ns, passing_ns), request.number));
    }

    fn count_anew(&mut self) {
        self.delays.count_anew();
        self.transfer.count_anew();
    }

    fn resources(&self, length_ns: u64) -> Vec<Resource> {
        vec![
            self.delays.resource("device, delays", length_ns),
            self.transfer.resource("device, transfer", length_ns),
        ]
    }
}
