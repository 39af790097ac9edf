//! The database's log: whoever waits while it is synced is served by the next sync, all together (group commit).

use crate::storage::{OpenFile, Write};

/// Bytes of the log, which is written round and round. Assumed: where in it a block is makes no difference.
pub(super) const LOG_BYTES: u64 = 16 << 20;
/// What a sync has written: the log goes to its file in whole blocks (`innodb_log_write_ahead_size`).
pub(super) const BLOCK_BYTES: u64 = 8 << 10;

/// The log, and the browsers that wait for it.
pub(super) struct Log {
    pub file: OpenFile,
    /// What is being written, until it is all there.
    pub write: Option<Write>,
    /// Those for whom it is written, and those who have come since.
    flushing: Vec<u32>,
    waiting: Vec<u32>,
    is_busy: bool,
    offset: u64,
}

impl Log {
    pub fn new(file: OpenFile) -> Self {
        Self {
            file,
            write: None,
            flushing: Vec::new(),
            waiting: Vec::new(),
            is_busy: false,
            offset: 0,
        }
    }

    /// A browser's page waits for what it has changed.
    pub fn wait(&mut self, browser: u32) {
        self.waiting.push(browser);
    }

    /// Begins with the next block, where somebody waits and nothing is written; whether it has.
    pub fn begin(&mut self) -> bool {
        if self.is_busy || self.waiting.is_empty() {
            return false;
        }
        self.is_busy = true;
        self.flushing.append(&mut self.waiting);
        self.write = Some(Write::new(self.offset, BLOCK_BYTES));
        self.offset = (self.offset + BLOCK_BYTES) % LOG_BYTES;
        true
    }

    /// What was written is on the disk; those who go on.
    pub fn end(&mut self) -> Vec<u32> {
        self.is_busy = false;
        std::mem::take(&mut self.flushing)
    }
}
