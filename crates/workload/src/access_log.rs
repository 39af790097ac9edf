//! A trace as an access log.

use std::io::{self, Write};

use hotset_trace::{
    Method, NO_OBJECT, Protocol, Request, SCRIPT_QUERY, Trace, encoded_path, not_one_of,
};
use strum::{EnumString, VariantNames};

/// Layout of the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case", parse_err_ty = String, parse_err_fn = not_a_style)]
pub enum LogStyle {
    /// Apache `common`.
    Common,
    /// Apache and nginx `combined`: with referer and user agent.
    Combined,
    /// Apache `vhost_combined`: site name and port before a combined line.
    VhostCombined,
}

fn not_a_style(text: &str) -> String {
    not_one_of::<LogStyle>(text, "a log style")
}

/// A site whose name a log would not give back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "site `{0}` would be read back by another name from a vhost-combined log; use a name of lower-case letters, digits, \
     `-`, `_` and `.`, without a `.` at its end, or another style"
)]
pub struct SiteNameError(pub String);

/// Refuses sites whose names lines of this style would not give back.
///
/// # Errors
/// The first of them.
pub fn check_sites(trace: &Trace, style: LogStyle) -> Result<(), SiteNameError> {
    if style != LogStyle::VhostCombined {
        return Ok(());
    }
    match trace.sites.iter().find(|name| !is_read_back(name)) {
        Some(name) => Err(SiteNameError(name.clone())),
        None => Ok(()),
    }
}

/// Whether a line that begins with `name` and a port is read as of a site of this name: hosts are read in lower case and
/// without a dot at the end, and `-` is none.
fn is_read_back(name: &str) -> bool {
    let is_of_host = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-._".contains(c);
    !name.is_empty() && name != "-" && !name.ends_with('.') && name.chars().all(is_of_host)
}

/// Writes the requests of `trace`, in its order, one line each; only those of site `site` if given.
///
/// Times are cut to the second. A log has no place for what the style does not show: the site, unless
/// it is [`LogStyle::VhostCombined`]. Requests that are not for a file get a URL with a query, which
/// is not a file by default either. What a script makes of a file ([`Trace::is_scripted`]) gets the file's URL with a query
/// and the file's bytes: a file is as long as the longest answer that is logged for it. Referers and user agents are made up from the row number.
///
/// # Errors
/// Those of `out`, which should be buffered. A site as [`check_sites`] refuses it is one of invalid input, and nothing is written.
pub fn write_log(
    trace: &Trace,
    style: LogStyle,
    site: Option<u16>,
    out: &mut impl Write,
) -> io::Result<()> {
    check_sites(trace, style)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let mut lines = Lines {
        trace,
        style,
        second: None,
        date: String::new(),
        line: Vec::new(),
    };
    for row in 0..trace.requests.len() {
        let request = trace.requests.get(row);
        if site.is_none_or(|site| site == request.site) {
            lines.compose(row, &request);
            out.write_all(&lines.line)?;
        }
    }
    out.flush()
}

const SECOND_US: i64 = 1_000_000;

const REFERERS: [&str; 4] = [
    "-",
    "http://www.example.com/",
    "http://www.example.com/news/2015/05/index.html",
    "https://search.example.org/?q=hot+set+planning",
];

const USER_AGENTS: [&str; 4] = [
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
    "ExampleBot/2.1 (+http://bot.example.net/about.html)",
];

/// Composes one line after the other in the same buffer.
struct Lines<'a> {
    trace: &'a Trace,
    style: LogStyle,
    second: Option<i64>,
    date: String,
    line: Vec<u8>,
}

impl Lines<'_> {
    fn compose(&mut self, row: usize, request: &Request) {
        self.line.clear();
        self.set_date(request.time_us.div_euclid(SECOND_US));
        if self.style == LogStyle::VhostCombined {
            self.push(&[
                self.trace.sites[usize::from(request.site)].as_bytes(),
                b":80 ",
            ]);
        }
        self.push_client(request.client);
        self.line.extend_from_slice(b" - - [");
        self.line.extend_from_slice(self.date.as_bytes());
        self.line.extend_from_slice(b"] \"");
        self.push_request_line(row, request);
        let bytes = match self.trace.is_scripted(row) {
            true => self.trace.objects.size[request.object as usize],
            false => request.bytes,
        };
        self.push(&[b"\" ", digits(u64::from(request.status)).as_bytes(), b" "]);
        self.push(&[digits(bytes).as_bytes()]);
        if self.style != LogStyle::Common {
            let referer = REFERERS[row % REFERERS.len()].as_bytes();
            let agent = USER_AGENTS[request.client as usize % USER_AGENTS.len()].as_bytes();
            self.push(&[b" \"", referer, b"\" \"", agent, b"\""]);
        }
        self.line.push(b'\n');
    }

    fn push(&mut self, parts: &[&[u8]]) {
        parts
            .iter()
            .for_each(|part| self.line.extend_from_slice(part));
    }

    fn set_date(&mut self, second: i64) {
        if self.second == Some(second) {
            return;
        }
        self.second = Some(second);
        // Outside the years that a calendar covers there is nothing sensible to write.
        let time = jiff::Timestamp::from_second(second).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        self.date = time.strftime("%d/%b/%Y:%H:%M:%S +0000").to_string();
    }

    fn push_client(&mut self, client: u32) {
        let trace = self.trace;
        if trace.clients.is_empty() {
            self.push(&[b"client-", digits(u64::from(client)).as_bytes()]);
        } else {
            self.line
                .extend_from_slice(trace.clients.get(client as usize));
        }
    }

    fn push_request_line(&mut self, row: usize, request: &Request) {
        self.push(&[method_name(request.method), b" "]);
        if request.object == NO_OBJECT {
            self.push(&[b"/cgi-bin/page?request=", digits(row as u64).as_bytes()]);
        } else {
            let path = self.trace.objects.path.get(request.object as usize);
            encoded_path(path).for_each(|piece| self.line.extend_from_slice(piece.as_bytes()));
            if self.trace.is_scripted(row) {
                self.push(&[SCRIPT_QUERY.as_bytes()]);
            }
        }
        self.push(&[b" ", protocol_name(request.protocol)]);
    }
}

fn method_name(method: Method) -> &'static [u8] {
    match method {
        Method::Get => b"GET",
        Method::Head => b"HEAD",
        Method::Post => b"POST",
        Method::Other => b"OPTIONS",
    }
}

fn protocol_name(protocol: Protocol) -> &'static [u8] {
    match protocol {
        Protocol::Http10 => b"HTTP/1.0",
        Protocol::Http11 | Protocol::Unknown => b"HTTP/1.1",
        Protocol::Http2 => b"HTTP/2.0",
    }
}

fn digits(number: u64) -> String {
    number.to_string()
}
