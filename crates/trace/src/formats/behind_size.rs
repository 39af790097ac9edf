//! The fields behind the size in logs of the common family, which are not read: whether they hold a client or a host
//! that the fields in front do not.

use super::address::is_domain;
use super::answer_words::AnswerWords;
use super::head::Head;
use super::kind::FormatKind;
use super::words::Words;
use super::words_before_time::is_address;
use std::collections::{HashMap, HashSet};

/// Fields looked at, from the first behind the size.
const FIELDS: usize = 24;

/// What one field says in all lines.
#[derive(Default)]
struct Column<'a> {
    /// Addresses, the first of each list.
    addresses: HashSet<&'a [u8]>,
    /// Lines whose address is not the client's.
    others: usize,
    domains: HashSet<&'a [u8]>,
    with_domain: usize,
}

/// What is not read although the fields behind the size may hold it: clients that a proxy forwards, where they are
/// more than those read, and hosts, where none is read.
pub(super) fn doubt(kind: FormatKind, head: &Head<'_>) -> Option<String> {
    let mut parser = kind.parser();
    let (mut clients, mut requests, mut with_host) = (HashSet::new(), 0, 0);
    let mut columns: HashMap<usize, Column<'_>> = HashMap::new();
    for line in head.lines() {
        let Ok(Some(record)) = parser.parse(line) else {
            continue;
        };
        requests += 1;
        with_host += usize::from(!record.host.is_empty());
        for (at, field) in fields(line).take(FIELDS).enumerate() {
            columns.entry(at).or_default().note(field, record.client);
        }
        clients.insert(record.client.to_vec());
    }
    let is_usual = |count: usize| count * 2 > requests;
    let forwards = |it: &Column<'_>| is_usual(it.others) && it.addresses.len() > clients.len();
    let names_hosts = |it: &Column<'_>| is_usual(it.with_domain) && it.domains.len() > 1;
    if columns.values().any(forwards) {
        return Some(
            "a field behind the size holds more addresses than there are clients: if a proxy forwards its clients \
             there, give the log's format string"
                .into(),
        );
    }
    (with_host == 0 && columns.values().any(names_hosts)).then(|| {
        "no virtual host is read, and a field behind the size holds domains: if they are the sites', give the log's \
         format string"
            .into()
    })
}

impl<'a> Column<'a> {
    fn note(&mut self, field: &'a [u8], client: &[u8]) {
        let first = field.split(|&byte| byte == b',').next().unwrap_or(field);
        if is_address(first) {
            self.addresses.insert(first);
            self.others += usize::from(first != client);
        } else if is_domain(field) {
            self.domains.insert(field);
            self.with_domain += 1;
        }
    }
}

/// The fields behind the size of a line, without quotes and without a `key=` in front of them.
fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut words = AnswerWords::of(line).map(|it| Words::of(it.rest));
    std::iter::from_fn(move || words.as_mut()?.field()).map(without_key)
}

fn without_key(field: &[u8]) -> &[u8] {
    let in_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    match memchr::memchr(b'=', field) {
        Some(equals) if equals > 0 && field[..equals].iter().all(in_key) => {
            let value = &field[equals + 1..];
            let inside = value.strip_prefix(b"\"");
            inside.map_or(value, |it| it.strip_suffix(b"\"").unwrap_or(it))
        }
        _ => field,
    }
}
