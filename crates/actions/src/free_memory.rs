//! Whether all files fit in the memory that is free, so that holding some of them brings nothing.

use std::path::Path;

/// Where memory is free: in the group at `path`, or on the machine.
pub(crate) fn free_in(path: Option<&Path>) -> String {
    match path {
        Some(path) => format!("in the memory group {}", path.display()),
        None => "on this machine".to_owned(),
    }
}

#[cfg(feature = "beyond-logs")]
pub(crate) use with_servers::Fit;

#[cfg(feature = "beyond-logs")]
mod with_servers {
    use std::path::PathBuf;

    use hotset_machine::cgroup::MemoryGroup;
    use hotset_machine::{MachineError, MemoryLimit};
    use hotset_plan::scan_bytes;
    use hotset_report::number::bytes;

    use super::free_in;

    /// All files beside the memory that they may have.
    pub(crate) struct Fit {
        /// What all files take in whole pages. Bytes.
        pub all_files_bytes: u64,
        /// What is free, or is held already. Bytes.
        pub free_bytes: u64,
        /// The group that leaves no more; none where it is the machine.
        group: Option<PathBuf>,
    }

    impl Fit {
        /// Of files that a server in `group` reads and that take `all_files_bytes`, of which `held_bytes` are held.
        pub fn of(
            all_files_bytes: u64,
            held_bytes: u64,
            group: Option<&MemoryGroup>,
        ) -> Result<Self, MachineError> {
            let free = MemoryLimit::tightest(group)?;
            Ok(Self {
                all_files_bytes,
                free_bytes: free.free_bytes().saturating_add(held_bytes),
                group: free.path().map(Into::into),
            })
        }

        /// Where all files fit, what has to be read of others before the page cache alone can lose one. Bytes.
        pub fn scan_bytes(&self) -> Option<u64> {
            scan_bytes(self.free_bytes, self.all_files_bytes)
        }

        /// Whether it is worth it here.
        pub fn sentence(&self) -> String {
            let (all, free) = (bytes(self.all_files_bytes), bytes(self.free_bytes));
            let place = free_in(self.group.as_deref());
            match self.scan_bytes() {
                Some(scan) => format!(
                    "all files that were read ({all}) fit in the {free} that are free {place}: the page cache alone keeps them, and \
                     holding brings nothing on a local disk, until {} of other files are read between two reads of a file, as by a backup",
                    bytes(scan)
                ),
                None => format!(
                    "the files that were read ({all}) do not all fit in the {free} that are free {place}: holding keeps the best of \
                     them there"
                ),
            }
        }
    }
}
