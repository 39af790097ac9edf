//! Files of the system that a web server's requests use. They are in the page cache beside the files of sites, and read anew where they were dropped.

use super::message::{Message, PIECE_BYTES};
use crate::read_ahead::Advice;
use crate::storage::{Delivery, OpenFile, Read, Storage, Usage};

/// As programs use their own code, and the kernel an inode: nothing is handed over. They are taken to be read, not mapped.
pub(crate) const USAGE: Usage = Usage {
    process: 2,
    advice: Advice::Normal,
    mapped: false,
    delivery: Delivery::Kept,
    sequential: true,
    working_set_bytes: u64::MAX,
};

/// The files of the system, one behind the other.
pub(crate) struct SystemReads {
    pub file: OpenFile,
    bytes: u64,
    /// Where the next request reads.
    next: u64,
}

impl SystemReads {
    /// Those that have this number in the storage, and so many bytes.
    pub fn new(storage: &mut Storage<Message>, number: u32, bytes: u64) -> Self {
        Self {
            file: storage.open(number, bytes, USAGE),
            bytes,
            next: 0,
        }
    }

    /// What the next request uses: a piece, each in turn. So each is used as often as any other, and none by all requests.
    pub fn next_read(&mut self) -> Option<Read> {
        let rest = self.bytes.checked_sub(self.next).filter(|rest| *rest > 0)?;
        let bytes = rest.min(PIECE_BYTES);
        let read = Read::new(self.next, bytes);
        self.next = (self.next + bytes) % self.bytes;
        Some(read)
    }
}
