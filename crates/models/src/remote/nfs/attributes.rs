//! What a client knows of a file or folder, and how long it believes it (`fs/nfs/inode.c` of Linux 6.1).

/// What a server says of a file or folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reported {
    /// Grows with every change (the change attribute of version 4; the time of the last change of version 3).
    pub change: u64,
    /// Size of a file, bytes; 0 of a folder.
    pub bytes: u64,
}

/// Who else may be the cause of a change that a client learns of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Circumstances {
    /// It is a folder.
    pub is_folder: bool,
    /// The client has it open for writing through its cache (`nfs_file_has_buffered_writers`).
    pub has_writers: bool,
    /// The client has written what the server does not have (`nfs_have_writebacks`).
    pub has_dirty: bool,
    /// The client has a delegation.
    pub is_delegated: bool,
    /// The answer has only those attributes by which a change is seen.
    pub is_partial: bool,
    /// How long attributes hold, nanoseconds.
    pub least_ns: u64,
    /// At most.
    pub most_ns: u64,
}

/// Attributes as a client has them.
#[derive(Clone, Copy, Debug)]
pub struct Attributes {
    /// The last change that the client knows of.
    pub change: u64,
    /// Size, with what the client itself has written.
    pub bytes: u64,
    /// When they were asked for (`read_cache_jiffies`).
    fetched_ns: u64,
    /// How long they hold (`attrtimeo`).
    timeout_ns: u64,
    /// Since when they have been seen unchanged (`attrtimeo_timestamp`).
    unchanged_since_ns: u64,
    /// The change attribute has to be asked for (`NFS_INO_INVALID_CHANGE`).
    pub change_unknown: bool,
    /// The time of the last access has to be (`NFS_INO_INVALID_ATIME`).
    pub access_time_unknown: bool,
    /// The times of the last changes have to be (`NFS_INO_INVALID_CTIME`, `NFS_INO_INVALID_MTIME`), or others that no partial answer has.
    pub times_unknown: bool,
    /// What is cached of the content is to be dropped (`NFS_INO_INVALID_DATA`).
    pub content_unknown: bool,
    /// The server has said what the user may do with it (`nfs_access_entry`), and that was not made void since.
    pub access_known: bool,
    /// Of a folder: grows when somebody else has changed it, so that its names are looked up anew (`cache_change_attribute`).
    pub verifier: u64,
}

impl Attributes {
    /// What is first learnt of it (`nfs_fhget`).
    pub fn new(reported: Reported, least_ns: u64, now_ns: u64) -> Self {
        Self {
            change: reported.change,
            bytes: reported.bytes,
            fetched_ns: now_ns,
            timeout_ns: least_ns,
            unchanged_since_ns: now_ns,
            change_unknown: false,
            access_time_unknown: false,
            times_unknown: false,
            content_unknown: false,
            access_known: false,
            verifier: 0,
        }
    }

    /// Whether they are too old (`nfs_attribute_timeout`).
    pub fn have_expired(&self, now_ns: u64) -> bool {
        now_ns.saturating_sub(self.fetched_ns) >= self.timeout_ns
    }

    /// An answer has attributes (`nfs_update_inode`). `before` is the change attribute before the client's own change, where the answer
    /// is that of one (`nfs_wcc_update_inode`).
    pub fn refresh(
        &mut self,
        reported: Reported,
        before: Option<u64>,
        of: Circumstances,
        now_ns: u64,
    ) {
        self.fetched_ns = now_ns;
        self.change_unknown = false;
        self.access_time_unknown = false;
        self.times_unknown = false;
        if before == Some(self.change) && reported.change != self.change {
            self.change = reported.change;
            self.content_unknown |= of.is_folder;
        }
        let mut by_others = false;
        if reported.change != self.change {
            self.change = reported.change;
            if !(of.has_writers || of.is_delegated) {
                self.content_unknown = true;
                self.access_known = false;
                self.verifier += u64::from(of.is_folder);
                self.times_unknown = of.is_partial;
                by_others = true;
            }
        }
        self.resize(reported.bytes, of);
        if by_others {
            self.timeout_ns = of.least_ns;
        } else if now_ns.saturating_sub(self.unchanged_since_ns) >= self.timeout_ns {
            self.timeout_ns = self.timeout_ns.saturating_mul(2).min(of.most_ns);
        }
        self.unchanged_since_ns = now_ns;
    }

    /// An answer has them, and they are as they are known.
    pub fn are_unchanged(&mut self, now_ns: u64) {
        self.fetched_ns = now_ns;
        self.access_time_unknown = false;
    }

    fn resize(&mut self, bytes: u64, of: Circumstances) {
        if bytes == self.bytes || of.is_delegated || of.is_folder {
            return;
        }
        if !of.has_dirty || bytes > self.bytes {
            self.bytes = bytes;
            self.content_unknown |= !of.has_writers;
        }
    }

    /// A folder was changed by the client, and version 4 says by its change attributes before and after it what that was
    /// (`nfs4_update_changeattr`).
    pub fn changed_by_client(&mut self, before: u64, after: u64, least_ns: u64, now_ns: u64) {
        if before != self.change {
            self.verifier += 1;
            self.access_known = false;
            self.timeout_ns = least_ns;
        }
        self.change = after;
        self.fetched_ns = now_ns;
        self.unchanged_since_ns = now_ns;
        self.change_unknown = false;
        self.content_unknown = true;
        self.times_unknown = true;
    }
}
