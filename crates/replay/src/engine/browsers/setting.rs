//! What all visitors have in common.

use std::net::SocketAddr;

use hotset_workload::sessions::Mix;

use crate::engine::clock::ns;
use crate::{HostHeader, ReplayError, SessionOptions, request};

/// The mix, the server and the times.
pub struct Setting<'a> {
    pub mix: &'a Mix,
    pub options: &'a SessionOptions,
    pub address: SocketAddr,
    /// What stands behind the path in each request.
    pub fields: Vec<u8>,
    /// When recording begins, and when the last request is sent, nanoseconds.
    pub recorded_from_ns: u64,
    pub end_ns: u64,
}

impl<'a> Setting<'a> {
    pub fn new(
        mix: &'a Mix,
        options: &'a SessionOptions,
        address: SocketAddr,
    ) -> Result<Self, ReplayError> {
        if mix.pages.is_empty() {
            return Err(ReplayError::Option {
                name: "sessions",
                why: "the mix has no pages; give one with at least one page".to_owned(),
            });
        }
        let host = match &options.host {
            HostHeader::Fixed(host) => host.clone(),
            HostHeader::Url | HostHeader::Site => options.endpoint.host_header(),
        };
        Ok(Self {
            mix,
            options,
            address,
            fields: request::fields(&host, &options.headers),
            recorded_from_ns: ns(options.recorded_from()),
            end_ns: ns(options.duration),
        })
    }

    /// What stands before every path.
    pub fn prefix(&self) -> &'a str {
        &self.options.endpoint.prefix
    }

    /// When a visitor comes first.
    pub fn start_ns(&self, visitor: usize) -> u64 {
        let share = visitor as f64 / self.options.clients as f64;
        (ns(self.options.ramp) as f64 * share) as u64
    }

    /// Whether what is due then is recorded.
    pub fn is_recorded(&self, due_ns: u64) -> bool {
        due_ns >= self.recorded_from_ns
    }
}
