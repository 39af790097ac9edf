//! Paths and queries in request targets.

use hotset_trace::{encoded_path, encoded_query};
use percent_encoding::percent_decode;

/// RFC 3986: unreserved, sub-delims, ":" and "@" make up `pchar` (section 3.3).
const PCHAR: &[u8] =
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@";

fn every_byte() -> Vec<u8> {
    (0..=u8::MAX).collect()
}

/// Bytes that come out as they went in.
fn shown(encode: impl Fn(&[u8]) -> String) -> Vec<u8> {
    let mut bytes = every_byte();
    bytes.retain(|byte| encode(&[*byte]).as_bytes() == [*byte]);
    bytes
}

fn allowed(more: &[u8]) -> Vec<u8> {
    let mut bytes = [PCHAR, more].concat();
    bytes.sort_unstable();
    bytes
}

#[test]
fn a_path_shows_exactly_what_the_standard_allows() {
    assert_eq!(shown(|path| encoded_path(path).collect()), allowed(b"/"));
}

#[test]
fn a_query_shows_exactly_what_the_standard_allows() {
    assert_eq!(
        shown(|query| encoded_query(query).collect()),
        allowed(b"/?")
    );
}

#[test]
fn any_bytes_come_back_when_decoded() {
    let path: String = encoded_path(&every_byte()).collect();
    let query: String = encoded_query(&every_byte()).collect();
    assert_eq!(
        percent_decode(path.as_bytes()).collect::<Vec<_>>(),
        every_byte()
    );
    assert_eq!(
        percent_decode(query.as_bytes()).collect::<Vec<_>>(),
        every_byte()
    );
}
