//! A buffer that a device may write to directly.

/// Alignment that suffices for direct reads: no device has larger logical blocks than a page (`block/blk-settings.c`,
/// before Linux 6.15).
const ALIGNMENT: usize = 4096;

/// A buffer that begins at a multiple of 4096.
pub(crate) struct Aligned {
    memory: Vec<u8>,
    length: usize,
}

impl Aligned {
    /// Of so many bytes. The kernel has already given them: giving them would count as reading.
    pub fn new(bytes: u64) -> Self {
        let length = bytes as usize;
        Self {
            memory: vec![1; length + ALIGNMENT],
            length,
        }
    }

    pub fn bytes(&mut self) -> &mut [u8] {
        let start = self.memory.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        &mut self.memory[start..start + self.length]
    }
}
