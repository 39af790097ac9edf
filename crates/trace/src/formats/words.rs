//! Cutting a line into its words, some of them in quotes or brackets.

use super::field::status;

/// What is left of a line whose words one separator keeps apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words<'a> {
    /// None once the last word is taken.
    rest: Option<&'a [u8]>,
    separator: u8,
    /// Whether an opening quote was found that nothing closes, so that no later one is closed either.
    is_unclosed: bool,
}

impl<'a> Words<'a> {
    /// The words of `line`, which spaces keep apart.
    pub fn of(line: &'a [u8]) -> Words<'a> {
        Words::separated(line, b' ')
    }

    /// The words of `line`, which `separator` keeps apart.
    pub fn separated(line: &'a [u8], separator: u8) -> Words<'a> {
        Words {
            rest: Some(line),
            separator,
            is_unclosed: false,
        }
    }

    /// What no word was taken from yet; empty at the end of the line.
    pub fn rest(&self) -> &'a [u8] {
        self.rest.unwrap_or_default()
    }

    /// The next word as it stands, empty between two separators.
    #[inline]
    pub fn word(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest?;
        let end = find_near(self.separator, rest);
        self.rest = end.map(|end| &rest[end + 1..]);
        Some(&rest[..end.unwrap_or(rest.len())])
    }

    /// The next word, which stands in quotes, without them. A quote inside it is escaped by a backslash, or a
    /// separator does not follow it.
    #[inline]
    pub fn quoted(&mut self) -> Option<&'a [u8]> {
        let text = self.rest?.strip_prefix(b"\"")?;
        let end = memchr::memchr_iter(b'"', text)
            .find(|&end| !is_escaped(&text[..end]) && self.ends_word(&text[end + 1..]))?;
        Some(self.take(text, end))
    }

    /// The next word, which stands in brackets, without them.
    #[inline]
    pub fn bracketed(&mut self) -> Option<&'a [u8]> {
        let text = self.rest?.strip_prefix(b"[")?;
        let end = memchr::memchr(b']', text).filter(|&end| self.ends_word(&text[end + 1..]))?;
        Some(self.take(text, end))
    }

    /// The next word, in quotes or not; one that only begins with a quote stands as it is.
    #[inline]
    pub fn field(&mut self) -> Option<&'a [u8]> {
        if !self.is_unclosed && self.rest?.starts_with(b"\"") {
            if let Some(text) = self.quoted() {
                return Some(text);
            }
            self.is_unclosed = true;
        }
        self.word()
    }

    /// The next word, a quoted request with a status behind it, without its quotes. Quotes inside the request,
    /// which not every server escapes, belong to it.
    #[inline]
    pub fn request(&mut self) -> Option<&'a [u8]> {
        let text = self.rest?.strip_prefix(b"\"")?;
        let end = memchr::memchr_iter(b'"', text).find(|&end| {
            let mut behind = text[end + 1..].split(|&byte| byte == self.separator);
            let is_end = behind.next() == Some(b"");
            let next = behind.next().unwrap_or_default();
            is_end && (next == b"0" || status(next).is_some())
        })?;
        Some(self.take(text, end))
    }

    /// Whether a word ends where `behind` begins.
    fn ends_word(&self, behind: &[u8]) -> bool {
        behind.first().is_none_or(|&byte| byte == self.separator)
    }

    /// `text` up to the closing mark at `end`; goes on behind the mark and the separator.
    fn take(&mut self, text: &'a [u8], end: usize) -> &'a [u8] {
        self.rest = text.get(end + 2..);
        &text[..end]
    }
}

/// Where `byte` stands first in `text`, as [`memchr::memchr`] tells, whose start costs more than a word of a few
/// bytes: eight bytes at a time are looked at first.
///
/// A byte of `differences` is zero where `byte` stands, and the lowest bit set in `zeros` is that of the first such
/// byte (Anderson, "Bit Twiddling Hacks", "Determine if a word has a zero byte").
#[inline]
pub(super) fn find_near(byte: u8, text: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const NEAR: usize = 32;
    let mut start = 0;
    while let Some(bytes) = text[start..].first_chunk::<8>() {
        let differences = u64::from_le_bytes(*bytes) ^ (ONES * u64::from(byte));
        let zeros = differences.wrapping_sub(ONES) & !differences & (ONES << 7);
        if zeros != 0 {
            return Some(start + zeros.trailing_zeros() as usize / 8);
        }
        start += 8;
        if start == NEAR {
            break;
        }
    }
    memchr::memchr(byte, &text[start..]).map(|at| start + at)
}

/// Whether what follows `text` is escaped: an odd number of backslashes ends it.
fn is_escaped(text: &[u8]) -> bool {
    let backslashes = text.iter().rev().take_while(|&&byte| byte == b'\\');
    backslashes.count() % 2 == 1
}
