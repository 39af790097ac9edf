//! The small fields that several formats share: line ends, numbers, statuses, sizes.

/// `line` without its line end (LF, CR LF or a lone CR) and without anything else removed.
pub(crate) fn trim_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The decimal number `digits` consists of; `None` when empty, not a number or past 64 bits.
pub(super) fn number(digits: &[u8]) -> Option<u64> {
    let (value, used) = leading_number(digits)?;
    (used == digits.len()).then_some(value)
}

/// The decimal number at the start of `bytes` and its number of digits.
#[inline]
pub(super) fn leading_number(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0u64;
    let mut used = 0;
    while let Some(digit) = bytes.get(used).map(|b| b.wrapping_sub(b'0')) {
        if digit > 9 {
            break;
        }
        value = value.checked_mul(10)?.checked_add(u64::from(digit))?;
        used += 1;
    }
    (used > 0).then_some((value, used))
}

/// The two decimal digits at `at`.
#[inline]
pub(super) fn two_digits(bytes: &[u8], at: usize) -> Option<u32> {
    let tens = bytes.get(at)?.wrapping_sub(b'0');
    let ones = bytes.get(at + 1)?.wrapping_sub(b'0');
    (tens <= 9 && ones <= 9).then_some(u32::from(tens) * 10 + u32::from(ones))
}

/// The status that the first three bytes spell, whatever follows them.
#[inline]
pub(super) fn leading_status(bytes: &[u8]) -> Option<u16> {
    let &[a, b, c, ..] = bytes else { return None };
    if !(a.is_ascii_digit() && b.is_ascii_digit() && c.is_ascii_digit()) {
        return None;
    }
    Some(u16::from(a - b'0') * 100 + u16::from(b - b'0') * 10 + u16::from(c - b'0'))
}

/// A whole field as a status: three digits, or `-` (0).
pub(super) fn status(field: &[u8]) -> Option<u16> {
    match field {
        b"-" => Some(0),
        [_, _, _] => leading_status(field),
        _ => None,
    }
}

/// A whole field as a size: `Some(None)` for `-`.
pub(super) fn size(field: &[u8]) -> Option<Option<u64>> {
    if field == b"-" {
        return Some(None);
    }
    number(field).map(Some)
}

/// `field`, or nothing where it says `-`.
pub(super) fn unless_dash(field: &[u8]) -> &[u8] {
    if field == b"-" { b"" } else { field }
}

/// `text` without the marks around it; as it stands where it lacks one.
pub(super) fn without_marks(text: &[u8], open: u8, close: u8) -> &[u8] {
    match text {
        [first, inside @ .., last] if *first == open && *last == close => inside,
        _ => text,
    }
}

/// A host without its port: `a.example:80`, `[::1]:80` and bare IPv6 addresses.
pub(super) fn without_port(host: &[u8]) -> &[u8] {
    match memchr::memrchr(b':', host) {
        Some(colon) if is_port(&host[colon + 1..]) && !bare_ipv6(&host[..colon]) => &host[..colon],
        _ => host,
    }
}

/// Whether `text` consists of digits (an empty port is allowed by the URL syntax).
pub(super) fn is_port(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_digit)
}

/// A host that holds a colon outside brackets is an IPv6 address, and its last group no port.
fn bare_ipv6(host: &[u8]) -> bool {
    !host.ends_with(b"]") && memchr::memchr(b':', host).is_some()
}
