//! A solid-state drive: pages of flash on channels that work side by side, behind one interface. Reading only, so that
//! neither mapping nor cleaning is followed.
//!
//! The parts are those of N. Agrawal et al., "Design tradeoffs for SSD performance", 2008: an array read, a channel's bus, the
//! host's interface.

use hotset_outcome::Resource;

use super::Device;
use crate::block::Request;
use crate::station::Station;

/// What a data sheet says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SsdModel {
    pub channels: usize,
    /// Bytes of a page of flash.
    pub page_bytes: u64,
    /// Reading a page from the array, nanoseconds.
    pub read_ns: f64,
    /// A byte on a channel's bus, nanoseconds.
    pub bus_ns_per_byte: f64,
    /// A byte on the interface, nanoseconds.
    pub interface_ns_per_byte: f64,
    /// What the controller takes for a command, nanoseconds.
    pub command_ns: f64,
    pub queue_depth: usize,
}

/// Pages lie on the channels in turn.
#[derive(Clone, Debug)]
pub(crate) struct Ssd {
    model: SsdModel,
    channels: Vec<Station>,
    interface: Station,
}

impl Ssd {
    pub fn new(model: SsdModel) -> Self {
        Self {
            model,
            channels: vec![Station::new(1); model.channels],
            interface: Station::new(1),
        }
    }

    /// A request's part of a page is there; the channel is busy with the array and with the bus.
    fn page(&mut self, now_ns: u64, page: u64, bytes: u64) -> u64 {
        let channel = (page % self.model.channels as u64) as usize;
        let busy_ns = self.model.read_ns + bytes as f64 * self.model.bus_ns_per_byte;
        self.channels[channel].serve(now_ns, busy_ns as u64)
    }
}

impl Device for Ssd {
    fn slots(&self) -> usize {
        self.model.queue_depth
    }

    fn accept(&mut self, now_ns: u64, request: &Request, begun: &mut Vec<(u64, u32)>) {
        let started_ns = now_ns + self.model.command_ns as u64;
        let (mut at, mut done_ns) = (request.offset, started_ns);
        while at < request.end() {
            let page = at / self.model.page_bytes;
            let bytes = ((page + 1) * self.model.page_bytes).min(request.end()) - at;
            let read_ns = self.page(started_ns, page, bytes);
            let passing_ns = bytes as f64 * self.model.interface_ns_per_byte;
            done_ns = done_ns.max(self.interface.serve(read_ns, passing_ns as u64));
            at += bytes;
        }
        begun.push((done_ns, request.number));
    }

    fn count_anew(&mut self) {
        self.channels.iter_mut().for_each(Station::count_anew);
        self.interface.count_anew();
    }

    fn resources(&self, length_ns: u64) -> Vec<Resource> {
        vec![
            Station::resource_of(&self.channels, "channels", length_ns),
            self.interface.resource("interface", length_ns),
        ]
    }
}
