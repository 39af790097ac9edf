//! The log of a web server on a file server's store. Each request adds a line to the page cache, and the kernel writes what is dirty for long.
//!
//! As the NFS client of Linux does it, WRITE need not put anything on the server's disk. COMMIT follows when all of them are answered
//! (`nfs_commit_inode`, `fs/nfs/write.c`). Only bytes that are dirty are sent, not the whole page (`struct nfs_page`). A line is added to
//! the end as the client knows it: nobody else writes to the log, so no attributes are asked for.

use hotset_petri::Time;
use hotset_scenario::Writing;

use super::needs::LOG_LINE_BYTES;

/// What becomes of a call of the log that is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogNext {
    /// Others are awaited, or nothing is left to be done.
    Nothing,
    /// All is at the server now, which is to put it on its disk.
    Commits,
    /// More has become dirty: it is written in so long a time.
    Writes(Time),
}

/// The log of a node.
#[derive(Clone, Debug)]
pub(crate) struct LogWriter {
    /// Its store, and its number at the server.
    pub store: usize,
    pub at_server: u32,
    /// Bytes that it may have. What is beyond begins anew.
    most_bytes: u64,
    /// Bytes that were written into it, and those of them that were sent.
    written_bytes: u64,
    sent_bytes: u64,
    /// How long bytes stay dirty.
    expires: Time,
    /// WRITE calls that have no answer yet.
    left: u32,
    /// Whether something is under way, or will be when its time comes.
    is_busy: bool,
}

impl LogWriter {
    /// One on a store of this number, with this number at its server. Dirty pages are written as `writing` says.
    pub fn new((store, at_server): (usize, u32), most_bytes: u64, writing: Writing) -> Self {
        Self {
            store,
            at_server,
            most_bytes,
            written_bytes: 0,
            sent_bytes: 0,
            expires: expires(writing),
            left: 0,
            is_busy: false,
        }
    }

    /// A request adds its line; in how long a time that is written, where that is not known yet.
    pub fn add_line(&mut self) -> Option<Time> {
        self.written_bytes += LOG_LINE_BYTES;
        let was_busy = std::mem::replace(&mut self.is_busy, true);
        (!was_busy).then_some(self.expires)
    }

    /// The time has come: where in the file dirty bytes are, and how many.
    pub fn dirty(&mut self) -> (u64, u64) {
        let offset = self.sent_bytes % self.most_bytes;
        let dirty = self.written_bytes - self.sent_bytes;
        let bytes = dirty.min(self.most_bytes - offset);
        self.sent_bytes += bytes;
        (offset, bytes)
    }

    /// So many calls were made for them.
    pub fn sent(&mut self, calls: u32) {
        self.left = calls;
    }

    /// A WRITE or the COMMIT is over. A soft mount that gives up counts as answered: the line is lost, and nobody hears of it.
    pub fn answered(&mut self) -> LogNext {
        match self.left {
            0 => self.end(),
            1 => {
                self.left = 0;
                LogNext::Commits
            }
            _ => {
                self.left -= 1;
                LogNext::Nothing
            }
        }
    }

    /// All is on the server's disk.
    fn end(&mut self) -> LogNext {
        self.is_busy = self.written_bytes > self.sent_bytes;
        match self.is_busy {
            true => LogNext::Writes(self.expires),
            false => LogNext::Nothing,
        }
    }
}

/// How long what becomes dirty stays so: until the flusher looks for the first time after it has expired (`wb_check_old_data_flush`,
/// `fs/fs-writeback.c`).
fn expires(writing: Writing) -> Time {
    let looks = (writing.expire_s / writing.flush_s).ceil() + 1.0;
    Time::from_nanos((looks * writing.flush_s * 1e9) as u64)
}
