//! What speaks for a JSON format.

use crate::Method;
use crate::formats::address::is_host;
use crate::formats::evidence::Evidence;
use crate::formats::head::Head;
use crate::formats::{FormatKind, Record, Reject, RequestTarget};

/// How many lines the parser of `kind` reads, of those that look like records of access: a server's messages of
/// other kinds (`{"level":"info","msg":"serving"}`) stand among its requests and say nothing against them.
pub(in crate::formats) fn evidence(kind: FormatKind, head: &Head<'_>) -> Option<Evidence> {
    let mut parser = kind.parser();
    let (mut read, mut of, mut others) = (0, 0, 0);
    for line in head.lines() {
        match parser.parse(line) {
            Ok(None) => continue,
            Ok(Some(record)) => read += usize::from(has_shape(&record)),
            Err(Reject::NotARequest) if !names_a_method(line) => {
                others += 1;
                continue;
            }
            Err(_) => {}
        }
        of += 1;
    }
    let others = match others {
        0 => String::new(),
        _ => format!(", {others} more hold no request"),
    };
    let why = format!("{read} of the first {of} lines read as {kind}{others}");
    (read > 0).then(|| Evidence::new(read, of, why))
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
