//! Debian's `vhost_combined`, the combined format with `%v:%p ` in front.

use super::clf::{self, Family, Layout};
use super::evidence::Evidence;
use super::field::{is_port, unless_dash, without_port};
use super::head::Head;
use super::words_before_time::{self as words, WordOrder};
use super::{FormatKind, Reject};
use memchr::{memchr, memmem, memrchr};

impl FormatKind {
    /// The combined format behind a virtual host.
    pub const VHOST_COMBINED: FormatKind =
        FormatKind::of::<Family<VhostCombined>>("vhost-combined", 10).known_by(evidence);
}

/// Lines that begin with a host, which some name by its address, or do not name.
fn evidence(kind: FormatKind, head: &Head<'_>) -> Option<Evidence> {
    let neutral = [WordOrder::TwoAddresses, WordOrder::NothingClient];
    let evidence = words::evidence(kind, head, &[WordOrder::HostClient], &neutral)?;
    let doubt = words::begins_with_label(head).then(|| {
        "its lines begin with a name without a dot, which counts as the virtual host: if it is the machine's, \
         give the log's format string"
            .into()
    });
    Some(evidence.with_doubt(doubt.or_else(|| clf::unread(kind, head))))
}

/// Reads `vhost_combined`: the first word is a virtual host with its port, or a virtual host that three
/// or more words follow before the time, of which the first is the client.
#[derive(Debug, Default)]
struct VhostCombined;

impl Layout for VhostCombined {
    fn cut(line: &[u8]) -> Result<(&[u8], &[u8]), Reject> {
        let space = memchr(b' ', line).ok_or(Reject::NoVirtualHost)?;
        let (host, rest) = (&line[..space], &line[space + 1..]);
        if !precedes_client(host, rest) {
            return Err(Reject::NoVirtualHost);
        }
        let host = unless_dash(without_port(host));
        Ok((rest, host))
    }
}

/// Whether `host` stands before a client, `rest` being what follows it.
fn precedes_client(host: &[u8], rest: &[u8]) -> bool {
    let bracket = memmem::find(rest, b" [").unwrap_or(0);
    let words = rest[..bracket].split(|&byte| byte == b' ').count();
    let port = memrchr(b':', host).map(|colon| &host[colon + 1..]);
    let has_port = port.is_some_and(|port| !port.is_empty() && is_port(port));
    let is_listed = host.ends_with(b",");
    // `client - user of words [`: a client is never `-` where its host is known.
    let names_client = !rest.starts_with(b"- ") || has_port;
    words >= 3 && !is_listed && names_client
}
