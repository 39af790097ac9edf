//! Text from logs, made safe and short enough to show.
//!
//! Paths and host names are chosen by whoever sends requests: an escape sequence in one must not
//! reach a terminal, nor a right-to-left override turn a line around.

use std::borrow::Cow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const ELLIPSIS: char = '…';

/// `text` with every control character and every invisible formatting character percent-encoded.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_unsafe(c) {
            let mut buffer = [0; 4];
            c.encode_utf8(&mut buffer)
                .bytes()
                .for_each(|b| safe.push_str(&format!("%{b:02X}")));
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

/// Controls (C0, DEL, C1), line and paragraph separators, and the characters that change the
/// direction or visibility of their neighbours (Unicode Technical Report 36, section 2.5).
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{feff}')
        || ('\u{200b}'..='\u{200f}').contains(&c)
        || ('\u{2028}'..='\u{202e}').contains(&c)
        || ('\u{2060}'..='\u{206f}').contains(&c)
        || ('\u{e0000}'..='\u{e007f}').contains(&c)
}

/// Columns that `text` takes on a terminal.
pub fn display_width(text: &str) -> usize {
    text.width()
}

/// `text`, with its middle replaced by `…` where it is wider than `width` columns: the start of a
/// path says where it is, its end what it is.
pub fn shorten_middle(text: &str, width: usize) -> Cow<'_, str> {
    if display_width(text) <= width {
        return Cow::Borrowed(text);
    }
    if width == 0 {
        return Cow::Borrowed("");
    }
    let tail_width = (width - 1) / 2;
    let head = fitting(text.chars(), width - 1 - tail_width);
    let tail: String = fitting(text.chars().rev(), tail_width)
        .chars()
        .rev()
        .collect();
    Cow::Owned(format!("{head}{ELLIPSIS}{tail}"))
}

/// The longest run of leading characters that fits `width` columns.
fn fitting(chars: impl Iterator<Item = char>, width: usize) -> String {
    let mut used = 0;
    chars
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= width
        })
        .collect()
}
