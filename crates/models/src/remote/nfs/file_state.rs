//! What a client knows of a file of a store that it has mounted, beside its pages.

/// What a client knows of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct FileState {
    /// Its name was looked up.
    pub is_known: bool,
    /// There is a delegation of reading.
    pub is_delegated: bool,
    /// How often it is open as far as the server knows.
    pub opens: u32,
    /// Until when its attributes hold, and for how long they did the last time.
    pub attributes_until_ns: u64,
    pub attributes_ns: u64,
    /// WRITEs without an answer, and their bytes.
    pub unanswered: u32,
    pub unanswered_bytes: u64,
    /// Transfers whose bytes the server has, and may not have on its disk, and how many bytes.
    pub uncommitted: Vec<u32>,
    pub uncommitted_bytes: u64,
    /// The same of those that a COMMIT is under way for.
    pub committing: Vec<u32>,
    pub is_committing: bool,
}

impl FileState {
    /// Whether nothing of it is on its way to the server, nor waits for a COMMIT.
    pub fn is_settled(&self) -> bool {
        self.unanswered == 0 && self.uncommitted.is_empty() && !self.is_committing
    }

    /// Whether a COMMIT is due, where so many bytes are dirty. It is when all WRITEs are answered, or more waits for it than is dirty or
    /// under way. In the background the kernel waits for the latter as well (`nfs_write_inode`, `fs/nfs/write.c` of Linux 6.1). One COMMIT
    /// of a file is under way at a time.
    pub fn is_commit_due(&self, dirty_bytes: u64) -> bool {
        let is_most = self.uncommitted_bytes > dirty_bytes + self.unanswered_bytes;
        !self.is_committing && !self.uncommitted.is_empty() && (self.unanswered == 0 || is_most)
    }

    /// A COMMIT begins for all that waits for one.
    pub fn begin_commit(&mut self) {
        self.is_committing = true;
        self.uncommitted_bytes = 0;
        self.committing.append(&mut self.uncommitted);
    }
}
