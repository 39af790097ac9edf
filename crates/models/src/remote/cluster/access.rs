//! Accesses of clients to files: who wants something of which file, and when.

use super::layout::Layout;

/// An access of a client to a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub now_ns: u64,
    pub client: u32,
    /// The client's file, its number among all, and its bytes.
    pub file: u32,
    pub number: u32,
    pub size: u64,
    /// How often it was written.
    pub version: u32,
    pub layout: Layout,
}

impl Access {
    /// The client and the server that has the metadata.
    pub fn to_metadata(self) -> (u32, u32) {
        (self.client, self.layout.metadata)
    }
}
