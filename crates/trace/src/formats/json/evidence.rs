//! What speaks for a JSON format.

use super::keys::leaves;
use super::reader::object_in;
use super::scan::Paths;
use crate::Method;
use crate::formats::address::{is_domain, is_host};
use crate::formats::evidence::Evidence;
use crate::formats::head::Head;
use crate::formats::{FormatKind, Record, Reject, RequestTarget};

/// How many lines the parser of `kind` reads, of those that look like records of access: a server's messages of
/// other kinds (`{"level":"info","msg":"serving"}`) stand among its requests and say nothing against them.
pub(in crate::formats) fn evidence(kind: FormatKind, head: &Head<'_>) -> Option<Evidence> {
    let Counts {
        read,
        of,
        others,
        with_host,
    } = count(kind, head);
    let others = match others {
        0 => String::new(),
        _ => format!(", {others} more hold no request"),
    };
    let why = format!("{read} of the first {of} lines read as {kind}{others}");
    let doubt = (with_host == 0).then(|| unread_host(head)).flatten();
    (read > 0).then(|| Evidence::new(read, of, why).with_doubt(doubt))
}

/// Lines of a head.
#[derive(Default)]
struct Counts {
    /// That are requests.
    read: usize,
    /// That look like records of access.
    of: usize,
    /// That are JSON and do not.
    others: usize,
    /// Requests that name a host.
    with_host: usize,
}

fn count(kind: FormatKind, head: &Head<'_>) -> Counts {
    let mut parser = kind.parser();
    let mut counts = Counts::default();
    for line in head.lines() {
        match parser.parse(line) {
            Ok(None) => continue,
            Ok(Some(record)) => {
                counts.read += usize::from(has_shape(&record));
                counts.with_host += usize::from(!record.host.is_empty());
            }
            Err(Reject::NotARequest) if !names_a_method(line) => {
                counts.others += 1;
                continue;
            }
            Err(_) => {}
        }
        counts.of += 1;
    }
    counts
}

/// The doubt that is left where no host is read, and a key that sounds like one holds a domain: sites would fall
/// together without a word.
fn unread_host(head: &Head<'_>) -> Option<String> {
    const NAMES: [&str; 5] = ["host", "domain", "server", "site", "authority"];
    let document = head.lines().iter().find_map(|line| object_in(line))?;
    let sounds_like_one = |key: &String| {
        let key = key.to_ascii_lowercase();
        NAMES.iter().any(|name| key.contains(name))
    };
    let mut keys = leaves(document).into_iter().filter(sounds_like_one);
    let key = keys.find(|key| holds_domain(document, key))?;
    Some(format!(
        "no virtual host is read, and its lines hold a domain under the key {key}: if that is the site's, name the \
         log's keys, this one as its host"
    ))
}

fn holds_domain(document: &[u8], key: &str) -> bool {
    let paths = Paths::new([key]);
    let mut found = Vec::new();
    let scanned = paths.scan(document, &mut found);
    let value = paths.value(0, &found).filter(|_| scanned.is_ok());
    value.is_some_and(|value| is_domain(value.bytes(document)))
}

/// Whether what was read looks like what it is taken for: a path or a whole URL, the name of a host, a client.
fn has_shape(record: &Record<'_>) -> bool {
    let RequestTarget::Url(target) = record.target else {
        return false;
    };
    let is_target = record.method == Method::Other
        || target.starts_with(b"/")
        || target == b"*"
        || is_url(target);
    let is_client = |byte: &u8| byte.is_ascii_graphic() && !b"\"/{}".contains(byte);
    is_target
        && (record.host.is_empty() || is_host(record.host))
        && record.client.iter().all(is_client)
}

fn is_url(target: &[u8]) -> bool {
    [&b"http://"[..], b"https://"]
        .iter()
        .any(|scheme| target.starts_with(scheme))
}

/// Whether a string of `line` begins with a method, alone or in a request line.
fn names_a_method(line: &[u8]) -> bool {
    const METHODS: [&[u8]; 7] = [
        b"GET", b"HEAD", b"POST", b"PUT", b"PATCH", b"DELETE", b"OPTIONS",
    ];
    memchr::memchr_iter(b'"', line).any(|quote| {
        let text = &line[quote + 1..];
        METHODS.iter().any(|method| text.starts_with(method))
    })
}
