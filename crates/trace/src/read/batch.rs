//! A block of a log, parsed: its records and rejected records in order, with everything that they name.

use super::entry::{Entry, KnownIds, Wanted};
use super::framing::{Block, KEPT_BYTES, MAX_LINE_BYTES};
use super::names::{LookUp, TOGETHER};
use super::plausibility::implausible;
use super::rejects::Reason;
use super::url::Url;
use crate::formats::{Format, Framing, Record, Reject, RequestTarget};
use crate::{Method, Protocol};

/// A block, and what a parser found in it.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) block: Block,
    /// Texts of records that do not stand in the block as they are: escapes were undone, fields joined.
    texts: Vec<u8>,
    pub(super) records: Vec<Parsed>,
    /// Records whose names were looked up.
    looked_up: usize,
    pub(super) rejected: Vec<RejectedRecord>,
    /// Lines, or records of a binary format.
    pub(super) lines: u64,
    /// Those that hold no request by design.
    pub(super) without_request: u64,
    /// Whether the block is to be parsed again, behind all blocks before it ([`Format::carries_state`]).
    pub(super) depends_on_order: bool,
}

/// A record, with places in its batch in place of texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parsed {
    pub(super) time_us: Option<i64>,
    bytes: Option<u64>,
    size: Option<u64>,
    target: Target,
    client: Text,
    host: Text,
    method: Method,
    protocol: Protocol,
    status: u16,
    pub(super) known: KnownIds,
}

#[derive(Clone, Copy, Debug)]
enum Target {
    Url {
        text: Text,
        /// Bytes of the path and of the path with its query, at the start of the text.
        path: u32,
        whole: u32,
    },
    Key(u64),
}

/// A place: in the block, and from the block's length on in the batch's other texts.
#[derive(Clone, Copy, Debug)]
struct Text {
    start: u32,
    length: u32,
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
    pub(super) fn parse(&mut self, format: &mut dyn Format, names: &mut LookUp<'_>) {
        self.forget();
        let block = std::mem::take(&mut self.block);
        match format.framing() {
            Framing::Lines => self.parse_lines(block.bytes(), block.is_too_long, format, names),
            Framing::Fixed(length) => {
                self.parse_records(block.bytes(), length.max(1), format, names)
            }
        }
        self.look_up(block.bytes(), names);
        self.block = block;
        self.depends_on_order = format.carries_state();
    }

    fn forget(&mut self) {
        self.texts.clear();
        self.records.clear();
        self.looked_up = 0;
        self.rejected.clear();
        self.lines = 0;
        self.without_request = 0;
    }

    fn parse_lines(
        &mut self,
        block: &[u8],
        is_too_long: bool,
        format: &mut dyn Format,
        names: &mut LookUp<'_>,
    ) {
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
                self.parse_record(line, block, format, names);
            }
            start += length + 1;
        }
    }

    fn parse_records(
        &mut self,
        block: &[u8],
        length: usize,
        format: &mut dyn Format,
        names: &mut LookUp<'_>,
    ) {
        for record in block.chunks(length) {
            self.lines += 1;
            if record.len() == length {
                self.parse_record(record, block, format, names);
            } else {
                self.reject(Reason::Format(Reject::Truncated), record, block);
            }
        }
    }

    #[inline]
    fn parse_record(
        &mut self,
        bytes: &[u8],
        block: &[u8],
        format: &mut dyn Format,
        names: &mut LookUp<'_>,
    ) {
        let reject = match format.parse(bytes) {
            Ok(Some(record)) => match implausible(&record) {
                Some(reject) => reject,
                None => {
                    self.keep(&record, block);
                    if self.records.len() == self.looked_up + TOGETHER {
                        self.look_up(block, names);
                    }
                    return;
                }
            },
            Ok(None) => {
                self.without_request += 1;
                return;
            }
            Err(reject) => reject,
        };
        self.reject(Reason::Format(reject), bytes, block);
    }

    /// Looks up the names in the last records, as many as are looked up together.
    fn look_up(&mut self, block: &[u8], names: &mut LookUp<'_>) {
        let last = self.looked_up..self.records.len();
        let entries = self.records[last.clone()].iter();
        let known = names.known(entries.map(|parsed| parsed.entry(block, &self.texts)));
        for (parsed, known) in self.records[last].iter_mut().zip(known) {
            parsed.known = known;
        }
        self.looked_up = self.records.len();
    }

    #[inline]
    fn keep(&mut self, record: &Record<'_>, block: &[u8]) {
        let target = match record.target {
            RequestTarget::Url(text) => {
                let url = Url::of(text);
                Target::Url {
                    path: url.path.len() as u32,
                    whole: url.whole.len() as u32,
                    text: self.text(text, block),
                }
            }
            RequestTarget::Key(key) => Target::Key(key),
        };
        let parsed = Parsed {
            time_us: record.time_us,
            bytes: record.bytes,
            size: record.size,
            target,
            client: self.text(record.client, block),
            host: self.text(record.host, block),
            method: record.method,
            protocol: record.protocol,
            status: record.status,
            known: KnownIds::NONE,
        };
        self.records.push(parsed);
    }

    #[cold]
    fn reject(&mut self, reason: Reason, bytes: &[u8], block: &[u8]) {
        let text = self.text(bytes, block);
        self.rejected.push(RejectedRecord {
            reason,
            line: self.lines,
            behind: self.records.len(),
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
        self.records[index].entry(self.block.bytes(), &self.texts)
    }

    /// The bytes of a rejected record.
    pub(super) fn rejected_bytes(&self, rejected: &RejectedRecord) -> &[u8] {
        rejected.text.of(self.block.bytes(), &self.texts)
    }
}

impl Text {
    #[inline]
    fn of<'a>(self, block: &'a [u8], texts: &'a [u8]) -> &'a [u8] {
        let (start, length) = (self.start as usize, self.length as usize);
        match block.get(start..start + length) {
            Some(text) => text,
            None => &texts[start - block.len()..][..length],
        }
    }
}

impl Parsed {
    #[inline]
    fn entry<'a>(&self, block: &'a [u8], texts: &'a [u8]) -> Entry<'a> {
        let wanted = match self.target {
            Target::Url { text, path, whole } => {
                let text = text.of(block, texts);
                Wanted::Url(Url {
                    path: &text[..path as usize],
                    whole: &text[..whole as usize],
                })
            }
            Target::Key(key) => Wanted::Key(key),
        };
        Entry {
            time_us: self.time_us,
            client: self.client.of(block, texts),
            host: self.host.of(block, texts),
            wanted,
            method: self.method,
            protocol: self.protocol,
            status: self.status,
            bytes: self.bytes,
            size: self.size,
            known: self.known,
        }
    }
}
