//! One file, requested again and again.

use crate::error::{GenerateError, require};
use crate::generator::Generator;
use crate::load::Load;
use crate::single_site::{numbered_files, trace, whole_file};
use hotset_trace::Trace;

/// The single-file micro workload of "Workload-driven analysis of file systems in shared multi-tier
/// data-centers over InfiniBand", section 3.1; there with files of 1 KB to 64 MB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingleFile {
    /// Size of the file.
    pub size_bytes: u64,
    /// The requests.
    pub load: Load,
}

impl Generator for SingleFile {
    fn generate(&self, seed: u64) -> Result<Trace, GenerateError> {
        require(
            self.size_bytes > 0,
            "file size",
            self.size_bytes,
            "at least 1 byte",
        )?;
        let sizes = [self.size_bytes];
        let objects = numbered_files(sizes.to_vec());
        trace("single-file", objects, self.load, seed, |_, _| {
            whole_file(0, &sizes)
        })
    }
}
