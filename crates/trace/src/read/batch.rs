//! A block of a log, parsed: its records and rejected records in order, with everything that they name.

use super::entry::{Entry, Fields, RecordNames, TargetPlace, Text, Texts};
use super::framing::{Block, KEPT_BYTES, MAX_LINE_BYTES};
use super::names::LogNames;
use super::plausibility::implausible;
use super::rejects::Reason;
use super::url::Url;
use crate::formats::{Format, Framing, Record, Reject, RequestTarget};

/// A block, and what a parser found in it.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) block: Block,
    /// Texts of records that do not stand in the block as they are: escapes were undone, fields joined.
    texts: Vec<u8>,
    pub(super) fields: Vec<Fields>,
    /// The names in each record.
    names: Vec<RecordNames>,
    pub(super) rejected: Vec<RejectedRecord>,
    /// Lines, or records of a binary format.
    pub(super) lines: u64,
    /// Those that hold no request by design.
    pub(super) without_request: u64,
    /// Whether the block is to be parsed again, behind all blocks before it ([`Format::carries_state`]).
    pub(super) depends_on_order: bool,
}

/// A record that was rejected.
#[derive(Clone, Copy, Debug)]
pub(super) struct RejectedRecord {
    pub(super) reason: Reason,
    /// Its number in the batch, from 1.
    pub(super) line: u64,
    /// Records of the batch before it.
    pub(super) behind: usize,
    text: Text,
}

impl Batch {
    /// Parses the block, and looks up the names in it.
    pub(super) fn parse(&mut self, format: &mut dyn Format, look_up: &LogNames<'_>) {
        self.forget();
        let block = std::mem::take(&mut self.block);
        match format.framing() {
            Framing::Lines => self.parse_lines(block.bytes(), block.is_too_long, format),
            Framing::Fixed(length) => self.parse_records(block.bytes(), length.max(1), format),
        }
        let texts = Texts {
            block: block.bytes(),
            others: &self.texts,
        };
        look_up.fill_in(&mut self.fields, &self.names, texts);
        self.block = block;
        self.depends_on_order = format.carries_state();
    }

    fn forget(&mut self) {
        self.texts.clear();
        self.fields.clear();
        self.names.clear();
        self.rejected.clear();
        self.lines = 0;
        self.without_request = 0;
    }

    fn parse_lines(&mut self, block: &[u8], is_too_long: bool, format: &mut dyn Format) {
        let mut start = 0;
        while start < block.len() {
            let rest = &block[start..];
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = &rest[..length];
            self.lines += 1;
            if is_too_long || length > MAX_LINE_BYTES {
                let head = &line[..length.min(KEPT_BYTES)];
                self.reject(Reason::TooLong, head, block);
            } else {
                let line = line.strip_suffix(b"\r").unwrap_or(line);
                self.parse_record(line, block, format);
            }
            start += length + 1;
        }
    }

    fn parse_records(&mut self, block: &[u8], length: usize, format: &mut dyn Format) {
        for record in block.chunks(length) {
            self.lines += 1;
            if record.len() == length {
                self.parse_record(record, block, format);
            } else {
                self.reject(Reason::Format(Reject::Truncated), record, block);
            }
        }
    }

    #[inline]
    fn parse_record(&mut self, bytes: &[u8], block: &[u8], format: &mut dyn Format) {
        let reject = match format.parse(bytes) {
            Ok(Some(record)) => match implausible(&record) {
                Some(reject) => reject,
                None => return self.keep(&record, block),
            },
            Ok(None) => {
                self.without_request += 1;
                return;
            }
            Err(reject) => reject,
        };
        self.reject(Reason::Format(reject), bytes, block);
    }

    #[inline]
    fn keep(&mut self, record: &Record<'_>, block: &[u8]) {
        let mut is_path = false;
        let target = match record.target {
            RequestTarget::Url(text) => {
                let url = Url::of(text);
                is_path = !url.has_query() && !url.path.is_empty();
                TargetPlace::Url {
                    path: url.path.len() as u32,
                    whole: url.whole.len() as u32,
                    text: self.text(text, block),
                }
            }
            RequestTarget::Key(key) => TargetPlace::Key(key, record.size),
        };
        let names = RecordNames {
            client: self.text(record.client, block),
            host: self.text(record.host, block),
            target,
        };
        self.fields.push(Fields::of(record, is_path));
        self.names.push(names);
    }

    #[cold]
    fn reject(&mut self, reason: Reason, bytes: &[u8], block: &[u8]) {
        let text = self.text(bytes, block);
        self.rejected.push(RejectedRecord {
            reason,
            line: self.lines,
            behind: self.fields.len(),
            text,
        });
    }

    /// The place of `text`, which is copied unless it stands in the block.
    #[inline]
    fn text(&mut self, text: &[u8], block: &[u8]) -> Text {
        let start = text.as_ptr().addr().wrapping_sub(block.as_ptr().addr());
        let is_in_block = start <= block.len() && text.len() <= block.len() - start;
        let start = match is_in_block {
            true => start,
            false if text.is_empty() => 0,
            false => {
                let start = block.len() + self.texts.len();
                self.texts.extend_from_slice(text);
                start
            }
        };
        Text {
            start: start as u32,
            length: text.len() as u32,
        }
    }

    /// The record `index`.
    #[inline]
    pub(super) fn entry(&self, index: usize) -> Entry<'_> {
        Entry {
            fields: &self.fields[index],
            names: &self.names[index],
            texts: self.all_texts(),
        }
    }

    /// The bytes of a rejected record.
    pub(super) fn rejected_bytes(&self, rejected: &RejectedRecord) -> &[u8] {
        self.all_texts().get(rejected.text)
    }

    #[inline]
    fn all_texts(&self) -> Texts<'_> {
        Texts {
            block: self.block.bytes(),
            others: &self.texts,
        }
    }
}
