//! Cutting lines of an unknown layout into values.

use super::column::{is_method, is_protocol};
use std::ops::Range;

/// What may separate values, tried in this order: a space stands inside values more often than the others.
pub(super) const SEPARATORS: [u8; 5] = [b'\t', b'|', b';', b',', b' '];

/// The values of a line, by place. Quotes, brackets, a `key=` or `label:` and punctuation around a value are not part of it.
pub(super) fn values(line: &[u8], separator: u8) -> Vec<Range<usize>> {
    let is_labelled = separator == b'\t' && is_labelled(line);
    let mut values = Vec::new();
    let mut at = 0;
    loop {
        at += spaces(&line[at..]);
        if separator == b' ' && at == line.len() {
            return values;
        }
        let name_length = match is_labelled {
            true => name_length(&line[at..], b':'),
            false => name_length(&line[at..], b'='),
        };
        let start = at + name_length;
        let start = start + usize::from(opens_several(&line[start..]));
        let (value, end) = match closing_mark(&line[start..], separator) {
            Some(length) => {
                let end = start + 1 + length;
                let label = label_length(&line[start..end]);
                (start + 1 + label..end, end + 1)
            }
            None => word(line, start, separator),
        };
        values.push(value);
        match line[end..].iter().position(|&byte| byte == separator) {
            Some(found) => at = end + found + 1,
            None => return values,
        }
    }
}

fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| byte == b' ').count()
}

/// Whether each of the values between tabs has a label, as in LTSV (ltsv.org).
fn is_labelled(line: &[u8]) -> bool {
    let mut values = line.split(|&byte| byte == b'\t');
    values.all(|value| name_length(value, b':') > 0)
}

/// Bytes of a `key=` or `label:`, which `mark` ends, at the start of `text`.
fn name_length(text: &[u8], mark: u8) -> usize {
    let is_key =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'@');
    let length = text.iter().take_while(|byte| is_key(byte)).count();
    let begins = text
        .first()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'@');
    match text.get(length) {
        Some(byte) if *byte == mark && begins => length + 1,
        _ => 0,
    }
}

/// Bytes of a `Client ` in `[Client 203.0.113.7`: a word with a small letter in it before another, in brackets.
fn label_length(bracket: &[u8]) -> usize {
    let Some(inside) = bracket.strip_prefix(b"[") else {
        return 0;
    };
    let in_label = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'-';
    let length = inside.iter().take_while(|byte| in_label(byte)).count();
    let is_label = inside[..length].iter().any(u8::is_ascii_lowercase);
    match inside[length..].strip_prefix(b" ") {
        Some(value) if is_label && !value.is_empty() && memchr::memchr(b' ', value).is_none() => {
            length + 1
        }
        _ => 0,
    }
}

/// Whether `text` begins with a quote or a bracket around several values: a request with more than its protocol behind
/// the target (`"GET /a HTTP/1.1 200 512"`), or a time and a process (`[2026-04-02T08:00:00 #77]`).
fn opens_several(text: &[u8]) -> bool {
    let inside = |close: u8| {
        let length = memchr::memchr(close, text.get(1..)?)?;
        Some(text[1..=length].split(|&byte| byte == b' ').collect())
    };
    let words: Option<Vec<&[u8]>> = match text.first() {
        Some(b'"') => inside(b'"'),
        Some(b'[') => inside(b']'),
        _ => None,
    };
    match words.as_deref() {
        Some([method, _, .., last]) if text[0] == b'"' => is_method(method) && is_version(last),
        Some([_, process]) => text[0] == b'[' && is_process(process),
        _ => false,
    }
}

/// A number or a protocol's bare version.
fn is_version(word: &[u8]) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    !word.is_empty() && !is_protocol(word) && word.iter().all(is_digit)
}

/// `#77`
fn is_process(word: &[u8]) -> bool {
    let number = word.strip_prefix(b"#").unwrap_or(b"");
    !number.is_empty() && number.iter().all(u8::is_ascii_digit)
}

/// Bytes at the end of `word` that are not of its value: the mark that closes several values, the unit of a size.
fn end_length(word: &[u8]) -> usize {
    let is_value = match word {
        [number @ .., b'"'] => is_version(number),
        [process @ .., b']'] => is_process(process),
        [size @ .., b'B'] => !size.is_empty() && size.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    usize::from(is_value)
}

/// Bytes between the quotes or brackets that `text` begins with; none where it begins otherwise, or they do not
/// close in front of a separator.
fn closing_mark(text: &[u8], separator: u8) -> Option<usize> {
    let close = match text.first()? {
        b'"' => b'"',
        b'[' => b']',
        b'\'' => b'\'',
        b'(' => b')',
        _ => return None,
    };
    let ends = |at: usize| match text.get(at + 1) {
        None => true,
        Some(&next) => next == separator || matches!(next, b' ' | b',' | b';' | b':' | b')'),
    };
    let is_escaped = |at: usize| matches!(close, b'"' | b'\'') && text[at - 1] == b'\\';
    let found = (1..text.len()).find(|&at| text[at] == close && !is_escaped(at) && ends(at));
    // Parentheses hold a list of addresses; a size and its unit stand in them too, and are two values.
    let in_list = |byte: &u8| byte.is_ascii_hexdigit() || b".:, -".contains(byte);
    let found = found.filter(|&at| close != b')' || text[1..at].iter().all(in_list));
    found.map(|at| at - 1)
}

/// The value from `start` to the next separator without the marks around it, and where the separator is searched.
fn word(line: &[u8], start: usize, separator: u8) -> (Range<usize>, usize) {
    let length = line[start..].iter().position(|&byte| byte == separator);
    let end = length.map_or(line.len(), |length| start + length);
    let (mut from, mut to) = (start, end);
    while to > from && matches!(line[to - 1], b' ' | b',' | b';' | b':') {
        to -= 1;
    }
    while to > from && matches!(line[from], b'(' | b'<') {
        from += 1;
    }
    while to > from && matches!(line[to - 1], b')' | b'>') {
        to -= 1;
    }
    (from..to - end_length(&line[from..to]), end)
}
