//! Where the files of a client are in its storage.

use hotset_cache::PAGE_BYTES;

/// Where each file of a client begins as the client's storage has it: one behind the other, in whole pages.
pub(super) struct Starts(Vec<u64>);

impl Starts {
    /// Of files of so many bytes.
    pub fn of(sizes: impl Iterator<Item = u64>) -> Self {
        let mut end = 0;
        let starts = sizes.map(|bytes| {
            let start = end;
            end += bytes.div_ceil(PAGE_BYTES) * PAGE_BYTES;
            start
        });
        Self(starts.collect())
    }

    /// The file that a byte of the storage is of, and where it is there.
    #[inline]
    pub fn place(&self, offset: u64) -> (u32, u64) {
        let behind = self.0.partition_point(|&start| start <= offset);
        let file = behind.saturating_sub(1);
        (file as u32, offset - self.0[file])
    }
}
