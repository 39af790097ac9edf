//! The open owner of a client of version 4.0: for whom its files are open (RFC 7530, 9.1). Versions with sessions need none confirmed.
//!
//! Linux has one for each user of a mount. The server has the client confirm an owner that it does not know. It forgets one that has had
//! no file open for as long as a lease (`nfs4_laundromat`, `fs/nfsd/nfs4state.c` of Linux 6.1). Programs here are of one user.

/// After how long a server forgets a client that it does not hear of (`NFSD_LEASE_TIME`, `fs/nfsd/nfsd.h`), nanoseconds.
pub(super) const LEASE_NS: u64 = 90_000_000_000;

/// An open owner as the server knows it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OpenOwner {
    was_confirmed: bool,
    /// Files that are open as far as the server knows.
    opens: u32,
    /// When the last of them was closed.
    closed_ns: u64,
}

impl OpenOwner {
    /// Whether the server knows it. It gives an owner that it does not know no delegation (`nfs4_open_delegation`).
    pub fn is_confirmed(&self, now_ns: u64) -> bool {
        let is_kept = self.opens > 0 || now_ns < self.closed_ns.saturating_add(LEASE_NS);
        self.was_confirmed && is_kept
    }

    /// A file is opened that is not open yet. Whether the owner has to be confirmed.
    pub fn open(&mut self, now_ns: u64) -> bool {
        let is_confirmed = self.is_confirmed(now_ns);
        self.was_confirmed = true;
        self.opens += 1;
        !is_confirmed
    }

    /// A file is closed.
    pub fn close(&mut self, now_ns: u64) {
        self.opens = self.opens.saturating_sub(1);
        self.closed_ns = now_ns;
    }
}
