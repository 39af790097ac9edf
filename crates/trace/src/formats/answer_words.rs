//! The words of a line of the common family behind its request: status, size and what may stand in their place.

use super::field::{number, size, status};
use memchr::memchr;

/// Statuses that a number in place of the size is likely to be, where another number follows it.
const USUAL_STATUSES: [&[u8]; 14] = [
    b"200", b"201", b"204", b"206", b"301", b"302", b"303", b"304", b"307", b"400", b"401", b"403",
    b"404", b"500",
];

/// The words behind the quoted request of a line.
pub(super) struct AnswerWords<'a> {
    status: &'a [u8],
    size: &'a [u8],
    /// What follows the size and a space.
    pub rest: &'a [u8],
}

impl<'a> AnswerWords<'a> {
    /// Those behind the first quote that a status and a size follow.
    pub fn of(line: &'a [u8]) -> Option<AnswerWords<'a>> {
        memchr::memchr_iter(b'"', line).find_map(|quote| {
            let text = line[quote + 1..].strip_prefix(b" ")?;
            let (status_word, text) = cut(text);
            let (size_word, rest) = cut(text);
            status(status_word)?;
            size(size_word)?;
            Some(AnswerWords {
                status: status_word,
                size: size_word,
                rest,
            })
        })
    }

    /// Whether a whole number follows the size.
    pub fn number_follows(&self) -> bool {
        number(cut(self.rest).0).is_some()
    }

    /// Whether the status is one that servers answer with (RFC 9110 §15), and the size is none that another number
    /// follows, as where an upstream's status or a length stands in front of both.
    fn are_plausible(&self) -> bool {
        let is_status = status(self.status).is_some_and(|it| it == 0 || (100..=599).contains(&it));
        is_status && !(USUAL_STATUSES.contains(&self.size) && self.number_follows())
    }
}

/// A word, and what follows the space behind it.
fn cut(text: &[u8]) -> (&[u8], &[u8]) {
    match memchr(b' ', text) {
        Some(space) => (&text[..space], &text[space + 1..]),
        None => (text, b""),
    }
}

/// Whether a line has the shape of the family from its time to its size: the request in the first quotes, and a
/// plausible status and size.
pub(super) fn has_shape(line: &[u8]) -> bool {
    let answer = AnswerWords::of(line);
    answer.is_none_or(|it| it.are_plausible()) && !has_field_before_request(line)
}

/// Whether another quoted field follows the first, as where a host stands in front of the request.
fn has_field_before_request(line: &[u8]) -> bool {
    let first = memchr::memmem::find(line, b"] \"").map(|at| &line[at + 3..]);
    let behind = first.and_then(|text| Some(&text[memchr(b'"', text)? + 1..]));
    behind.is_some_and(|behind| behind.starts_with(b" \""))
}
