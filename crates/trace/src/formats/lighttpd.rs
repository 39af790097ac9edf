//! lighttpd's default format, `%h %V %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"` (lighttpd documentation,
//! `mod_accesslog`): the combined format with the requested host in place of ident. OVH and Virtualmin log
//! the same.

use super::clf::{self, Clf};
use super::evidence::Evidence;
use super::field::{unless_dash, without_port};
use super::head::Head;
use super::words_before_time::{self as words, WordOrder};
use super::{Format, FormatKind, Record, Reject};
use crate::Zone;

impl FormatKind {
    /// The combined format with the host in second place.
    pub const LIGHTTPD: FormatKind = FormatKind {
        name: "lighttpd",
        fields: 10,
        is_key_only: false,
        parser: || Box::<Lighttpd>::default(),
        evidence,
    };
}

/// Lines whose second word is a host, which some name by its address, or do not name.
fn evidence(kind: FormatKind, head: &Head<'_>) -> Option<Evidence> {
    let neutral = [WordOrder::ClientAddress, WordOrder::Client];
    let evidence = words::evidence(kind, head, &[WordOrder::ClientHost], &neutral)?;
    Some(evidence.with_doubt(clf::unread(kind, head)))
}

/// Reads `client host user [time] …`.
#[derive(Debug, Default)]
struct Lighttpd(Clf);

impl Format for Lighttpd {
    fn carries_state(&self) -> bool {
        self.0.carries_state()
    }

    fn set_zone(&mut self, zone: &Zone) {
        self.0.set_zone(zone);
    }

    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let host = line.split(|&byte| byte == b' ').nth(1);
        let host = host.ok_or(Reject::NoVirtualHost)?;
        if host.starts_with(b"[") {
            return Err(Reject::NoVirtualHost);
        }
        let host = without_port(unless_dash(host));
        self.0.parse_from(line, host)
    }
}
