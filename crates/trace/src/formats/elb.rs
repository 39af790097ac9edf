//! The access log of AWS's classic load balancer (AWS, "Access logs for your Classic Load Balancer"):
//! `time balancer client:port backend:port seconds seconds seconds status status received sent "request" "agent"
//! cipher protocol`.
//!
//! The time is that of arrival. `bytes` is the body that went to the client. The host is that of the URL.
//! Lines of a TCP listener carry a request that names no file. Fields behind the request are not looked at:
//! the first logs had none.

use super::days::Days;
use super::elb_entry::{Entry, host_and_request};
use super::line_evidence::line_evidence;
use super::words::Words;
use super::{Format, FormatKind, Record, Reject, RequestTarget};

impl FormatKind {
    /// The access log of AWS's classic load balancer.
    pub const ELB: FormatKind = FormatKind {
        name: "elb",
        fields: 15,
        is_key_only: false,
        parser: || Box::<Elb>::default(),
        evidence: line_evidence,
    };
}

/// Reads the access log of a classic load balancer.
#[derive(Debug, Default)]
struct Elb {
    days: Days,
    scratch: Vec<u8>,
}

impl Format for Elb {
    fn carries_state(&self) -> bool {
        false
    }

    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let entry = Entry::read(&mut Words::of(line))?;
        let time_us = self.days.instant_us(entry.time).ok_or(Reject::BadTime)?;
        let (host, request) = host_and_request(entry.request, &mut self.scratch)?;
        Ok(Some(Record {
            time_us: Some(time_us),
            client: entry.client,
            host,
            method: request.method,
            target: RequestTarget::Url(request.target),
            protocol: request.protocol,
            status: entry.status,
            bytes: entry.bytes,
            size: None,
            took_us: entry.took_us,
        }))
    }
}
