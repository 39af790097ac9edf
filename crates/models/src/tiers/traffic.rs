//! The files, and the requests for them.

/// A file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// Its site, by number.
    pub site: u16,
    /// Its size.
    pub bytes: u64,
}

/// Requests for files, in the order in which they are made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Names of the sites.
    pub sites: Vec<String>,
    /// The files.
    pub files: Vec<File>,
    /// The file of each request.
    pub requests: Vec<u32>,
    /// When each comes, nanoseconds from the first, rising; as many as there are requests where they come by the clock.
    pub times_ns: Vec<u64>,
    /// Requests before measuring begins.
    pub warm_up: usize,
}

impl Traffic {
    /// How long after a request the next one comes; nothing after the last.
    pub(crate) fn gap_ns(&self, row: usize) -> Option<u64> {
        let next = self.times_ns.get(row + 1)?;
        Some(next.saturating_sub(self.times_ns[row]))
    }

    /// The file of a request, and what it is.
    pub(crate) fn file_of(&self, row: usize) -> (u32, File) {
        let file = self.requests[row];
        (file, self.files[file as usize])
    }
}
