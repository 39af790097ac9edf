//! Files that are whole in memory, and stay there. Sending one asks the page cache nothing more: its bytes cost what so many cost from memory.

/// Files of a node that are whole in memory, and stay there.
pub(crate) struct WholeFiles {
    /// By number; nothing where no file can be.
    is_whole: Vec<bool>,
}

impl WholeFiles {
    /// None yet, of so many; 0 where none can ever be, so that nothing is looked up then.
    pub fn new(files: usize) -> Self {
        Self {
            is_whole: vec![false; files],
        }
    }

    /// Whether a file is.
    pub fn has(&self, number: u32) -> bool {
        let is_whole = self.is_whole.get(number as usize);
        is_whole.copied().unwrap_or_default()
    }

    /// Whether a file is not, and can be.
    pub fn lacks(&self, number: u32) -> bool {
        self.is_whole.get(number as usize) == Some(&false)
    }

    /// All of a file has been read, and memory keeps it.
    pub fn add(&mut self, number: u32) {
        if let Some(is_whole) = self.is_whole.get_mut(number as usize) {
            *is_whole = true;
        }
    }
}
