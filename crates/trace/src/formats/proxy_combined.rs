//! The combined format behind a proxy, `%h %{X-Forwarded-For}i %l %u …`: the proxy's address stands first, then
//! the client's that it forwards, or a list of such.

use super::clf::{self, Family, Layout};
use super::evidence::Evidence;
use super::head::Head;
use super::words_before_time::{self as words, WordOrder};
use super::{FormatKind, Reject};
use memchr::memchr;

impl FormatKind {
    /// The combined format with a proxy's address in front of the client's.
    pub const PROXY_COMBINED: FormatKind =
        FormatKind::of::<Family<ProxyCombined>>("proxy-combined", 10).known_by(evidence);
}

/// Lines of two addresses, the first of fewer values, or of one and a list; some forward none.
fn evidence(kind: FormatKind, head: &Head<'_>) -> Option<Evidence> {
    let own = match words::second_varies_more(head) {
        true => &[WordOrder::ProxyForwarded, WordOrder::TwoAddresses][..],
        false => &[WordOrder::ProxyForwarded],
    };
    let evidence = words::evidence(kind, head, own, &[WordOrder::Client])?;
    let doubt = words::is_usual(head, WordOrder::TwoAddresses).then(|| {
        "its lines begin with two addresses, which count as a proxy's and the client's: if the first is the \
         client's, name the format combined; if it is a virtual host's, name it vhost-combined"
            .into()
    });
    Some(evidence.with_doubt(doubt.or_else(|| clf::unread(kind, head))))
}

/// Reads `proxy client ident user [time] …`; where no client is forwarded, the first address is its.
#[derive(Debug, Default)]
struct ProxyCombined;

impl Layout for ProxyCombined {
    fn cut(line: &[u8]) -> Result<(&[u8], &[u8]), Reject> {
        let proxy_end = memchr(b' ', line).ok_or(Reject::NoRequestLine)?;
        let forwarded = &line[proxy_end + 1..];
        let from_client = match forwarded.starts_with(b"- ") {
            true => line,
            false => forwarded,
        };
        Ok((from_client, b""))
    }
}
