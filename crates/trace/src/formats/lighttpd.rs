//! lighttpd's default format, `%h %V %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"` (lighttpd documentation,
//! `mod_accesslog`): the combined format with the requested host in place of ident. OVH and Virtualmin log
//! the same.

use super::clf::{self, Family, Layout};
use super::evidence::Evidence;
use super::field::{unless_dash, without_port};
use super::head::Head;
use super::words_before_time::{self as words, WordOrder};
use super::{FormatKind, Reject};

impl FormatKind {
    /// The combined format with the host in second place.
    pub const LIGHTTPD: FormatKind =
        FormatKind::of::<Family<Lighttpd>>("lighttpd", 10).known_by(evidence);
}

/// Lines whose second word is a host, which some name by its address, or do not name.
fn evidence(kind: FormatKind, head: &Head<'_>) -> Option<Evidence> {
    let neutral = [WordOrder::ClientAddress, WordOrder::Client];
    let evidence = words::evidence(kind, head, &[WordOrder::ClientHost], &neutral)?;
    Some(evidence.with_doubt(clf::unread(kind, head)))
}

/// Reads `client host user [time] …`.
#[derive(Debug, Default)]
struct Lighttpd;

impl Layout for Lighttpd {
    fn cut(line: &[u8]) -> Result<(&[u8], &[u8]), Reject> {
        let host = line.split(|&byte| byte == b' ').nth(1);
        let host = host.ok_or(Reject::NoVirtualHost)?;
        if host.starts_with(b"[") {
            return Err(Reject::NoVirtualHost);
        }
        let host = without_port(unless_dash(host));
        Ok((line, host))
    }
}
