//! The access log of AWS's classic load balancer (AWS, "Access logs for your Classic Load Balancer"):
//! `time balancer client:port backend:port seconds seconds seconds status status received sent "request" "agent"
//! cipher protocol`.
//!
//! The time is that of arrival. `bytes` is the body that went to the client. The host is that of the URL.
//! Lines of a TCP listener carry a request that names no file. Fields behind the request are not looked at:
//! the first logs had none.

use super::days::Days;
use super::elb_entry::Entry;
use super::words::Words;
use super::{Format, FormatKind, Record, Reject};

impl FormatKind {
    /// The access log of AWS's classic load balancer.
    pub const ELB: FormatKind = FormatKind::of::<Elb>("elb", 15);
}

/// Reads the access log of a classic load balancer.
#[derive(Debug, Default)]
struct Elb {
    days: Days,
    scratch: Vec<u8>,
}

impl Format for Elb {
    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let entry = Entry::read(&mut Words::of(line))?;
        let time_us = self.days.instant_us(entry.time).ok_or(Reject::BadTime)?;
        entry.record(time_us, &mut self.scratch).map(Some)
    }
}
