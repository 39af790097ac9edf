//! The words before the time in logs of the common family: which is the client, which the virtual host.
//!
//! Servers and their users put words in front of, behind and in place of `client ident user`. All such
//! logs parse alike; only the shape of the words tells which one names whom.

use super::address;
use super::answer_words::has_shape;
use super::evidence::Evidence;
use super::field::{without_marks, without_port};
use super::head::Head;
use super::kind::FormatKind;
use super::line_evidence::count_lines;
use memchr::memmem;
use std::collections::HashSet;

/// What the words before the time say, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordOrder {
    /// The client, and no host: `%h %l %u`.
    Client,
    /// A virtual host, then the client: `%v %h %l %u`.
    HostClient,
    /// The client, then a virtual host: `%h %V %u`.
    ClientHost,
    /// The client, then a virtual host that the request named by its address: `%h %V %u`.
    ClientAddress,
    /// A proxy, then the list of addresses that it forwards: `%h %{X-Forwarded-For}i %l %u`.
    ProxyForwarded,
    /// Two addresses, either of which can be a proxy's, and the first a virtual host's.
    TwoAddresses,
    /// `-`, then an address: a line without a host or a forwarded address.
    NothingClient,
}

/// The order of the words of a line; none where they cannot be told, as in a log that begins with a time.
pub(super) fn word_order(line: &[u8]) -> Option<WordOrder> {
    let before = &line[..memmem::find(line, b" [")?];
    let words: Vec<&[u8]> = before.split(|&byte| byte == b' ').collect();
    match words[..] {
        // A port or a process number behind the host, forwarded addresses in parentheses: not all words are read.
        [first, number, client, ..]
            if names_host(first) && is_number(number) && is_address(client) =>
        {
            None
        }
        [_, second, ..] if second.starts_with(b"(") => None,
        [first, ..] if is_listed_address(first) => Some(WordOrder::Client),
        [b"-", second, _, _, ..] if is_address(second) => Some(WordOrder::NothingClient),
        [first, second, _, _, ..] if is_address(first) && is_listed_address(second) => {
            Some(WordOrder::ProxyForwarded)
        }
        [first, second, _, _, ..] if names_host(first) && is_client(second) => {
            Some(WordOrder::HostClient)
        }
        [first, second, _, _, ..] if is_address(first) && is_address(second) => {
            Some(WordOrder::TwoAddresses)
        }
        [first, second, _, _, ..] if is_label(first) && is_address(second) => {
            Some(WordOrder::HostClient)
        }
        [first, second, _, ..] if is_client(first) && names_host(second) => {
            Some(WordOrder::ClientHost)
        }
        [first, second, _] if is_address(first) && is_address(second) => {
            Some(WordOrder::ClientAddress)
        }
        [first, second, _, _, ..] if !is_address(first) && second != b"-" => None,
        [first, ..] if first == b"-" || is_client(first) => Some(WordOrder::Client),
        _ => None,
    }
}

/// The evidence for `kind`, whose lines have one of the orders `own`; those in one of `neutral` say nothing
/// for or against it, and are read.
pub(super) fn evidence(
    kind: FormatKind,
    head: &Head<'_>,
    own: &[WordOrder],
    neutral: &[WordOrder],
) -> Option<Evidence> {
    let order = |line: &[u8], among: &[WordOrder]| {
        has_shape(line) && word_order(line).is_some_and(|order| among.contains(&order))
    };
    let (telling, _) = count_lines(kind, head, |line, _| order(line, own));
    let (read, of) = count_lines(kind, head, |line, _| {
        order(line, own) || order(line, neutral)
    });
    (telling > 0 && telling * 2 >= read).then(|| Evidence::of_lines(kind.name(), read, of))
}

/// Whether the second of two addresses takes more values than the first, in the lines that begin with two:
/// a proxy, or a host, stands before many clients.
pub(super) fn second_varies_more(head: &Head<'_>) -> bool {
    let (mut first, mut second) = (HashSet::new(), HashSet::new());
    for line in head.lines() {
        if word_order(line) == Some(WordOrder::TwoAddresses) {
            let mut words = line.split(|&byte| byte == b' ');
            first.extend(words.next());
            second.extend(words.next());
        }
    }
    second.len() >= first.len()
}

/// Whether most of the lines whose words can be told have this order.
pub(super) fn is_usual(head: &Head<'_>, order: WordOrder) -> bool {
    let lines = head.lines();
    let found = lines.iter().filter(|line| word_order(line) == Some(order));
    found.count() * 2 > lines.len()
}

/// Whether the first word of most lines is a name without a dot or a port: a virtual host, or a machine's name.
pub(super) fn begins_with_label(head: &Head<'_>) -> bool {
    let lines = head.lines();
    let first = |line: &[u8]| {
        line.split(|&byte| byte == b' ')
            .next()
            .is_some_and(is_label)
    };
    lines.iter().filter(|line| first(line)).count() * 2 > lines.len()
}

/// An address in a list of forwarded ones, but for the last.
fn is_listed_address(word: &[u8]) -> bool {
    word.strip_suffix(b",").is_some_and(is_client)
}

/// An address without a port: with one, it would count as a client for each connection.
pub(super) fn is_address(word: &[u8]) -> bool {
    address::is_address(without_marks(word, b'[', b']'))
}

/// A client: an address, a host name, or a pseudonym of letters and digits. A date is none of these.
fn is_client(word: &[u8]) -> bool {
    let is_name = !word.is_empty() && word.iter().all(|&byte| is_of_name(byte));
    is_address(word) || (is_name && (is_number(word) || has_letter(word)))
}

fn is_number(word: &[u8]) -> bool {
    word.iter().all(u8::is_ascii_digit)
}

/// A virtual host that can be nothing else: a name with a dot or a port, an address with a port.
pub(super) fn names_host(word: &[u8]) -> bool {
    let host = without_port(word);
    let has_port = host.len() + 1 < word.len();
    let is_name = !host.is_empty() && host.iter().all(|&byte| is_of_name(byte)) && has_letter(host);
    let is_dotted = memchr::memchr(b'.', host).is_some();
    (is_name && (is_dotted || has_port || host == b"localhost")) || (has_port && is_address(host))
}

/// A name without a dot or a port, such as a machine's, or nginx's `_`.
fn is_label(word: &[u8]) -> bool {
    let is_name = word.iter().all(|&byte| is_of_name(byte) && byte != b'.');
    word == b"_" || (is_name && has_letter(word))
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_') || !byte.is_ascii()
}

fn has_letter(word: &[u8]) -> bool {
    word.iter()
        .any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii())
}
