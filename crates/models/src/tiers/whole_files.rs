//! Files that are whole in memory, and stay there. Sending one asks the page cache nothing more: its bytes cost what so many cost from memory.

/// Files of a node that are whole in memory, and stay there.
pub(crate) struct WholeFiles {
    /// By number; none where the node's memory for files may change.
    is_whole: Vec<bool>,
}

impl WholeFiles {
    /// None yet, of so many. Of a node whose memory for files may change there never will be.
    pub fn new(files: usize, may_change: bool) -> Self {
        Self {
            is_whole: vec![false; if may_change { 0 } else { files }],
        }
    }

    /// Whether a file is.
    pub fn has(&self, number: u32) -> bool {
        let is_whole = self.is_whole.get(number as usize);
        is_whole.copied().unwrap_or_default()
    }

    /// All of a file has been read, and memory keeps it.
    pub fn add(&mut self, number: u32) {
        if let Some(is_whole) = self.is_whole.get_mut(number as usize) {
            *is_whole = true;
        }
    }
}
