//! JSON strings (RFC 8259, section 7): where they end, and what they say.

/// How many bytes at the start of `text` are neither a quote, a backslash nor a control character, which are what
/// can end a string, escape in it and break it.
///
/// Eight bytes are looked at together: subtracting a byte borrows from its highest bit where it is below what is
/// subtracted. A borrow can run into the bytes above it, so only the lowest mark counts.
#[inline]
pub(super) fn plain_length(text: &[u8]) -> usize {
    let mut chunks = text.chunks_exact(8);
    let mut at = 0;
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        let marks = marks(u64::from_le_bytes(word));
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    let rest = chunks.remainder();
    let special = |&byte: &u8| byte < b' ' || byte == b'"' || byte == b'\\';
    at + rest.iter().position(special).unwrap_or(rest.len())
}

/// The highest bit of the lowest byte of `word` that is special, and perhaps of bytes above it.
#[inline]
fn marks(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (below(word, b' ') | equal(b'"') | equal(b'\\')) & HIGH
}

/// The length of the escape at the start of `text`, which begins with a backslash; none where it is no escape.
#[inline]
pub(super) fn escape_length(text: &[u8]) -> Option<usize> {
    match text.get(1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => unit(text).map(|_| 6),
        _ => None,
    }
}

/// The UTF-16 code unit that `\uHHHH` at the start of `text` names.
fn unit(text: &[u8]) -> Option<u16> {
    let [b'\\', b'u', digits @ ..] = text else {
        return None;
    };
    let digit = |value: u16, &byte: &u8| Some(value << 4 | char::from(byte).to_digit(16)? as u16);
    digits.first_chunk::<4>()?.iter().try_fold(0, digit)
}

/// Appends what the inside of a JSON string says to `out`. Bytes that are not UTF-8 stay as they are: servers log
/// what clients send.
///
/// None where an escape is none, or names half of a surrogate pair.
#[must_use]
pub fn decode(inside: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let mut rest = inside;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        let used = decode_escape(&rest[at..], out)?;
        rest = &rest[at + used..];
    }
    out.extend_from_slice(rest);
    Some(())
}

/// Appends what the escape at the start of `text` stands for; its length.
fn decode_escape(text: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    let byte = match text.get(1)? {
        b'b' => 0x08,
        b'f' => 0x0c,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'u' => return decode_units(text, out),
        &byte @ (b'"' | b'\\' | b'/') => byte,
        _ => return None,
    };
    out.push(byte);
    Some(2)
}

/// `\uHHHH`, or two of them that are a surrogate pair (RFC 8259, section 7).
fn decode_units(text: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    let first = unit(text)?;
    let second = unit(&text[6..]);
    let units = [first, second.unwrap_or(0)];
    let is_pair = (0xd800..0xdc00).contains(&first);
    let character = char::decode_utf16(units).next()?.ok()?;
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    Some(if is_pair { 12 } else { 6 })
}
