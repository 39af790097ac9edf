//! Debian's `vhost_combined`, the combined format with `%v:%p ` in front.

use super::clf::Clf;
use super::field::{is_port, trim_line_end, without_port};
use super::line_evidence::line_evidence;
use super::{Format, FormatKind, Record, Reject};
use memchr::{memchr, memmem};

impl FormatKind {
    /// The combined format behind a virtual host.
    pub const VHOST_COMBINED: FormatKind = FormatKind {
        name: "vhost-combined",
        fields: 10,
        is_key_only: false,
        parser: || Box::<VhostCombined>::default(),
        evidence: line_evidence,
    };
}

/// Reads `vhost_combined`: the first word is a virtual host with its port, or a virtual host that three
/// more words follow before the time.
#[derive(Debug, Default)]
struct VhostCombined(Clf);

impl Format for VhostCombined {
    fn carries_state(&self) -> bool {
        self.0.carries_state()
    }

    fn parse<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let line = trim_line_end(record);
        if line.is_empty() {
            return Ok(None);
        }
        let space = memchr(b' ', line).ok_or(Reject::NoVirtualHost)?;
        let (host, rest) = (&line[..space], &line[space + 1..]);
        if !names_host(host, rest) {
            return Err(Reject::NoVirtualHost);
        }
        self.0.parse_from(rest, without_port(host)).map(Some)
    }
}

/// Whether `host` can be a virtual host, `rest` being what follows it.
fn names_host(host: &[u8], rest: &[u8]) -> bool {
    let bracket = memmem::find(rest, b" [").unwrap_or(0);
    let words = rest[..bracket].split(|&byte| byte == b' ').count();
    let port = memchr::memrchr(b':', host).map(|colon| &host[colon + 1..]);
    let has_port = port.is_some_and(|port| !port.is_empty() && is_port(port));
    words >= 3 && (has_port || words == 3)
}
