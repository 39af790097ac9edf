//! Undoing the escapes that servers write into logs.

/// Appends `text` to `out` with the escapes of Apache (`\xHH`, `\"`, `\\`, `\b`, `\n`, `\r`, `\t`, `\v`:
/// `ap_escape_logitem` in `server/util.c`) and nginx (`\xHH`) undone. Any other backslash stays: servers
/// before Apache 2.0.46 wrote backslashes as they came.
pub(super) fn unescape(text: &[u8], out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        let (byte, used) = escape(&rest[at + 1..]);
        out.push(byte);
        rest = &rest[at + used..];
    }
    out.extend_from_slice(rest);
}

/// The byte that the escape after a backslash stands for, and the escape's length with its backslash.
fn escape(after: &[u8]) -> (u8, usize) {
    match *after {
        [b'x', high, low, ..] => match (hex(high), hex(low)) {
            (Some(high), Some(low)) => (high << 4 | low, 4),
            _ => (b'\\', 1),
        },
        [b'"', ..] => (b'"', 2),
        [b'\\', ..] => (b'\\', 2),
        [b'b', ..] => (0x08, 2),
        [b'n', ..] => (b'\n', 2),
        [b'r', ..] => (b'\r', 2),
        [b't', ..] => (b'\t', 2),
        [b'v', ..] => (0x0b, 2),
        _ => (b'\\', 1),
    }
}

pub(super) fn hex(digit: u8) -> Option<u8> {
    (digit as char).to_digit(16).map(|value| value as u8)
}
