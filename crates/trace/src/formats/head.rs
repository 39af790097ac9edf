//! The head of a log: what a format is recognised by.

use super::field::trim_line_end;
use super::format::BYTE_ORDER_MARK;
use std::slice::ChunksExact;

/// Lines looked at. Formats differ in every line, so a thousand leave no doubt.
const SAMPLE_LINES: usize = 1000;

/// The first bytes of a log, decompressed.
pub(super) struct Head<'a> {
    name: &'a str,
    bytes: &'a [u8],
    lines: Vec<&'a [u8]>,
    length: Option<u64>,
}

impl<'a> Head<'a> {
    /// The head of the log `name`, whose bytes begin with `bytes`; `length` is its whole length where known.
    pub fn new(bytes: &'a [u8], name: &'a str, length: Option<u64>) -> Head<'a> {
        let is_whole = length.is_some_and(|length| length == bytes.len() as u64);
        Head {
            name,
            bytes,
            lines: sample(bytes, is_whole),
            length,
        }
    }

    /// The same log, had it `lines`.
    pub fn with_lines<'b>(&'b self, lines: &'b [Vec<u8>]) -> Head<'b> {
        let lines = lines.iter().map(|line| trim_line_end(line));
        Head {
            name: self.name,
            bytes: b"",
            lines: lines.filter(|line| !line.trim_ascii().is_empty()).collect(),
            length: None,
        }
    }

    /// Whether there is nothing to tell a format from.
    pub fn is_blank(&self) -> bool {
        self.lines.is_empty() && self.bytes.trim_ascii().is_empty()
    }

    /// The first lines that are not blank, without their line ends; none that the head cuts off.
    pub fn lines(&self) -> &[&'a [u8]] {
        &self.lines
    }

    /// The first records of `width` bytes; none where they do not divide the log's length.
    pub fn records(&self, width: usize) -> Option<ChunksExact<'a, u8>> {
        let divides = |length: u64| length > 0 && length.is_multiple_of(width as u64);
        let fits = self.length.is_none_or(divides) && self.bytes.len() >= width;
        fits.then(|| self.bytes.chunks_exact(width))
    }

    /// Whether the log's name ends in `.EXTENSION`, or did before it was compressed.
    pub fn has_extension(&self, extension: &str) -> bool {
        let name = self.name.to_ascii_lowercase();
        name.ends_with(&format!(".{extension}")) || name.contains(&format!(".{extension}."))
    }
}

/// The first lines that are not blank, without a last one that `head` cuts off.
fn sample(head: &[u8], is_whole: bool) -> Vec<&[u8]> {
    let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    let end = if is_whole {
        head.len()
    } else {
        memchr::memrchr(b'\n', head).map_or(head.len(), |last| last + 1)
    };
    let lines = head[..end].split(|&byte| byte == b'\n').map(trim_line_end);
    lines
        .filter(|line| !line.trim_ascii().is_empty())
        .take(SAMPLE_LINES)
        .collect()
}
