//! Logs whose requests hold absolute URLs, as caches and proxies write them (varnishncsa's `%r`): the URL's
//! host is the virtual host where the format has no field for it.

use super::head::Head;
use super::request_line::split_url;
use super::{Format, Framing, Record, Reject, RequestTarget};

/// Whether most requests in the head of a log, as `parser` reads them, name an absolute URL and no host.
///
/// A web server's log holds a few such URLs as well, from those who look for open proxies: their hosts are
/// no sites of the server.
pub(crate) fn urls_name_hosts(head: &[u8], parser: &mut dyn Format) -> bool {
    if parser.framing() != Framing::Lines {
        return false;
    }
    let (mut absolute, mut requests) = (0, 0);
    for line in Head::new(head, "", None).lines() {
        if let Ok(Some(record)) = parser.parse(line) {
            requests += 1;
            absolute += usize::from(record.host.is_empty() && url_host(&record).is_some());
        }
    }
    absolute * 2 > requests
}

/// Reads what another format reads, and takes the hosts from the URLs.
pub(crate) struct UrlHosts(pub Box<dyn Format>);

impl Format for UrlHosts {
    fn framing(&self) -> Framing {
        self.0.framing()
    }

    fn carries_state(&self) -> bool {
        self.0.carries_state()
    }

    fn beside(&self, block: &[u8]) -> Option<Box<dyn Format>> {
        let parser = self.0.beside(block)?;
        Some(Box::new(UrlHosts(parser)))
    }

    fn parse_record<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let read = self.0.parse(record)?;
        Ok(read.map(|record| match url_host(&record) {
            Some((host, path)) if record.host.is_empty() => Record {
                host,
                target: RequestTarget::Url(path),
                ..record
            },
            _ => record,
        }))
    }
}

/// The host and the path of a record's absolute URL.
fn url_host<'a>(record: &Record<'a>) -> Option<(&'a [u8], &'a [u8])> {
    match record.target {
        RequestTarget::Url(url) if !url.starts_with(b"/") => split_url(url),
        _ => None,
    }
}
