//! Contents of small files at a client of GlusterFS: its translator quick-read (`xlators/performance/quick-read/src/quick-read.c`).
//!
//! A lookup asks for a content unless one is kept (`qr_lookup`). Of one that is kept, the answer tells whether the file has changed. What has changed
//! goes, and comes with the next lookup (`qr_lookup_cbk`).

use std::collections::{BTreeMap, HashMap};

/// Most bytes of contents that are kept (`performance.quick-read-cache-size`).
const MOST_BYTES: u64 = 128 << 20;

/// Contents of files that a client has.
#[derive(Clone, Debug, Default)]
pub(super) struct Contents {
    of: HashMap<u32, Content>,
    /// Files by the turns in which they were looked up last.
    turns: BTreeMap<u64, u32>,
    last_turn: u64,
    /// Bytes of all.
    bytes: u64,
}

/// That of a file.
#[derive(Clone, Copy, Debug)]
struct Content {
    bytes: u64,
    /// Of the file when it came.
    version: u32,
    turn: u64,
    /// Until when reads are answered with it, nanoseconds.
    until_ns: u64,
}

impl Contents {
    /// Whether that of a file is kept.
    pub fn has(&self, file: u32) -> bool {
        self.of.contains_key(&file)
    }

    /// Whether reads of a file are answered with it.
    pub fn is_fresh(&self, file: u32, now_ns: u64) -> bool {
        let of_file = self.of.get(&file);
        of_file.is_some_and(|it| now_ns < it.until_ns)
    }

    /// That of a file has come, so many bytes of this version. Where there is no room, what was looked up longest ago goes.
    pub fn keep(&mut self, file: u32, (bytes, version): (u64, u32), until_ns: u64) {
        self.forget(file);
        self.last_turn += 1;
        let turn = self.last_turn;
        let content = Content {
            bytes,
            version,
            turn,
            until_ns,
        };
        self.of.insert(file, content);
        self.turns.insert(turn, file);
        self.bytes += bytes;
        while self.bytes > MOST_BYTES {
            let Some((_, &oldest)) = self.turns.first_key_value() else {
                return;
            };
            self.forget(oldest);
        }
    }

    /// A file has this version. What is kept of another one goes.
    pub fn compare(&mut self, file: u32, version: u32, until_ns: u64) {
        let Some(content) = self.of.get(&file).copied() else {
            return;
        };
        match content.version == version {
            true => self.keep(file, (content.bytes, version), until_ns),
            false => self.forget(file),
        }
    }

    /// That of a file goes.
    pub fn forget(&mut self, file: u32) {
        if let Some(content) = self.of.remove(&file) {
            self.turns.remove(&content.turn);
            self.bytes -= content.bytes;
        }
    }
}
