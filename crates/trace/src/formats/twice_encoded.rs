//! URLs that a log percent-encodes once more than the client did.

/// Appends `url` to `out` with its second percent-encoding undone: `%2520` becomes `%20`. A `%25` without two
/// hexadecimal digits behind it stays, as a percent sign that was encoded once.
pub(super) fn append_undone(url: &[u8], out: &mut Vec<u8>) {
    let mut rest = url;
    while let Some(at) = memchr::memchr(b'%', rest) {
        let used = match &rest[at..] {
            [b'%', b'2', b'5', high, low, ..]
                if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                3
            }
            _ => 1,
        };
        out.extend_from_slice(&rest[..at + 1]);
        rest = &rest[at + used..];
    }
    out.extend_from_slice(rest);
}
