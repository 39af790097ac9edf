//! Paths and queries as they stand in a request target.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

/// What a path may show as it is (RFC 3986, section 3.3: `pchar` and `/`).
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// What a query may show as it is (section 3.4: `pchar`, `/` and `?`).
const QUERY: &AsciiSet = &PATH.remove(b'?');

/// The pieces of a decoded URL path as it stands in a request target: percent-encoded wherever RFC 3986 (section 3.3)
/// does not allow the byte in a path. A `?` is encoded too, so that no query begins.
///
/// ```
/// let target: String = hotset_trace::encoded_path("/a b/ü?".as_bytes()).collect();
/// assert_eq!(target, "/a%20b/%C3%BC%3F");
/// ```
pub fn encoded_path(path: &[u8]) -> impl Iterator<Item = &str> {
    percent_encode(path, PATH)
}

/// The pieces of a query, without the `?` before it: percent-encoded wherever RFC 3986 (section 3.4) does not allow the
/// byte in a query, so that a `%` that it holds is a percent sign.
///
/// ```
/// let query: String = hotset_trace::encoded_query(b"q=a?/#%").collect();
/// assert_eq!(query, "q=a?/%23%25");
/// ```
pub fn encoded_query(query: &[u8]) -> impl Iterator<Item = &str> {
    percent_encode(query, QUERY)
}
