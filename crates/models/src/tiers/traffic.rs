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
    /// The connection of each request, by number, where they come by the clock. Each has one of its own where there are none.
    pub connections: Vec<u32>,
    /// Requests before measuring begins.
    pub warm_up: usize,
}

impl Traffic {
    /// How long after a request the next one comes; nothing after the last.
    pub(crate) fn gap_ns(&self, row: usize) -> Option<u64> {
        let next = self.times_ns.get(row + 1)?;
        Some(next.saturating_sub(self.times_ns[row]))
    }

    /// The connection of a request that comes by the clock.
    pub(crate) fn connection_of(&self, row: usize) -> u32 {
        let known = self.connections.get(row).copied();
        known.unwrap_or(row as u32)
    }

    /// By request that comes by the clock, whether it is the last of its connection.
    pub(crate) fn ends_of_connections(&self) -> Vec<bool> {
        if self.connections.is_empty() {
            return vec![true; self.requests.len()];
        }
        let numbers = self.connections.iter().max();
        let mut has_more = vec![false; numbers.map_or(0, |most| *most as usize + 1)];
        let from_last = self.connections.iter().rev();
        let mut ends: Vec<bool> = from_last
            .map(|&number| !std::mem::replace(&mut has_more[number as usize], true))
            .collect();
        ends.reverse();
        ends
    }

    /// The file of a request, and what it is.
    pub(crate) fn file_of(&self, row: usize) -> (u32, File) {
        let file = self.requests[row];
        (file, self.files[file as usize])
    }
}
