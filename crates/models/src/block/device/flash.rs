//! A solid-state drive: pages of flash on channels that work side by side, behind one interface. Neither mapping nor cleaning is
//! followed, and a write takes as long as a read.
//!
//! The parts are those of N. Agrawal et al., "Design tradeoffs for SSD performance", 2008: an array read, a channel's bus, the
//! host's interface.

use hotset_outcome::Resource;
use hotset_scenario::SsdDevice;

use super::Device;
use crate::block::Request;
use crate::station::Station;

/// Pages lie on the channels in turn.
#[derive(Clone, Debug)]
pub(crate) struct Flash {
    spec: SsdDevice,
    channels: Vec<Station>,
    interface: Station,
}

impl Flash {
    pub fn new(spec: &SsdDevice) -> Self {
        Self {
            spec: spec.clone(),
            channels: vec![Station::new(1); spec.channels],
            interface: Station::new(1),
        }
    }

    /// A request's part of a page is there; the channel is busy with the array and with the bus.
    fn page(&mut self, now_ns: u64, page: u64, bytes: u64) -> u64 {
        let channel = (page % self.spec.channels as u64) as usize;
        let busy_us = self.spec.read_us + bytes as f64 / self.spec.bus_bytes_per_us;
        self.channels[channel].serve(now_ns, (busy_us * 1e3) as u64)
    }
}

impl Device for Flash {
    fn slots(&self) -> usize {
        self.spec.queue_depth
    }

    fn accept(&mut self, now_ns: u64, request: &Request, begun: &mut Vec<(u64, u32)>) {
        let started_ns = now_ns + (self.spec.command_us * 1e3) as u64;
        let (mut at, mut done_ns) = (request.offset, started_ns);
        while at < request.end() {
            let page = at / self.spec.page_bytes;
            let bytes = ((page + 1) * self.spec.page_bytes).min(request.end()) - at;
            let read_ns = self.page(started_ns, page, bytes);
            let passing_us = bytes as f64 / self.spec.interface_bytes_per_us;
            done_ns = done_ns.max(self.interface.serve(read_ns, (passing_us * 1e3) as u64));
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
