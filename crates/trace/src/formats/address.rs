//! What an address and a host name look like.

use super::field::{without_marks, without_port};
use std::net::Ipv6Addr;

/// Whether `word` is an IPv4 or IPv6 address, without a port and without brackets.
pub(super) fn is_address(word: &[u8]) -> bool {
    if memchr::memchr(b':', word).is_none() {
        return is_ipv4(word);
    }
    std::str::from_utf8(word).is_ok_and(|text| text.parse::<Ipv6Addr>().is_ok())
}

/// Four numbers below 256 with dots between them.
fn is_ipv4(word: &[u8]) -> bool {
    let (mut dots, mut value, mut digits) = (0, 0, 0);
    for &byte in word {
        match byte {
            b'0'..=b'9' if digits < 3 => {
                (value, digits) = (value * 10 + u32::from(byte - b'0'), digits + 1)
            }
            b'.' if digits > 0 && value < 256 => (dots, value, digits) = (dots + 1, 0, 0),
            _ => return false,
        }
    }
    dots == 3 && digits > 0 && value < 256
}

/// The address in `address:port`, an IPv6 one with or without brackets; none where it is none.
pub(super) fn before_port(word: &[u8]) -> Option<&[u8]> {
    let colon = word.iter().rposition(|&byte| byte == b':')?;
    let (address, port) = (&word[..colon], &word[colon + 1..]);
    let is_port = (1..=5).contains(&port.len()) && port.iter().all(u8::is_ascii_digit);
    let address = without_marks(address, b'[', b']');
    (is_port && is_address(address)).then_some(address)
}

/// Whether `word` is an address or a host name, without a port.
pub(super) fn is_host(word: &[u8]) -> bool {
    let in_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    (!word.is_empty() && word.iter().all(in_name)) || is_address(without_marks(word, b'[', b']'))
}

/// Whether `word` is a domain name, perhaps with a port, and can hardly be anything else: labels with dots
/// between them, the last of letters or in Punycode (RFC 1123 §2.1, RFC 5890 §2.3.2.1).
pub(super) fn is_domain(word: &[u8]) -> bool {
    let host = without_port(word);
    let Some(dot) = memchr::memrchr(b'.', host) else {
        return false;
    };
    let top = &host[dot + 1..];
    let is_top =
        top.len() >= 2 && top.iter().all(u8::is_ascii_alphabetic) || top.starts_with(b"xn--");
    is_top && dot > 0 && is_host(host)
}
