//! Text whose lines cannot be told apart: as the one long line it would be read as, a whole log would pass
//! for a single request.

/// Bytes looked at to tell UTF-16 that has no byte order mark.
const SAMPLE_BYTES: usize = 256;

/// The encoding of the log that begins with `head`, where its lines cannot be told apart.
pub(super) fn unreadable(head: &[u8]) -> Option<(&'static str, &'static str)> {
    if is_utf16(head) {
        return Some(("is text in UTF-16", "iconv -f UTF-16 -t UTF-8"));
    }
    let fix = "tr '\\r' '\\n'";
    ends_lines_in_cr(head).then_some(("has lines that end in CR alone", fix))
}

/// A byte order mark, or pairs of an ASCII byte and a zero.
fn is_utf16(head: &[u8]) -> bool {
    let start = &head[..head.len().min(SAMPLE_BYTES)];
    let ascii_pair = |pair: &[u8], zero: usize| pair[zero] == 0 && is_text(pair[1 - zero]);
    let pairs = |zero| start.len() >= 4 && start.chunks_exact(2).all(|pair| ascii_pair(pair, zero));
    start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") || pairs(0) || pairs(1)
}

/// Line ends as Mac OS had them before OS X.
fn ends_lines_in_cr(head: &[u8]) -> bool {
    let Some(first) = memchr::memchr(b'\r', head) else {
        return false;
    };
    memchr::memchr(b'\n', head).is_none()
        && head[first + 1..].iter().any(|&byte| byte != b'\r')
        && head.iter().copied().all(is_text)
}

/// A byte of ASCII text.
fn is_text(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~')
}
